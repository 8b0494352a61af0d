package microdata

import (
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// drawShare is true with probability exactly s.
func drawShare(s policy.Share, b *sampling.Bits) bool {
	b.Start()
	return b.Bernoulli(sampling.Ratio{Of: uint64(s), All: uint64(policy.OneShare)})
}

// perEpsilon is an epsilon of 1.
const perEpsilon = 1e9
