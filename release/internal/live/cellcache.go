package live

import (
	"sync"

	"tacit/rewrite/query"
)

// A cellCache remembers the combinations of keys that depend on constants and declared values alone, for as long as a State lasts.
type cellCache struct {
	mu    sync.Mutex // protects what follows
	known map[[32]byte][][]query.Value
	cells int
}

// maxCachedCells bounds what a cellCache holds; it is emptied when it is full.
const maxCachedCells = 1_000_000

func (c *cellCache) Get(key [32]byte) ([][]query.Value, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cells, ok := c.known[key]
	return cells, ok
}

func (c *cellCache) Put(key [32]byte, cells [][]query.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || c.cells+len(cells) > maxCachedCells {
		c.known, c.cells = make(map[[32]byte][][]query.Value), 0
	}
	c.known[key] = cells
	c.cells += len(cells)
}
