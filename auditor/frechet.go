package auditor

import (
	"tacit/auditor/posterior"
)

// Bounds of what single blocks can have, from each released sum alone (the bounds of Frechet): a block has at least what the others of a sum
// cannot make up, and at most what they leave. They find what follows from a sum of 0, or of everybody, which linear algebra does not.
type bounds struct {
	p    *part
	low  map[*block][]int // by value
	high map[*block][]int
}

// maxPasses bounds the propagation. Bounds that more passes would find are not used, which loses precision and no safety.
const maxPasses = 50

func (p *part) bounds() *bounds {
	f := &bounds{p, make(map[*block][]int, len(p.blocks)), make(map[*block][]int, len(p.blocks))}
	for _, b := range p.blocks {
		f.low[b], f.high[b] = make([]int, p.values), make([]int, p.values)
		for v := range f.high[b] {
			f.high[b][v] = b.people
		}
	}
	for range maxPasses {
		moved := false
		for i := range p.sums {
			moved = f.propagate(&p.sums[i]) || moved
		}
		if !moved {
			break
		}
	}
	return f
}

// of bounds the people of a block who have a value of the set.
func (f *bounds) of(b *block, set posterior.ValueSet) (low, high int) {
	in, out := [2]int{}, [2]int{}
	for v := range f.p.values {
		if set.Has(v) {
			in[0], in[1] = in[0]+f.low[b][v], in[1]+f.high[b][v]
		} else {
			out[0], out[1] = out[0]+f.low[b][v], out[1]+f.high[b][v]
		}
	}
	return max(in[0], b.people-out[1]), min(in[1], b.people-out[0])
}

func (f *bounds) propagate(s *linkedSum) (moved bool) {
	low, high := 0, 0
	for _, b := range s.blocks {
		l, h := f.of(b, s.set)
		low, high = low+l, high+h
	}
	for _, b := range s.blocks {
		l, h := f.of(b, s.set)
		least, most := max(l, s.value-(high-h)), min(h, s.value-(low-l))
		if least > most {
			return false // contradictory; the linear algebra or the engines say so
		}
		moved = f.tighten(b, s.set, least, most) || moved
		moved = f.tighten(b, ^s.set, b.people-most, b.people-least) || moved
		low, high = low+least-l, high+most-h
	}
	return moved
}

// tighten applies bounds of a set to each of its values.
func (f *bounds) tighten(b *block, set posterior.ValueSet, least, most int) (moved bool) {
	low, high := 0, 0
	for v := range f.p.values {
		if set.Has(v) {
			low, high = low+f.low[b][v], high+f.high[b][v]
		}
	}
	for v := range f.p.values {
		if !set.Has(v) {
			continue
		}
		l, h := f.low[b][v], f.high[b][v]
		l2, h2 := max(l, least-(high-h)), min(h, most-(low-l))
		if l2 > h2 || l2 == l && h2 == h {
			continue
		}
		f.low[b][v], f.high[b][v], moved = l2, h2, true
		low, high = low+l2-l, high+h2-h
	}
	return moved
}

// determine makes known what has only one possible value.
func (p *part) determine() (agrees bool) {
	f := p.bounds()
	agrees = true
	for _, b := range p.blocks {
		for v := 1; v < p.values; v++ {
			if f.low[b][v] == f.high[b][v] {
				independent, ok := p.space.insert([]term{{p.column(b, v), 1}}, f.low[b][v])
				agrees = agrees && (independent || ok)
			}
		}
	}
	return agrees
}
