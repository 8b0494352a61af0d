package auditor

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tacit/auditor/internal/history"
	"tacit/policy"
)

// A knowledge is all that decisions about a table depend on. It holds no count that was not released.
type knowledge struct {
	model
	plan           planCover
	planCharge     policy.Risk
	workload       *workloadCover // nil: none is declared
	workloadCharge policy.Risk

	account account
	watch   watch
	alarm   string // why the model is in doubt; "" while it is not

	// Memory of the decisions under way.
	candidates []candidate
	ranked     []ranked
}

// newKnowledge makes that of a table when it is opened, and charges the plan and the workload.
func newKnowledge(o *Opening) (knowledge, error) {
	k := knowledge{plan: newPlanCover()}
	if err := o.validate(); err != nil {
		return k, err
	}
	k.model = newModel(o)
	if o.Plan != nil {
		charge, err := k.planRisk(k.plan.enter(&k.model, 0, o.Plan))
		if err != nil {
			return k, err
		}
		k.planCharge = charge
	}
	k.account.spend(k.planCharge)
	if w := o.Workload; w != nil {
		k.workload = newWorkloadCover(&k.model, w)
		charge := w.Charge
		if charge == 0 {
			risk, err := k.workload.risk(&k.model, w)
			if err != nil {
				return k, err
			}
			charge = (&estimate{risk: risk, exact: true}).charge()
		}
		k.workloadCharge = min(charge, policy.OneRisk)
		k.account.spend(k.workloadCharge)
	}
	return k, nil
}

// certified reports whether a certificate answers what is open of a query: that which the mark says has not lapsed.
func (k *knowledge) certified(sh *history.Shape, lapsed history.Marks) bool {
	if len(sh.Open) == 0 || k.lapses(sh)&lapsed != 0 || sh.Marks()&exposed != 0 {
		return false
	}
	if lapsed == workloadLapsed {
		return k.workload != nil
	}
	return len(k.plan.groups) > 0
}

// lapses are the certificates that do not hold in what is linked with a query once it is answered: those that have lapsed there, and those
// whose sums do not determine the answer to what is open of it.
func (k *knowledge) lapses(sh *history.Shape) history.Marks {
	lapsed := sh.Marks() & (planLapsed | workloadLapsed)
	if len(k.plan.groups) > 0 && !k.plan.covers(&k.model, sh) {
		lapsed |= planLapsed
	}
	if k.workload != nil && !k.workload.covers(&k.model, sh) {
		lapsed |= workloadLapsed
	}
	return lapsed
}

// release adds the answer to a query, and returns the blocks that it tells something about.
func (k *knowledge) release(q *Query, values []int64) ([]*history.Block, error) {
	sh := k.shape(q)
	rest, err := sh.Rest(values)
	if err != nil {
		return nil, err
	}
	lapsed := k.lapses(&sh)
	k.watch.observe(&k.model, &sh, rest)
	return k.history.Release(&sh, rest, lapsed)
}

// checkExposures looks whether released answers made somebody unsafe, given by the block that questions split or linked the blocks that
// they tell something about. Then all of these are marked: the risk of that was charged, and nothing more is promised of their people, but
// nothing new is said about them either. Blocks that share no sum with them go on.
func (k *knowledge) checkExposures(changed map[*history.Block][]*history.Block) {
	parts := make(map[*history.Part]bool)
	for _, origin := range slices.SortedFunc(maps.Keys(changed), history.Compare) {
		// Several queries of a round can tell something about one block.
		slices.SortFunc(changed[origin], history.Compare)
		changed[origin] = slices.Compact(changed[origin])
		unsafe := slices.ContainsFunc(changed[origin], func(b *history.Block) bool {
			if b.Part == nil {
				return k.unsafe(b)
			}
			unsafe, known := parts[b.Part]
			if !known {
				unsafe = k.unsafePart(b.Part)
				parts[b.Part] = unsafe
			}
			return unsafe
		})
		if !unsafe {
			continue
		}
		k.account.exited = true
		for _, b := range changed[origin] {
			b.Marks |= exposed
		}
		k.alarm = fmt.Sprintf("an answer about %d people came out beyond epsilon, which the model gives at most the probability delta",
			history.People(changed[origin]))
	}
	k.alarm = cmp.Or(k.alarm, k.watch.alarm())
}
