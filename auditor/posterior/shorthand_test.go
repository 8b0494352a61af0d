package posterior

// What only tests ask for, in terms of what there is.

// SplitManyRisk is the joint decision of all pieces of a block: the risk of each, and that of the rest when all pieces are answered.
// [NewBlock] also answers for some of them.
func SplitManyRisk(pieces []Group, rest Group, known Classes) (each []float64, restRisk float64, err error) {
	b, err := NewBlock(Split{Pieces: pieces, Rest: rest, Known: known})
	if err != nil {
		return nil, 0, err
	}
	all := make([]int, len(pieces))
	for i := range pieces {
		all[i] = i
		each = append(each, b.PieceRisk(i))
	}
	restRisk, err = b.RestRisk(all)
	return each, restRisk, err
}

// SplitRisk is that without insiders.
func SplitRisk(inside, outside Group, known Classes) (float64, error) {
	return SplitRiskInsiders(inside, outside, known, 0)
}

// Saddlepoint decides by the saddlepoint engine alone.
func (s System) Saddlepoint(q Set) (Decision, error) { return s.saddlepoint(q, nil) }

// saddlepoint decides with other guards than those that are certified, for tests.
func (s System) saddlepoint(q Set, g *safety) (Decision, error) {
	c, err := s.contrast(q)
	if err != nil || c.Determined {
		return c.decision(), err
	}
	if g != nil {
		err = c.decide(*g)
		return c.Decision, err
	}
	err = c.decideCertified()
	return c.Decision, err
}

// decision is none without a contrast.
func (c *contrast) decision() Decision {
	if c == nil {
		return Decision{}
	}
	return c.Decision
}

// Certificate is that without insiders.
func Certificate(g Group, sets []ValueSet) (float64, error) {
	return CertificateInsiders(g, sets, 0)
}
