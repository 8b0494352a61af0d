package microdata

import "tacit/mechanisms/sampling"

// shuffle returns the numbers below n in an order of which all are equally likely (Fisher and Yates; Knuth, Algorithm 3.4.2P). It
// stops early if the source fails.
func shuffle(n int, b *sampling.Bits) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	for i := n - 1; i > 0 && b.Err() == nil; i-- {
		b.Start()
		j := b.Below(uint64(i) + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}
