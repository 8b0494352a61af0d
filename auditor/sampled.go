package auditor

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"io"
	"math"

	"tacit/mechanisms/sampling"
)

// The rule of the paper (Algorithm 3): of T/delta ln(T/delta) data sets drawn given what was released, count those for which the answer is
// not safe, and release if they are at most half of ln(T/delta).
//
// The drawing of data sets is not needed: each of them is unsafe with probability u, independently, so that the count is binomial, and
// is drawn as such. u is exact where the paper's samplers are approximate.
//
// Guarantee: Theorem 2, with a proof that differs from the paper's, whose Chernoff bound is too small. At each decision an exit needs that
// it is released, and that the true data set is one of the unsafe ones: the probability is u P(Binomial(N,u) <= ln(T/delta)/2), at most
// delta/T for every u if T/delta >= e^2. So each decision is charged delta/T, whatever comes out.
//
// The paper's Safe looks at the whole table: once somebody is out of her limits, nothing is safe any more.

// leastRatio is e^2, from where the guarantee holds.
const leastRatio = math.E * math.E

// sampled draws the count for an estimate. exited: somebody's posterior left its limits at some time.
func sampled(c *Config, exited bool, source io.Reader, e *estimate) verdict {
	ratio := float64(c.Decisions) / c.Delta.Float()
	v := verdict{charge: c.share()}
	if exited {
		v.reason = "somebody is exposed already, after which the paper's rule releases nothing"
		return v
	}
	if ratio < leastRatio {
		v.reason = "the paper's rule needs T/delta of at least e^2"
		return v
	}
	samples, most := int(math.Ceil(ratio*math.Log(ratio))), math.Log(ratio)/2
	count, err := unsafeSamples(source, e.probability(), samples, most)
	if err != nil {
		v.reason = "no samples could be drawn"
		return v
	}
	v.released = float64(count) <= most
	if !v.released {
		v.reason = fmt.Sprintf("more than %.3g of %d samples were unsafe", most, samples)
	}
	return v
}

// unsafeSamples counts unsafe ones among samples, up to the first above the most that matter.
func unsafeSamples(source io.Reader, p sampling.Ratio, samples int, most float64) (int, error) {
	bits := sampling.NewBits(source)
	count := 0
	for i := 0; i < samples && float64(count) <= most; i++ {
		bits.Start()
		if bits.Bernoulli(p) {
			count++
		}
	}
	return count, bits.Err()
}

// seeded is the randomness of a seed: AES in counter mode, from a place on.
func seeded(seed [32]byte, place [aes.BlockSize]byte) cipher.StreamReader {
	key, err := aes.NewCipher(seed[:])
	if err != nil {
		panic("auditor: internal error: " + err.Error())
	}
	return cipher.StreamReader{S: cipher.NewCTR(key, place[:]), R: zeros{}}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
