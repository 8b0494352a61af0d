package accountant

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tacit/policy"
)

// A Standing is what was charged for a table, and what is left of its budget. All amounts are composed by the table's rule, on the side of
// those who are in the table: what is spent is rounded up, and what is left down.
type Standing struct {
	// Epoch is its present one, from 1, which began at Began; zero: with the ledger.
	Epoch int64
	Began time.Time
	// Frozen is why charges are stopped, for everybody or this analyst; empty if they are not.
	Frozen string
	// Budget is the policy's with what was granted in this epoch.
	Budget policy.Budget
	// Spent counts against the budget now, and Left is what is left of it. With blocks, they are of Block, of which most was spent, and Blocks
	// are all that something was charged to by name.
	Spent, Left Loss
	Block       string
	Blocks      []BlockStanding
	// Elsewhere is how each block stands that is not among them; without blocks, the table.
	Elsewhere BlockStanding
	// Cap is the analyst's with what she was granted; nil if she has none. OwnLeft is what is left of it, and of amounts that it does not name
	// what is left of the table's budget.
	Cap     *policy.Budget
	Own     Loss
	OwnLeft *Loss
	// OwnLifetime is as Lifetime.
	OwnLifetime Loss
	// Lifetime is all that was charged since the epoch began, whatever the window: a loss that has left the window still happened.
	Lifetime Loss
	// Earlier are the epochs before.
	Earlier []EpochTotal
}

// An EpochTotal is what was charged in an epoch that is over, composed by the table's present rule.
type EpochTotal struct {
	Epoch        int64
	Began, Ended time.Time // Began is zero of the first
	Reason       string    // why it ended
	Spent        Loss
}

// A BlockStanding is what was spent of the budget in one block, and what is left.
type BlockStanding struct {
	Name        string
	Spent, Left Loss
	// OwnLeft is what is left of the analyst's cap there; nil if she has none.
	OwnLeft *Loss
}

// Among says what is left in the fullest of some blocks: the least of each amount, with the name of the block of which least epsilon is
// left. No names are all blocks. The name is empty if it is any block that nothing was charged to by name.
func (s *Standing) Among(names []string) BlockStanding {
	if len(names) == 0 {
		return BlockStanding{Name: s.Block, Spent: s.Spent, Left: s.Left, OwnLeft: s.OwnLeft}
	}
	fullest := s.In(names[0])
	for _, name := range names[1:] {
		b := s.In(name)
		if b.Left.Epsilon < fullest.Left.Epsilon {
			fullest.Name = b.Name
		}
		fullest.Spent, fullest.Left = most(fullest.Spent, b.Spent), least(fullest.Left, b.Left)
		if b.OwnLeft != nil {
			own := least(*fullest.OwnLeft, *b.OwnLeft)
			fullest.OwnLeft = &own
		}
	}
	return fullest
}

// In is how one block stands.
func (s *Standing) In(name string) BlockStanding {
	i, found := slices.BinarySearchFunc(s.Blocks, name, func(b BlockStanding, name string) int { return cmp.Compare(b.Name, name) })
	if found {
		return s.Blocks[i]
	}
	b := s.Elsewhere
	b.Name = name
	return b
}

// Standing says how a table stands, and an analyst on it. What it points to must not be changed.
func (r *Reader) Standing(ctx context.Context, a Accounting, analyst string, limit *policy.Budget) (Standing, error) {
	var v view
	var key standingKey
	var found Standing
	var keep, known bool
	err := r.look(ctx, func(s *state) {
		now := r.now().UnixNano()
		if key, keep = s.standingKey(a, analyst, limit, now); keep {
			found, known = r.standings.kept.Get(key)
		}
		if !known {
			v = s.view(a, analyst, limit, now)
		}
	})
	if err != nil || known {
		return found, err
	}
	found = r.stand(v)
	if keep {
		r.standings.kept.Add(key, found)
	}
	return found, nil
}

// A view is what a standing is made of, taken out of the state: composing may take long.
type view struct {
	budgets          budgets
	standing         Standing
	all, own         *tally
	lifetime, hers   *tally // all since the epoch began
	allRisk, ownRisk policy.Risk
	earlier          []epochTotal
}

func (s *state) view(a Accounting, analyst string, limit *policy.Budget, now int64) view {
	t := s.table(a.Table)
	v := view{
		budgets: t.budgets(a, analyst, limit), standing: Standing{Epoch: t.epoch}, earlier: t.earlier,
		allRisk: t.all.risk, ownRisk: t.analyst(analyst).risk,
	}
	if t.began != 0 {
		v.standing.Began = time.Unix(0, t.began).UTC()
	}
	if err, ok := t.frozenFor(a.Table, analyst).(*FrozenError); ok {
		v.standing.Frozen = err.Reason
	}
	since := a.since(now)
	v.all, v.own = t.all.sumFrom(since), t.analyst(analyst).sumFrom(since)
	v.lifetime, v.hers = t.all.sumFrom(always), t.analyst(analyst).sumFrom(always)
	return v
}

// stand composes.
func (r *Reader) stand(v view) Standing {
	s, whole := v.standing, v.budgets.ofTable()
	s.Budget = v.budgets.accounting.Budget
	s.Spent, s.Block = whole.most(r.composer, v.all)
	s.Lifetime, _ = whole.most(r.composer, v.lifetime)
	s.Spent.Risk, s.Lifetime.Risk = v.allRisk, v.allRisk
	s.Left = whole.left(s.Spent)
	for _, name := range sortedKeys(v.all.blocks[whole.partition]) {
		s.Blocks = append(s.Blocks, r.standIn(v, name))
	}
	s.Elsewhere = r.standIn(v, "")
	own := whole
	if v.budgets.cap != nil {
		own = v.budgets.ofAnalyst()
	}
	s.Own, _ = own.most(r.composer, v.own)
	s.OwnLifetime, _ = own.most(r.composer, v.hers)
	s.Own.Risk, s.OwnLifetime.Risk = v.ownRisk, v.ownRisk
	if s.Cap = v.budgets.cap; s.Cap != nil {
		left := LeftOfCap(*s.Cap, s.Own, s.Left)
		s.OwnLeft = &left
	}
	for _, e := range v.earlier {
		s.Earlier = append(s.Earlier, e.total(r, whole))
	}
	return s
}

// standIn composes what was charged in one block.
func (r *Reader) standIn(v view, name string) BlockStanding {
	whole := v.budgets.ofTable()
	b := BlockStanding{Name: name, Spent: whole.spentIn(r.composer, v.all, name)}
	b.Left = whole.left(b.Spent)
	if v.budgets.cap != nil {
		own := LeftOfCap(*v.budgets.cap, v.budgets.ofAnalyst().spentIn(r.composer, v.own, name), b.Left)
		b.OwnLeft = &own
	}
	return b
}

func (e epochTotal) total(r *Reader, l limit) EpochTotal {
	l.partition = "" // what was kept of an epoch that is over is not by blocks
	t := EpochTotal{Epoch: e.epoch, Ended: time.Unix(0, e.ended).UTC(), Reason: e.reason, Spent: l.spent(r.composer, e.charged)}
	t.Spent.Risk = e.risk
	if e.began != 0 {
		t.Began = time.Unix(0, e.began).UTC()
	}
	return t
}

// Epoch is a table's present one, from 1.
func (r *Reader) Epoch(ctx context.Context, table policy.TableName) (epoch int64, err error) {
	err = r.look(ctx, func(s *state) { epoch = s.table(table).epoch })
	return epoch, err
}

// A ChargedTable is one that the ledger knows, whether the policy does or not.
type ChargedTable struct {
	Accounting          // that its last charge was made under
	Analysts   []string // who were charged in its present epoch, by name
	Epoch      int64
}

// Charged lists the tables that something was charged for, by name.
func (r *Reader) Charged(ctx context.Context) (charged []ChargedTable, err error) {
	var fault error
	err = r.look(ctx, func(s *state) {
		for _, name := range s.tableNames() {
			t := s.tables[name]
			if t.all.risk == 0 && len(t.all.days) == 0 && len(t.earlier) == 0 {
				continue // a steward's acts alone
			}
			latest, _, err := t.latest.of(name)
			fault = errors.Join(fault, err)
			latest.Adjacency = t.adjacency
			charged = append(charged, ChargedTable{Accounting: latest, Analysts: sortedKeys(t.analysts), Epoch: t.epoch})
		}
	})
	if err == nil {
		err = r.readError(ctx, fault)
	}
	return charged, err
}

// tableNames are the tables that something has happened to, by name.
func (s *state) tableNames() []policy.TableName { return sortedTables(s.tables) }

// sortedTables are the keys of a map by name.
func sortedTables[V any](m map[policy.TableName]V) []policy.TableName {
	names := slices.Collect(maps.Keys(m))
	slices.SortFunc(names, func(a, b policy.TableName) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	return names
}
