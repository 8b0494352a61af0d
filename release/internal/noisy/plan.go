package noisy

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/chosen"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A QueryPlan is how one count query of a statement is answered: which cells, and by which questions.
//
// With declared keys the cells are fixed before any row is read, and each count is a question of its own. With unknown
// keys the first question is the number of persons in each group: it decides by a private threshold which groups are shown, and
// the other counts are asked of those groups alone.
type QueryPlan struct {
	Query *query.BoundQuery
	// tables are charged for the answer, under terms.
	tables      []*policy.Table
	Terms       *policy.Table
	mechanisms  map[live.Sensitivity]*mechanisms.Mechanism
	ByThreshold bool
	// state is that under which it was planned; nil if nothing is to be remembered of it.
	state *live.State
	// tooMany says that the threshold decides only because the declared cells are more than limit.
	tooMany bool
	Limit   int // most cells
	// settled says that keys are what the statement's own filter leaves already.
	fixed bool
	// known says that cells are fixed though not all values of keys are declared.
	known bool
	// cells is how many there are; unknown, and 0, if ByThreshold.
	Cells int
	// keys are the cells, column by column, once declareCells has made them; never if ByThreshold.
	Keys [][]query.Value
	// parts is how many questions share the loss of one, see joint.go; 0 if each has its own.
	parts int
	// margins are those that the cells are fitted to; nil if totals are sums of the cells.
	Margins *mechanisms.Margins
	// questions in the order in which they are charged: the threshold's first, if any.
	Questions []*Question
	// shown maps each count of the query to its question.
	Shown []int
	// maxAge is how old an answer may be that is used again, and since the same as a time; zero: any age. fresh says that none is used.
	maxAge time.Duration
	since  time.Time
	fresh  bool
	// See within.go and share.go.
	exactness
	// now is when the statement was planned. No answer is used that was counted before final; zero: any.
	now, final time.Time
	// beyondOf is the plan of whose query this one measures what bounds leave out, and beyond the plan that measures it of this one's; nil if
	// there is none.
	beyondOf, beyond *QueryPlan
}

// A Question is what is asked, charged, recorded and replayed as a unit: one count over the cells of one query.
type Question struct {
	Ledger accountant.Question
	Count  query.Count
	loss   accountant.Loss
	term   composition.Term
	// mechanism is that of the count's sensitivity.
	Mechanism *mechanisms.Mechanism
	// anewBy is the mechanism of a new answer where Mechanism is that of a recorded one that had another; nil: it is the same.
	anewBy *mechanisms.Mechanism
	// inPlaceOf is the question under the loss that is charged for a new answer, where the answer under another loss is shown; nil: it is the same.
	inPlaceOf *Question
	// most is what its counts are clipped to, 0 if they are not. fromZero says that negative counts are shown as 0.
	most     int64
	fromZero bool
	// selects marks the question that decides by threshold which keys are shown.
	selects bool
	// choice says how its values are chosen; nil if it is about counts.
	choice *chosen.Choice
	// released is nil until the question is answered from the ledger or by a new release.
	Released *cells.Released
	replayed bool
	// derived says that released was computed of recorded releases, and of which.
	derived *derivedFrom
	// adopted says that the release was paid for by a charge under which nobody was answered.
	adopted bool
	// workload is what it measures, if it is a workload's; nil of others. expected is what the answer will be like if the statement measures the workload, or
	// asks the question, from which it follows; nil if it does not wait for that.
	workload *marginals.Workload
	expected *derivedFrom
	// anew says that what was recorded of the question is about other cells, and does not answer it.
	anew bool
}

// NewQueryPlan decides, from the statement, the policy and public facts alone, which questions answer a query.
func NewQueryPlan(ctx context.Context, c *curator.Curator, q *query.BoundQuery, r *live.State) (*QueryPlan, error) {
	return planUnder(ctx, c, q, r, live.Terms(q))
}

// planUnder plans a query under other terms than it has by itself.
func planUnder(ctx context.Context, c *curator.Curator, q *query.BoundQuery, r *live.State, terms *policy.Table) (*QueryPlan, error) {
	if reply.Audited(q) { // whose counts no mechanism may sanitize, since none of them would be reserved
		return nil, fmt.Errorf("release: internal error: a question about audited table %v came to the mechanisms", q.Table.Policy.Name)
	}
	p := &QueryPlan{Query: q, tables: curator.ProtectedTables(q), Terms: terms, state: r, Limit: r.Policy.Limits.Cells}
	if err := p.decideCells(ctx, c, r); err != nil {
		return nil, err
	}
	if err := p.checkDeclared(); err != nil {
		return nil, err
	}
	if err := p.makeMechanisms(r); err != nil {
		return nil, err
	}
	if err := p.fitTotals(ctx, c, r); err != nil {
		return nil, err
	}
	if refusal := q.CheckBeside(); refusal != nil {
		return nil, refusal
	}
	if p.ByThreshold {
		p.Cells = 0
		personKey, _ := q.PersonKey()
		switch {
		case personKey != nil:
			return nil, reply.RefusePersonKey(q)
		case q.MovesKeys():
			return nil, reply.RefuseMovedKeys(q, p.Limit)
		case q.Beside != nil:
			return nil, reply.RefuseTooManyCells(q, p.Limit)
		case p.mechanisms[live.SensitivityOf(q, q.Persons())].Threshold() > 0:
			p.ask(q.Persons(), true)
		case p.tooMany:
			return nil, reply.RefuseTooManyCells(q, p.Limit)
		default:
			return nil, reply.RefuseUnknownKeys(q, p.Limit)
		}
	}
	for _, asked := range q.Counts {
		choice, err := p.chooses(ctx, c, r, asked)
		if err != nil {
			return nil, err
		}
		i := p.ask(asked, false)
		p.Questions[i].take(choice)
		p.Shown = append(p.Shown, i)
	}
	p.shareLoss(p.Questions)
	p.setIdentities(r)
	return p, nil
}

// decideCells finds out whether the cells are fixed, which they are or will be, or a threshold decides about them.
func (p *QueryPlan) decideCells(ctx context.Context, c *curator.Curator, r *live.State) error {
	if p.Query.Plain() {
		p.ByThreshold = slices.ContainsFunc(p.Query.Keys, func(k *query.Column) bool { return k.Domain == nil })
		p.Cells = p.countCells()
	}
	if p.Query.Plain() && !p.ByThreshold && p.Cells <= p.Limit {
		return nil
	}
	return p.derive(ctx, c, r)
}

// checkDeclared refuses a count that no declared value of a column lets any row be in, before it is charged. A condition on keys whose cells
// are declared leaves no cell, which is free; so is the measure of what is left out beside it.
func (p *QueryPlan) checkDeclared() error {
	if _, measure := p.Query.IsBeyond(); measure {
		return nil
	}
	for _, c := range p.Query.Counts {
		column := p.Query.UnmetColumn(c)
		if column == nil {
			continue
		}
		isKey := slices.ContainsFunc(p.Query.Keys, func(k *query.Column) bool { return slices.Contains(k.Inputs(), column) })
		if p.ByThreshold || !isKey || p.Query.UnmetColumn(query.Count{}) == nil {
			return reply.RefuseUndeclared(p.Query.Table.Policy.Name, column, p.Query.Constants(column, c))
		}
	}
	for _, g := range p.Query.OfPersons() {
		if column, asked := g.Unmet(); column != nil {
			return reply.RefuseUndeclared(g.Table().Policy.Name, column, asked)
		}
	}
	return nil
}

// countCells is the size of the product of the declared domains, or some number above the limit.
func (p *QueryPlan) countCells() int {
	size := 1
	for _, k := range p.Query.Keys {
		n := cells.DomainSize(k)
		if n > 0 && size > p.Limit/n {
			return p.Limit + 1
		}
		size *= n
	}
	return size
}

// declareCells sets keys to the product of the declared domains, in the order of the domains, NULL last.
func (p *QueryPlan) declareCells() {
	if p.fixed {
		return
	}
	p.Keys = make([][]query.Value, len(p.Query.Keys))
	repeat := p.Cells // how often each value of column i stands in a row
	for i, k := range p.Query.Keys {
		p.Keys[i] = make([]query.Value, 0, p.Cells)
		domain := k.DeclaredValues()
		if len(domain) > 0 {
			repeat /= len(domain)
		}
		for len(p.Keys[i]) < p.Cells {
			for _, v := range domain {
				for range repeat {
					p.Keys[i] = append(p.Keys[i], v)
				}
			}
		}
	}
}

// ask returns the index of the question for a count, adding it if it was not asked yet. A plain count of the persons in each
// group is the very release that selects unknown keys, and one draw serves both.
func (p *QueryPlan) ask(c query.Count, selects bool) int {
	text := p.Query.Question(c) + p.knownKeys() + p.fittedTo()
	for i, q := range p.Questions {
		if q.Ledger.Text == text {
			return i
		}
	}
	mechanism := p.mechanisms[live.SensitivityOf(p.Query, c)]
	loss, term := mechanism.Loss(), mechanism.Term()
	if selects {
		loss, term = mechanism.ThresholdLoss(), mechanism.ThresholdTerm()
	}
	p.Questions = append(p.Questions, &Question{
		Ledger:    accountant.Question{Table: p.Query.Table.Policy.Name, Text: text},
		Count:     c,
		most:      p.mostOf(c),
		fromZero:  !p.Terms.Mechanism.KeepNegative,
		loss:      loss,
		term:      term,
		Mechanism: mechanism,
		selects:   selects,
	})
	return len(p.Questions) - 1
}

// knownKeys are the words in a question for cells that are fixed though the values of keys are not declared: the same count, where a threshold
// decides which cells there are, is another question.
func (p *QueryPlan) knownKeys() string {
	if !p.known {
		return ""
	}
	return " WITH KNOWN KEYS"
}

// addsFills reports whether totals add up cells of a question that may be fill values. Of keys that a threshold decides about, those
// whose own count is withheld are not shown.
func (p *QueryPlan) addsFills(q *Question) bool {
	m := p.Terms.Mechanism
	return p.Query.Totals && m.Kind.Suppresses() && m.Fill.Kind != policy.FillNull && !q.selects
}

// setIdentities computes the questions' identities: the canonical text and everything else that the answer's distribution depends on.
// Two questions with one identity are one release. Which cells there are follows from the declared domains and the text.
func (p *QueryPlan) setIdentities(r *live.State) {
	noise := p.Questions[0].Mechanism.Identity()
	if p.ByThreshold {
		noise += p.Questions[0].Mechanism.SelectionIdentity()
	}
	counted := p.identityOfCells(r, noise)
	for _, q := range p.Questions {
		prefix := counted
		if q.choice != nil { // whose distribution is that of its own mechanism, whatever counts are asked beside it
			prefix = p.identityOfCells(r, q.choice.Mechanism.Identity())
		}
		h := sha256.New()
		h.Write(prefix)
		fmt.Fprintf(h, "table %q\nquestion %q\nselects %t\n", p.Terms.Name.String(), q.Ledger.Text, q.selects)
		if p.Terms.Person != nil {
			fmt.Fprintf(h, "person %q sensitivity %d\n", p.Terms.Person.Column, p.Query.Sensitivity(q.Count))
		}
		for _, input := range p.Query.Computed(q.Count) {
			p.writeColumn(h, r, "computed of", input)
		}
		for _, g := range p.Query.OfPersons() {
			if rows := g.Rows(); rows > 0 {
				fmt.Fprintf(h, "of persons %q rows %d\n", g.Table().Policy.Name.String(), rows)
			}
			for _, c := range g.Used() {
				fmt.Fprintf(h, "of persons %q null %t domain %x\n", c.Text(), !c.NotNull, r.Domains[policy.ColumnName{Table: g.Table().Policy.Name, Column: c.Name}])
			}
		}
		for _, c := range p.Query.AggregatedFor(q.Count) {
			p.writeColumn(h, r, "aggregated", c)
		}
		if q.choice != nil {
			p.writeChoice(h, r, q.choice)
		}
		h.Sum(q.Ledger.Key[:0])
	}
}

// identityOfCells is the part of an identity that questions of one mechanism share: the mechanism and what decides the cells.
func (p *QueryPlan) identityOfCells(r *live.State, mechanism string) []byte {
	h := sha256.New()
	io.WriteString(h, mechanism)
	for _, name := range slices.Sorted(slices.Values(p.Terms.Mechanism.Quasi)) {
		fmt.Fprintf(h, "quasi %q\n", name)
	}
	for _, k := range p.Query.Keys {
		if !k.Stored() {
			fmt.Fprintf(h, "key %q computed\n", k.Text())
		}
		if p.Terms.Mechanism.Kind == policy.DPSwapping {
			fmt.Fprintf(h, "key %q moves %t\n", k.Text(), live.Moves(p.Terms, p.Query, k))
		}
		for _, input := range k.Inputs() {
			p.writeColumn(h, r, "key", input)
		}
	}
	return h.Sum(nil)
}

// inEpochs makes the epochs of all tables of a join part of its questions' identities, once one of them has had another. The ledger finds an
// answer by one table and its epoch; without the other's, an answer about rows that are gone would be found, and one that was charged to both
// tables would be in the ledger for the one and not for the other.
func (p *QueryPlan) inEpochs(ctx context.Context, l *ledger.Ledger) error {
	if len(p.tables) < 2 {
		return nil
	}
	text, later := "", false
	for _, t := range p.tables {
		epoch, err := l.Epoch(ctx, t.Name)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("epoch %d of %q\n", epoch, t.Name.String())
		later = later || epoch > 1
	}
	if later {
		for _, q := range p.Questions {
			q.Ledger.Key = sha256.Sum256(append(q.Ledger.Key[:], text...))
		}
	}
	return nil
}

// writeColumn takes in a column with its declared domain.
func (p *QueryPlan) writeColumn(w io.Writer, r *live.State, role string, c *query.Column) {
	table, ok := p.Query.TableOf(c)
	name := c.Name
	if !ok || table != p.Terms.Name {
		table, name = cmp.Or(table, p.Terms.Name), c.Text()
	}
	fmt.Fprintf(w, "%s %q null %t domain %x\n", role, name, !c.NotNull, r.Domains[policy.ColumnName{Table: table, Column: c.Name}])
}
