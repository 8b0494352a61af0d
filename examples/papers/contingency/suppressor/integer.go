package suppressor

import (
	"maps"
	"math/big"
	"slices"

	"tacit/mechanisms/sampling"
)

// below returns a uniform integer in [0, n), by rejection, n >= 1.
func below(bits *sampling.Bits, n *big.Int) *big.Int {
	bits.Start()
	for bits.Err() == nil {
		v := new(big.Int)
		for left := n.BitLen(); left > 0; left -= 32 {
			take := min(left, 32)
			v.Lsh(v, uint(take))
			v.Or(v, new(big.Int).SetUint64(bits.Take(take)))
		}
		if v.Cmp(n) < 0 {
			return v
		}
	}
	return new(big.Int)
}

// sortedKeys makes a draw depend on the bits alone.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
