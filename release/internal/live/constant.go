package live

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"

	"tacit/release/curator"
	"tacit/release/internal/memory"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// This file has the server compute which cells there can be, since its comparisons and collations are the ones that count. It is asked about
// constants alone: declared values, values that were released, and what the statement says. No table is read. So the rows depend on nothing but
// the text and its parameters, as long as the policy and the catalog stay what they are: that long they are remembered. A statement about
// the present day has that day among its parameters. Start at Constant.

// A Runner runs a statement of the curator's.
type Runner func(ctx context.Context, sql string, args []string, each func(row [][]byte) error) error

// Beginning runs each statement in a transaction of its own.
func Beginning(c *curator.Curator) Runner {
	return func(ctx context.Context, sql string, args []string, each func(row [][]byte) error) error {
		s, err := c.BeginEvaluation(ctx)
		if err != nil {
			return err
		}
		defer s.End()
		return s.Query(ctx, sql, args, each)
	}
}

// Constant are the rows of a statement that reads no table. Nobody is to change them. state is nil if nothing is to be remembered.
func Constant(ctx context.Context, state *State, run Runner, sql string, args []string) (rows [][]query.Value, err error) {
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
		taken := BytesOf(values)
		bytes += taken
		return memory.Take(ctx, taken)
	})
	if err == nil && state != nil {
		state.Cells.Put(key, rows, bytes)
	}
	return rows, err
}

// OrdinalOf reads the number of one of n cells, from 1, and returns it from 0.
func OrdinalOf(v query.Value, n int) (int, error) {
	ordinal, err := strconv.Atoi(v.Text)
	if err != nil || ordinal < 1 || ordinal > n {
		return 0, fmt.Errorf("release: internal error: cell %q of %d", v.Text, n)
	}
	return ordinal - 1, nil
}

// CheckConstants refuses queries with constants at which a count would fail once it reached a row, and so tell that there is one: time zones that the curator's
// connection does not know. The analyst's session may know more, or others by the same abbreviations; what it makes of them is to be what the count makes of them.
func (m *Monitor) CheckConstants(ctx context.Context, queries []*query.BoundQuery) error {
	for _, q := range queries {
		for _, c := range q.Checks {
			state, _, err := m.Open()
			if err != nil {
				return err
			}
			rows, err := Constant(ctx, state, Beginning(m.Curator), c.SQL, []string{c.Constant})
			switch {
			case curator.IsInvalid(err):
				return reply.RefuseUnknownZone.With(c.Constant)
			case err != nil:
				return Unevaluated(ctx, err)
			case len(rows) != 1 || len(rows[0]) != 1:
				return fmt.Errorf("release: internal error: %d rows about the constant %q", len(rows), c.Constant)
			case !c.Told.Null && c.Told != rows[0][0]:
				return reply.RefuseOtherZone.With(c.Constant)
			}
		}
	}
	return nil
}
