package console

import (
	"errors"
	"fmt"
	"strings"

	"tacit/release/acts"
	"tacit/release/assess"
)

// This file has a steward write down what was decided at What if, and why. It is an act like others: it is shown before it is done, and the ledger keeps
// it. No budget changes by it; the policy is changed by who writes it.

// about says what is drawn, so that a decision can be understood years later.
func (f *assessForm) about(s assess.Supposition) string {
	var keys []string
	for _, k := range s.Keys {
		keys = append(keys, k.Name)
	}
	text := fmt.Sprintf("%s with epsilon %v", f.kinds[0], f.epsilons[0])
	if len(keys) > 0 {
		text += " by " + strings.Join(keys, ", ")
	}
	switch {
	case f.release != 0:
		text += fmt.Sprintf(", on released answer %d", f.release)
	default:
		text += fmt.Sprintf(", on %d supposed rows, %s", f.rows, map[bool]string{true: "skewed", false: "even"}[f.Spread == "skewed"])
	}
	return text
}

// mostDecided keeps what was decided, with what it is about, within what the ledger keeps of it.
const mostDecided = 250

// decide leads to the page that shows a decision before it is noted.
func (v *visit) decide() (*page, error) {
	i, found, err := v.inspected()
	if err != nil {
		return nil, err
	}
	if found == nil || found.Drawn == nil {
		return nil, errNotFound
	}
	content := resultContent{Decided: strings.TrimSpace(v.r.PostFormValue("decided")), WhyDecided: v.r.PostFormValue("reason")}
	request := acts.Request{Kind: acts.Resolve, Table: i.table.String(), What: content.Decided, Reason: content.WhyDecided}
	if _, err = acts.New(v.policy, request); err == nil && len(content.Decided) > mostDecided {
		err = fieldError("decision", "it has more than %d bytes; put the rest into the reason", mostDecided)
	}
	if field := (*acts.FieldError)(nil); errors.As(err, &field) {
		content.Field, content.Problem = field.Field, field.Problem
		return v.result(content)
	}
	if err != nil {
		return nil, badRequest(err.Error())
	}
	about := "; seen: " + i.about
	for len(request.What)+len(about) > 2*mostDecided {
		about = about[:strings.LastIndexByte(about, ' ')]
	}
	request.What += about
	return v.toConfirm(request)
}
