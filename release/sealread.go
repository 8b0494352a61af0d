package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tacit/rewrite"
)

// How long a seal waits for those who write into the table.
const (
	sealPatience = 15 * time.Second
	sealRetry    = 250 * time.Millisecond
)

// errWritten is returned when rows were written by transactions that are younger than one that has not ended, so that no seal divides
// the rows that are there from those that come later.
var errWritten = errors.New("rows were written by transactions that are not older than all that are still open; end them and try again")

// A sealedTable is a table as it was when it was sealed.
type sealedTable struct {
	seal  string // text of an xid8: every row that is there was written before it, and every later one is not
	rows  []unitRow
	place place
}

// sealTable reads a table when nobody is writing. former are the facts of the last epoch, nil for the first.
func sealTable(ctx context.Context, c *curator, table *rewrite.Table, former *facts) (*sealedTable, error) {
	deadline := time.Now().Add(sealPatience)
	for {
		t, err := trySeal(ctx, c, table, former)
		if !errors.Is(err, errWritten) || time.Now().After(deadline) {
			return t, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(sealRetry):
		}
	}
}

// trySeal takes a snapshot. Every transaction before its xmin has ended; so a visible row is of one of these, or was written so lately
// that it could not be told from rows that are still to come, for which xmin is no seal.
func trySeal(ctx context.Context, c *curator, table *rewrite.Table, former *facts) (*sealedTable, error) {
	s, err := c.beginApart(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	t := &sealedTable{}
	const query = "SELECT pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::pg_catalog.text"
	err = s.query(ctx, query, nil, func(row [][]byte) error {
		t.seal = string(row[0])
		return nil
	})
	if err != nil {
		return nil, err
	}
	var seals []string
	if former != nil {
		seals = former.seals
	}
	if t.place, err = placeAfter(ctx, s, table, former); err != nil {
		return nil, err
	}
	if err := checkRowAges(ctx, s, table); err != nil {
		return nil, err
	}
	columns := len(table.PublicColumns())
	sql, args := table.UnitsSQL(append(slices.Clone(seals), t.seal))
	err = s.query(ctx, sql, args, func(row [][]byte) error {
		u, err := parseUnitRow(row, columns)
		if err != nil {
			return err
		}
		if u.band == 0 {
			return errWritten
		}
		t.rows = append(t.rows, u)
		return nil
	})
	return t, err
}

// placeAfter is where the table is. An epoch can follow on one that was sealed in the same place, as far as rows of new partitions can be
// told from its own.
func placeAfter(ctx context.Context, s *snapshot, table *rewrite.Table, former *facts) (place, error) {
	here, err := findPlace(ctx, s, table)
	switch {
	case err != nil || former == nil:
		return here, err
	case !here.sameTable(former.place):
		return place{}, errSealedElsewhere
	}
	if err := checkSealAge(ctx, s, former); err != nil {
		return place{}, err
	}
	return here, checkAttached(ctx, s, table, here.attached(former.place), former.seals)
}

// errSealedElsewhere is returned when no row can be told to be one of the last epoch.
var errSealedElsewhere = errors.New("the table, its columns or its server are others than when its last epoch was sealed (a restore, a failover, " +
	"an upgrade, or a table made anew), so that nobody can tell which of its people were counted then; what was released is still answered, " +
	"and new counts only where the epoch was sealed")

// checkRowAges refuses rows that were written 2^31 transactions ago or more. Ages are told up to there; an older row looks older than any
// seal until its number comes round, at 2^32, and then like one that is written now.
func checkRowAges(ctx context.Context, s *snapshot, table *rewrite.Table) error {
	var old bool
	query := fmt.Sprintf("SELECT EXISTS (SELECT FROM %s AS t WHERE pg_catalog.age(t.xmin) OPERATOR(pg_catalog.<) 0)", quoteTable(table.Policy.Name))
	if err := s.conn.QueryRow(ctx, query).Scan(&old); err != nil {
		return err
	}
	if old {
		return errOldRows
	}
	return nil
}

// errOldRows is returned when rows are too old to be told from later ones by their transactions.
var errOldRows = errors.New("rows were written more than 2,000 million transactions ago, and could soon not be told from new ones; " +
	"before the first epoch write them anew (UPDATE of the rows whose age(xmin) is below 0, or dump and restore of the table), and seal then")

// facts are those of a first epoch, with the true counts of its units. Tuples are in the order of their values.
func (t *sealedTable) facts(table *rewrite.Table, values []rewrite.Value, limit int) (*facts, unitCounts, error) {
	f := &facts{values: values, seals: []string{t.seal}, place: t.place}
	for _, c := range table.PublicColumns() {
		f.columns = append(f.columns, c.Name)
	}
	if err := f.addTuples(t.rows, limit); err != nil {
		return nil, nil, err
	}
	people := make([]int64, len(f.tuples))
	index := f.tupleIndex()
	var b strings.Builder
	for _, u := range t.rows {
		people[index[cellKey(&b, u.tuple)]] += u.n
	}
	for i, n := range people {
		f.units = append(f.units, factUnit{tuple: i, people: n, first: 1, last: 1})
	}
	counts, err := f.count(t.rows)
	return f, counts, err
}

// addTuples adds the combinations that are new, in the order of their values.
func (f *facts) addTuples(rows []unitRow, limit int) error {
	index := f.tupleIndex()
	var b strings.Builder
	var found [][]rewrite.Value
	for _, u := range rows {
		key := cellKey(&b, u.tuple)
		if _, ok := index[key]; ok {
			continue
		}
		index[key] = len(index)
		found = append(found, u.tuple)
		if len(index) > limit {
			return fmt.Errorf("the public columns have more than limits.cells = %d combinations; raise the limit, or list fewer columns", limit)
		}
	}
	slices.SortFunc(found, func(a, b []rewrite.Value) int {
		return slices.CompareFunc(a, b, func(v, w rewrite.Value) int {
			return cmp.Or(cmp.Compare(boolInt(v.Null), boolInt(w.Null)), strings.Compare(v.Text, w.Text))
		})
	})
	f.tuples = append(f.tuples, found...)
	return nil
}

func (f *facts) tupleIndex() map[string]int {
	index := make(map[string]int, len(f.tuples))
	var b strings.Builder
	for i, t := range f.tuples {
		index[cellKey(&b, t)] = i
	}
	return index
}

// count are the true counts of the units. Values that the private column was not declared to have cannot be counted.
func (f *facts) count(rows []unitRow) (unitCounts, error) {
	if err := f.checkValues(rows); err != nil {
		return nil, err
	}
	r := newUnitReader(f)
	for _, u := range rows {
		if err := r.take(u); err != nil {
			return nil, err
		}
	}
	return r.counts, nil
}
