package auditor

import "tacit/auditor/internal/history"

// Answer takes the counts that the current round opened, in the order of Round.Open, and adds them to the history. What it returns is to be
// recorded with the round's event before anybody sees an answer. A round that opened nothing is answered with no counts.
//
// An error means that nothing may be shown. After ErrContradiction the state is to be restored from the log.
func (st *Statement) Answer(values []int64) ([]byte, error) {
	r := st.current
	if r == nil || len(values) != len(r.Open) {
		return nil, invalid("%d answers", len(values))
	}
	if err := st.advance(r, values); err != nil {
		return nil, err
	}
	return encodeAnswer(values), nil
}

// GiveUp ends the statement after a round that was charged and whose counts were not read: the charge stays, and nothing was released.
func (st *Statement) GiveUp() {
	if r := st.current; r != nil {
		st.account.spend(r.Charge)
		st.account.decisions += r.counted
		st.current = nil
	}
	for i := range st.status {
		st.status[i] = done
	}
}

// advance adds the answers of a round to the history.
func (st *Statement) advance(r *Round, values []int64) error {
	changed := make(map[*history.Block][]*history.Block) // by the block that a query split or linked first
	for k := 0; k < len(r.Open); {
		i := r.Open[k].Query
		q := Query{Units: st.queries[i].Units}
		first := k
		for ; k < len(r.Open) && r.Open[k].Query == i; k++ {
			q.Values = append(q.Values, st.queries[i].Values[r.Open[k].Set])
		}
		blocks, err := st.known.release(&q, values[first:k])
		if err != nil {
			st.known.alarm = "an answer contradicted those released before"
			return err
		}
		if len(blocks) > 0 {
			changed[blocks[0]] = append(changed[blocks[0]], blocks...)
		}
	}
	st.known.checkExposures(changed)
	st.account.spend(r.Charge)
	st.account.decisions += r.counted
	st.spent += r.Charge
	st.rounds++
	st.stale = st.stale || len(r.Open) > 0
	st.current = nil
	return nil
}
