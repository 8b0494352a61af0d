package policy

import (
	"strconv"

	"tacit/policy/internal/document"
)

// A Share is a proportion or a probability in units of 1e-9, from 0 to OneShare.
type Share int64

// OneShare is the whole.
const OneShare Share = 1e9

const sharePlaces = 9

// String is the share as a decimal.
func (s Share) String() string {
	sign, digits, exponent := decimal(int64(s), sharePlaces)
	return sign + positional(digits, exponent)
}

// Float is the share, rounded.
func (s Share) Float() float64 { return float64(s) / float64(OneShare) }

// Delta is the share as a probability, exactly.
func (s Share) Delta() Delta { return Delta(s) * (OneDelta / Delta(OneShare)) }

// share returns a share above 0 and at most most; 0 if the key is absent or its value reported.
func (d *decoder) share(n *document.Node, most Share, example string) Share {
	return fixed(d, n, sharePlaces, "use a decimal number such as "+example, func(s Share) string {
		switch {
		case s == 0:
			return "a share of 0 publishes nothing that was changed, or nothing at all"
		case s > most && most == OneShare:
			return strconv.Quote(n.Text) + " is more than the whole"
		case s > most:
			return strconv.Quote(n.Text) + " is not below 1"
		}
		return ""
	})
}
