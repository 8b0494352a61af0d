package proxy

import (
	"runtime/debug"
	"slices"
	"time"

	"tacit/policy"
	"tacit/rewrite"
)

// This file asks package rewrite what a text is. The invariant: a remembered verdict is used only for a session in which names mean the
// same. Start at verdict.

// verdict says what is to be done with the text of a Query, or of a Parse that declares types. It asks the server what unqualified names
// mean, so that it is to be called after drain.
func (in *interceptor) verdict(text string, parsed bool, oids []uint32) (rewrite.Verdict, error) {
	return in.verdictIn(text, &rewrite.Session{
		Catalog: in.releaser.Catalog(), Limits: in.limits(), Prepared: parsed, ParamOIDs: oids, Aborted: in.inbound.State().InFailedBlock,
	})
}

// rememberedVerdict is nil if there is none, or if names and settings mean something else now.
func (in *interceptor) rememberedVerdict(key verdictKey) (rewrite.Verdict, error) {
	known, ok := in.verdicts.get(key)
	if !ok || len(known.names) == 0 && !known.asksIntervals {
		return known.verdict, nil
	}
	now, err := in.resolve(namesOf(known.names))
	if err != nil || !slices.Equal(known.names, now) || known.asksIntervals && known.intervals != in.intervals {
		return nil, err
	}
	return known.verdict, nil
}

// verdictIn is verdict in a session whose Resolve and Intervals are yet to be set.
func (in *interceptor) verdictIn(text string, session *rewrite.Session) (v rewrite.Verdict, err error) {
	began := time.Now()
	key := newVerdictKey(session, text)
	if known, err := in.rememberedVerdict(key); err != nil {
		return nil, err
	} else if known != nil {
		in.observer.Judged(time.Since(began), true)
		return known, nil
	}
	var fresh remembered
	asking := false
	session.Resolve = func(name string) (policy.TableName, bool, error) {
		asking = true
		defer func() { asking = false }()
		now, err := in.resolve([]string{name})
		if err != nil {
			return policy.TableName{}, false, err
		}
		fresh.names = append(fresh.names, now...)
		return now[0].Table, now[0].Table != policy.TableName{}, nil
	}
	session.Intervals = func() (bool, error) {
		asking = true
		defer func() { asking = false }()
		if !in.asked {
			if _, err := in.resolve(nil); err != nil {
				return false, err
			}
		}
		fresh.asksIntervals, fresh.intervals = true, in.intervals
		return in.intervals, nil
	}
	// A text that the analysis cannot cope with must not end everybody's sessions. The analysis keeps nothing that a panic leaves half
	// done; elsewhere a panic does end the proxy, which then starts again from the ledger.
	defer func() {
		if asking {
			return // in the middle of a message
		}
		if r := recover(); r != nil {
			in.log.Error("panic in the analysis of a statement", "panic", r, "stack", string(debug.Stack()))
			v, err = nil, errInternal
		}
	}()
	if fresh.verdict, err = rewrite.Analyze(text, session); err != nil {
		return nil, err
	}
	in.observer.Judged(time.Since(began), false)
	in.verdicts.put(key, fresh)
	return fresh.verdict, nil
}
