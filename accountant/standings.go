package accountant

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"tacit/policy"
)

// standings keeps how tables and analysts stand, until something happens to the table: every answer that is replayed tells its analyst, and
// composing all that was charged, block by block, takes longer than finding the answer.
type standings struct {
	kept *lru.Cache[standingKey, Standing]
}

// A standingKey is all that a standing depends on.
type standingKey struct {
	version    int64 // of the table
	since      int64 // the day from which charges count
	accounting Accounting
	analyst    string
	capped     bool
	cap        policy.Budget
}

// maxStandings is more than there are analysts of a busy hour, each with some tables.
const maxStandings = 4096

func newStandings() standings {
	kept, err := lru.New[standingKey, Standing](maxStandings)
	if err != nil {
		panic("accountant: internal error: " + err.Error()) // only for a size below one
	}
	return standings{kept}
}

// key is what the standing of a table is kept under. Of a table that nothing has happened to there is nothing to keep.
func (s *state) standingKey(a Accounting, analyst string, limit *policy.Budget, now int64) (key standingKey, ok bool) {
	t := s.tables[a.Table]
	if t == nil {
		return standingKey{}, false
	}
	key = standingKey{version: t.version, since: a.since(max(now, s.at)), accounting: a, analyst: analyst, capped: limit != nil}
	if limit != nil {
		key.cap = *limit
	}
	return key, true
}
