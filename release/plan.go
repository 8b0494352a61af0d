package release

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// A plan is how one count query of a statement is answered: which cells, and by which questions.
//
// With declared keys the cells are fixed before any row is read, and each count is a question of its own. With unknown
// keys the first question is the number of persons in each group: it decides by a private threshold which groups are shown, and
// the other counts are asked of those groups alone.
type plan struct {
	query *rewrite.BoundQuery
	// tables are charged for the answer, under terms.
	tables      []*policy.Table
	terms       *policy.Table
	mechanisms  map[sensitivity]*mechanisms.Mechanism
	byThreshold bool
	// tooMany says that the threshold decides only because the declared cells are more than limit.
	tooMany bool
	limit   int // most cells
	// settled says that keys are what the statement's own filter leaves already.
	settled bool
	// cells is how many there are; unknown, and 0, if byThreshold.
	cells int
	// keys are the cells, column by column, once declareCells has made them; never if byThreshold.
	keys [][]rewrite.Value
	// margins are those that the cells are fitted to; nil if totals are sums of the cells.
	margins *mechanisms.Margins
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
	term   composition.Term
	// mechanism is that of the count's sensitivity.
	mechanism *mechanisms.Mechanism
	// selects marks the question that decides by threshold which keys are shown.
	selects bool
	// released is nil until the question is answered from the ledger or by a new release.
	released *released
	replayed bool
	// derived says that released was computed of recorded releases, and of which.
	derived *derivedFrom
	// adopted says that the release was paid for by a charge under which nobody was answered.
	adopted bool
	// anew says that what was recorded of the question is about other cells, and does not answer it.
	anew bool
}

// newPlan decides, from the statement, the policy and public facts alone, which questions answer a query.
func (d *Door) newPlan(ctx context.Context, q *rewrite.BoundQuery, r *regime) (*plan, error) {
	if audited(q) { // whose counts no mechanism may sanitize, since none of them would be reserved
		return nil, fmt.Errorf("release: internal error: a question about audited table %v came to the mechanisms", q.Table.Policy.Name)
	}
	p := &plan{query: q, tables: protectedTables(q), terms: terms(q), limit: r.policy.Limits.Cells}
	var err error
	if p.mechanisms, err = r.mechanismsFor(q, p.terms, d.random); err != nil {
		return nil, err
	}
	if q.Plain() {
		p.byThreshold = slices.ContainsFunc(q.Keys, func(k *rewrite.Column) bool { return k.Domain == nil })
		p.cells = p.countCells()
	}
	if !q.Plain() || !p.byThreshold && p.cells > p.limit {
		if err := p.derive(ctx, d, r); err != nil {
			return nil, err
		}
	}
	if err := p.fitTotals(ctx, d, r); err != nil {
		return nil, err
	}
	if p.byThreshold {
		p.cells = 0
		switch {
		case p.mechanisms[sensitivityOf(q, q.Persons())].Threshold() > 0:
			p.ask(q.Persons(), true)
		case p.tooMany:
			return nil, refuseTooManyCells(q, p.limit)
		default:
			return nil, refuseUnknownKeys(q)
		}
	}
	for _, c := range q.Counts {
		p.shown = append(p.shown, p.ask(c, false))
	}
	p.seal(r)
	return p, nil
}

// countCells is the size of the product of the declared domains, or some number above the limit.
func (p *plan) countCells() int {
	cells := 1
	for _, k := range p.query.Keys {
		n := domainSize(k)
		if n > 0 && cells > p.limit/n {
			return p.limit + 1
		}
		cells *= n
	}
	return cells
}

// domainSize counts NULL, where the column is nullable.
func domainSize(k *rewrite.Column) int {
	if k.NotNull {
		return len(k.Domain)
	}
	return len(k.Domain) + 1
}

func domainValues(k *rewrite.Column) []rewrite.Value {
	values := make([]rewrite.Value, 0, domainSize(k))
	for _, text := range k.Domain {
		values = append(values, rewrite.Value{Text: text})
	}
	if !k.NotNull {
		values = append(values, rewrite.Value{Null: true})
	}
	return values
}

// declareCells sets keys to the product of the declared domains, in the order of the domains, NULL last.
func (p *plan) declareCells() {
	if p.settled {
		return
	}
	p.keys = make([][]rewrite.Value, len(p.query.Keys))
	repeat := p.cells // how often each value of column i stands in a row
	for i, k := range p.query.Keys {
		p.keys[i] = make([]rewrite.Value, 0, p.cells)
		domain := domainValues(k)
		if len(domain) > 0 {
			repeat /= len(domain)
		}
		for len(p.keys[i]) < p.cells {
			for _, v := range domain {
				for range repeat {
					p.keys[i] = append(p.keys[i], v)
				}
			}
		}
	}
}

// restrict keeps the cells that the statement's own filter allows. It asks the server, whose comparison and collation are
// the ones that count, about constants only: no table is read.
func (p *plan) restrict(ctx context.Context, s *snapshot) error {
	if len(p.query.Keys) == 0 || p.cells == 0 || p.settled {
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

// ask returns the index of the question for a count, adding it if it was not asked yet. A plain count of the persons in each
// group is the very release that selects unknown keys, and one draw serves both.
func (p *plan) ask(c rewrite.Count, selects bool) int {
	text := p.query.Question(c) + p.fittedTo()
	for i, q := range p.questions {
		if q.ledger.Text == text {
			return i
		}
	}
	mechanism := p.mechanisms[sensitivityOf(p.query, c)]
	loss, term := mechanism.Loss(), mechanism.Term()
	if selects {
		loss, term = mechanism.ThresholdLoss(), mechanism.ThresholdTerm()
	}
	p.questions = append(p.questions, &question{
		ledger:    accountant.Question{Table: p.query.Table.Policy.Name, Text: text},
		count:     c,
		loss:      loss,
		term:      term,
		mechanism: mechanism,
		selects:   selects,
	})
	return len(p.questions) - 1
}

// addsFills reports whether totals add up cells of a question that may be fill values. Of keys that a threshold decides about, those
// whose own count is withheld are not shown.
func (p *plan) addsFills(q *question) bool {
	m := p.terms.Mechanism
	return p.query.Totals && m.Kind.Suppresses() && m.Fill.Kind != policy.FillNull && !q.selects
}

// seal computes the questions' identities: the canonical text and everything else that the answer's distribution depends on.
// Two questions with one identity are one release. Which cells there are follows from the declared domains and the text.
func (p *plan) seal(r *regime) {
	t := p.terms
	context := sha256.New()
	io.WriteString(context, p.questions[0].mechanism.Identity())
	if p.byThreshold {
		io.WriteString(context, p.questions[0].mechanism.SelectionIdentity())
	}
	for _, name := range slices.Sorted(slices.Values(t.Mechanism.Quasi)) {
		fmt.Fprintf(context, "quasi %q\n", name)
	}
	for _, k := range p.query.Keys {
		if !k.Stored() {
			fmt.Fprintf(context, "key %q computed\n", k.Text())
		}
		if t.Mechanism.Kind == policy.DPSwapping {
			fmt.Fprintf(context, "key %q moves %t\n", k.Text(), moves(t, p.query, k))
		}
		for _, input := range k.Inputs() {
			p.sealColumn(context, r, "key", input)
		}
	}
	prefix := context.Sum(nil)
	for _, q := range p.questions {
		h := sha256.New()
		h.Write(prefix)
		fmt.Fprintf(h, "table %q\nquestion %q\nselects %t\n", t.Name.String(), q.ledger.Text, q.selects)
		if t.Person != nil {
			fmt.Fprintf(h, "person %q sensitivity %d\n", t.Person.Column, p.query.Sensitivity(q.count))
		}
		for _, input := range p.query.Computed(q.count) {
			p.sealColumn(h, r, "computed of", input)
		}
		h.Sum(q.ledger.Key[:0])
	}
}

// inEpochs makes the epochs of all tables of a join part of its questions' identities, once one of them has had another. The ledger finds an
// answer by one table and its epoch; without the other's, an answer about rows that are gone would be found, and one that was charged to both
// tables would be in the ledger for the one and not for the other.
func (p *plan) inEpochs(ctx context.Context, ledger *accountant.Ledger) error {
	if len(p.tables) < 2 {
		return nil
	}
	text, later := "", false
	for _, t := range p.tables {
		epoch, err := ledger.Epoch(ctx, t.Name)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("epoch %d of %q\n", epoch, t.Name.String())
		later = later || epoch > 1
	}
	if later {
		for _, q := range p.questions {
			q.ledger.Key = sha256.Sum256(append(q.ledger.Key[:], text...))
		}
	}
	return nil
}

// sealColumn takes in a column with its declared domain.
func (p *plan) sealColumn(w io.Writer, r *regime, role string, c *rewrite.Column) {
	table, ok := p.query.TableOf(c)
	name := c.Name
	if !ok || table != p.terms.Name {
		table, name = cmp.Or(table, p.terms.Name), c.Text()
	}
	fmt.Fprintf(w, "%s %q null %t domain %x\n", role, name, !c.NotNull, r.domains[policy.ColumnName{Table: table, Column: c.Name}])
}

// digestDomains identifies the declared domains by their content; an unknown domain differs from an empty one.
func digestDomains(c *rewrite.Catalog) map[policy.ColumnName][32]byte {
	digests := make(map[policy.ColumnName][32]byte)
	for name, table := range c.Tables {
		for _, column := range table.Columns {
			h := sha256.New()
			fmt.Fprintf(h, "declared %t %q", column.Domain != nil, column.Domain)
			digests[policy.ColumnName{Table: name, Column: column.Name}] = [32]byte(h.Sum(nil))
		}
	}
	return digests
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
