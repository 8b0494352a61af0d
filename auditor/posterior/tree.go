package posterior

import (
	"fmt"

	"tacit/auditor/posterior/internal/law"
)

// A tree holds the laws of the sums of neighbouring pieces of a block of several types: of each piece at the leaves, of all at the top. On
// the way down it carries what all other people of the block allow: the weight with which their number is the block's sum less v, for v
// in the window of the node. So each level costs the products of neighbouring windows, and no piece the whole block.
type tree struct {
	law         law.Window
	piece       sumLaw // of a leaf
	left, right *tree
}

// addMixedRisks adds the risks of the pieces of a block of several types.
func (b *blockQuestion) addMixedRisks(risks []float64) error {
	n := count(b.parts)
	if b.sum == 0 || b.sum == n {
		return b.addExtremeRisks(risks)
	}
	tilt, err := solve(b.parts, b.sum)
	if err != nil {
		return err
	}
	if _, w := b.treeWork(0, len(risks), tilt); w > maxWork {
		return fmt.Errorf("%w: %d pieces of several types take %.0e operations", ErrTooLarge, len(risks), w)
	}
	top, err := b.tree(0, len(risks), tilt)
	if err != nil {
		return err
	}
	var others []part
	for _, p := range b.piece(len(risks)) {
		p.release()
		others = append(others, p)
	}
	rest, err := sumOf(others, tilt)
	if err != nil {
		return err
	}
	allowed := make([]float64, len(top.law.Mass))
	for i := range allowed {
		allowed[i] = rest.At(b.sum - top.law.First - i)
	}
	d := descent{risks: risks, missing: top.law.Cut + rest.Cut + top.law.Cut*rest.Cut}
	d.visit(top, allowed)
	return nil
}

func (b *blockQuestion) addExtremeRisks(risks []float64) error {
	for i := range risks {
		c := cut{inside: b.piece(i), sum: b.sum}
		risks[i] += c.extremeRisk()
	}
	return nil
}

// tree builds the laws of pieces low..high-1.
func (b *blockQuestion) tree(low, high int, tilt float64) (*tree, error) {
	if high-low <= 1 {
		var parts []part
		if low < high {
			parts = b.piece(low)
		}
		piece, err := sumOf(parts, tilt)
		return &tree{law: piece.Window, piece: piece}, err
	}
	middle := (low + high) / 2
	left, err := b.tree(low, middle, tilt)
	if err != nil {
		return nil, err
	}
	right, err := b.tree(middle, high, tilt)
	if err != nil {
		return nil, err
	}
	return &tree{law: law.Convolve(&left.law, &right.law), left: left, right: right}, nil
}

// treeWork estimates the multiplications of a tree and of the descent.
func (b *blockQuestion) treeWork(low, high int, tilt float64) (extent, float64) {
	if high-low <= 1 {
		e := extent{width: 1}
		if low == high {
			return e, 0
		}
		for i, p := range b.piece(low) {
			if e = e.plus(p.extent(tilt)); i == 0 {
				e = p.extent(tilt)
			}
		}
		return e, work(b.piece(low), tilt)
	}
	middle := (low + high) / 2
	l, wl := b.treeWork(low, middle, tilt)
	r, wr := b.treeWork(middle, high, tilt)
	return l.plus(r), wl + wr + 3*l.width*r.width
}

// A descent visits the leaves in order.
type descent struct {
	risks   []float64
	next    int
	missing float64 // bounds the weight of all that was cut anywhere
}

func (d *descent) visit(t *tree, allowed []float64) {
	if t.left == nil {
		d.leaf(&t.piece, allowed)
		return
	}
	first := t.law.First
	d.visit(t.left, carry(&t.left.law, &t.right.law, first, allowed))
	d.visit(t.right, carry(&t.right.law, &t.left.law, first, allowed))
}

// carry is what the people outside of a node and its sibling allow together, where the parent's window begins at first.
func carry(node, sibling *law.Window, first int, allowed []float64) []float64 {
	out := make([]float64, len(node.Mass))
	for j, x := range sibling.Mass {
		shift := node.First + sibling.First + j - first
		from, to := max(0, -shift), min(len(out), len(allowed)-shift)
		for i := from; i < to; i++ {
			out[i] += x * allowed[i+shift]
		}
	}
	return out
}

// leaf adds the risk of one piece.
func (d *descent) leaf(s *sumLaw, allowed []float64) {
	if d.next >= len(d.risks) {
		return
	}
	out, total := 0.0, 0.0
	for i, unsafe := range s.unsafe() {
		w := s.Mass[i] * allowed[i]
		total += w
		if unsafe {
			out += w
		}
	}
	risk := 1.0
	if total > 0 {
		risk = min(1, (out+d.missing)/total)
	}
	if s.exempt() {
		risk = 0
	}
	d.risks[d.next] += risk
	d.next++
}

// exempt reports whether everybody of the group is always safe.
func (s *sumLaw) exempt() bool {
	for i := range s.parts {
		if !s.parts[i].exempt() {
			return false
		}
	}
	return true
}
