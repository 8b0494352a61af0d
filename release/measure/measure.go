package measure

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/rewrite/query"
)

// A Request says what is measured.
type Request struct {
	Policy *policy.Policy   // Required.
	Table  policy.TableName // Required: one with a workload.
	// Again measures although there is a measurement in the present epoch: it is charged, and what follows is computed of the new one from then on.
	Again bool
}

// A Report is of one measurement.
type Report struct {
	Table    policy.TableName
	Question string
	Loss     accountant.Loss
	// Adopted says that it was charged before, by a measurement that did not end.
	Adopted bool
	Left    accountant.Loss
}

// ErrMeasured is returned when the workload was measured already.
var ErrMeasured = errors.New("the workload was measured already in the present epoch, and what follows from it is free")

// Measure reserves, counts and records.
func Measure(ctx context.Context, r Request) (*Report, error) {
	p := r.Policy.On(time.Now())
	t, ok := p.Table(r.Table)
	if !ok || t.Workload == nil {
		return nil, fmt.Errorf("%v has no workload in the policy", r.Table)
	}
	c, err := curator.New(ctx, p)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	catalog, _, err := c.Catalog(ctx, p)
	if err != nil {
		return nil, err
	}
	w, err := marginals.New(catalog, p.Limits, t, rand.Reader)
	if err != nil {
		return nil, err
	}
	l, err := live.OpenLedger(ctx, p)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if err := live.CheckKinds(ctx, p, l); err != nil {
		return nil, err
	}
	m := &measuring{Request: r, table: t, curator: c, workload: w, ledger: l}
	return m.run(ctx)
}

// A measuring is the work on one measurement.
type measuring struct {
	Request
	table    *policy.Table
	curator  *curator.Curator
	workload *marginals.Workload
	ledger   *ledger.Ledger
}

// run opens the transaction before the reservation, so that a failure of that costs nothing.
func (m *measuring) run(ctx context.Context) (*Report, error) {
	s, err := m.curator.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.End()
	accounting := live.Accounting(m.table)
	paid, err := m.reserve(ctx, accounting)
	if err != nil {
		return nil, err
	}
	if err := m.count(ctx, s, paid); err != nil {
		m.ledger.Abandon(paid)
		return nil, fmt.Errorf("the measurement was charged (%v), and failed: %w", m.workload.Loss, err)
	}
	report := &Report{Table: m.table.Name, Question: m.workload.Question.Text, Loss: m.workload.Loss, Adopted: paid.Adopted(0)}
	balance, err := m.ledger.Balance(ctx, accounting, live.Steward, nil)
	report.Left = balance.Left
	return report, err
}

func (m *measuring) reserve(ctx context.Context, accounting accountant.Accounting) (*ledger.Reservation, error) {
	_, measured, err := m.ledger.Lookup(ctx, m.workload.Question, 0)
	switch {
	case err != nil:
		return nil, err
	case measured && !m.Again:
		return nil, ErrMeasured
	}
	return m.ledger.Reserve(ctx, accountant.Charge{
		Analyst: live.Steward, SQL: "tacit measure --table " + m.table.Name.String(), Accounting: accounting,
		Items: []accountant.Item{{
			Question: m.workload.Question, Loss: m.workload.Loss, Term: m.workload.Term, Mechanism: marginals.Kind, Fresh: measured,
			Shape: "\n" + strconv.FormatInt(m.ledger.Now().UnixNano(), 10), // when it began, as of other questions
		}},
	})
}

func (m *measuring) count(ctx context.Context, s *curator.Snapshot, paid *ledger.Reservation) error {
	asked := []curator.Counted{{Count: m.workload.Query.Counts[0], Question: m.workload.Question}}
	stored, err := m.workload.Measure(ctx, func(ctx context.Context, group func([]query.Value, []int64) error) error {
		return s.Count(ctx, []*ledger.Reservation{paid}, m.workload.Query, asked, group)
	})
	if err != nil {
		return err
	}
	_, err = m.ledger.Record(context.WithoutCancel(ctx), paid, [][]byte{stored})
	return err
}
