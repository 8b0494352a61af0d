package ledger

import (
	"math"
	"math/big"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// A paper is a ledger as one would keep it on paper: lists, of which every sum is added up anew.
type paper struct {
	now      time.Time
	at       time.Time // of the last entry
	tables   map[policy.TableName]*paperTable
	shown    int // entries of the log
	recorded int // answers, in all
}

type paperTable struct {
	epoch    int64
	frozen   map[string]string
	granted  map[string]accountant.Loss
	charges  []*paperCharge // of all epochs
	releases []paperRelease
	events   []paperEvent
}

// A paperCharge is one question that was paid for.
type paperCharge struct {
	epoch     int64
	day       int64
	analyst   string
	partition string
	item      accountant.Item
	// open: neither answered nor given up. Then holder is the desk whose process is to answer, and claim the reservation that may.
	open   bool
	holder *desk
	claim  *Reservation
}

type paperRelease struct {
	number  int
	epoch   int64
	key     [32]byte
	at      time.Time
	payload string
}

type paperEvent struct {
	analyst  string
	risk     policy.Risk
	answered bool
	answer   string
}

// answers is how many events have theirs.
func (t *paperTable) answers() (n int64) {
	for _, e := range t.events {
		if e.answered {
			n++
		}
	}
	return n
}

func newPaper() *paper {
	return &paper{now: time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC), tables: make(map[policy.TableName]*paperTable)}
}

func (p *paper) table(name policy.TableName) *paperTable {
	if p.tables[name] == nil {
		p.tables[name] = &paperTable{epoch: 1, frozen: make(map[string]string), granted: make(map[string]accountant.Loss)}
	}
	return p.tables[name]
}

// time is how late it is at a desk.
func (p *paper) time(d *desk) time.Time { return p.now.Add(d.skew) }

// date is what an entry is dated at a desk: entries never go back in time, also where a clock does.
func (p *paper) date(d *desk) time.Time {
	if at := p.time(d); at.After(p.at) {
		return at
	}
	return p.at
}

// enter dates an entry that is written.
func (p *paper) enter(d *desk) time.Time {
	p.at = p.date(d)
	return p.at
}

func dayAt(at time.Time) int64 { return at.Unix() / 86400 }

// waiting is the charge of the present epoch that is to answer a question; nil if there is none.
func (t *paperTable) waiting(key [32]byte) *paperCharge {
	for i := len(t.charges) - 1; i >= 0; i-- {
		if c := t.charges[i]; c.open && c.epoch == t.epoch && c.item.Key == key {
			return c
		}
	}
	return nil
}

// newest is the newest answer to a question in the present epoch; nil if there is none.
func (t *paperTable) newest(key [32]byte) *paperRelease {
	for i := len(t.releases) - 1; i >= 0; i-- {
		if r := &t.releases[i]; r.key == key && r.epoch == t.epoch {
			return r
		}
	}
	return nil
}

// A verdict of the paper's on a wish to charge.
type paperVerdict struct {
	refused string               // "recorded", "frozen", "in flight", "table" or "analyst"; empty: it is charged
	adopted map[int]*paperCharge // by item
}

// decide says what becomes of a charge at a desk.
func (p *paper) decide(c *accountant.Charge, d *desk) (v paperVerdict) {
	t := p.table(c.Table)
	if t.frozen[""] != "" || t.frozen[c.Analyst] != "" {
		return paperVerdict{refused: "frozen"}
	}
	v.adopted = make(map[int]*paperCharge)
	var fresh []accountant.Item
	for i, item := range c.Items {
		if p.saw(d, t, &item) {
			return paperVerdict{refused: "recorded"}
		}
		waiting := t.waiting(item.Key)
		switch {
		case waiting == nil:
			fresh = append(fresh, item)
		case !waiting.holder.gone:
			return paperVerdict{refused: "in flight"}
		case samePromise(&waiting.item, &item) && (c.Window == 0 || waiting.day == dayAt(p.date(d))):
			v.adopted[i] = waiting
		default:
			fresh = append(fresh, item)
		}
	}
	if len(fresh) == 0 {
		return v
	}
	whole := p.raised(c)
	if !p.fits(whole, d, "", fresh) {
		v.refused = "table"
	} else if c.Cap != nil && !p.fits(p.capped(whole), d, c.Analyst, fresh) {
		v.refused = "analyst"
	}
	return v
}

// saw says whether an answer to an item was recorded since a desk was opened, and is not too old for it.
func (p *paper) saw(d *desk, t *paperTable, item *accountant.Item) bool {
	r := t.newest(item.Key)
	return r != nil && r.number > d.opened && !item.Fresh && (item.MaxAge == 0 || p.time(d).Sub(r.at) <= item.MaxAge)
}

// raised is a charge under its table's budget with what was granted. Thresholds keep their share of delta.
func (p *paper) raised(c *accountant.Charge) *accountant.Charge {
	raised := *c
	granted := p.table(c.Table).granted[""]
	raised.Budget = policy.Budget(accountant.Loss(c.Budget).Add(granted))
	if c.Budget.Delta > 0 {
		raised.Thresholds += part(c.Thresholds, granted.Delta, c.Budget.Delta)
	}
	return &raised
}

// capped is a charge under its analyst's cap with what was granted to her, and the rule of the table, whose delta her epsilon is stated at
// unless her own is smaller.
func (p *paper) capped(c *accountant.Charge) *accountant.Charge {
	capped := *c
	capped.Budget = policy.Budget(accountant.Loss(*c.Cap).Add(p.table(c.Table).granted[c.Analyst]))
	switch {
	case unboundedCap(&capped) || c.Composition == policy.BasicComposition:
	case capped.Budget.Delta < c.Budget.Delta:
		capped.Thresholds = part(c.Thresholds, capped.Budget.Delta, c.Budget.Delta)
	default:
		capped.Budget.Delta = c.Budget.Delta
	}
	return &capped
}

func unboundedCap(c *accountant.Charge) bool {
	return c.Budget.Epsilon == policy.NoEpsilonCap && c.Budget.Delta == policy.NoDeltaCap
}

// part is amount*of/whole, rounded down, and at most of.
func part(amount, of, whole policy.Delta) policy.Delta {
	n := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(of)))
	return min(of, policy.Delta(n.Div(n, big.NewInt(int64(whole))).Int64()))
}

func samePromise(a, b *accountant.Item) bool {
	return a.Loss == b.Loss && a.Term == b.Term && a.Mechanism == b.Mechanism && a.Text == b.Text && a.Shape == b.Shape && sameBlocks(a.Blocks, b.Blocks)
}

func sameBlocks(a, b []string) bool {
	in := func(all []string) func(string) bool {
		return func(name string) bool { return !slices.Contains(all, name) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

// fits says whether items fit into the budget of a charge, on top of what all analysts were charged, or one of them.
func (p *paper) fits(c *accountant.Charge, d *desk, analyst string, fresh []accountant.Item) bool {
	var demand accountant.Loss
	blocks := map[string]bool{"another block": true}
	for _, item := range fresh {
		demand = demand.Add(item.Loss)
	}
	before := p.counting(c, d, analyst)
	releases := demand.Releases
	for _, charge := range before {
		releases += charge.item.Loss.Releases
		if charge.partition == c.Partition {
			for _, block := range charge.item.Blocks {
				blocks[block] = true
			}
		}
	}
	if demand.Releases > 0 && releases > c.Budget.Releases {
		return false
	}
	if demand.Epsilon == 0 && demand.Delta == 0 && demand.Releases > 0 {
		return true
	}
	named := make(map[string]bool)
	everywhere := false
	for _, item := range fresh {
		everywhere = everywhere || len(item.Blocks) == 0
		for _, block := range item.Blocks {
			named[block] = true
		}
	}
	if !everywhere {
		blocks = named // where nothing is asked for, nothing has to fit
	}
	for block := range union(blocks, named) {
		if !p.fitsBlock(c, p.losses(c, block, before, fresh)) {
			return false
		}
	}
	return true
}

func union(a, b map[string]bool) map[string]bool {
	all := make(map[string]bool)
	for _, set := range []map[string]bool{a, b} {
		for name := range set {
			all[name] = true
		}
	}
	return all
}

// counting are the charges that count against the table's budget, or one analyst's cap.
func (p *paper) counting(c *accountant.Charge, d *desk, analyst string) (all []*paperCharge) {
	t := p.table(c.Table)
	since := dayAt(p.time(d)) - int64(c.Window/(24*time.Hour)) - 1
	for _, charge := range t.charges {
		if charge.epoch == t.epoch && (c.Window == 0 || charge.day >= since) && (analyst == "" || charge.analyst == analyst) {
			all = append(all, charge)
		}
	}
	return all
}

// losses are those that count in a block, of what was charged and of what is to be.
func (p *paper) losses(c *accountant.Charge, block string, before []*paperCharge, fresh []accountant.Item) (all []accountant.Item) {
	in := func(item accountant.Item, partition string) bool {
		if c.Partition == "" || len(item.Blocks) == 0 || partition != c.Partition {
			return true
		}
		return slices.Contains(item.Blocks, block)
	}
	for _, charge := range before {
		if in(charge.item, charge.partition) {
			all = append(all, charge.item)
		}
	}
	for _, item := range fresh {
		if in(item, c.Partition) {
			all = append(all, item)
		}
	}
	return all
}

// fitsBlock says whether losses are within the epsilon and delta of a charge's budget.
func (p *paper) fitsBlock(c *accountant.Charge, items []accountant.Item) bool {
	spent := addedUp(c.Accounting, items)
	return unboundedCap(c) || spent.Epsilon <= c.Budget.Epsilon && spent.Epsilon != math.MaxInt64 && spent.Delta <= c.Budget.Delta
}

// addedUp is what losses add up to, by nothing that was found out before.
func addedUp(a accountant.Accounting, items []accountant.Item) (sum accountant.Loss) {
	tally := make(composition.Tally)
	for _, item := range items {
		sum = sum.Add(item.Loss)
		if item.Loss.Epsilon == 0 && item.Loss.Delta == 0 && item.Loss.Releases > 0 {
			continue
		}
		term := item.Term
		if term == (composition.Term{}) || a.Composition == policy.AdvancedComposition {
			term = composition.Approximate(item.Loss.Epsilon, item.Loss.Delta)
		}
		tally[term]++
	}
	if a.Composition != policy.BasicComposition {
		spent := new(composition.Composer).Spent(a.Filter(), tally)
		sum.Epsilon, sum.Delta = spent.Epsilon, spent.Delta
	}
	return sum
}

// charge writes a charge down that was decided on.
func (p *paper) charge(c *accountant.Charge, v paperVerdict, holder *desk, claim *Reservation) {
	t, day := p.table(c.Table), dayAt(p.enter(holder))
	for i, item := range c.Items {
		if adopted := v.adopted[i]; adopted != nil {
			adopted.holder, adopted.claim = holder, claim
			continue
		}
		if former := t.waiting(item.Key); former != nil {
			former.open = false
		}
		t.charges = append(t.charges, &paperCharge{
			epoch: t.epoch, day: day, analyst: c.Analyst, partition: c.Partition, item: item, open: true, holder: holder, claim: claim,
		})
	}
	if len(v.adopted) < len(c.Items) {
		p.shown++
	}
}

// record writes down the answer to an item.
func (p *paper) record(item *accountant.Item, at time.Time, payload []byte) {
	t := p.table(item.Table)
	p.recorded++
	t.releases = append(t.releases, paperRelease{p.recorded, t.epoch, item.Key, at, string(payload)})
}

// end ends the charges that are still a reservation's, and says how many.
func (p *paper) end(table policy.TableName, claim *Reservation) (ended []*paperCharge) {
	t := p.table(table)
	for _, c := range t.charges {
		if c.open && c.claim == claim && c.epoch == t.epoch {
			c.open = false
			ended = append(ended, c)
		}
	}
	return ended
}

// spent is the sum of the losses of an epoch, by all or by one analyst.
func (p *paper) spent(table policy.TableName, analyst string) (sum accountant.Loss) {
	t := p.table(table)
	for _, c := range t.charges {
		if c.epoch == t.epoch && (analyst == "" || c.analyst == analyst) {
			sum = sum.Add(c.item.Loss)
		}
	}
	for _, e := range t.events {
		if analyst == "" || e.analyst == analyst {
			sum.Risk += e.risk
		}
	}
	return sum
}

func (p *paper) lookup(d *desk, q accountant.Question, maxAge time.Duration) (payload string, ok bool) {
	r := p.table(q.Table).newest(q.Key)
	if r == nil || maxAge > 0 && p.time(d).Sub(r.at) > maxAge {
		return "", false
	}
	return r.payload, true
}
