package suppressor

import (
	"math"
	"testing"
)

// The tests of this file compare with independently computed numbers, R22, R23 and R25 of the project's list, to all their digits.

func agrees(t *testing.T, what string, got, want, unit float64) {
	t.Helper()
	if math.Abs(got-want) > 0.500001*unit {
		t.Errorf("%s is %.12g, want %v", what, got, want)
	}
}

func TestReferenceUnsafe(t *testing.T) {
	agrees(t, "R22: 200 people of prior 0.7, epsilon 0.2", Claim{People: 200, Epsilon: 0.2}.Unsafe(0.7), 0.05336631, 1e-8)
}

// released is the probability that Algorithm 2 releases a question that is unsafe with probability p: at most Threshold of the samples are.
func (s *Suppressor) released(p float64) float64 {
	n, term := float64(s.Samples()), math.Exp(float64(s.Samples())*math.Log1p(-p))
	sum := 0.0
	for count := 0.0; count <= s.Threshold(); count++ {
		sum += term
		term *= (n - count) / (count + 1) * p / (1 - p)
	}
	return sum
}

// The proof of Theorem 2 has a release with probability delta/T at most where it is 0.087. A breach takes the unsafe value, too, which
// saves the theorem: its probability stays below delta/T.
func TestReferenceSuppressor(t *testing.T) {
	s := &Suppressor{Delta: 0.2, Decisions: 200}
	share := 1 / s.perDecision()
	agrees(t, "R23: P(release) at delta/T", s.released(share), 0.0865818308, 1e-10)
	worst := 0.0
	for p := share / 100; p < 100*share; p *= 1.0001 {
		worst = max(worst, p*s.released(p))
	}
	agrees(t, "R23: P(breach) T/delta", worst/share, 0.2811796, 1e-7)
}

func TestReferenceCount(t *testing.T) {
	table := Table{2, 3, []Cell{{{4, 0.5}}, {{3, 0.5}}, {{5, 0.5}}, {{2, 0.5}}, {{6, 0.5}}, {{3, 0.5}}}}
	counter, err := NewCounter(table, seeded(21))
	if err != nil {
		t.Fatal(err)
	}
	var released Released
	for i, sum := range []int{5, 6} {
		released = released.And(table.Row(i), sum)
	}
	for j, sum := range []int{3, 5, 3} {
		released = released.And(table.Column(j), sum)
	}
	for _, c := range []struct {
		what     string
		released Released
		want     int64
	}{
		{"no cell known", released, 41460},
		{"the first cell known", released.And(At(0, 0), 2), 27900},
	} {
		count, err := counter.count(c.released)
		if err != nil || count.Int64() != c.want {
			t.Errorf("R25, %s: %v data sets, %v, want %d", c.what, count, err, c.want)
		}
	}
}
