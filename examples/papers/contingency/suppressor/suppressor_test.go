package suppressor

import (
	"errors"
	"math"
	"testing"

	"tacit/auditor/posterior"
)

func suppressor(t *testing.T, table Table, seed byte) *Suppressor {
	t.Helper()
	counter, err := NewCounter(table, seeded(seed))
	if err != nil {
		t.Fatal(err)
	}
	return &Suppressor{Table: table, Epsilon: 0.5, Delta: 0.2, Sampler: counter, Beliefs: counter}
}

// 350 samples and a threshold of 2: the 3 by 3 table of section 6.
func TestSuppressorParameters(t *testing.T) {
	s := Suppressor{Table: square(), Delta: 0.2}
	if s.Samples() != 351 || math.Abs(s.Threshold()-2.191) > 1e-3 {
		t.Errorf("%d samples, threshold %v", s.Samples(), s.Threshold())
	}
	s.Decisions = 400
	if s.Samples() != 15202 {
		t.Errorf("%d samples", s.Samples())
	}
}

// A cell is read after its release was decided, and no other cell is.
func TestSuppressReadsReleasedCellsOnly(t *testing.T) {
	table := Table{1, 3, []Cell{{{40, 0.5}}, {{6, 0.5}}, {{60, 0.5}}}}
	values := []int{21, 3, 28}
	s := suppressor(t, table, 11)
	read := map[Region]bool{}
	p, err := s.Suppress(nil, func(r Region) int {
		read[r] = true
		return table.Sum(values, r)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Suppressed) != 1 || p.Suppressed[0] != At(0, 1) || len(p.Released) != 2 || len(read) != 2 || read[At(0, 1)] {
		t.Errorf("released %v, suppressed %v, read %v", p.Released, p.Suppressed, read)
	}
}

// The decisions agree with the exact risk where sampling cannot well be wrong: 103 samples with a threshold of 1.7 err with probability
// below 1e-6 if the risk is below 1e-5 or above 0.3.
func TestSuppressorAgreesWithTheRisk(t *testing.T) {
	decided := map[bool]int{}
	for _, n := range []int{2, 4, 5, 7, 120} {
		table := Table{1, 2, []Cell{{{n, 0.5}}, {{n / 4, 0.4}, {n, 0.5}}}}
		s := suppressor(t, table, 12)
		for _, released := range []Released{nil, {{table.All(), n}}} {
			if testing.Short() && n > 100 && released == nil {
				continue
			}
			for _, parts := range [][]Region{{At(0, 0)}, {At(0, 1)}, {At(0, 0), At(0, 1)}} {
				system := table.System(s.Epsilon, released)
				least, most := 0.0, 0.0
				for _, part := range parts {
					law, err := system.Eliminate(table.Set(part), posterior.EliminationLimit{Operations: 1e9})
					if err != nil {
						t.Fatal(err)
					}
					least, most = max(least, law.Risk(system.Atoms)), most+law.Risk(system.Atoms)
				}
				if most > 1e-5 && least < 0.3 {
					continue
				}
				safe, err := s.SafeToSplit(released, parts...)
				if err != nil {
					t.Fatal(err)
				}
				if decided[safe]++; safe != (most <= 1e-5) {
					t.Errorf("%d people, parts %v: safe %v at risk %v", n, parts, safe, most)
				}
			}
		}
	}
	if decided[true] < 3 || decided[false] < 3 {
		t.Errorf("safe and unsafe: %v", decided)
	}
}

func TestSuppressorRefuses(t *testing.T) {
	for _, parameters := range [][2]float64{{0, 0.1}, {1, 0.1}, {0.5, 0}, {0.5, 0.5}} {
		s := suppressor(t, equal(), 13)
		s.Epsilon, s.Delta = parameters[0], parameters[1]
		if _, err := s.Suppress(nil, nil); !errors.Is(err, ErrParameters) {
			t.Errorf("epsilon and delta %v: %v", parameters, err)
		}
	}
}

// Safe looks at both values, lets a posterior be on its limit, and takes certain people as safe.
func TestSafe(t *testing.T) {
	table := Table{1, 1, []Cell{{{4, 0.5}, {1, 1}, {2, 0}, {0, 0.5}}}}
	for _, test := range []struct {
		q    float64
		want bool
	}{{0.25, true}, {0.75, true}, {0.2, false}, {0.8, false}} {
		if got := table.Safe(0.5, [][]float64{{test.q, 1, 0, 0}}); got != test.want {
			t.Errorf("posterior %v is safe: %v", test.q, got)
		}
	}
	rare := Table{1, 1, []Cell{{{10, 0.1}}}}
	if rare.Safe(0.5, [][]float64{{0.2}}) {
		t.Error("a rare value may double")
	}
}
