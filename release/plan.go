package release

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// A plan is how one count query of a statement is answered: which cells, and by which questions.
//
// With declared keys the cells are fixed before any row is read, and each count is a question of its own. With unknown
// keys the first question is the number of rows in each group: it decides by a private threshold which groups are shown, and
// the other counts are asked of those groups alone.
type plan struct {
	query     *rewrite.BoundQuery
	mechanism *mechanisms.Geometric
	// keys are the cells, column by column; nil until the threshold has decided if byThreshold.
	keys        [][]rewrite.Value
	cells       int
	limit       int // most cells
	byThreshold bool
	// questions in the order in which they are charged: the threshold's first, if any.
	questions []*question
	// shown maps each count of the query to its question.
	shown []int
}

// A question is what is asked, charged, recorded and replayed as a unit: one count over the cells of one query.
type question struct {
	ledger accountant.Question
	count  rewrite.Count
	loss   accountant.Loss
	// selects marks the question that decides by threshold which keys are shown.
	selects bool
	// released is nil until the question is answered from the ledger or by a new release.
	released *released
	replayed bool
}

// newPlan decides, from the statement, the policy and public facts alone, which questions answer a query.
func newPlan(q *rewrite.BoundQuery, m *mechanisms.Geometric, limits policy.Limits) (*plan, *rewrite.Refusal) {
	p := &plan{query: q, mechanism: m, cells: 1, limit: limits.Cells}
	for _, k := range q.Keys {
		if k.Domain == nil {
			p.byThreshold = true
		}
	}
	if p.byThreshold {
		if q.Table.Policy.Mechanism.Delta == 0 {
			return nil, refuseUnknownKeys(q)
		}
		p.ask(rewrite.Count{}, true)
	} else if refusal := p.declareCells(limits); refusal != nil {
		return nil, refusal
	}
	for _, c := range q.Counts {
		p.shown = append(p.shown, p.ask(c, false))
	}
	return p, nil
}

// declareCells sets keys to the product of the declared domains, in the order of the domains, NULL last.
func (p *plan) declareCells(limits policy.Limits) *rewrite.Refusal {
	domains := make([][]rewrite.Value, len(p.query.Keys))
	for i, k := range p.query.Keys {
		for _, text := range k.Domain {
			domains[i] = append(domains[i], rewrite.Value{Text: text})
		}
		if !k.NotNull {
			domains[i] = append(domains[i], rewrite.Value{Null: true})
		}
		if len(domains[i]) > 0 && p.cells > limits.Cells/len(domains[i]) {
			return refuseTooManyCells(p.query, limits.Cells)
		}
		p.cells *= len(domains[i])
	}
	p.keys = make([][]rewrite.Value, len(domains))
	repeat := p.cells // how often each value of column i stands in a row
	for i, domain := range domains {
		p.keys[i] = make([]rewrite.Value, 0, p.cells)
		if len(domain) == 0 {
			continue
		}
		repeat /= len(domain)
		for len(p.keys[i]) < p.cells {
			for _, v := range domain {
				for range repeat {
					p.keys[i] = append(p.keys[i], v)
				}
			}
		}
	}
	return nil
}

// restrict keeps the cells that the statement's own filter allows. It asks the server, whose comparison and collation are
// the ones that count, about constants only: no table is read.
func (p *plan) restrict(ctx context.Context, s *snapshot) error {
	if p.byThreshold || len(p.query.Keys) == 0 || p.cells == 0 {
		return nil
	}
	sql, args, ok := p.query.DomainSQL(p.keys)
	if !ok {
		return nil
	}
	var kept []int
	err := s.query(ctx, sql, args, func(row [][]byte) error {
		ordinal, err := strconv.Atoi(string(row[0]))
		if err != nil || ordinal < 1 || ordinal > p.cells {
			return fmt.Errorf("release: cell %q of %d", row[0], p.cells)
		}
		kept = append(kept, ordinal-1)
		return nil
	})
	if err != nil {
		return err
	}
	sort.Ints(kept)
	for i, column := range p.keys {
		keys := make([]rewrite.Value, len(kept))
		for j, cell := range kept {
			keys[j] = column[cell]
		}
		p.keys[i] = keys
	}
	p.cells = len(kept)
	return nil
}

// ask returns the index of the question for a count, adding it if it was not asked yet. A plain count of the rows in each
// group is the very release that selects unknown keys, and one draw serves both.
func (p *plan) ask(c rewrite.Count, selects bool) int {
	text := p.query.Question(c)
	for i, q := range p.questions {
		if q.ledger.Text == text {
			return i
		}
	}
	loss := p.mechanism.Loss()
	if selects {
		loss = p.mechanism.ThresholdLoss()
	}
	p.questions = append(p.questions, &question{
		ledger:  accountant.Question{Table: p.query.Table.Policy.Name, Text: text},
		count:   c,
		loss:    loss,
		selects: selects,
	})
	return len(p.questions) - 1
}

// seal computes the questions' identities: the canonical text and everything else that the answer's distribution depends
// on. Two questions with one identity are one release.
func (p *plan) seal() {
	t := p.query.Table.Policy
	context := sha256.New()
	fmt.Fprintf(context, "mechanism %s epsilon %d adjacency %s negative %t\n",
		t.Mechanism.Kind, t.Mechanism.Epsilon, t.Adjacency, t.Mechanism.KeepNegative)
	if p.byThreshold {
		fmt.Fprintf(context, "threshold %d\n", p.mechanism.Threshold())
	}
	for i, column := range p.keys {
		fmt.Fprintf(context, "key %q", p.query.Keys[i].Name)
		for _, v := range column {
			if v.Null {
				fmt.Fprint(context, " NULL")
			} else {
				fmt.Fprintf(context, " %q", v.Text)
			}
		}
		fmt.Fprintln(context)
	}
	prefix := context.Sum(nil)
	for _, q := range p.questions {
		h := sha256.New()
		h.Write(prefix)
		fmt.Fprintf(h, "table %q\nquestion %q\nselects %t\n", t.Name.String(), q.ledger.Text, q.selects)
		h.Sum(q.ledger.Key[:0])
	}
}

// cellKey joins the values of a cell into a map key that no two cells share.
func cellKey(b *strings.Builder, values []rewrite.Value) string {
	b.Reset()
	for _, v := range values {
		if v.Null {
			b.WriteString("n;")
			continue
		}
		b.WriteString(strconv.Itoa(len(v.Text)))
		b.WriteByte(':')
		b.WriteString(v.Text)
	}
	return b.String()
}
