package noisy

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/memory"
	"tacit/rewrite/query"
)

// This file has the server compute which cells there can be, since its comparisons and collations are the ones that count. It is asked about
// constants alone: declared values, values that were released, and what the statement says. No table is read. So the rows depend on nothing but
// the text and its parameters, as long as the policy and the catalog stay what they are: that long they are remembered. A statement about
// the present day has that day among its parameters. Start at constant.

// A runner runs a statement of the curator's.
type runner func(ctx context.Context, sql string, args []string, each func(row [][]byte) error) error

// beginning runs each statement in a transaction of its own.
func beginning(c *curator.Curator) runner {
	return func(ctx context.Context, sql string, args []string, each func(row [][]byte) error) error {
		s, err := c.BeginEvaluation(ctx)
		if err != nil {
			return err
		}
		defer s.End()
		return s.Query(ctx, sql, args, each)
	}
}

// constant are the rows of a statement that reads no table. Nobody is to change them. state is nil if nothing is to be remembered.
func constant(ctx context.Context, state *live.State, run runner, sql string, args []string) (rows [][]query.Value, err error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q", sql, args))
	if state != nil {
		if rows, bytes, known := state.Cells.Get(key); known {
			return rows, memory.Take(ctx, bytes)
		}
	}
	var bytes int64
	err = run(ctx, sql, args, func(row [][]byte) error {
		values := make([]query.Value, len(row))
		for i, v := range row {
			values[i] = query.Value{Text: string(v), Null: v == nil}
		}
		rows = append(rows, values)
		taken := live.BytesOf(values)
		bytes += taken
		return memory.Take(ctx, taken)
	})
	if err == nil && state != nil {
		state.Cells.Put(key, rows, bytes)
	}
	return rows, err
}

// ordinalOf reads the number of one of n cells, from 1, and returns it from 0.
func ordinalOf(v query.Value, n int) (int, error) {
	ordinal, err := strconv.Atoi(v.Text)
	if err != nil || ordinal < 1 || ordinal > n {
		return 0, fmt.Errorf("release: internal error: cell %q of %d", v.Text, n)
	}
	return ordinal - 1, nil
}

// restrict keeps the cells that the statement's own filter allows.
func (p *QueryPlan) restrict(ctx context.Context, run runner) error {
	if len(p.Query.Keys) == 0 || p.Cells == 0 || p.fixed {
		return nil
	}
	sql, args, ok := p.Query.DomainSQL(p.Keys)
	if !ok {
		return nil
	}
	rows, err := constant(ctx, p.state, run, sql, args)
	if err != nil {
		return err
	}
	kept := make([]int, len(rows))
	for i, row := range rows {
		if kept[i], err = ordinalOf(row[0], p.Cells); err != nil {
			return err
		}
	}
	slices.Sort(kept)
	for i, column := range p.Keys {
		keys := make([]query.Value, len(kept))
		for j, cell := range kept {
			keys[j] = column[cell]
		}
		p.Keys[i] = keys
	}
	p.Cells = len(kept)
	return nil
}
