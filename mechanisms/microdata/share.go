package microdata

import (
	"fmt"
	"strconv"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A Share is a proportion or a probability in units of 1e-9, from 0 to One.
type Share int64

// One is the whole.
const One Share = 1e9

// String is the share as a decimal.
func (s Share) String() string { return strconv.FormatFloat(s.float(), 'f', -1, 64) }

func (s Share) float() float64 { return float64(s) / float64(One) }

// draw is true with probability exactly s.
func (s Share) draw(b *sampling.Bits) bool {
	b.Start()
	return b.Below(uint64(One)) < uint64(s)
}

func (s Share) check(what string) error {
	if s < 0 || s > One {
		return fmt.Errorf("%s is %v, must be 0 to 1", what, s)
	}
	return nil
}

// perEpsilon is an epsilon of 1.
const perEpsilon = 1e9

// oneDelta is a delta of 1.
const oneDelta = policy.Delta(1e18)

// delta is the share as a probability, exactly.
func (s Share) delta() policy.Delta { return policy.Delta(s) * (oneDelta / policy.Delta(One)) }
