package console

import (
	"net/http"
	"slices"
	"time"

	"tacit/release/acts"
)

// This file has another steward approve an act, where the policy wants that (console.approval). The first one confirms what a page shows, and others find the act at
// Acts. It is done when one of them confirms the same. It is kept in memory: a console that is started again has forgotten it, and nothing was done. The
// commands need no approval: whoever can run them could write the ledger, too. Start at askOthers.

// approvalTime is how long an act waits for another steward.
const approvalTime = 24 * time.Hour

var (
	errOwnAct   = &refusal{http.StatusForbidden, "You asked for this yourself. Another steward must approve it."}
	errNoWaiter = &refusal{http.StatusConflict, "Who asked for this is no steward any more. Nothing was done."}
)

// needsApproval says whether another steward must approve an act.
func (v *visit) needsApproval(p *pendingAct) bool {
	return v.policy.Console != nil && slices.Contains(v.policy.Console.Approval, string(p.request.Kind))
}

// askOthers leaves an act to other stewards, with what its own one saw. The caller holds its lock.
func (v *visit) askOthers(p *pendingAct, seen string) (*page, error) {
	p.over = true
	v.pending.Add(p.id, &pendingAct{id: p.id, by: p.by, request: p.request, made: v.now, asked: seen})
	v.Log.Info("an act waits for another steward", "name", p.by, "act", string(p.request.Kind), "table", p.request.Table)
	return v.toPending(p)
}

func (v *visit) toPending(p *pendingAct) (*page, error) {
	http.Redirect(v.w, v.r, "/acts/confirm/"+p.id, http.StatusSeeOther)
	return nil, nil
}

// approves is whom the ledger names for an act that another steward approves; nobody if they did not see the same as the one who asked.
func (v *visit) approves(p *pendingAct, seen string) (by string, err error) {
	switch {
	case p.by == v.person.Name:
		return "", errOwnAct
	case !v.isSteward(p.by):
		return "", errNoWaiter
	case p.asked != seen:
		return "", nil
	}
	return p.by + ", approved by " + v.person.Name, nil
}

func (v *visit) isSteward(name string) bool {
	return slices.ContainsFunc(persons(v.policy), func(p person) bool { return p.Name == name && p.Role == steward })
}

// A waitingAct is one that waits for another steward.
type waitingAct struct {
	ID, By, Words, Reason string
	At                    time.Time
	Own                   bool
}

// waiting are those that wait, the newest first.
func (v *visit) waiting() (all []waitingAct) {
	for _, p := range slices.Backward(v.pending.Values()) {
		if p.asked == "" || p.entry.Load() != 0 || v.now.Sub(p.made) > approvalTime {
			continue
		}
		words := string(p.request.Kind) + ": " + p.request.Table
		if a, err := acts.New(v.policy, p.request); err == nil { // and not one that another policy allowed
			words = a.Words()
		}
		all = append(all, waitingAct{p.id, p.by, words, p.request.Reason, p.made, p.by == v.person.Name})
	}
	slices.SortStableFunc(all, func(a, b waitingAct) int { return b.At.Compare(a.At) })
	return all
}
