package posterior

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"testing"
)

// A referenceCase is a decision worked out in exact rational arithmetic, and by enumeration of all data sets where there are few.
type referenceCase struct {
	Name         string
	Atoms        [][]any // people, prior of true
	History      [][]any // atoms, sum
	Query        []int
	Eps          string
	PosteriorNow []string `json:"posterior_now"`
	Values       []struct {
		V    int
		P    string
		Safe bool
		Q    []string
	}
	U string
}

func rational(t *testing.T, s string) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("no rational: %q", s)
	}
	f, _ := r.Float64()
	return f
}

func referenceCases(t *testing.T) []referenceCase {
	t.Helper()
	text, err := os.ReadFile("testdata/auditor-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []referenceCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// system is the case's released sums and its question.
func (c *referenceCase) system(t *testing.T) (System, Set) {
	t.Helper()
	var s System
	epsilon := rational(t, c.Eps)
	for _, a := range c.Atoms {
		s.Atoms = append(s.Atoms, booleanAtom(int(a[0].(float64)), rational(t, a[1].(string)), epsilon))
	}
	for _, h := range c.History {
		sum := Sum{Set{nil, True}, int(h[1].(float64))}
		for _, atom := range h[0].([]any) {
			sum.Atoms = append(sum.Atoms, int(atom.(float64)))
		}
		s.Sums = append(s.Sums, sum)
	}
	return s, Set{c.Query, True}
}

// booleanAtom has the limits of Definition 1 for both values.
func booleanAtom(people int, p, epsilon float64) Atom {
	a := Atom{People: people, Prior: []float64{1 - p, p}}
	if p > 0 && p < 1 {
		reach := epsilon * min(p, 1-p)
		a.Limits = []Limit{{1 - p - reach, 1 - p + reach}, {p - reach, p + reach}}
	}
	return a
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestEliminateReferenceCases(t *testing.T) {
	for _, c := range referenceCases(t) {
		t.Run(c.Name[:2], func(t *testing.T) {
			s, q := c.system(t)
			now, err := s.EliminatedPosterior(EliminationLimit{})
			if err != nil {
				t.Fatal(err)
			}
			for atom, want := range c.PosteriorNow {
				near(t, "posterior before the question", now[atom][1], rational(t, want), 1e-12)
			}
			law, err := s.Eliminate(q, EliminationLimit{})
			if err != nil {
				t.Fatal(err)
			}
			checkLaw(t, &c, s, law)
		})
	}
}

func checkLaw(t *testing.T, c *referenceCase, s System, law Law) {
	t.Helper()
	if len(law.Values) != len(c.Values) {
		t.Fatalf("answers %v, want %v", law.Values, c.Values)
	}
	for i, want := range c.Values {
		if law.Values[i] != want.V {
			t.Errorf("answer %d, want %d", law.Values[i], want.V)
		}
		near(t, "probability", law.Probability[i], rational(t, want.P), 1e-12)
		for atom, q := range want.Q {
			near(t, "posterior", law.Posterior[i][atom][1], rational(t, q), 1e-12)
			near(t, "posterior of false", law.Posterior[i][atom][0], 1-rational(t, q), 1e-12)
		}
		if got := safe(s.Atoms, law.Posterior[i]); got != want.Safe {
			t.Errorf("answer %d is safe: %v", want.V, got)
		}
	}
	near(t, "risk", law.Risk(s.Atoms), rational(t, c.U), 1e-12)
}
