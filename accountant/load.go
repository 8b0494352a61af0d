package accountant

import (
	"context"
	"fmt"
)

// scanPage is how many entries are read at once.
const scanPage = 2000

// load reads the state of a ledger: its last checkpoint, and what came after. What it has read is sound: it follows from the checkpoint, or
// from the first entry, by the chain.
func load(ctx context.Context, q interface {
	snapshot(context.Context) (snapshot, error)
}) (*state, error) {
	snap, err := q.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.close()
	s, err := loadCheckpoint(ctx, snap)
	if err != nil {
		return nil, err
	}
	if err := advance(ctx, snap, s); err != nil {
		return nil, err
	}
	id, _, err := one(ctx, snap, scanIdentity, identityQuery)
	if err == nil && id != s.ledger {
		err = &contradiction{fmt.Errorf("it says that it is ledger %s, and its first entry that it is %s", id, s.ledger)}
	}
	return s, err
}

// scanIdentity reads which ledger it is.
func scanIdentity(rows scanner) (id string, err error) {
	var created int64
	err = rows.Scan(&id, &created)
	return id, err
}

// advance takes in all entries behind a state's.
func advance(ctx context.Context, snap snapshot, s *state) error {
	h, found, err := one(ctx, snap, scanHead, headQuery)
	if err != nil {
		return err
	}
	for {
		entries, err := readEntries(ctx, snap, s.position+1, s.position+scanPage)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := s.apply(e); err != nil {
				return &contradiction{err}
			}
		}
		if len(entries) == 0 {
			break
		}
	}
	if !found || h.entry != s.position || h.hash != s.hash {
		return &contradiction{fmt.Errorf("its head is entry %d with hash %v, and its last entry is %d with hash %v", h.entry, h.hash, s.position, s.hash)}
	}
	return nil
}

// A contradiction is found in a ledger that was edited, or damaged.
type contradiction struct{ err error }

func (c *contradiction) Error() string { return c.err.Error() }

func (c *contradiction) Unwrap() error { return c.err }
