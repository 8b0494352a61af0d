package assess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite/query"
	"tacit/risk"
)

// A Request says which mechanisms are compared on what.
type Request struct {
	// SQL is one statement whose counts and sums are of one protected table. Required.
	SQL string
	// Epsilons at which mechanisms are compared. Default: that of the table, or 1.
	Epsilons []policy.Epsilon
	// Delta of Gaussian noise, and of thresholds on keys that are not declared. Default: that of the table, or 1e-6.
	Delta policy.Delta
	// K of suppression. Default: that of the table, or 6.
	K int64
	// Quasi are the quasi-identifiers of dp-swapping: columns that statements may use. Default: those of the table, or all keys of the
	// question.
	Quasi []string
	// Sensitive is the key whose values an attacker would like to know of persons of whom she knows all other keys. Default: the last key
	// of the statement.
	Sensitive string
	// Kinds are those that are compared. Default: all.
	Kinds []policy.Kind
	// MostCells is how many cells a question may have. Default: 1,000,000.
	MostCells int
	// Curves asks for the figures of each kind over a range of epsilon, too.
	Curves bool
}

// An Assessment compares mechanisms on one statement. It is computed from true counts, charged to nobody and recorded nowhere: it is for
// the steward alone.
type Assessment struct {
	Table     policy.TableName
	Adjacency policy.Adjacency
	// Supposed says that the counts are not true ones: a steward has supposed them, or they were released.
	Supposed bool
	// Own is the table's own mechanism.
	Own       policy.Mechanism
	Questions []Question
	// Joints are the queries with sums, averages or deviations.
	Joints []Joint
}

// A Question is one count over the cells of a query.
type Question struct {
	Question string
	// Declared says that the cells are those of declared values, and not too many for an answer.
	Declared bool
	// Threshold says that the cells are those that have rows, and that a private threshold decides which are shown.
	Threshold bool
	// Refusal is what an analyst is told who asks the question today; "" if she is answered. Without a Threshold, the cells are then those of
	// the combinations that somebody has, with every label: as if what occurs were declared, and were asked for in parts if it is too much.
	Refusal string
	Cells   int
	// Counted is what the counts are of.
	Counted Counted
	// Undeclared is how many of what is counted are in no cell, since a value of theirs is not declared.
	Undeclared int64
	// LeftOut is how much the bounds of a person keep out of all groups together; nil if each row is a person. Bias and error are those of
	// what is shown against all that there is.
	LeftOut *int64
	// Total, Largest and Zeros are of the true counts, within the bounds of a person.
	Total, Largest int64
	Zeros          int
	// Unfitted says that the table fits these cells to the totals of their grouping sets (mechanism.totals), and that the figures of its
	// own mechanism are nevertheless of cells that are measured by themselves.
	Unfitted   bool
	Attack     Attack
	Mechanisms []Mechanism
	// Curves has one for each kind; nil if they were not asked for.
	Curves []Curve
}

// A Mechanism is one mechanism with one epsilon on one question.
type Mechanism struct {
	Kind policy.Kind
	// Epsilon is that of the mechanism; 0 if it has none.
	Epsilon policy.Epsilon
	// Today says that it is what analysts get today.
	Today bool
	// Problem says why the mechanism cannot be made with these amounts, or answers no such question; the rest is zero then.
	Problem string
	// AddRemove and ReplaceOne are what it guarantees under either adjacency.
	AddRemove, ReplaceOne Guarantee
	// HalfWidth95 bounds the noise of a count with probability 0.95.
	HalfWidth95 int64
	Figures
}

// Figures say what releases of the cells are like. All are exact.
type Figures struct {
	mechanisms.Summary
	// Error is the root of the mean squared error of a cell.
	Error float64
	// Risk is nil if the question has no attack, or no cells.
	Risk *Risk
	// Uniques are expectations.
	Uniques risk.UniqueMatches
}

// A Risk is the disclosure risk from homogeneity attack, in both versions.
type Risk struct {
	Event   risk.Average `json:"event"`
	Records risk.Average `json:"records"`
	// Homogeneous is the share of the persons in homogeneous cells whose label is told; nil where a measure is not of the cells as they are, or
	// none is homogeneous, or it was not asked for.
	Homogeneous *float64 `json:"homogeneous,omitempty"`
}

// A Guarantee is a guarantee at the epsilon of the mechanism.
type Guarantee struct {
	// Delta is that at Epsilon.
	Delta float64
	// Pure and Rho are +Inf if the mechanism has none.
	Pure, Rho float64
	// Exact says that no smaller Delta holds.
	Exact bool
}

// OwnGuarantee is that under the table's adjacency.
func (a *Assessment) OwnGuarantee(m Mechanism) Guarantee {
	if a.Adjacency == policy.ReplaceOne {
		return m.ReplaceOne
	}
	return m.AddRemove
}

// Notice stands above whatever is computed from true counts.
const Notice = "Computed from true counts: for the steward, not for publication."

// supposedNotice stands above what is computed from other counts.
const supposedNotice = "Computed from supposed counts: no row was read."

// Notice stands above an assessment.
func (a *Assessment) Notice() string {
	if a.Supposed {
		return supposedNotice
	}
	return Notice
}

// Assess compares all mechanisms of counts on a statement, exactly: from the true counts, which the curator reads, and the distributions
// of what the mechanisms release. Nothing is read before the roles are known to be separate: what analysts own would run as the curator. A
// *[SeparationError] says that they are not. Other errors are those of a statement that an analyst could not ask either, and of the
// connection.
func Assess(ctx context.Context, p *policy.Policy, request Request) (*Assessment, error) {
	var a *Assessment
	err := inspect(ctx, p, func(i inspecting) (err error) {
		a, err = (&assessing{inspecting: i, request: request}).assessment(ctx)
		return err
	})
	return a, err
}

// assessment assesses each query of the statement.
func (w *assessing) assessment(ctx context.Context) (*Assessment, error) {
	queries, err := w.bind(ctx, w.request.SQL)
	if err != nil {
		return nil, err
	}
	first := queries[0].Table.Policy
	if first.Mechanism.Kind == policy.Audit {
		return nil, errAssessAudited(first)
	}
	a := &Assessment{Table: first.Name, Adjacency: first.Adjacency, Own: first.Mechanism}
	for place, q := range queries {
		if q.Table.Policy.Name != a.Table || q.Partner() != nil || len(q.OtherTables()) > 0 {
			return nil, errors.New("the statement reads more than one protected table, whose budgets would all be charged; assess each by itself, without conditions on what persons have in the other. EXPLAIN of the statement, sent to the proxy, tells what it costs on each")
		}
		if q.OfEachPerson() {
			return nil, errors.New("the statement counts persons by what they have; assess a count of the table's rows or persons")
		}
		of := *w
		of.query, of.withDelta = q, w.request.Delta > 0
		if of.request, err = w.request.fill(q); err != nil {
			return nil, err
		}
		if q.Measured() {
			joint, err := of.joint(ctx, place)
			if err != nil {
				return nil, err
			}
			a.Joints = append(a.Joints, joint)
			continue
		}
		questions, err := of.questions(ctx)
		if err != nil {
			return nil, err
		}
		a.Questions = append(a.Questions, questions...)
	}
	return a, nil
}

func errAssessAudited(t *policy.Table) error {
	return fmt.Errorf("counts of %v are exact or suppressed, which no noise compares with: an auditor weighs each against what it tells of %q; "+
		"EXPLAIN tells an analyst what would be suppressed, and tacit budget how much of its risk is spent", t.Name, t.Mechanism.Audit.Private)
}

// fill fills a request in for a query.
func (r Request) fill(q *query.BoundQuery) (Request, error) {
	for _, name := range r.Quasi {
		if !slices.ContainsFunc(q.Table.Policy.Columns, func(c policy.Column) bool { return c.Name == name }) {
			return r, requestErrorf("%q is not among the columns of %v that statements may use", name, q.Table.Policy.Name)
		}
	}
	r = r.withDefaults(q.Table.Policy.Mechanism)
	if len(r.Quasi) == 0 {
		for _, k := range q.Keys {
			for _, origin := range k.Origins() {
				r.Quasi = append(r.Quasi, origin.Name)
			}
		}
	}
	return r, nil
}

// withDefaults has what a request leaves open as a table's own mechanism has it.
func (r Request) withDefaults(m policy.Mechanism) Request {
	if len(r.Epsilons) == 0 {
		r.Epsilons = []policy.Epsilon{cmp.Or(m.Epsilon, 1e9)}
	}
	r.MostCells = cmp.Or(r.MostCells, mostAssessedCells)
	if len(r.Kinds) == 0 {
		r.Kinds = policy.Kinds
	}
	r.Delta, r.K = cmp.Or(r.Delta, m.Delta, 1e12), cmp.Or(r.K, m.K, 6)
	if len(r.Quasi) == 0 {
		r.Quasi = m.Quasi
	}
	return r
}
