package release

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// Bounds on a report, whose rows are made in memory: the newest ones are shown.
const (
	maxReportRows  = 10_000
	maxReportBytes = 4 << 20 // of text
)

// Report returns the rows of reports, as they are now, for one analyst: the policy in force, her own statements, and what has been
// released to whomever. No protected row is read and nothing is charged. If errors.As finds a *pgerror.Refusal in the error, that is
// what the analyst may see.
func (g *Gateway) Report(ctx context.Context, analyst string, reports []*rewrite.Report) ([]*query.Cells, error) {
	state, l, shut := g.monitor.Present()
	r := &reporter{state: state, ledger: l, analyst: analyst, sizes: &g.sizes}
	cells := make([]*query.Cells, len(reports))
	for i, report := range reports {
		if report != rewrite.TablesReport && r.ledger == nil {
			return nil, errors.Join(reply.RefuseLedger.With(), shut)
		}
		r.begin(len(report.Columns))
		var err error
		switch report {
		case rewrite.BudgetReport:
			err = r.budget(ctx)
		case rewrite.TablesReport:
			r.tables()
		case rewrite.HistoryReport:
			err = r.history(ctx)
		case rewrite.ReleasesReport:
			err = r.releases(ctx)
		default:
			err = fmt.Errorf("release: internal error: report %s", report.Name)
		}
		if err != nil {
			return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		cells[i] = &query.Cells{Keys: r.columns}
	}
	return cells, nil
}

// A reporter collects the rows of one report after the other.
type reporter struct {
	state   *live.State
	ledger  *ledger.Ledger
	analyst string
	sizes   *releaseSizes

	columns [][]query.Value
	bytes   int
}

func (r *reporter) begin(columns int) {
	r.columns, r.bytes = make([][]query.Value, columns), 0
}

// row adds a row. A nil is NULL.
func (r *reporter) row(values ...any) {
	for i, v := range values {
		value := query.Value{Null: v == nil}
		switch v := v.(type) {
		case nil:
		case string:
			value.Text = v
		case time.Time:
			value.Text = r.state.Policy.Rounded(v).Format("2006-01-02 15:04:05.999999Z07:00")
		default:
			value.Text = fmt.Sprint(v)
		}
		r.bytes += len(value.Text)
		r.columns[i] = append(r.columns[i], value)
	}
}

// full says whether the report has as many rows as it may.
func (r *reporter) full() bool {
	return len(r.columns[0]) >= maxReportRows || r.bytes >= maxReportBytes
}

// budget has a row for each protected table.
func (r *reporter) budget(ctx context.Context) error {
	analyst, _ := r.state.Policy.Analyst(r.analyst)
	for _, t := range r.state.Policy.Tables {
		s, err := r.ledger.Balance(ctx, r.state.Accounting[t.Name], r.analyst, analyst.Budget)
		if err != nil {
			return err
		}
		var limit, left capAmounts
		if s.Cap != nil {
			limit, left = newCapAmounts(*s.Cap, accountant.Loss(*s.Cap)), newCapAmounts(*s.Cap, *s.OwnLeft)
		}
		row := []any{t.Name.Schema, t.Name.Name,
			s.Budget.Epsilon, s.Spent.Epsilon, s.Left.Epsilon, s.Budget.Delta, s.Spent.Delta, s.Left.Delta,
			limit.epsilon, s.Own.Epsilon, left.epsilon, limit.delta, s.Own.Delta, left.delta,
			s.Budget.Releases, s.Spent.Releases, s.Left.Releases, limit.releases, s.Own.Releases, left.releases,
			s.Budget.Risk, s.Spent.Risk, s.Left.Risk, limit.risk, s.Own.Risk, left.risk}
		r.row(append(row, budgetRule(t, &s)...)...)
	}
	return nil
}

// budgetRule is the end of a table's row in tacit.budget: how losses add up, and since when. Of a table whose answers have no loss, and never
// had one, there is no such rule.
func budgetRule(t *policy.Table, s *accountant.Balance) []any {
	row := []any{string(t.Composition), s.Lifetime.Epsilon, s.Lifetime.Delta, nil, s.Epoch, nil}
	if !t.Mechanism.Kind.Guaranteed() && s.Lifetime.Epsilon == 0 && s.Lifetime.Delta == 0 {
		row[0], row[1], row[2] = nil, nil, nil
	}
	if t.Window > 0 {
		row[3] = int64(t.Window / (24 * time.Hour))
	}
	if s.Frozen != "" {
		row[5] = s.Frozen
	}
	return row
}

// capAmounts are amounts as a row has them; nil, for NULL, where there is no cap.
type capAmounts struct{ epsilon, delta, releases, risk any }

// newCapAmounts leaves out the amounts that an analyst's cap does not name.
func newCapAmounts(limit policy.Budget, l accountant.Loss) (c capAmounts) {
	if limit.Epsilon != policy.NoEpsilonCap {
		c.epsilon = l.Epsilon
	}
	if limit.Delta != policy.NoDeltaCap {
		c.delta = l.Delta
	}
	if limit.Releases != policy.NoReleasesCap {
		c.releases = l.Releases
	}
	if limit.Risk != policy.NoRiskCap {
		c.risk = l.Risk
	}
	return c
}

// tables has a row for each listed column, and one for a table that lists none.
func (r *reporter) tables() {
	for _, t := range r.state.Policy.Tables {
		person := "row"
		if p := t.Person; p != nil {
			person = fmt.Sprintf("%s: at most %d rows in %d groups", p.Column, p.Rows, p.Groups)
		}
		// Of whatever sensitivity, mechanisms of a table cost the same; those without a guarantee cost no epsilon.
		epsilon, delta := any(nil), any(nil)
		if m := r.state.Mechanisms[t.Name][live.SensitivityOfRow]; m != nil && m.Loss().Releases == 0 {
			epsilon, delta = m.Loss().Epsilon, m.Loss().Delta
		}
		least, most := any(nil), any(nil)
		if t.Mechanism.Most > 0 {
			least, most = t.Mechanism.Least, t.Mechanism.Most
		}
		common := []any{person, string(t.Adjacency), string(t.Mechanism.Kind), epsilon, delta, least, most}
		table := r.state.Catalog.Tables[t.Name]
		for i := range table.Columns { // of the policy, and the private one of an auditor if that is not listed
			if r.full() {
				return
			}
			c := &table.Columns[i]
			declared := policy.Domain{}
			if i < len(t.Columns) {
				declared = t.Columns[i].Domain
			}
			kind, size := domainKind(c, declared)
			from, to := rangeEnds(c, kind)
			row := append([]any{t.Name.Schema, t.Name.Name, c.Name, c.Formatted, !c.NotNull, kind, size}, common...)
			r.row(append(row, from, to)...)
		}
		if len(table.Columns) == 0 {
			row := append([]any{t.Name.Schema, t.Name.Name, nil, nil, nil, nil, nil}, common...)
			r.row(append(row, nil, nil)...)
		}
	}
}

// domainKind is how the policy declares a domain, or that its values are known by its type, and how many values are listed; nil, for NULL, if none are.
func domainKind(c *query.Column, d policy.Domain) (kind string, size any) {
	if c.Domain != nil {
		size = len(c.Domain)
	}
	switch {
	case d.ValuesFrom != nil:
		return "values_from", size
	case d.Range != nil, d.Bounds != nil:
		return "range", size
	case c.Domain != nil:
		return "values", size
	case c.Formatted == "boolean":
		return "values", 2
	}
	return "unknown", nil
}

// rangeEnds are the least and the greatest value of a declared range, as it is today; nil of other domains.
func rangeEnds(c *query.Column, kind string) (from, to any) {
	switch {
	case kind == "range" && c.Range != nil:
		return c.Range.Least.Text, c.Range.Greatest.Text
	case kind == "range" && len(c.Domain) > 0:
		return c.Domain[0], c.Domain[len(c.Domain)-1]
	}
	return nil, nil
}

// history has the analyst's own statements, as the log has them.
func (r *reporter) history(ctx context.Context) error {
	return r.ledger.Recent(ctx, r.analyst, func(e ledger.Entry) bool {
		schema, name, sqlstate, answered := any(nil), any(nil), any(nil), any(nil)
		if e.Table != (policy.TableName{}) {
			schema, name = e.Table.Schema, e.Table.Name
		}
		switch e.Verdict {
		case ledger.Granted, ledger.Frozen, ledger.Thawed, ledger.Epoch, ledger.Inspected, ledger.Resolved, ledger.Requested, ledger.Declined, ledger.Thinned: // what a steward did, or is asked to do, or the proxy did, is no statement of hers
			return true
		default:
		}
		if e.SQLState != "" {
			sqlstate = e.SQLState
		}
		if !e.Answered.IsZero() {
			answered = e.Answered
		}
		r.row(e.At, schema, name, string(e.Verdict), e.Loss.Epsilon, e.Loss.Delta, sqlstate, e.SQL, e.Loss.Releases, e.Loss.Risk, answered)
		return !r.full()
	})
}

// cellsColumn is the place of cells in rewrite.ReleasesReport.
const cellsColumn = 8

// releases has what would be answered from the ledger if it were asked again: the newest answer to each question about a table of
// the policy, in its present epoch, under its present mechanism (with any loss that analysts choose) and not too old. That a declared domain has changed, which makes a question a new one, is
// not seen here.
func (r *reporter) releases(ctx context.Context) error {
	var ids []int64
	seen := make(map[[32]byte]bool)
	now := r.ledger.Now()
	epochs, err := r.epochs(ctx)
	if err != nil {
		return err
	}
	err = r.ledger.Released(ctx, func(found *accountant.Release) bool {
		t, ok := r.state.Policy.Table(found.Table)
		if !ok || t.Mechanism.Kind == policy.Audit || found.Epoch != epochs[found.Table] || seen[found.Key] || t.Replay > 0 && now.Sub(found.At) > t.Replay {
			return true
		}
		seen[found.Key] = true
		m := r.state.Mechanisms[found.Table][live.SensitivityOfRow] // of whatever sensitivity, their name and losses are the same
		ofCounts := found.Mechanism == string(m.Kind()) && (found.Loss == m.Loss() || found.Loss == m.ThresholdLoss())
		ofValues := found.Mechanism == mechanisms.ExponentialKind && t.Mechanism.Kind.AddsNoise() && found.Loss == accountant.Loss{Epsilon: m.Loss().Epsilon}
		workload, err := r.state.Workload(t)
		ofWorkload := err == nil && workload != nil && found.Key == workload.Question.Key
		chosen := found.Mechanism == string(m.Kind()) && t.Mechanism.Least <= found.Loss.Epsilon && found.Loss.Epsilon <= t.Mechanism.Most &&
			(found.Loss.Delta == m.Loss().Delta || found.Loss.Delta == m.ThresholdLoss().Delta)
		jointly := found.Mechanism == marginals.JointKind && m.Kind().AddsNoise() && t.Derive
		if !ofCounts && !ofValues && !ofWorkload && !chosen && !jointly {
			return true
		}
		ids = append(ids, found.ID)
		r.row(found.ID, t.Name.Schema, t.Name.Name, found.Text, found.Mechanism, found.Loss.Epsilon, found.Loss.Delta, found.At, nil,
			found.Loss.Releases)
		return !r.full()
	})
	if err != nil {
		return err
	}
	cells := r.columns[cellsColumn]
	for i, id := range ids {
		n, err := r.sizes.of(ctx, r.ledger, id)
		if err != nil {
			return err
		}
		cells[i] = query.Value{Text: strconv.Itoa(n)}
	}
	return nil
}

// epochs are the present ones of the policy's tables.
func (r *reporter) epochs(ctx context.Context) (map[policy.TableName]int64, error) {
	epochs := make(map[policy.TableName]int64)
	for _, t := range r.state.Policy.Tables {
		epoch, err := r.ledger.Epoch(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		epochs[t.Name] = epoch
	}
	return epochs, nil
}
