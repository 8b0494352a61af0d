package reply

import (
	"fmt"
	"strings"

	"tacit/policy"
)

// An ExplainedAudit tells what the auditor of a table would decide about the counts of a statement. It depends on public facts and on
// what was released, as the decisions do, so that telling it tells nothing new.
type ExplainedAudit struct {
	Table     policy.TableName
	Epsilon   policy.Epsilon
	Questions []ExplainedCounts
	// Risk is of all decisions together. What depends on answers is not in it.
	Risk policy.Risk
	// TableLeft and AnalystLeft are what remains now; AnalystLeft is nil for an analyst without a cap.
	TableLeft   policy.Risk
	AnalystLeft *policy.Risk
	// Frozen is why the steward has stopped new releases; "" if nobody has.
	Frozen string
}

// ExplainedCounts are the cells of one count of a query.
type ExplainedCounts struct {
	Question string
	AuditTally
	// Dependent counts are decided about when others of the statement were answered, and that depends on their answers.
	Dependent int
	// Risk and Most are the sum and the largest of the decisions that release.
	Risk, Most policy.Risk
	// Engines are the methods that compute the risks.
	Engines []string
	// Reasons say why counts are suppressed, each once.
	Reasons []string
}

func AppendNew(list []string, s string) []string {
	for _, known := range list {
		if known == s {
			return list
		}
	}
	return append(list, s)
}

// shownReasons bounds the reasons for suppression in EXPLAIN's text: each has numbers of its own.
const shownReasons = 5

// lines are the explanation in the form of EXPLAIN's text.
func (e *ExplainedAudit) lines() []string {
	var lines []string
	for _, q := range e.Questions {
		lines = append(lines, "Audited Count on "+e.Table.String(), "  Question: "+q.Question)
		parts := q.parts()
		if q.Dependent > 0 {
			parts = fmt.Sprintf("%d decided by answers of this statement", q.Dependent)
			if q.Total() > 0 {
				parts = q.parts() + ", " + parts
			}
		}
		lines = append(lines, "  Counts: "+parts)
		if q.Risk > 0 {
			lines = append(lines, fmt.Sprintf("  Risk: %v, at most %v of one count (%s)",
				q.Risk.RoundUp(ShownDigits), q.Most.RoundUp(ShownDigits), strings.Join(q.Engines, ", ")))
		}
		for i, reason := range q.Reasons {
			if i == shownReasons {
				lines = append(lines, fmt.Sprintf("  Suppressed: for %d more reasons, which FORMAT JSON lists", len(q.Reasons)-i))
				break
			}
			lines = append(lines, "  Suppressed: "+reason)
		}
	}
	lines = append(lines, "Risk of "+e.Table.String(),
		"  Cost: "+e.Risk.RoundUp(ShownDigits).String(), "  Left: "+e.TableLeft.RoundDown(ShownDigits).String())
	if e.AnalystLeft != nil {
		lines = append(lines, "  Left of Yours: "+e.AnalystLeft.RoundDown(ShownDigits).String())
	}
	if e.Frozen != "" {
		lines = append(lines, "  Frozen: "+e.Frozen)
	}
	return lines
}

// A planAudit is an ExplainedAudit in EXPLAIN's JSON. Risks are decimal strings.
type planAudit struct {
	Table       string       `json:"Table"`
	Epsilon     string       `json:"Epsilon"`
	Questions   []planCounts `json:"Questions"`
	Risk        string       `json:"Risk"`
	Left        string       `json:"Left"`
	LeftOfYours string       `json:"Left of Yours,omitempty"`
	Frozen      string       `json:"Frozen,omitempty"`
}

type planCounts struct {
	Question   string   `json:"Question"`
	Public     int      `json:"Public"`
	Free       int      `json:"Free"`
	Certified  int      `json:"Certified"`
	Released   int      `json:"Released"`
	Suppressed int      `json:"Suppressed"`
	Dependent  int      `json:"Depends on Answers"`
	Risk       string   `json:"Risk"`
	Most       string   `json:"Largest Risk"`
	Engines    []string `json:"Engines,omitempty"`
	Reasons    []string `json:"Reasons,omitempty"`
}

func (e *ExplainedAudit) plan() planAudit {
	n := planAudit{Table: e.Table.String(), Epsilon: e.Epsilon.String(), Questions: []planCounts{}, Risk: e.Risk.String(), Left: e.TableLeft.String(), Frozen: e.Frozen}
	if e.AnalystLeft != nil {
		n.LeftOfYours = e.AnalystLeft.String()
	}
	for _, q := range e.Questions {
		n.Questions = append(n.Questions, planCounts{
			Question: q.Question, Public: q.Public, Free: q.Free, Certified: q.Certified, Released: q.Released, Suppressed: q.Suppressed,
			Dependent: q.Dependent, Risk: q.Risk.String(), Most: q.Most.String(), Engines: q.Engines, Reasons: q.Reasons,
		})
	}
	return n
}
