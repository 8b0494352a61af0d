package workloads

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/sources"
	"tacit/release/internal/spent"
	"tacit/rewrite/query"
)

// A Proposal is the workload that would have served what analysts were charged for on a table in its present epoch. It is about the past: of
// the questions to come it says as much as those of the past are like them.
type Proposal struct {
	Table policy.TableName
	// Asked is how many questions were charged, and Spent what they add up to under the table's rule.
	Asked int
	Spent accountant.Loss
	// Why says why nothing is proposed; "" if something is.
	Why string
	// Marginals are what to declare, those first that were asked most, and Answers how many of the questions would have followed.
	Marginals []ProposedMarginal
	Answers   int
	// Cost is what one measurement costs, and Instead what everything would add up to if it had been made in the place of those questions.
	Cost, Instead accountant.Loss
	// AsExact says that Cost is the least by which the answers are as exact, in the mean of squares, as they were. Otherwise it was given.
	AsExact bool
}

// A ProposedMarginal is the counts by some columns.
type ProposedMarginal struct {
	Columns []string
	// Ranges are those of the columns of which ranges are to be measured.
	Ranges []string
	// Weight is so that the sum of squared errors counts each question alike, however many cells its marginal has.
	Weight float64
	Cells  int
	// Within is how exact its counts were, with probability 0.95: the mean of squares over the questions, and Measured what they would have been.
	Within, Measured float64
}

// mostProposed bounds the marginals of a proposal. Each takes some of the loss.
const mostProposed = 24

// Propose reads the ledger of a policy, beside a proxy or without one, and proposes a workload for each table that can have one, or for the one that is
// named. A loss of 0 is chosen so that answers are as exact as they were. It charges nothing, and connects to no database but the ledger's.
func Propose(ctx context.Context, p *policy.Policy, table policy.TableName, loss accountant.Loss) ([]*Proposal, error) {
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	var proposals []*Proposal
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit || table != (policy.TableName{}) && t.Name != table {
			continue
		}
		charged, err := l.Charges(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		made, err := proposalOf(t, p.Limits.Cells, charged, loss)
		if err != nil {
			return nil, err
		}
		proposals = append(proposals, made)
	}
	return proposals, nil
}

// proposalOf proposes marginals of at most so many cells each.
func proposalOf(t *policy.Table, limit int, charged []ledger.ChargedQuestion, loss accountant.Loss) (*Proposal, error) {
	made, err := live.NewMechanisms(t, live.NoRandomness{})
	if err != nil {
		return nil, err
	}
	accounting := live.AccountingOf(t, live.MainTerm(made))
	p := &Proposal{Table: t.Name, Spent: spent.On(accounting, charged), Why: unfit(t)}
	charged = eachCount(charged, made[live.SensitivityOfRow])
	p.Asked = len(charged)
	if p.Why != "" {
		return p, nil
	}
	a := newAsked(t, limit, charged)
	if len(a.marginals) == 0 {
		p.Why = "no two of its questions were counts by columns with declared values"
		return p, nil
	}
	if err := a.chooseRanges(t); err != nil {
		return nil, err
	}
	if err := p.fill(t, a, a.exactness(t, made[live.SensitivityOfRow], charged), loss); err != nil || p.Why != "" {
		return p, err
	}
	term, err := a.term(t, p.Cost)
	if err != nil {
		return nil, err
	}
	instead := []ledger.ChargedQuestion{{Loss: p.Cost, Term: term}}
	for i, c := range charged {
		if !a.answered[i] {
			instead = append(instead, c)
		}
	}
	p.Instead = spent.On(accounting, instead)
	return p, nil
}

// eachCount has the counts that were measured jointly in the place of their charge, each as if it had been charged by itself.
func eachCount(charged []ledger.ChargedQuestion, alone *mechanisms.Mechanism) (counts []ledger.ChargedQuestion) {
	for _, c := range charged {
		j, shape := sources.JointOf(c.Shape)
		if j == nil {
			counts = append(counts, c)
			continue
		}
		for _, text := range j.Counts(shape) {
			one := c
			one.Shape, one.Mechanism, one.Loss, one.Term = text, string(alone.Kind()), alone.Loss(), alone.Term()
			counts = append(counts, one)
		}
	}
	return counts
}

// unfit says why a table cannot have a workload, as the policy would; "" if it can.
func unfit(t *policy.Table) string {
	switch {
	case t.Person != nil:
		return "a person may have several rows in it, of which no workload is measured"
	case t.Blocks != nil:
		return "it has blocks, each of which would be charged for a workload"
	case !t.Derive:
		return "derive: false forbids what a workload is for"
	case !t.Mechanism.Kind.AddsNoise():
		return fmt.Sprintf("counts of kind %s do not follow from noisy ones", t.Mechanism.Kind)
	case t.Budget.Delta == 0:
		return "a workload has Gaussian noise, which costs delta, and the budget has none"
	}
	return ""
}

// asked are the questions of a table that follow from marginals.
type asked struct {
	columns   []string // sorted
	sizes     []int
	marginals []residual.Marginal
	times     []int
	counts    []askedCount
	answered  map[int]bool // charges
	// ranges are the columns of each marginal of which ranges are to be measured.
	ranges   [][]int
	workload *residual.Workload
}

// An askedCount is a charged question whose counts add up cells of a marginal: of each column, one of these sets of values.
type askedCount struct {
	charge, marginal int
	sets             [][][]int
}

// newAsked reads charges, and makes a marginal of each set of columns that questions use: those that were asked most.
func newAsked(t *policy.Table, limit int, charged []ledger.ChargedQuestion) *asked {
	sets, shapes, sizes := columnSets(t, limit, charged)
	order := make([]string, 0, len(sets))
	for set := range sets {
		order = append(order, set)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(cmp.Compare(len(sets[b]), len(sets[a])), cmp.Compare(a, b)) })
	order = order[:min(len(order), mostProposed)]
	a := &asked{answered: make(map[int]bool)}
	for _, set := range order {
		a.columns = append(a.columns, namesOf(set)...)
	}
	slices.Sort(a.columns)
	a.columns = slices.Compact(a.columns)
	for _, name := range a.columns {
		a.sizes = append(a.sizes, sizes[name])
	}
	weights := weightsOf(order, sets, sizes)
	questions := 0
	for k, set := range order {
		m := residual.Marginal{Weight: weights[k]}
		for _, name := range namesOf(set) {
			m.Columns = append(m.Columns, slices.Index(a.columns, name))
		}
		a.marginals, a.times = append(a.marginals, m), append(a.times, len(sets[set]))
		for _, i := range sets[set] {
			a.counts = append(a.counts, askedCount{i, k, setsOf(t, shapes[i], namesOf(set), sizes)})
			a.answered[i] = true
			questions++
		}
	}
	if questions < 2 {
		a.marginals = nil
	}
	return a
}

// columnSets are the charges by the set of columns that each uses, the shapes of these charges, and how many values the columns have.
func columnSets(t *policy.Table, limit int, charged []ledger.ChargedQuestion) (sets map[string][]int, shapes map[int]*query.Shape, sizes map[string]int) {
	sets, shapes, sizes = make(map[string][]int), make(map[int]*query.Shape), make(map[string]int)
	for i, c := range charged {
		if c.Mechanism == marginals.Kind {
			continue
		}
		k := sources.Parse(c.Shape)
		if k == nil || k.Threshold || k.Shape.Aggregate != "count(*)" {
			continue
		}
		names, ok := usable(t, k.Shape, k.Values)
		if !ok || product(names, k.Values) > limit {
			continue
		}
		for _, name := range names {
			sizes[name] = k.Values[name] // the newest number
		}
		set := strings.Join(names, "\x00")
		sets[set], shapes[i] = append(sets[set], i), k.Shape
	}
	return sets, shapes, sizes
}

// weightsOf are the weights of marginals: how often each was asked for each of its cells, as multiples of the least.
func weightsOf(order []string, sets map[string][]int, sizes map[string]int) []float64 {
	weights, least := make([]float64, len(order)), math.Inf(1)
	for k, set := range order {
		weights[k] = float64(len(sets[set])) / float64(product(namesOf(set), sizes))
		least = min(least, weights[k])
	}
	for k := range weights {
		weights[k] = twoDigits(min(1000, weights[k]/least))
	}
	return weights
}

// twoDigits rounds a number to two significant digits.
func twoDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	return rounded
}

// namesOf are the columns of a set, sorted.
func namesOf(set string) []string {
	if set == "" {
		return nil
	}
	return strings.Split(set, "\x00")
}

// usable are the columns that a question uses, ok=false if a workload cannot have all of them, or if cells of equal values may hold different ones, of
// which more than a comparison is computed.
func usable(t *policy.Table, s *query.Shape, values map[string]int) (names []string, ok bool) {
	faithful := make(map[string]bool)
	for _, c := range s.Columns {
		i := slices.IndexFunc(t.Columns, func(d policy.Column) bool { return d.Name == c.Name })
		if i < 0 || values[c.Name] < 1 {
			return nil, false
		}
		d := t.Columns[i].Domain
		if d.Values == nil && d.ValuesFrom == nil && d.Range == nil || d.Range != nil && d.Range.Today {
			return nil, false
		}
		names, faithful[c.Name] = append(names, c.Name), c.Faithful()
	}
	unfaithful := func(columns []string) bool {
		return slices.ContainsFunc(columns, func(name string) bool { return !faithful[name] })
	}
	for _, k := range s.Keys {
		if !k.Stored && unfaithful(k.Inputs) {
			return nil, false
		}
	}
	for _, c := range slices.Concat(s.Where, s.Filter) {
		if c.Atom == nil && unfaithful(c.Columns) {
			return nil, false
		}
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// product is the number of cells, or some number above any limit.
func product(names []string, sizes map[string]int) int {
	cells := 1
	for _, name := range names {
		if cells > math.MaxInt32/sizes[name] {
			return math.MaxInt32
		}
		cells *= sizes[name]
	}
	return cells
}

// term is what the ledger would charge for a measurement.
func (a *asked) term(t *policy.Table, loss accountant.Loss) (composition.Term, error) {
	s, err := a.strategy()
	if err != nil {
		return composition.Term{}, err
	}
	rho := composition.RhoWithin(loss.Epsilon, loss.Delta)
	m, err := s.Mechanism(residual.Config{Rho: new(big.Rat).SetFloat64(rho), Adjacency: t.Adjacency, Random: live.NoRandomness{}})
	if err != nil {
		return composition.Term{}, err
	}
	return m.Term(), nil
}

// exactness is within how much each count was with probability 0.95: by the noise of the table's kind under the loss that was charged for it. Of a loss
// that has no such noise, as that of one of several counts which share one, it is the usual one's.
func (a *asked) exactness(t *policy.Table, usual *mechanisms.Mechanism, charged []ledger.ChargedQuestion) []float64 {
	known := map[policy.Epsilon]float64{t.Mechanism.Epsilon: float64(usual.HalfWidth95())}
	widths := make([]float64, len(a.counts))
	for i, c := range a.counts {
		loss := charged[c.charge].Loss.Epsilon
		width, ok := known[loss]
		if !ok {
			width = float64(usual.HalfWidth95())
			under := *t
			under.Mechanism.Epsilon = loss
			if m, err := mechanisms.New(live.MechanismConfig(&under, live.SensitivityOfRow, live.NoRandomness{})); err == nil && loss > leastShared {
				width = float64(m.HalfWidth95())
			}
			known[loss] = width
		}
		widths[i] = width
	}
	return widths
}

// leastShared is the epsilon that is charged for counts which share the loss of another one.
const leastShared policy.Epsilon = 1

// fill finds the loss, and what the answers would have been like, of counts that were so exact.
func (p *Proposal) fill(t *policy.Table, a *asked, exactness []float64, loss accountant.Loss) error {
	s, err := a.strategy()
	if err != nil {
		return err
	}
	within, asked := make([]float64, len(a.marginals)), 0.0
	for i, c := range a.counts {
		within[c.marginal] += exactness[i] * exactness[i]
		asked += exactness[i] * exactness[i]
	}
	for k := range within {
		within[k] = math.Sqrt(within[k] / float64(a.times[k]))
	}
	asked = math.Sqrt(asked / float64(len(a.counts)))
	widths := func(l accountant.Loss) (measured []float64, square float64) {
		scale := s.Loss(t.Adjacency) / (2 * composition.RhoWithin(l.Epsilon, l.Delta))
		measured = make([]float64, len(a.marginals))
		for _, c := range a.counts {
			variance, _ := s.MeanVariance(a.marginals[c.marginal].Columns, c.sets)
			width := 1.96*math.Sqrt(variance*scale) + 0.5 // for rounding
			measured[c.marginal] += width * width
			square += width * width
		}
		for k := range measured {
			measured[k] = math.Sqrt(measured[k] / float64(a.times[k]))
		}
		return measured, math.Sqrt(square / float64(len(a.counts)))
	}
	if p.Cost = loss; loss == (accountant.Loss{}) {
		losses := lossesOf(t)
		i := sort.Search(len(losses), func(i int) bool { _, w := widths(losses[i]); return w <= asked })
		if i == len(losses) {
			p.Why = "a workload of what was asked would have been less exact, whatever part of the budget it had"
			return nil
		}
		p.Cost, p.AsExact = losses[i], true
	}
	measured, _ := widths(p.Cost)
	for k, marginal := range a.marginals {
		named := ProposedMarginal{Weight: marginal.Weight, Cells: int(a.workload.Cells(k)), Within: within[k], Measured: measured[k]}
		for _, c := range marginal.Columns {
			named.Columns = append(named.Columns, a.columns[c])
		}
		for _, c := range a.ranges[k] {
			named.Ranges = append(named.Ranges, a.columns[c])
		}
		p.Marginals = append(p.Marginals, named)
	}
	p.Answers = len(a.counts)
	return nil
}

// lossesOf are those of two digits that a workload can have, rising: with a delta in the same proportion to what thresholds leave of the budget's, but at most
// half of it, so that composition has the other half.
func lossesOf(t *policy.Table) []accountant.Loss {
	var losses []accountant.Loss
	rest := t.Budget.Delta
	if t.Composition != policy.BasicComposition {
		rest -= t.Thresholds
	}
	for e := max(t.Budget.Epsilon/1000, 1).RoundUp(2); e <= t.Budget.Epsilon; e = (e + 1).RoundUp(2) {
		share := new(big.Int).Mul(big.NewInt(int64(rest)/2), big.NewInt(int64(e)))
		delta := policy.Delta(share.Quo(share, big.NewInt(int64(t.Budget.Epsilon))).Int64()).RoundDown(2)
		if delta > 0 {
			losses = append(losses, accountant.Loss{Epsilon: e, Delta: delta})
		}
	}
	return losses
}

// YAML is what to declare.
func (p *Proposal) YAML() string {
	texts := make([]string, len(p.Marginals))
	for i, m := range p.Marginals {
		texts[i] = listed(m.Columns)
		more := ""
		if m.Weight != 1 {
			more = ", weight: " + ShownWeight(m.Weight)
		}
		if len(m.Ranges) > 0 {
			more += ", ranges: " + listed(m.Ranges)
		}
		if more != "" {
			texts[i] = "{columns: " + texts[i] + more + "}"
		}
	}
	return fmt.Sprintf("{marginals: [%s], epsilon: %v, delta: %v}", strings.Join(texts, ", "), p.Cost.Epsilon, p.Cost.Delta)
}

// ShownWeight is a weight as a policy has it.
func ShownWeight(weight float64) string { return strconv.FormatFloat(weight, 'f', -1, 64) }

// listed are names as a list in YAML.
func listed(names []string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = quoted(name)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// quoted is a name as YAML has it in a list.
func quoted(name string) string {
	for _, c := range name {
		if (c < 'a' || c > 'z') && c != '_' {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		}
	}
	switch name {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return `"` + name + `"`
	}
	return name
}
