package console

import (
	"strings"

	"tacit/accountant"
	"tacit/policy"
)

type freeContent struct {
	Text, Table string
	Tables      []policy.TableName
	Questions   []*accountant.Release
	More        bool
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
		if epochs[t.Name], err = v.ledger.Epoch(v.r.Context(), t.Name); err != nil {
			return nil, err
		}
	}
	seen := make(map[[32]byte]bool)
	looked, text := 0, strings.ToLower(q.Text)
	err = v.ledger.Released(v.r.Context(), func(found *accountant.Release) bool {
		looked++
		t, ok := v.policy.Table(found.Table)
		switch {
		case !ok, t.Mechanism.Kind == policy.Audit, found.Epoch != epochs[found.Table], seen[found.Key]:
		case t.Replay > 0 && v.now.Sub(found.At) > t.Replay:
		case q.Table != "" && found.Table != q.filter.Table, !strings.Contains(strings.ToLower(found.Text), text):
		case len(content.Questions) == freeShown:
			content.More = true
			return false
		default:
			content.Questions = append(content.Questions, found)
		}
		if len(seen) < freeMemory {
			seen[found.Key] = true
		}
		content.More = looked == freeReach
		return looked < freeReach
	})
	return &page{"free", "Free questions", content}, err
}
