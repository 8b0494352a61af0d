package sampling

import (
	"math"
	"testing"
)

// Every string of n bits is tried: what is decided has its probability up to what is not.
func TestBernoulliDoubledExpExactly(t *testing.T) {
	for _, c := range []struct{ n, p, q uint64 }{{0, 1, 2}, {1, 1, 1}, {1, 3, 2}, {2, 2, 1}, {3, 7, 2}} {
		tally, undecided := enumerate(18, func(b *Bits) bool { return b.BernoulliDoubledExp(c.n, c.p, c.q) })
		want := math.Ldexp(math.Exp(-float64(c.p)/float64(c.q)), int(c.n))
		if got := tally[true]; got > want+1e-12 || got+undecided < want-1e-12 || undecided > 0.1 {
			t.Errorf("2^%d exp(-%d/%d): true with probability %v ... %v, want %v", c.n, c.p, c.q, got, got+undecided, want)
		}
	}
}

func TestBernoulliTwoOverEExactly(t *testing.T) {
	tally, undecided := enumerate(18, (*Bits).bernoulliTwoOverE)
	if got, want := tally[true], 2/math.E; got > want+1e-12 || got+undecided < want-1e-12 || undecided > 0.01 {
		t.Errorf("true with probability %v ... %v, want %v", got, got+undecided, want)
	}
}
