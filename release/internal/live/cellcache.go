package live

import (
	"sync"

	"tacit/rewrite/query"
)

// A cellCache remembers the combinations of keys that depend on constants and declared values alone, for as long as a State lasts. Its zero value
// has no room.
type cellCache struct {
	most int64 // bytes

	mu    sync.Mutex // protects what follows
	known map[[32]byte]cachedCells
	bytes int64
}

type cachedCells struct {
	cells [][]query.Value
	bytes int64
}

// Get returns cells that are remembered, and how many bytes they take.
func (c *cellCache) Get(key [32]byte) (cells [][]query.Value, bytes int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.known[key]
	return found.cells, found.bytes, ok
}

// Put remembers cells of so many bytes. The cache is emptied when it is full; what is larger than all of it is not remembered.
func (c *cellCache) Put(key [32]byte, cells [][]query.Value, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes > c.most {
		return
	}
	if c.known == nil || c.bytes+bytes > c.most {
		c.known, c.bytes = make(map[[32]byte]cachedCells), 0
	}
	if _, twice := c.known[key]; twice {
		return
	}
	c.known[key] = cachedCells{cells, bytes}
	c.bytes += bytes
}

// Holds is how many bytes are remembered.
func (c *cellCache) Holds() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// PlanBytes is what the cells of a plan take besides the texts of their keys: headers of keys, and numbers.
func PlanBytes(cells, keys, columns int) int64 {
	const eachKey, eachNumber = 48, 32
	return int64(cells) * int64(keys*eachKey+columns*eachNumber)
}

// BytesOf is what a combination of keys takes, where it is remembered, and in the plans that are made of it: its texts, and for each a few
// headers of Go's.
func BytesOf(cell []query.Value) int64 {
	const each, row = 100, 48
	bytes := int64(row)
	for _, v := range cell {
		bytes += each + int64(len(v.Text))
	}
	return bytes
}
