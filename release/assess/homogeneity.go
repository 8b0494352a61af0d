package assess

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/rewrite/query"
	"tacit/risk"
)

// A HomogeneityRequest says which attack is considered on which table.
type HomogeneityRequest struct {
	// Table is a protected one. Required.
	Table policy.TableName
	// Quasi are the quasi-identifiers, which the attacker knows of her target: columns, or whatever else an analyst could GROUP BY, such as
	// age / 5. Required.
	Quasi []string
	// Sensitive are the attributes that she does not know, likewise. Each is counted by a question of its own. Required.
	Sensitive []string
	// Rows counts rows where a row is not a person. Default: persons are counted.
	Rows bool
}

// A HomogeneityReport says what a table's cells are like, and which noise stands between them and analysts. It is computed from true counts,
// charged to nobody and recorded nowhere: it is for the steward alone.
type HomogeneityReport struct {
	// Table is the policy's, with its mechanism.
	Table *policy.Table
	// Persons is the number of persons of whom the table has rows, whatever values these have; 0 if a row is a person.
	Persons int64
	// Attributes are those of the request, in its order.
	Attributes []AttributeCells
	// Joint has the same cells with the counts of all attributes. Its Check fails if a cell does not have as many records by one attribute as
	// by another: some persons have labels that are not declared, or more than one.
	Joint *risk.JointTable
}

// AttributeCells are the cells of quasi-identifiers with the counts of one sensitive attribute's labels.
type AttributeCells struct {
	// Name is as it was asked for, and Question what an analyst would ask, in the canonical form.
	Name, Question string
	// Counted is what the records of Cells are.
	Counted Counted
	// Undeclared is how many of what is counted are in no cell, since a value of theirs is not declared.
	Undeclared int64
	// Keys says how analysts learn which cells there are.
	Keys KeyRule
	// Refusal is what an analyst is told who asks Question today; "" if she is answered.
	Refusal string
	// Parts says that the cells of Question are all declared, but too many for one answer: analysts can ask for them only in parts, or, if
	// Keys is ThresholdKeys, are shown what passes a threshold.
	Parts bool
	// Seen is the number of labels that some record has. The number of labels that there can be is Cells.Labels, which is Seen if
	// LabelsSeen.
	Seen       int
	LabelsSeen bool
	// Sensitivity is what one person more changes the counts by.
	Sensitivity int64
	Cells       *risk.Table

	table       *policy.Table
	sensitivity live.Sensitivity
}

// Counted is what the cells of a question count.
type Counted string

const (
	// CountedPersons: a person is in one cell, once.
	CountedPersons Counted = "persons"
	// CountedContributions: a person is counted once in each cell in which she has rows, so that the sum of all cells is no number of persons,
	// and a cell of 1 may be one of several of the same person.
	CountedContributions Counted = "contributions"
	// CountedRows: a person is counted as often as she has rows, within her bounds.
	CountedRows Counted = "rows"
)

func countedBy(s live.Sensitivity) Counted {
	switch {
	case s.PerCell > 1:
		return CountedRows
	case s.Cells > 1:
		return CountedContributions
	}
	return CountedPersons
}

// A KeyRule is a way in which analysts learn which cells there are.
type KeyRule string

const (
	// DeclaredKeys: the policy declares all values, and every combination has a count, if only of noise.
	DeclaredKeys KeyRule = "declared"
	// ThresholdKeys: values are found in the data, and a private threshold decides about each combination.
	ThresholdKeys KeyRule = "threshold"
	// RefusedKeys: values are not declared, and analysts are refused. Figures are those that they would be if the labels that occur
	// were declared.
	RefusedKeys KeyRule = "refused"
)

// Survival is how likely a count is shown to analysts as 1 or more, if the table's mechanism had another epsilon and were otherwise as it
// is. Epsilon 0 is today's.
func (a *AttributeCells) Survival(epsilon policy.Epsilon) (mechanisms.Survival, error) {
	t := *a.table
	if epsilon > 0 {
		t.Mechanism.Epsilon = epsilon
	}
	m, err := mechanisms.New(live.MechanismConfig(&t, a.sensitivity, rand.Reader))
	if err != nil {
		return mechanisms.Survival{}, err
	}
	survival, ok := m.Survival()
	if a.Keys == ThresholdKeys {
		survival, ok = m.SelectionSurvival()
	}
	if !ok {
		return mechanisms.Survival{}, fmt.Errorf("%w: %s", ErrNoSurvival, whyNoSurvival(t.Mechanism.Kind))
	}
	return survival, nil
}

// ErrNoSurvival is returned when the table's mechanism does not treat each cell by itself.
var ErrNoSurvival = errors.New("no curve of risk for this kind of mechanism")

func whyNoSurvival(kind policy.Kind) string {
	switch kind {
	case policy.DPSwapping:
		return "dp-swapping moves persons between cells, so that no cell is shown or not by itself; tacit assess has the risk of a question under it"
	case policy.DPSuppressionAlg2:
		return "dp-suppression-alg2 draws one threshold for all cells, so that none is shown or not by itself; tacit assess has the risk of a question under it"
	default:
		return fmt.Sprintf("counts of kind %s depend on one another", kind)
	}
}

// Homogeneity counts, in the database and in one statement, how many cells have which counts of labels. No row and no key leaves it. It reads
// as the curator, read-only, and what makes a cell is what makes one for analysts: which values there are, what NULL is, and how many of a
// person's rows count.
//
// Nothing is read before the roles are known to be separate: what analysts own would run as the curator. A *[SeparationError] says that they
// are not, and a *[RequestError] what to write instead. Errors hold nothing of the data but how many patterns are too many.
func Homogeneity(ctx context.Context, p *policy.Policy, request HomogeneityRequest) (*HomogeneityReport, error) {
	table, err := request.check(p)
	if err != nil {
		return nil, err
	}
	h := &homogeneity{request: request, report: &HomogeneityReport{Table: table, Joint: &risk.JointTable{}}}
	err = inspect(ctx, p, func(i inspecting) error {
		h.inspecting = i
		return h.read(ctx)
	})
	if err != nil {
		return nil, err
	}
	return h.report, nil
}

// read reads all attributes, and then counts them.
func (h *homogeneity) read(ctx context.Context) error {
	for _, name := range h.request.Sensitive {
		if err := h.add(ctx, name); err != nil {
			return err
		}
	}
	return h.count(ctx)
}

// check finds the table, and what can be told without the server.
func (r HomogeneityRequest) check(p *policy.Policy) (*policy.Table, error) {
	i := slices.IndexFunc(p.Tables, func(t *policy.Table) bool { return t.Name == r.Table })
	switch {
	case i < 0:
		return nil, requestErrorf("%v is not a protected table of the policy", r.Table)
	case len(r.Quasi) == 0:
		return nil, requestErrorf("no quasi-identifiers; name what an attacker knows of a person, such as sex, age, region")
	case len(r.Sensitive) == 0:
		return nil, requestErrorf("no sensitive attribute; name what an attacker would like to know, such as diagnosis")
	}
	for j, name := range r.Sensitive {
		if slices.Contains(r.Quasi, name) {
			return nil, errKnown(name, name)
		}
		if slices.Contains(r.Sensitive[:j], name) {
			return nil, requestErrorf("sensitive %q is there twice; write it once", name)
		}
	}
	if t := p.Tables[i]; t.Mechanism.Kind == policy.Audit {
		return nil, requestErrorf("counts of %v are exact or withheld, by an auditor who weighs each answer against what it tells of %q: no noise decides, so that this risk does not apply; "+
			"its risk is bounded by mechanism.delta, and tacit budget shows how much of it is spent", t.Name, t.Mechanism.Audit.Private)
	}
	return p.Tables[i], nil
}

func errKnown(sensitive, quasi string) error {
	return requestErrorf("sensitive %q is known to who knows the quasi-identifier %q: cells would be homogeneous by construction; leave one of them out", sensitive, quasi)
}

// A homogeneity is the work on one request.
type homogeneity struct {
	inspecting
	request HomogeneityRequest
	report  *HomogeneityReport
	queries []*query.LabelledQuery
}

// add reads one sensitive attribute with the quasi-identifiers as the question that an analyst would ask.
func (h *homogeneity) add(ctx context.Context, name string) error {
	q, err := h.question(ctx, name)
	if err != nil {
		return err
	}
	labelled := &query.LabelledQuery{BoundQuery: q, Count: q.Persons()}
	if h.request.Rows {
		labelled.Count = q.Counts[0]
	}
	if err := h.checkKeys(labelled, name); err != nil {
		return err
	}
	s := live.SensitivityOf(q, labelled.Count)
	a := AttributeCells{
		Name: name, Question: q.Question(labelled.Count), Keys: DeclaredKeys, Counted: countedBy(s), Sensitivity: int64(s.Cells), LabelsSeen: true,
		Cells: &risk.Table{}, table: h.report.Table, sensitivity: s,
	}
	if a.Refusal, err = h.refusalOf(ctx, q); err != nil {
		return err
	}
	if err := h.declare(ctx, labelled, &a); err != nil {
		return err
	}
	h.report.Attributes, h.queries = append(h.report.Attributes, a), append(h.queries, labelled)
	return nil
}

// question reads the statement that groups by the quasi-identifiers and one attribute.
func (h *homogeneity) question(ctx context.Context, name string) (*query.BoundQuery, error) {
	keys := append(slices.Clone(h.request.Quasi), name)
	for _, key := range keys {
		if !query.IsExpression(key) {
			return nil, requestErrorf("each quasi-identifier and each sensitive attribute must be one column or expression, which this is not: %s", key)
		}
	}
	sql := fmt.Sprintf("SELECT pg_catalog.count(*) FROM %s GROUP BY (%s)", h.request.Table, strings.Join(keys, "), ("))
	queries, err := h.bind(ctx, sql)
	if err != nil {
		return nil, err
	}
	if len(queries) != 1 || len(queries[0].KeyOrder()) != len(keys) {
		return nil, requestErrorf("each quasi-identifier and each sensitive attribute must be one column or expression, and each another one: %s", strings.Join(keys, "; "))
	}
	return queries[0], nil
}

// checkKeys refuses an attribute that the attacker knows already. The figures would look fine and mean nothing: of what makes the cells,
// each cell has one value.
func (h *homogeneity) checkKeys(q *query.LabelledQuery, name string) error {
	label := q.Keys[q.Label()]
	for i, k := range q.KeyOrder()[:len(h.request.Quasi)] {
		for _, origin := range q.Keys[k].Origins() {
			if k == q.Label() || slices.Contains(label.Origins(), origin) {
				return errKnown(name, h.request.Quasi[i])
			}
		}
	}
	return nil
}

// declare finds which keys have declared values, and what that means for analysts.
func (h *homogeneity) declare(ctx context.Context, q *query.LabelledQuery, a *AttributeCells) error {
	p := &noisy.QueryPlan{Query: q.BoundQuery, Limit: h.state.Policy.Limits.Cells}
	cells, declared := 1, true
	for _, g := range q.KeyGroups() {
		values, ok, err := h.declaredTogether(ctx, p, g)
		if err != nil {
			return err
		}
		if !ok {
			declared = false
			continue
		}
		if slices.Contains(g.Keys, q.Label()) {
			a.Cells.Labels, a.LabelsSeen = len(values[0]), false
		}
		cells = min(cells*len(values[0]), p.Limit+1)
		q.Declared = append(q.Declared, query.DeclaredKeys{Group: g, Values: values})
	}
	a.Parts = declared && cells > p.Limit
	if declared && !a.Parts {
		return nil
	}
	return h.rule(q, a, declared)
}

// rule is what NewQueryPlan does with cells that are not declared, or too many. A threshold decides about whatever values a computed key
// has.
func (h *homogeneity) rule(q *query.LabelledQuery, a *AttributeCells, declared bool) error {
	m, err := mechanisms.New(live.MechanismConfig(a.table, a.sensitivity, rand.Reader))
	if err != nil {
		return err
	}
	switch {
	case m.Threshold() > 0:
		a.Keys = ThresholdKeys
		q.Declared = slices.DeleteFunc(q.Declared, func(d query.DeclaredKeys) bool { return q.Keys[d.Group.Keys[0]].Domain == nil })
		a.LabelsSeen = q.Keys[q.Label()].Domain == nil
	case !declared:
		a.Keys = RefusedKeys
	}
	return nil
}

// Limits are the survivals to which [AttributeCells.Survival] tends as epsilon falls to 0 and as it grows; ok is false if these are not
// known in a simple form: of keys that pass a threshold, and of withheld cells in whose place a fill value passes for a count.
func (a *AttributeCells) Limits() (allNoise, noNoise risk.Survival, ok bool) {
	m := a.table.Mechanism
	switch {
	case m.Kind.AddsNoise():
		return risk.AllNoise, risk.NoNoise, a.Keys != ThresholdKeys
	case m.Kind == policy.DPSuppression:
		return risk.AllNoise, shownFrom(m.K), a.Keys != ThresholdKeys && !mechanisms.ShowsFill(m.Fill, m.K)
	default:
		return nil, nil, false
	}
}

// shownFrom is the survival of counts that are shown as they are, from a least one on.
type shownFrom int64

// Survives is 1 from the least count on.
func (k shownFrom) Survives(n int64) float64 {
	if n >= int64(max(k, 1)) {
		return 1
	}
	return 0
}

// Vanishes is 1 below the least count.
func (k shownFrom) Vanishes(n int64) float64 { return 1 - k.Survives(n) }
