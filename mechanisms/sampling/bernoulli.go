package sampling

// A Ratio is a number from 0 to 1: Of <= All, All >= 1.
type Ratio struct{ Of, All uint64 }

// Bernoulli is true with probability exactly r: a uniform integer below r.All is below r.Of. It takes 2 words or fewer on average.
func (b *Bits) Bernoulli(r Ratio) bool { return b.Below(r.All) < r.Of && b.err == nil }

// BernoulliExpProduct is true with probability exactly exp(-x y).
//
// It is BernoulliExp for g = x y <= 1, with A_k, which is to have probability x y/k, as three independent events of probabilities x, y
// and 1/k. So no denominator is a product, and none overflows. E[K] is at most e, and a step takes 6 words or fewer on average: 17 in
// all. Every step but the first takes a bit, for 1/k, so that k stays below 2^23.
func (b *Bits) BernoulliExpProduct(x, y Ratio) bool {
	if x.Of == 0 || y.Of == 0 {
		return b.err == nil
	}
	k := uint64(1)
	for b.Bernoulli(x) && b.Bernoulli(y) && b.Bernoulli(Ratio{1, k}) {
		k++
	}
	return k%2 == 1 && b.err == nil
}
