package auditor

import (
	"math"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A State is what the auditor of a table knows: the public facts and all that was released. It holds no count that was not released.
// It is for one goroutine at a time.
type State struct {
	Config Config

	units  []unit
	types  []ends // by type
	totals bool
	// latecomers is the type of people of each type who come in later epochs, -1 if there can be none; of tables with totals.
	latecomers []int
	intervals  bool   // some type has one
	root       *block // people in no released sum
	named      int32  // blocks made so far
	people     int64  // of all epochs, gone or not

	planned    []planned // blocks of the certified plan
	planCharge policy.Risk

	workload       *workloadCover // nil: none is declared
	workloadCharge policy.Risk

	decisions int // that count toward Config.Decisions
	charged   policy.Risk
	raised    policy.Risk // of Replay: by how much the log's delta was raised since the opening
	exited    bool        // somebody's posterior left its limits at some time
	watch     watch
	alarm     string
	scratch   scratch
	applying  *Statement // the statement whose rounds are being applied from the log
}

// A unit is a Unit and where it stands.
type unit struct {
	Unit
	gone bool // its people left; what was released of them stays
	// rate is the unit whose people have the same rate, where their type has a spread: itself, or the one that they left. torn: people
	// of the rate left who stay in released sums.
	rate  int32
	torn  bool
	plan  int32 // block of the certified plan, or -1
	cell  int32 // of the workload, or -1
	block *block
}

// Alarm says why the model is in doubt, in words that hold released facts only; "" while it is not. While there is an alarm nothing new is
// released: only what is free.
func (s *State) Alarm() string { return s.alarm }

// Charged is the risk of all events so far.
func (s *State) Charged() policy.Risk { return s.charged }

// spend adds a charge. Beyond what is countable it stays at the most, so that no log makes it small again.
func (s *State) spend(charge policy.Risk) {
	if charge > math.MaxInt64-s.charged {
		charge = math.MaxInt64 - s.charged
	}
	s.charged += charge
}

// DecisionsLeft is how many decisions may still be made, and whether that is bounded.
func (s *State) DecisionsLeft() (left int, bounded bool) {
	return max(0, s.Config.Decisions-s.decisions), s.Config.Decisions > 0
}

// Units returns how many units there are, of all epochs.
func (s *State) Units() int { return len(s.units) }

// Unit returns a unit. Gone units are those whose people left the table.
func (s *State) Unit(i int) (u Unit, gone bool) { return s.units[i].Unit, s.units[i].gone }

func newState(o Opening) (*State, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	s := &State{Config: o.Config, totals: o.Totals != nil}
	s.Config.Types = append([]Type(nil), o.Types...)
	if s.totals {
		s.priorsFromTotals(o.Totals)
	}
	for t := range s.Config.Types {
		s.types = append(s.types, s.Config.ends(&s.Config.Types[t]))
		s.intervals = s.intervals || len(s.types[t].priors) > 1
	}
	s.root = s.newBlock()
	s.addUnits(o.Units)
	if s.totals {
		s.addLatecomers(o.Totals)
		s.releaseTotals(o.Totals)
	}
	if err := s.openPlan(&o); err != nil {
		return nil, err
	}
	return s, s.openWorkload(&o)
}

func (s *State) addUnits(units []Unit) {
	for _, u := range units {
		s.units = append(s.units, unit{Unit: u, plan: -1, cell: -1, block: s.root, rate: int32(len(s.units))})
		s.root.people += u.People
		s.people += int64(u.People)
	}
}

// priorsFromTotals makes published shares the priors.
func (s *State) priorsFromTotals(totals [][]int64) {
	for t, counts := range totals {
		prior, sum := make([]float64, len(counts)), int64(0)
		for _, n := range counts {
			sum += n
		}
		for v, n := range counts {
			prior[v] = float64(n) / float64(max(sum, 1))
		}
		if sum == 0 {
			prior[0] = 1
		}
		// What is conditioned on is exact, so that neither an interval nor a spread of the rate of the type is left.
		s.Config.Types[t] = Type{Name: s.Config.Types[t].Name, Prior: prior}
	}
}

// releaseTotals makes the people of each type a block of known sums.
func (s *State) releaseTotals(totals [][]int64) {
	byType := make([][]int32, len(totals))
	for i := range s.units {
		t := s.units[i].Type
		byType[t] = append(byType[t], int32(i))
	}
	for t, units := range byType {
		if len(units) == 0 {
			continue
		}
		sums := make([]int, s.Config.Values)
		sets := make([]posterior.ValueSet, s.Config.Values)
		for v, n := range totals[t] {
			sets[v], sums[v] = 1<<v, int(n)
		}
		if s.Config.Values == 2 {
			sets, sums = sets[1:], sums[1:]
		}
		s.split(s.root, units).known = posterior.Classes{Sets: sets, Sums: sums}
	}
}
