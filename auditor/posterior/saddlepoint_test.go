package posterior

import (
	"errors"
	"math"
	"testing"
)

// anywhere lets the saddlepoint engine decide outside of what is certified, to measure its error.
var anywhere = &safety{}

// TestSaddlepointReferenceCases holds posteriors and risks against exact rationals, for counts far smaller than those that the engine
// is certified for. At such counts values next to the border of what is possible have no tilt and are bounded, so that risks may only
// be too high.
func TestSaddlepointReferenceCases(t *testing.T) {
	certified := map[string]bool{"R2 one atom, tail": true}
	for _, c := range referenceCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			s, q := c.system(t)
			now, err := s.SaddlepointPosterior()
			if err != nil {
				t.Fatal(err)
			}
			for atom, want := range c.PosteriorNow {
				near(t, "posterior before the question", now[atom][1], rational(t, want), .012)
			}
			d, err := s.saddlepoint(q, anywhere)
			if err != nil {
				t.Fatal(err)
			}
			want := rational(t, c.U)
			if d.Determined != (want == 0) || d.Determined && d.Value != c.Values[0].V {
				t.Errorf("determined: %+v", d)
			}
			if d.Risk < want || d.Risk > 8*want {
				t.Errorf("risk %v, exactly %v", d.Risk, want)
			}
			d, err = s.Saddlepoint(q)
			if certified[c.Name] {
				near(t, "certified risk", d.Risk/want, 1.03, .03)
			} else if !d.Determined && !errors.Is(err, ErrNotCertified) {
				t.Errorf("certified: %v", err)
			}
		})
	}
}

// table is a system of cells without sums, row by row.
func table(sizes [][]int, p func(row, column int) float64, epsilon float64) System {
	var s System
	for i, line := range sizes {
		for j, n := range line {
			s.Atoms = append(s.Atoms, booleanAtom(n, p(i, j), epsilon))
		}
	}
	return s
}

// margins are the rows and the columns of a table.
func margins(rows, columns int) (sets []Set) {
	for i := range rows {
		q := Set{Values: True}
		for j := range columns {
			q.Atoms = append(q.Atoms, i*columns+j)
		}
		sets = append(sets, q)
	}
	for j := range columns {
		q := Set{Values: True}
		for i := range rows {
			q.Atoms = append(q.Atoms, i*columns+j)
		}
		sets = append(sets, q)
	}
	return sets
}

// TestHairAndEyes asks for the sums of the paper's figure 3 in the paper's order: rows, columns, cells. The footnote lists eight sizes
// for nine cells; the missing one, of brown-eyed people with black hair, is taken as 100. Exact risks are from variable elimination.
func TestHairAndEyes(t *testing.T) {
	s := table([][]int{{200, 80, 100}, {80, 200, 100}, {100, 100, 200}}, func(_, j int) float64 { return []float64{.5, .4, .3}[j] }, .5)
	counts := []int{101, 23, 22, 32, 95, 24, 45, 38, 70}
	questions := margins(3, 3)
	for a := range counts {
		questions = append(questions, Set{[]int{a}, True})
	}
	const free = -1
	risks := []struct{ exact, saddlepoint float64 }{
		{2.38e-10, 2.43e-10}, {2.40e-10, 2.45e-10}, {1.15e-10, 1.19e-10}, {1e-15, 1.9e-16}, {1.26e-10, 1.27e-10}, {free, 0},
		{5.33e-11, 5.34e-11}, {9.336e-3, 9.41e-3}, {free, 0}, {3.52e-7, 3.54e-7}, {6.86e-8, 6.89e-8}, {free, 0}, {free, 0}, {free, 0},
		{free, 0},
	}
	for i, q := range questions {
		answer := 0
		for _, a := range q.Atoms {
			answer += counts[a]
		}
		plain, err := s.saddlepoint(q, anywhere)
		if err != nil {
			t.Fatal(i, err)
		}
		guarded, err := s.Saddlepoint(q)
		if err != nil {
			t.Fatal(i, err)
		}
		want := risks[i]
		switch {
		case want.exact == free:
			if !guarded.Determined || guarded.Value != answer {
				t.Errorf("question %d: %+v, want determined %d", i, guarded, answer)
			}
		case math.Abs(plain.Risk/want.saddlepoint-1) > .03:
			t.Errorf("question %d: risk %v, want %v", i, plain.Risk, want.saddlepoint)
		case want.exact > 1e-14 && (plain.Risk < .98*want.exact || plain.Risk > 1.04*want.exact):
			t.Errorf("question %d: risk %v, exactly %v", i, plain.Risk, want.exact)
		case guarded.Risk < plain.Risk*(1-1e-9) || guarded.Risk > 4*plain.Risk:
			t.Errorf("question %d: risk %v with guards, %v without", i, guarded.Risk, plain.Risk)
		}
		s.Sums = append(s.Sums, Sum{q, answer})
	}
}
