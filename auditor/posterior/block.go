package posterior

import "fmt"

// A Split is a question about several disjoint pieces of a block whose sums are known. Rest are the people of the block in no piece.
type Split struct {
	Pieces []Group
	Rest   Group
	Known  Classes
	// Insiders is as of [SplitRiskInsiders]; with any, all people of the block must be of one type.
	Insiders int
}

// A Block is the joint decision of a [Split]: which pieces to answer, all at once. If some are answered the people of each know their own
// sum, and all others of the block know theirs, the difference. So the probability that anybody becomes unsafe is at most the sum of
// PieceRisk over the pieces that are answered, and RestRisk of them. Each is a probability given the block's sums alone, as no answer is
// looked at before all are decided.
type Block struct {
	questions []blockQuestion
	insiders  int
	risks     []float64
}

// NewBlock computes the risks of all pieces.
func NewBlock(s Split) (*Block, error) {
	b := &Block{insiders: s.Insiders, risks: make([]float64, len(s.Pieces))}
	groups := make([]Group, 0, len(s.Pieces)+1)
	qs, err := s.Known.split(nil, append(append(groups, s.Pieces...), s.Rest)...)
	if err != nil {
		return nil, err
	}
	b.questions = make([]blockQuestion, len(qs))
	for i := range qs {
		q := &b.questions[i]
		if err := q.fill(&qs[i], &s); err != nil {
			return nil, err
		}
		if err := q.addRisks(b.risks, s.Insiders); err != nil {
			return nil, err
		}
	}
	for _, risk := range b.risks {
		if _, err := probability(risk); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// addRisks adds the risks of the pieces in this question.
func (b *blockQuestion) addRisks(risks []float64, insiders int) error {
	if !b.oneType {
		if insiders > 0 {
			return fmt.Errorf("%w: insiders of a block cut into many pieces", ErrTypes)
		}
		if bounded(b.parts) {
			return b.addBoxRisks(risks)
		}
		return b.addMixedRisks(risks)
	}
	all := count(b.parts)
	// Pieces of equal size usually have equal limits, too.
	type like struct{ low, high, risk float64 }
	known := make(map[int]like)
	for i := range risks {
		p := b.piece(i)
		if len(p) == 0 {
			continue
		}
		l, ok := known[p[0].people]
		if !ok || l.low != p[0].low || l.high != p[0].high {
			r, err := insideRisk(p, []part{p[0].others(all)}, b.sum, insiders)
			if err != nil {
				return err
			}
			l = like{p[0].low, p[0].high, r}
			known[p[0].people] = l
		}
		risks[i] += l.risk
	}
	return nil
}

// addBoxRisks adds the risks of pieces where some priors are only known to lie in intervals.
func (b *blockQuestion) addBoxRisks(risks []float64) error {
	out := make([]bool, len(risks)+1)
	for i := range risks {
		for k := range out {
			out[k] = k != i
		}
		r, err := b.restRisk(out, 0)
		if err != nil {
			return err
		}
		risks[i] += r
	}
	return nil
}

// others are the people of the same type outside of the part, of all; their limits do not matter.
func (p *part) others(all int) part {
	o := *p
	o.people = all - p.people
	o.release()
	return o
}

// insideRisk is the risk of a cut for the people inside.
func insideRisk(inside, outside []part, sum, insiders int) (float64, error) {
	c := cut{inside, present(outside), sum}
	if insiders > 0 {
		return worst(c, insiders, true, (*cut).risk)
	}
	return c.risk()
}

// PieceRisk is the probability that people of piece i are unsafe when its sum is answered, given the block's sums.
func (b *Block) PieceRisk(i int) float64 { return min(1, b.risks[i]) }

// RestRisk is the probability that people in none of the selected pieces are unsafe when all of these are answered.
func (b *Block) RestRisk(selected []int) (float64, error) {
	out := make([]bool, len(b.risks)+1)
	for _, i := range selected {
		out[i] = true
	}
	risk := 0.0
	for i := range b.questions {
		r, err := b.questions[i].restRisk(out, b.insiders)
		if err != nil {
			return 0, err
		}
		risk += r
	}
	return probability(risk)
}

func (b *blockQuestion) restRisk(out []bool, insiders int) (float64, error) {
	var rest, selected []part
	for i := range out {
		for _, p := range b.piece(i) {
			if out[i] {
				p.release()
				selected = merge(selected, &p)
			} else {
				rest = merge(rest, &p)
			}
		}
	}
	if len(rest) == 0 {
		return 0, nil
	}
	return insideRisk(rest, selected, b.sum, insiders)
}

func (b *blockQuestion) fill(q *question, s *Split) error {
	b.parts = make([]part, 0, len(s.Pieces)+1)
	b.ends = make([]int, 0, len(s.Pieces))
	b.sum = q.sum
	add := func(g Group) error {
		parts, sure, err := q.parts(b.parts[len(b.parts):], g)
		b.parts = append(b.parts, parts...)
		b.sum -= sure
		return err
	}
	for _, g := range s.Pieces {
		if err := add(g); err != nil {
			return err
		}
		b.ends = append(b.ends, len(b.parts))
	}
	if err := add(s.Rest); err != nil {
		return err
	}
	if n := count(b.parts); b.sum < 0 || b.sum > n {
		return fmt.Errorf("%w: %d of %d uncertain people", errImpossible, b.sum, n)
	}
	c := cut{inside: b.parts}
	b.oneType = c.oneType()
	return nil
}

// A blockQuestion is one question about all pieces.
type blockQuestion struct {
	parts   []part // of the pieces in order, and of the rest
	ends    []int  // where the parts of each piece end
	sum     int
	oneType bool
}

// piece are the parts of piece i, or those of the rest.
func (b *blockQuestion) piece(i int) []part {
	start, end := 0, len(b.parts)
	if i > 0 {
		start = b.ends[i-1]
	}
	if i < len(b.ends) {
		end = b.ends[i]
	}
	return b.parts[start:end]
}
