package release

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"tacit/rewrite"
)

// The cells of keys that are computed of columns with declared domains, or that are columns of public tables, are known before any
// protected row is read: the server evaluates the keys over the declared values, and over the rows of public tables.

// maxInputs bounds the combinations of declared values over which a group of keys is evaluated.
const maxInputs = 1_000_000

// A cellCache remembers the combinations of keys that depend on constants and declared values alone, for as long as a regime lasts.
type cellCache struct {
	mu    sync.Mutex // protects what follows
	known map[[32]byte][][]rewrite.Value
	cells int
}

// maxCachedCells bounds what a cellCache holds; it is emptied when it is full.
const maxCachedCells = 1_000_000

func (c *cellCache) get(key [32]byte) ([][]rewrite.Value, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cells, ok := c.known[key]
	return cells, ok
}

func (c *cellCache) put(key [32]byte, cells [][]rewrite.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || c.cells+len(cells) > maxCachedCells {
		c.known, c.cells = make(map[[32]byte][][]rewrite.Value), 0
	}
	c.known[key] = cells
	c.cells += len(cells)
}

// derive sets the cells of a plan some of whose keys are computed, or leaves it to the threshold: if the domain of a column that a key
// is computed of is not declared, or there are too many cells. Nothing here depends on protected rows.
func (p *plan) derive(ctx context.Context, d *Door, r *regime) error {
	cells := [][]rewrite.Value{make([]rewrite.Value, len(p.query.Keys))}
	for _, g := range p.query.KeyGroups() {
		combinations, ok, err := p.combinations(ctx, d, r, g)
		if err != nil {
			return err
		}
		if !ok || len(combinations) > 0 && len(cells) > p.limit/len(combinations) {
			p.byThreshold, p.tooMany = true, ok || g.Declared()
			return nil
		}
		product := make([][]rewrite.Value, 0, len(cells)*len(combinations))
		for _, cell := range cells {
			for _, values := range combinations {
				wider := slices.Clone(cell)
				for i, k := range g.Keys {
					wider[k] = values[i]
				}
				product = append(product, wider)
			}
		}
		cells = product
	}
	slices.SortFunc(cells, p.compareCells)
	p.settled, p.cells = true, len(cells)
	p.keys = make([][]rewrite.Value, len(p.query.Keys))
	for k := range p.keys {
		p.keys[k] = make([]rewrite.Value, len(cells))
		for i, cell := range cells {
			p.keys[k][i] = cell[k]
		}
	}
	return nil
}

// combinations are the values that the keys of a group have together; ok is false if they are not declared, or too many.
func (p *plan) combinations(ctx context.Context, d *Door, r *regime, g *rewrite.KeyGroup) (combinations [][]rewrite.Value, ok bool, err error) {
	if !g.Declared() {
		return nil, false, nil
	}
	values := make([][]rewrite.Value, len(g.Inputs))
	inputs := 1
	for i, c := range g.Inputs {
		values[i] = domainValues(c)
		if inputs > maxInputs/max(len(values[i]), 1) {
			return nil, false, nil
		}
		inputs *= max(len(values[i]), 1)
	}
	sql, args := p.query.CellsSQL(g, values, p.limit+1)
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q", sql, args))
	combinations, ok = r.cells.get(key)
	if !ok {
		if combinations, err = d.evaluate(ctx, sql, args, len(g.Keys)); err != nil {
			return nil, false, err
		}
		if !g.ReadsPublic() { // whose rows change
			r.cells.put(key, combinations)
		}
	}
	return combinations, len(combinations) <= p.limit, nil
}

// evaluate runs a statement that reads no protected table.
func (d *Door) evaluate(ctx context.Context, sql string, args []string, columns int) ([][]rewrite.Value, error) {
	s, err := d.curator.begin(ctx)
	if err != nil {
		return nil, failure(ctx, refuseUnavailable(), err)
	}
	defer s.end()
	var rows [][]rewrite.Value
	err = s.query(ctx, sql, args, func(row [][]byte) error {
		if len(row) != columns {
			return fmt.Errorf("release: internal error: %d columns instead of %d", len(row), columns)
		}
		values := make([]rewrite.Value, columns)
		for i, v := range row {
			values[i] = rewrite.Value{Text: string(v), Null: v == nil}
		}
		rows = append(rows, values)
		return nil
	})
	if err != nil {
		return nil, failure(ctx, refuseUnavailable(), err)
	}
	return rows, nil
}
