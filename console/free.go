package console

import (
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/books"
)

type freeContent struct {
	Text, Table string
	Tables      []policy.TableName
	Questions   []freeQuestion
	More        bool
}

// A freeQuestion is one with a statement that asks it again; empty of one that is no plain count.
type freeQuestion struct {
	accountant.Release
	SQL string
}

// Bounds on the questions that are shown, and on those that are looked at.
const (
	freeShown  = 100
	freeReach  = 20_000
	freeMemory = 20_000
)

// free has the questions that are answered from the ledger if they are asked again: the newest answer to each one about a table of the policy, in its
// present epoch, by its present kind of mechanism and not too old. Who asked is not told.
func (v *visit) free() (*page, error) {
	q, err := v.logQuery()
	if err != nil {
		return nil, err
	}
	content := freeContent{Text: q.Text, Table: q.Table}
	epochs := make(map[policy.TableName]int64)
	for _, t := range v.policy.Tables {
		content.Tables = append(content.Tables, t.Name)
	}
	charged, err := v.ledger.Charged(v.r.Context()) // at once: there may be hundreds of tables
	if err != nil {
		return nil, err
	}
	for _, t := range charged {
		epochs[t.Table] = t.Epoch
	}
	seen := make(map[[32]byte]bool)
	text := strings.ToLower(q.Text)
	newest, err := v.released.newest(v.r.Context(), v.ledger)
	if err != nil {
		return nil, err
	}
	content.More = len(newest) == freeReach
	for _, found := range newest {
		t, ok := v.policy.Table(found.Table)
		switch {
		case !ok, t.Mechanism.Kind == policy.Audit, found.Epoch != epochs[found.Table], seen[found.Key]:
		case t.Replay > 0 && v.now.Sub(found.At) > t.Replay:
		case q.Table != "" && found.Table != q.filter.Table, !strings.Contains(strings.ToLower(found.Text), text):
		case len(content.Questions) == freeShown:
			content.More = true
			return &page{"free", "Free questions", content}, nil
		default:
			shown := freeQuestion{Release: *found}
			shown.At = v.shownTime(found.At)
			shown.SQL = books.Statement(found.Text)
			content.Questions = append(content.Questions, shown)
		}
		if len(seen) < freeMemory {
			seen[found.Key] = true
		}
	}
	return &page{"free", "Free questions", content}, nil
}
