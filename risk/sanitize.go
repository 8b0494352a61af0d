package risk

import (
	"errors"
	"fmt"

	"tacit/mechanisms"
	"tacit/policy"
)

// SimulateMechanism sanitizes the table by a mechanism itself, with all labels of the domain in each cell, as it would for a release.
// It is the honest check of everything else, at one setting: each repetition takes as long as sanitizing the table does. A mechanism
// whose cells are not independent of one another, which has no [mechanisms.Survival], can be measured by no other way; one that swaps
// counts between cells cannot by this one either, as a Table does not know which label is which. A fill value that does not pass for a count
// is taken for the withheld cell that it stands for.
func (t *Table) SimulateMechanism(m *mechanisms.Mechanism, trials Trials) (Estimate, error) {
	if err := errors.Join(t.Check(), trials.check()); err != nil {
		return Estimate{}, err
	}
	if m.Kind() == policy.DPSwapping {
		return Estimate{}, fmt.Errorf("risk: %s moves counts between cells, which a table of patterns does not tell apart: simulate it on the rows", m.Kind())
	}
	m, err := m.Unfilled()
	if err != nil {
		return Estimate{}, err
	}
	h := mechanisms.Histogram{Counts: t.spread()}
	results := make([][]Average, trials.Repetitions)
	for i := range results {
		cells, err := m.Sanitize(h)
		if err != nil {
			return Estimate{}, err
		}
		results[i] = []Average{t.attack(trials, cells.Counts)}
	}
	return summarize(results, 0), nil
}

// spread are the counts of all labels of all cells, one cell after the other.
func (t *Table) spread() []int64 {
	var counts []int64
	for _, p := range t.Patterns {
		for range p.Cells {
			counts = append(counts, p.Counts...)
			counts = append(counts, make([]int64, t.Labels-len(p.Counts))...)
		}
	}
	return counts
}

// attack is the average risk of sanitized counts, which are in the order of spread. A suppressed count is 0.
func (t *Table) attack(trials Trials, sanitized []int64) Average {
	shown, worth := make([]int64, t.Labels), make([]float64, t.Labels)
	at := 0
	return t.average(func(p Pattern, n int64) float64 {
		clear(worth)
		for k, count := range p.Counts {
			worth[k] = trials.Version.share(count, n)
		}
		sum := 0.0
		for range p.Cells {
			for k := range shown {
				shown[k] = max(0, sanitized[at])
				at++
			}
			sum += trials.Attack.conclude(shown, worth)
		}
		return sum / float64(p.Cells)
	})
}
