package microdata

import (
	"fmt"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// drawShare is true with probability exactly s.
func drawShare(s policy.Share, b *sampling.Bits) bool {
	b.Start()
	return b.Bernoulli(sampling.Ratio{Of: uint64(s), All: uint64(policy.OneShare)})
}

func checkShare(s policy.Share, what string) error {
	if s < 0 || s > policy.OneShare {
		return fmt.Errorf("%s is %v, must be 0 to 1", what, s)
	}
	return nil
}

// perEpsilon is an epsilon of 1.
const perEpsilon = 1e9
