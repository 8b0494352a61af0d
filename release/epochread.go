package release

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacit/rewrite"
)

// errEpochOver is returned when rows of an epoch were deleted or updated since it was sealed, so that its counts can no longer be taken.
var errEpochOver = errors.New("release: rows of the epoch were deleted or updated")

// errEpochOld is returned when so many transactions were begun since the seal that the server could soon not tell which rows are older.
var errEpochOld = errors.New("release: the epoch was sealed too many transactions ago")

// maxSealAge is how many transactions may follow a seal. Ages of transactions are told up to 2^31 of them; the rest is for those that
// begin while rows are read.
const maxSealAge = 1<<31 - 100_000_000

// unitCounts are the true counts of an epoch: for each unit, how many of its people have each value. Nothing but the opening of a round
// that was charged and recorded as decided looks at them, see sealed.
type unitCounts [][]int64

// readEpoch counts the rows of an epoch: those that were there when its people were counted. What was inserted later is left out.
func readEpoch(ctx context.Context, s *snapshot, table *rewrite.Table, f *facts) (unitCounts, error) {
	if err := checkSealAge(ctx, s, f); err != nil {
		return nil, err
	}
	switch here, err := findPlace(ctx, s, table); {
	case err != nil:
		return nil, err
	case !here.equal(f.place):
		return nil, errEpochElsewhere
	}
	r := newUnitReader(f)
	sql, args := table.UnitsSQL(f.seals)
	err := s.query(ctx, sql, args, func(row [][]byte) error {
		u, err := parseUnitRow(row, len(f.columns))
		if err != nil {
			return err
		}
		return r.take(u)
	})
	if err != nil {
		return nil, err
	}
	return r.counts, r.check()
}

// checkSealAge refuses seals that are too old.
func checkSealAge(ctx context.Context, s *snapshot, f *facts) error {
	if len(f.seals) == 0 {
		return errors.New("release: internal error: an epoch without a seal")
	}
	const query = "SELECT (pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 OPERATOR(pg_catalog.-) $1::pg_catalog.text::pg_catalog.int8)"
	var age int64
	err := s.query(ctx, query, []string{f.seals[0]}, func(row [][]byte) (err error) {
		age, err = strconv.ParseInt(string(row[0]), 10, 64)
		return err
	})
	switch {
	case err != nil:
		return err
	case age < 0: // another server, or a restored one
		return errEpochOver
	case age > maxSealAge:
		return errEpochOld
	}
	return nil
}

// A unitRow is a row of rewrite.Table.UnitsSQL.
type unitRow struct {
	tuple []rewrite.Value
	value rewrite.Value
	band  int // 0: after all seals
	n     int64
}

func parseUnitRow(row [][]byte, columns int) (u unitRow, err error) {
	if len(row) != columns+3 {
		return u, fmt.Errorf("release: internal error: %d columns of units", len(row))
	}
	values := make([]rewrite.Value, columns+1)
	for i := range values {
		values[i] = rewrite.Value{Text: string(row[i]), Null: row[i] == nil}
	}
	u.tuple, u.value = values[:columns], values[columns]
	if u.band, err = strconv.Atoi(string(row[columns+1])); err != nil {
		return u, err
	}
	u.n, err = strconv.ParseInt(string(row[columns+2]), 10, 64)
	return u, err
}

// A unitReader counts rows by the units of an epoch.
type unitReader struct {
	facts  *facts
	tuples map[string]int
	units  map[unitBand]int
	counts unitCounts
	b      strings.Builder
}

// A unitBand are the people of a tuple who came between two seals.
type unitBand struct{ tuple, band int }

func newUnitReader(f *facts) *unitReader {
	r := &unitReader{facts: f, tuples: make(map[string]int), units: make(map[unitBand]int), counts: make(unitCounts, len(f.units))}
	for i, t := range f.tuples {
		r.tuples[cellKey(&r.b, t)] = i
	}
	for i, u := range f.units {
		r.counts[i] = make([]int64, len(f.values))
		for band := u.first; band <= u.last && !u.gone; band++ {
			r.units[unitBand{u.tuple, band}] = i
		}
	}
	return r
}

// take adds a row. People whom no epoch has taken in are in no count.
func (r *unitReader) take(u unitRow) error {
	if u.band == 0 {
		return nil
	}
	tuple, ok := r.tuples[cellKey(&r.b, u.tuple)]
	if !ok {
		return nil
	}
	unit, ok := r.units[unitBand{tuple, u.band}]
	if !ok {
		return nil
	}
	value := slices.Index(r.facts.values, u.value)
	if value < 0 { // it was none when the epoch was sealed
		return errEpochOver
	}
	r.counts[unit][value] += u.n
	return nil
}

// check finds that everybody is there who was there when the epoch was sealed.
func (r *unitReader) check() error {
	for i, u := range r.facts.units {
		people := int64(0)
		for _, n := range r.counts[i] {
			people += n
		}
		if !u.gone && people != u.people {
			return errEpochOver
		}
	}
	return nil
}
