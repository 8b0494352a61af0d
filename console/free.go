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
	looked, text := 0, strings.ToLower(q.Text)
	err = v.newestReleases(q, &content, func(found *accountant.Release) bool {
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
			shown := freeQuestion{Release: *found}
			shown.At = v.shownTime(found.At)
			shown.SQL = books.Statement(found.Text)
			content.Questions = append(content.Questions, shown)
		}
		if len(seen) < freeMemory {
			seen[found.Key] = true
		}
		content.More = content.More || looked == freeReach
		return looked < freeReach
	})
	return &page{"free", "Free questions", content}, err
}

// newestReleases visits the newest of all releases: those of one table, if a query names it, found by the ledger's database.
func (v *visit) newestReleases(q logQuery, content *freeContent, visit func(*accountant.Release) bool) error {
	if q.Table == "" {
		return v.ledger.Released(v.r.Context(), visit)
	}
	newest := int64(0)
	if err := v.ledger.Released(v.r.Context(), func(r *accountant.Release) bool { newest = r.ID; return false }); err != nil {
		return err
	}
	content.More = newest > freeReach
	return v.ledger.ReleasedOf(v.r.Context(), q.filter.Table, newest-freeReach, visit)
}
