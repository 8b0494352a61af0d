package seal

import (
	"fmt"
	"io"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/epoch"
)

const (
	// workloadSamples tables are drawn for the certificate of a workload, which leaves a margin of a part in two hundred or so.
	workloadSamples = 20_000
	// workloadFailure is the probability that they mislead.
	workloadFailure = 1e-6
)

// workloadOf is the groupings that the policy declares, as sets of units; nil if it declares none.
func workloadOf(f *epoch.PublicFacts, a *policy.Auditor, random io.Reader) (*auditor.Workload, error) {
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
		sets, err := f.Groups(columns)
		if err != nil {
			return nil, err
		}
		w.Groupings = append(w.Groupings, sets)
	}
	return w, nil
}
