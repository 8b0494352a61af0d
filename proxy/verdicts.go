package proxy

import (
	"encoding/binary"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/policy"
	"tacit/rewrite"
)

// This file remembers verdicts for all sessions. The invariant: the key of a verdict holds everything that it depends on but what names
// mean, which stands beside it. Start at verdicts.

// Bounds on the verdicts that are remembered, for all sessions together. A verdict is taken to be some times as large as the text.
const (
	maxVerdicts     = 4096
	maxVerdictBytes = 4 << 20 // of text
)

// A verdictKey is what a verdict depends on besides what names mean in the session.
type verdictKey struct {
	version string // of the catalog
	limits  policy.Limits
	text    string
	parsed  bool   // by a Parse
	aborted bool   // the transaction block has failed
	full    bool   // read in full, for the protected statements that it executes
	oids    string // that it declares
}

func (k verdictKey) bytes() int { return len(k.text) + len(k.oids) }

func newVerdictKey(s *rewrite.Session, text string) verdictKey {
	var packed []byte
	for _, oid := range s.ParamOIDs {
		packed = binary.BigEndian.AppendUint32(packed, oid)
	}
	return verdictKey{s.Catalog.Version, s.Limits, text, s.Prepared, s.Aborted, s.Executes, string(packed)}
}

// A remembered verdict holds for a session in which names mean the same, and which wants intervals or not, if it depends on that.
type remembered struct {
	verdict       rewrite.Verdict
	names         []rewrite.Resolution
	asksIntervals bool
	intervals     bool
}

// verdicts remembers verdicts, the least recently used ones forgotten first.
type verdicts struct {
	mu    sync.Mutex // protects what follows
	lru   *simplelru.LRU[verdictKey, remembered]
	bytes int
}

func newVerdicts() *verdicts {
	v := &verdicts{}
	lru, err := simplelru.NewLRU(maxVerdicts, func(k verdictKey, _ remembered) { v.bytes -= k.bytes() })
	if err != nil {
		panic("proxy: internal error: " + err.Error()) // only for a size below one
	}
	v.lru = lru
	return v
}

func (v *verdicts) get(k verdictKey) (remembered, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.lru.Get(k)
}

func (v *verdicts) put(k verdictKey, r remembered) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.lru.Remove(k); k.bytes() > maxVerdictBytes/4 {
		return
	}
	v.bytes += k.bytes()
	v.lru.Add(k, r)
	for v.bytes > maxVerdictBytes {
		v.lru.RemoveOldest()
	}
}
