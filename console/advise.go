package console

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"tacit/policy"
	"tacit/release/advice"
	"tacit/release/books"
)

// An advised keeps the last advice. It is looked for in the background when somebody asks for the page, since that can take long on a large ledger.
type advised struct {
	mu      sync.Mutex // protects what follows
	found   time.Time
	version string // of the policy
	running bool
	advice  []*advice.Advice
	failure string
}

type adviseContent struct {
	Running bool
	Failure string
	At      time.Time
	Tables  []advisedTable
}

// An advisedTable is a table with what it spent, and what it would have spent.
type advisedTable struct {
	Name          policy.TableName
	Lines         []string
	Statement     string
	Before, After *gauge // of epsilon; nil without a budget of epsilon, and After without advice
}

// advise shows which finer count would have answered most of what was asked, with the budget before and after.
func (v *visit) advise() (*page, error) {
	content := adviseContent{}
	newest := v.newestAdvice(&content)
	lines, err := books.ReadWholes(v.r.Context(), v.ledger, v.policy.Tables)
	if err != nil {
		return nil, err
	}
	limits := make(map[policy.TableName]policy.Epsilon)
	for i, t := range v.policy.Tables {
		limits[t.Name] = lines[i].Limit.Epsilon
	}
	for _, a := range newest {
		budget, ok := limits[a.Table]
		if !ok {
			continue
		}
		lines := a.Lines()
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		row := advisedTable{Name: a.Table, Lines: lines}
		if budget > 0 && budget != policy.NoEpsilonCap {
			row.Before = epsilonGauge(a.Spent.Epsilon, budget)
		}
		if a.Finer != nil {
			row.Statement = a.Finer.Statement
			if row.Before != nil {
				row.After = epsilonGauge(a.Finer.Spent.Epsilon, budget)
			}
		}
		content.Tables = append(content.Tables, row)
	}
	if content.Running {
		v.w.Header().Set("Refresh", "2")
	}
	return &page{"advise", "Advice", content}, nil
}

func epsilonGauge(spent, budget policy.Epsilon) *gauge {
	g := newPart(spent.Float(), budget.Float())
	g.Name, g.Spent, g.Budget = "epsilon", spent.RoundUp(books.ShownDigits).String(), budget.String()
	return &g
}

// newestAdvice is what was found last. It has it found anew if that is long ago, or of another policy.
func (v *visit) newestAdvice(content *adviseContent) []*advice.Advice {
	s := &v.advised
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := v.policy; !s.running && (s.found.IsZero() || v.now.Sub(s.found) >= staleAfter || s.version != p.Version) {
		s.running = true
		v.background(func(ctx context.Context) {
			failure := "it was broken off by a fault"
			var found []*advice.Advice
			defer func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.running, s.found, s.version, s.advice, s.failure = false, v.now, p.Version, found, failure
			}()
			newest, err := advice.Advise(ctx, p)
			if failure = ""; err != nil {
				failure = fmt.Sprint(err)
			}
			found = newest
		})
	}
	content.Running, content.Failure, content.At = s.running, s.failure, s.found
	return s.advice
}
