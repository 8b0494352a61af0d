// Package seal has the steward's commands for audited tables: [OpenEpoch] takes in the people who are counted from now on, [FindPlan]
// proposes a certified plan, and [Replay] makes all decisions of a table again from its log.
//
// It guarantees that what an epoch reads of the private column is what the policy publishes of it (totals, or an estimate that is charged
// before), that a risk is charged for what is certified, and that no epoch follows on an alarm without the steward's word.
//
// Begin with seal.go: the first epoch there, later ones in nextepoch.go. The public facts of an epoch are in release/internal/epoch.
package seal
