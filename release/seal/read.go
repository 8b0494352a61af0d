package seal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/rewrite/query"
)

// How long a seal waits for those who write into the table.
const (
	sealPatience = 15 * time.Second
	sealRetry    = 250 * time.Millisecond
)

// errWritten is returned when rows were written by transactions that are younger than one that has not ended, so that no seal divides
// the rows that are there from those that come later.
var errWritten = errors.New("rows were written by transactions that are not older than all that are still open; end them and try again")

// A SealedTable is a table as it was when it was sealed.
type SealedTable struct {
	Seal  string // text of an xid8: every row that is there was written before it, and every later one is not
	Rows  []epoch.UnitRow
	place epoch.Place
}

// sealTable reads a table when nobody is writing. former are the facts of the last epoch, nil for the first.
func sealTable(ctx context.Context, c *curator.Curator, table *query.Table, former *epoch.PublicFacts) (*SealedTable, error) {
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
func trySeal(ctx context.Context, c *curator.Curator, table *query.Table, former *epoch.PublicFacts) (*SealedTable, error) {
	s, err := c.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	defer s.End()
	t := &SealedTable{}
	const query = "SELECT pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::pg_catalog.text"
	err = s.Query(ctx, query, nil, func(row [][]byte) error {
		t.Seal = string(row[0])
		return nil
	})
	if err != nil {
		return nil, err
	}
	var seals []string
	if former != nil {
		seals = former.Seals
	}
	if t.place, err = placeAfter(ctx, s.Snapshot, table, former); err != nil {
		return nil, err
	}
	if err := checkRowAges(ctx, s.Snapshot, table); err != nil {
		return nil, err
	}
	columns := len(table.PublicColumns())
	err = s.Units(ctx, table, append(slices.Clone(seals), t.Seal), func(row [][]byte) error {
		u, err := epoch.ParseUnitRow(row, columns)
		if err != nil {
			return err
		}
		if u.Band == 0 {
			return errWritten
		}
		t.Rows = append(t.Rows, u)
		return nil
	})
	return t, err
}

// placeAfter is where the table is. An epoch can follow on one that was sealed in the same place, as far as rows of new partitions can be
// told from its own.
func placeAfter(ctx context.Context, s *curator.Snapshot, table *query.Table, former *epoch.PublicFacts) (epoch.Place, error) {
	here, err := epoch.FindPlace(ctx, s, table)
	switch {
	case err != nil || former == nil:
		return here, err
	case !here.SameTable(former.Place):
		return epoch.Place{}, ErrSealedElsewhere
	}
	if err := epoch.CheckSealAge(ctx, s, former); err != nil {
		return epoch.Place{}, err
	}
	return here, epoch.CheckAttached(ctx, s, table, here.Attached(former.Place), former.Seals)
}

// ErrSealedElsewhere is returned when no row can be told to be one of the last epoch.
var ErrSealedElsewhere = errors.New("the table, its columns or its server are others than when its last epoch was sealed (a restore, a failover, " +
	"an upgrade, or a table made anew), so that nobody can tell which of its people were counted then; what was released is still answered, " +
	"and new counts only where the epoch was sealed")

// checkRowAges refuses rows that were written 2^31 transactions ago or more. Ages are told up to there; an older row looks older than any
// seal until its number comes round, at 2^32, and then like one that is written now.
func checkRowAges(ctx context.Context, s *curator.Snapshot, table *query.Table) error {
	var old bool
	query := fmt.Sprintf("SELECT EXISTS (SELECT FROM %s AS t WHERE pg_catalog.age(t.xmin) OPERATOR(pg_catalog.<) 0)", curator.QuoteTable(table.Policy.Name))
	if err := s.QueryRow(ctx, query).Scan(&old); err != nil {
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
func (t *SealedTable) facts(table *query.Table, values []query.Value, limit int) (*epoch.PublicFacts, epoch.UnitCounts, error) {
	f := &epoch.PublicFacts{Values: values, Seals: []string{t.Seal}, Place: t.place}
	for _, c := range table.PublicColumns() {
		f.Columns = append(f.Columns, c.Name)
	}
	if err := f.AddTuples(t.Rows, limit); err != nil {
		return nil, nil, err
	}
	people := make([]int64, len(f.Tuples))
	index := f.TupleIndex()
	var b strings.Builder
	for _, u := range t.Rows {
		people[index[cells.CellKey(&b, u.Tuple)]] += u.N
	}
	for i, n := range people {
		f.Units = append(f.Units, epoch.Unit{Tuple: i, People: n, First: 1, Last: 1})
	}
	counts, err := f.Count(t.Rows)
	return f, counts, err
}
