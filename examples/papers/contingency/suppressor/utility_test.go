package suppressor

import (
	"math"
	"testing"
)

// The least numbers by the theorems' bound, and what the law of the sum needs.
func TestLeastByTheorem(t *testing.T) {
	for _, test := range []struct {
		spread, epsilon float64
		want            int
	}{{0.3, 0.5, 3497}, {0.5, 0.5, 767}, {0.1, 0.5, 93100}, {0.3, 0.2, 17095}} {
		if got := LeastByTheorem(test.spread, test.epsilon, 1e-3); got != test.want {
			t.Errorf("priors %v from the ends, epsilon %v: %d people, want %d", test.spread, test.epsilon, got, test.want)
		}
	}
	for _, test := range []struct {
		prior, epsilon float64
		want           int
	}{{0.3, 0.5, 103}, {0.5, 0.5, 42}, {0.1, 0.5, 407}, {0.3, 0.2, 639}, {0.7, 0.5, 103}} {
		if got := LeastPeople(test.prior, test.epsilon, 1e-3); got != test.want {
			t.Errorf("prior %v, epsilon %v: %d people, want %d", test.prior, test.epsilon, got, test.want)
		}
	}
	for _, test := range []struct {
		claim Claim
		prior float64
		want  float64
	}{
		{Claim{80, 0, 0.5}, 0.3, 0.00216975848033},
		{Claim{100, 0, 0.5}, 0.3, 0.000694355717248},
		{Claim{80, 0, 0.5}, 0.4, 0.000140590714384},
		{Claim{4, 0, 0.5}, 0.5, 0.125},
	} {
		if got := test.claim.Unsafe(test.prior); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d people of prior %v: %v, want %v", test.claim.People, test.prior, got, test.want)
		}
	}
}

// The paper's worked claims in section 6. Each holds by its bound.
func TestTheoremsWorkedClaims(t *testing.T) {
	if got := (Claim{10_000, 0.5, 0.2}).Theorem5(100); got < 0.99 {
		t.Errorf("a hundred cells of 10,000 people: %v", got)
	}
	for _, c := range []Claim{{100_000, 0.25, 0.2}, {10_000, 0.4, 0.2}} {
		if got := c.Theorem6(0.1); got < 0.9 {
			t.Errorf("%+v is released with probability %v at least", c, got)
		}
	}
	if got := (Claim{10, 0.3, 0.5}).Theorem6(0.1); got != 0 {
		t.Errorf("ten people are released with probability %v at least", got)
	}
}
