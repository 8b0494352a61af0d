package release

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tacit/auditor"
	"tacit/policy"
	"tacit/rewrite"
)

const (
	// workloadSamples tables are drawn for the certificate of a workload, which leaves a margin of a part in two hundred or so.
	workloadSamples = 20_000
	// workloadFailure is the probability that they mislead.
	workloadFailure = 1e-6
)

// workloadOf is the groupings that the policy declares, as sets of units; nil if it declares none.
func workloadOf(f *facts, a *policy.Auditor, random io.Reader) (*auditor.Workload, error) {
	if a.Workload == nil {
		return nil, nil
	}
	w := &auditor.Workload{Samples: workloadSamples, Failure: workloadFailure}
	if random != nil { // a plan that is only looked at may do with any
		if _, err := io.ReadFull(random, w.Seed[:]); err != nil {
			return nil, fmt.Errorf("workload: %w", err)
		}
	}
	for _, columns := range a.Workload {
		sets, err := f.groups(columns)
		if err != nil {
			return nil, err
		}
		w.Groupings = append(w.Groupings, sets)
	}
	return w, nil
}

// groups are the units with each combination of values of some columns, in the order in which these first appear.
func (f *facts) groups(columns []string) ([][]int32, error) {
	places := make([]int, len(columns))
	for i, name := range columns {
		if places[i] = slices.Index(f.columns, name); places[i] < 0 {
			return nil, fmt.Errorf("workload: column %q is not public", name)
		}
	}
	var sets [][]int32
	index := make(map[string]int)
	key := make([]rewrite.Value, len(columns))
	for u, unit := range f.units {
		for i, place := range places {
			key[i] = f.tuples[unit.tuple][place]
		}
		var b strings.Builder
		text := cellKey(&b, key)
		set, ok := index[text]
		if !ok {
			set = len(sets)
			index[text] = set
			sets = append(sets, nil)
		}
		sets[set] = append(sets[set], int32(u))
	}
	return sets, nil
}
