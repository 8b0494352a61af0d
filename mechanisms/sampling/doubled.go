package sampling

// BernoulliDoubledExp is true with probability exactly 2^n exp(-p/q), for n <= p/q: n independent trials of 2/e, and one of
// exp(-(p - nq)/q), all of which have to be true.
func (b *Bits) BernoulliDoubledExp(n, p, q uint64) bool {
	for range n {
		if !b.bernoulliTwoOverE() {
			return false
		}
	}
	return b.BernoulliExp(p-n*q, q)
}

// bernoulliTwoOverE is true with probability 2/e = 2/2! - 2/3! + 2/4! - ... With A_k true with probability 1/k, the first K >= 3 for which
// A_K is false has P(K > k) = 2/k!, so that the series is P(K odd), as in bernoulliExpOfShare.
func (b *Bits) bernoulliTwoOverE() bool {
	k := uint64(3)
	for b.Below(k) < 1 && b.err == nil {
		k++
	}
	return k%2 == 1 && b.err == nil
}
