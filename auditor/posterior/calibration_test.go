package posterior

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSaddlepointCalibration needs no oracle: over tables drawn from the prior, with their margins released, the risk of a question must
// be as frequent as its answer takes somebody out of the limits, judged by the posterior after the release.
//
// Unsafe answers less risks have mean 0 given the margins and are bounded by 1, so that Bernstein's inequality bounds their sum, but for
// a probability of 1e-7 each; 4% of the risk are allowed for the approximation.
func TestSaddlepointCalibration(t *testing.T) {
	for _, c := range []struct {
		name   string
		sides  []int
		sets   []Set
		people int
		tables int
	}{
		{"4x4", []int{4, 4}, margins(4, 4), 60, 6000},
		{"10x10", []int{10, 10}, margins(10, 10), 60, 1200},
		{"3x3x3", []int{3, 3, 3}, faces(3), 60, 2400},
		{"4x4x4", []int{4, 4, 4}, faces(4), 80, 1200},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				c.tables /= 8
			}
			r := rand.New(rand.NewPCG(21, 22))
			risks, variance, unsafe := 0.0, 0.0, 0.0
			for range c.tables {
				u, out := calibrate(t, r, c.sides, c.sets, c.people)
				risks += u
				variance += u * (1 - u)
				if out {
					unsafe++
				}
			}
			l := math.Log(2 / 1e-7)
			bound := l/3 + math.Sqrt(l*l/9+2*l*variance)
			t.Logf("risks %.2f, unsafe %v, bound %.2f", risks, unsafe, bound)
			if math.Abs(risks-unsafe) > bound+.04*risks {
				t.Errorf("risks add up to %.2f, %v answers are unsafe, bound %.2f", risks, unsafe, bound)
			}
		})
	}
}

// calibrate draws a table, and returns the risk of a cell and whether the table's count of it is unsafe.
func calibrate(t *testing.T, r *rand.Rand, sides []int, sets []Set, people int) (risk float64, unsafe bool) {
	t.Helper()
	var s System
	cells := 1
	for _, n := range sides {
		cells *= n
	}
	counts := make([]int, cells)
	for a := range cells {
		p := .3 + .2*r.Float64()
		s.Atoms = append(s.Atoms, booleanAtom(people, p, .3))
		counts[a] = binomialDraw(r, people, p)
	}
	for _, q := range sets {
		s.Sums = append(s.Sums, answered(q, counts))
	}
	exempt(t, &s)
	q := Set{[]int{r.IntN(cells)}, True}
	d, err := s.saddlepoint(q, anywhere)
	if err != nil {
		t.Fatal(err)
	}
	s.Sums = append(s.Sums, answered(q, counts))
	return d.Risk, !inLimits(t, s)
}

// exempt takes the limits off atoms that are out already.
func exempt(t *testing.T, s *System) {
	t.Helper()
	now, err := s.SaddlepointPosterior()
	if err != nil {
		t.Fatal(err)
	}
	for a := range s.Atoms {
		if s.Atoms[a].Limits[1].excess(s.Atoms[a].Prior[1], now[a][1]) > .9 {
			s.Atoms[a].Limits = nil
		}
	}
}

// inLimits says whether the posteriors are safe; one without a tilt is at the border of what is possible, and is not.
func inLimits(t *testing.T, s System) bool {
	t.Helper()
	now, err := s.SaddlepointPosterior()
	if err != nil {
		return false
	}
	for a := range s.Atoms {
		if !s.Atoms[a].Exempt() && s.Atoms[a].Limits[1].excess(s.Atoms[a].Prior[1], now[a][1]) > mostExcess {
			return false
		}
	}
	return true
}

// TestSaddlepointSharedRate compares atoms whose people share a rate with exact elimination.
func TestSaddlepointSharedRate(t *testing.T) {
	s := table([][]int{{40, 60, 45}, {50, 35, 55}}, func(i, j int) float64 { return .35 + .05*float64(i+j) }, .5)
	for a := range s.Atoms {
		s.Atoms[a].Spread = .1
	}
	questions := margins(2, 3)
	for _, q := range questions[:2] {
		sum := Sum{Set: q}
		for _, a := range sum.Atoms {
			sum.Value += int(float64(s.Atoms[a].People) * s.Atoms[a].Prior[1])
		}
		s.Sums = append(s.Sums, sum)
	}
	wide := EliminationLimit{States: 1e7, Operations: 1e9}
	for _, q := range []Set{questions[2], {[]int{1}, True}, {[]int{0, 4}, True}} {
		law, err := s.Eliminate(q, wide)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.saddlepoint(q, anywhere)
		if err != nil {
			t.Fatal(err)
		}
		exact := law.Risk(s.Atoms)
		near(t, "risk", d.Risk/exact, 1.02, .03)
		guarded, err := s.Saddlepoint(q)
		if err != nil || guarded.Risk < .99*exact {
			t.Errorf("%+v %v, exactly %v", guarded, err, exact)
		}
	}
}
