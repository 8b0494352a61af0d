package posterior

// The laws of a laminar history are exact and one-dimensional. Released sets of which any two are nested or disjoint are equivalent to
// disjoint blocks with known sums, each released set less the released sets inside it, and people in no sum yet, whose sum is unknown.
// Given the sums, blocks are independent. A question that cuts one block, or joins people in no block, needs the law of one number.
//
// Two classes of values are decided exactly. More are decided for people of one type, by the sum of the risks of each class, each of
// which is exact: an upper bound of the risk that any of them is unsafe.

// RootRisk is the probability that the numbers of people with values in the given sets are unsafe, of people in no sum yet.
// The sets are disjoint; of a Boolean attribute they are {True}.
func RootRisk(g Group, sets []ValueSet) (float64, error) {
	return RootRiskInsiders(g, sets, 0)
}

// RootRiskInsiders is [RootRisk] against an attacker who knows the values of up to the given number of people.
func RootRiskInsiders(g Group, sets []ValueSet, insiders int) (float64, error) {
	var qbuf [2]question
	qs, err := asked(qbuf[:0], g, sets)
	if err != nil {
		return 0, err
	}
	risk := 0.0
	for c := range qs {
		var buf [4]part
		parts, _, err := qs[c].parts(buf[:0], g)
		if err != nil {
			return 0, err
		}
		var r float64
		if insiders == 0 {
			r, err = rootRisk(parts)
		} else {
			r, err = worst(cut{inside: parts}, insiders, false, func(c *cut) (float64, error) { return rootRisk(c.inside) })
		}
		if err != nil {
			return 0, err
		}
		risk += r
	}
	return probability(risk)
}

// SplitRiskInsiders is the probability that the sums of the people inside are unsafe, for them or for those outside, where the sums of
// all of them are known. The classes of the question are those of the known sums. The attacker knows the values of up to the given
// number of people of the block.
func SplitRiskInsiders(inside, outside Group, known Classes, insiders int) (float64, error) {
	var qbuf [2]question
	qs, err := known.split(qbuf[:0], inside, outside)
	if err != nil {
		return 0, err
	}
	risk := 0.0
	for i := range qs {
		var buf [2][4]part
		c, err := qs[i].cut(buf[0][:0], buf[1][:0], inside, outside)
		if err != nil {
			return 0, err
		}
		var r float64
		if insiders == 0 {
			r, err = c.risk()
		} else {
			r, err = worst(c, insiders, true, (*cut).risk)
		}
		if err != nil {
			return 0, err
		}
		risk += r
	}
	return probability(risk)
}
