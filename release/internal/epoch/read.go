package epoch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacit/accountant/ledger"
	"tacit/auditor/posterior"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// ErrOver is returned when rows of an epoch were deleted or updated since it was sealed, so that its counts can no longer be taken.
var ErrOver = errors.New("release: rows of the epoch were deleted or updated")

// ErrOld is returned when so many transactions were begun since the seal that the server could soon not tell which rows are older.
var ErrOld = errors.New("release: the epoch was sealed too many transactions ago")

// maxSealAge is how many transactions may follow a seal. Ages of transactions are told up to 2^31 of them; the rest is for those that
// begin while rows are read.
const maxSealAge = 1<<31 - 100_000_000

// UnitCounts are the true counts of an epoch: for each unit, how many of its people have each value. Nothing but the opening of a round
// that was charged and recorded as decided looks at them, see sealed.
type UnitCounts [][]int64

// Sum is how many people of some units have one of some values.
func (c UnitCounts) Sum(units []int32, values posterior.ValueSet) int64 {
	sum := int64(0)
	for _, u := range units {
		for v, n := range c[u] {
			if values.Has(v) {
				sum += n
			}
		}
	}
	return sum
}

// ReadCounts counts the rows of an epoch, for a decision that was charged with this payload: those that were there when its people were counted. What was inserted later is left out.
func ReadCounts(ctx context.Context, s *curator.Snapshot, paid *ledger.AuditReservation, payload []byte, table *query.Table, f *PublicFacts) (UnitCounts, error) {
	if err := CheckSealAge(ctx, s, f); err != nil {
		return nil, err
	}
	switch here, err := FindPlace(ctx, s, table); {
	case err != nil:
		return nil, err
	case !here.equal(f.Place):
		return nil, ErrElsewhere
	}
	r := newUnitReader(f)
	err := s.Units(ctx, paid, payload, table, f.Seals, func(row [][]byte) error {
		u, err := ParseUnitRow(row, len(f.Columns))
		if err != nil {
			return err
		}
		return r.Take(u)
	})
	if err != nil {
		return nil, err
	}
	return r.Counts, r.Check()
}

// CheckSealAge refuses seals that are too old.
func CheckSealAge(ctx context.Context, s *curator.Snapshot, f *PublicFacts) error {
	if len(f.Seals) == 0 {
		return errors.New("release: internal error: an epoch without a seal")
	}
	const query = "SELECT (pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 OPERATOR(pg_catalog.-) $1::pg_catalog.text::pg_catalog.int8)"
	var age int64
	err := s.Query(ctx, query, []string{f.Seals[0]}, func(row [][]byte) (err error) {
		age, err = strconv.ParseInt(string(row[0]), 10, 64)
		return err
	})
	switch {
	case err != nil:
		return err
	case age < 0: // another server, or a restored one
		return ErrOver
	case age > maxSealAge:
		return ErrOld
	}
	return nil
}

// A UnitRow is a row of query.UnitsSQL.
type UnitRow struct {
	Tuple []query.Value
	Value query.Value
	Band  int // 0: after all seals
	N     int64
}

func ParseUnitRow(row [][]byte, columns int) (u UnitRow, err error) {
	if len(row) != columns+3 {
		return u, fmt.Errorf("release: internal error: %d columns of units", len(row))
	}
	values := make([]query.Value, columns+1)
	for i := range values {
		values[i] = query.Value{Text: string(row[i]), Null: row[i] == nil}
	}
	u.Tuple, u.Value = values[:columns], values[columns]
	if u.Band, err = strconv.Atoi(string(row[columns+1])); err != nil {
		return u, err
	}
	u.N, err = strconv.ParseInt(string(row[columns+2]), 10, 64)
	return u, err
}

// A unitReader counts rows by the units of an epoch.
type unitReader struct {
	facts  *PublicFacts
	tuples map[string]int
	units  map[unitBand]int
	Counts UnitCounts
	b      strings.Builder
}

// A unitBand are the people of a tuple who came between two seals.
type unitBand struct{ tuple, band int }

func newUnitReader(f *PublicFacts) *unitReader {
	r := &unitReader{facts: f, tuples: make(map[string]int), units: make(map[unitBand]int), Counts: make(UnitCounts, len(f.Units))}
	for i, t := range f.Tuples {
		r.tuples[cells.CellKey(&r.b, t)] = i
	}
	for i, u := range f.Units {
		r.Counts[i] = make([]int64, len(f.Values))
		for band := u.First; band <= u.Last && !u.Gone; band++ {
			r.units[unitBand{u.Tuple, band}] = i
		}
	}
	return r
}

// Take adds a row. People whom no epoch has taken in are in no count.
func (r *unitReader) Take(u UnitRow) error {
	if u.Band == 0 {
		return nil
	}
	tuple, ok := r.tuples[cells.CellKey(&r.b, u.Tuple)]
	if !ok {
		return nil
	}
	unit, ok := r.units[unitBand{tuple, u.Band}]
	if !ok {
		return nil
	}
	value := slices.Index(r.facts.Values, u.Value)
	if value < 0 { // it was none when the epoch was sealed
		return ErrOver
	}
	r.Counts[unit][value] += u.N
	return nil
}

// Check finds that everybody is there who was there when the epoch was sealed.
func (r *unitReader) Check() error {
	for i, u := range r.facts.Units {
		people := int64(0)
		for _, n := range r.Counts[i] {
			people += n
		}
		if !u.Gone && people != u.People {
			return ErrOver
		}
	}
	return nil
}
