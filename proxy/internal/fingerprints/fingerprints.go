package fingerprints

import (
	"crypto/sha256"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/policy"
	"tacit/rewrite"
)

// most bounds the fingerprints that are remembered.
const most = 4096

// A Cache may be used by many goroutines.
type Cache struct {
	mu  sync.Mutex // protects lru
	lru *simplelru.LRU[[sha256.Size]byte, string]
}

// New is an empty cache.
func New() *Cache {
	lru, err := simplelru.NewLRU[[sha256.Size]byte, string](most, nil)
	if err != nil {
		panic("fingerprints: internal error: " + err.Error()) // only for a size below one
	}
	return &Cache{lru: lru}
}

// Of is the fingerprint of a text.
func (c *Cache) Of(text string, limits policy.Limits) string {
	key := sha256.Sum256([]byte(text))
	c.mu.Lock()
	found, known := c.lru.Get(key)
	c.mu.Unlock()
	if known {
		return found
	}
	found = rewrite.Fingerprint(text, limits)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Add(key, found)
	return found
}
