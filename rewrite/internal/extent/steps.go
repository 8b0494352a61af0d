package extent

import (
	"math/big"
	"strconv"
	"time"

	"tacit/rewrite/internal/pgvalue"
)

// MaxKnown bounds the values that are listed of one column.
const MaxKnown = 1_000_000

// Steps lists the values of an evenly spaced type.
func Steps(oid pgvalue.OID, spans []Span) (texts []string, ok bool) {
	step := StepOf(oid)
	size := new(big.Rat).SetInt64(step)
	for _, s := range Whole(spans, step) {
		if s.From.At.Rank != Finite || s.To.At.Rank != Finite {
			return nil, false
		}
		number := func(c Cut) int64 { return new(big.Rat).Quo(c.At.Value, size).Num().Int64() }
		first, end := number(s.From), number(s.To)
		if uint64(end)-uint64(first) > uint64(MaxKnown-len(texts)) { // the difference of two int64 fits into uint64
			return nil, false
		}
		for n := first; n < end; n++ {
			texts = append(texts, stepText(oid, n))
		}
	}
	return texts, true
}

func stepText(oid pgvalue.OID, n int64) string {
	if oid == pgvalue.Date {
		return pgvalue.TimeDatum(oid, time.Unix(n*int64(pgvalue.Day/time.Second), 0)).Text
	}
	return strconv.FormatInt(n, 10)
}

// Only is the one value of a span, if it has one of a decimal or timestamp type.
func Only(oid pgvalue.OID, s Span) (text string, ok bool) {
	if s.From.At.Rank != Finite || s.From.After || !s.To.After || s.From.At.compare(s.To.At) != 0 {
		return "", false
	}
	switch {
	case oid == pgvalue.Numeric:
		digits, exact := s.From.At.Value.FloatPrec()
		return s.From.At.Value.FloatString(digits), exact
	case pgvalue.IsTime(oid):
		return pgvalue.TimeDatum(oid, time.UnixMicro(s.From.At.Value.Num().Int64())).Text, true
	}
	return "", false
}

// StepOf is how far the values of a type are apart, as points; 0 if they are not evenly spaced.
func StepOf(oid pgvalue.OID) int64 {
	switch {
	case pgvalue.IsInteger(oid):
		return 1
	case oid == pgvalue.Date:
		return pgvalue.Day.Microseconds()
	}
	return 0
}

// Whole have the same multiples of a step as spans that are apart and rising, and the numbers up to the next multiple behind each, so that
// neighbours meet.
func Whole(spans []Span, step int64) []Span {
	var whole []Span
	for _, s := range spans {
		if s = (Span{wholeCut(s.From, step), wholeCut(s.To, step)}); s.From.Compare(s.To) < 0 {
			whole = append(whole, s)
		}
	}
	return Unite(whole)
}

// wholeCut is before the first multiple of a step behind a cut.
func wholeCut(c Cut, step int64) Cut {
	if c.At.Rank != Finite {
		return c
	}
	size := new(big.Rat).SetInt64(step)
	steps := new(big.Rat).Quo(c.At.Value, size)
	n := new(big.Int).Div(steps.Num(), steps.Denom()) // Euclidean, so floor: the denominator is positive
	if !steps.IsInt() || c.After {
		n.Add(n, big.NewInt(1))
	}
	return Cut{At: Point{Finite, size.Mul(size, new(big.Rat).SetInt(n))}}
}
