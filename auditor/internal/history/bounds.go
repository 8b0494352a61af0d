package history

import (
	"tacit/auditor/modular"
	"tacit/auditor/posterior"
)

// Bounds of what single blocks can have, from each released sum alone (the bounds of Frechet): a block has at least what the others of a sum
// cannot make up, and at most what they leave. They find what follows from a sum of 0, or of everybody, which linear algebra does not.
type bounds struct {
	p    *Part
	low  map[*Block][]int // by value
	high map[*Block][]int
}

// maxPasses bounds the propagation. Bounds that more passes would find are not used, which loses precision and no safety.
const maxPasses = 50

func (p *Part) bounds() *bounds {
	f := &bounds{p, make(map[*Block][]int, len(p.Blocks)), make(map[*Block][]int, len(p.Blocks))}
	for _, b := range p.Blocks {
		f.low[b], f.high[b] = make([]int, p.values), make([]int, p.values)
		for v := range f.high[b] {
			f.high[b][v] = b.People
		}
	}
	for range maxPasses {
		moved := false
		for i := range p.Sums {
			moved = f.propagate(&p.Sums[i]) || moved
		}
		if !moved {
			break
		}
	}
	return f
}

// of bounds the people of a block who have a value of the set.
func (f *bounds) of(b *Block, set posterior.ValueSet) (low, high int) {
	in, out := [2]int{}, [2]int{}
	for v := range f.p.values {
		if set.Has(v) {
			in[0], in[1] = in[0]+f.low[b][v], in[1]+f.high[b][v]
		} else {
			out[0], out[1] = out[0]+f.low[b][v], out[1]+f.high[b][v]
		}
	}
	return max(in[0], b.People-out[1]), min(in[1], b.People-out[0])
}

func (f *bounds) propagate(s *Sum) (moved bool) {
	low, high := 0, 0
	for _, b := range s.Blocks {
		l, h := f.of(b, s.Set)
		low, high = low+l, high+h
	}
	for _, b := range s.Blocks {
		l, h := f.of(b, s.Set)
		least, most := max(l, s.Value-(high-h)), min(h, s.Value-(low-l))
		if least > most {
			return false // contradictory; the linear algebra or the engines say so
		}
		moved = f.tighten(b, s.Set, least, most) || moved
		moved = f.tighten(b, ^s.Set, b.People-most, b.People-least) || moved
		low, high = low+least-l, high+most-h
	}
	return moved
}

// tighten applies bounds of a set to each of its values.
func (f *bounds) tighten(b *Block, set posterior.ValueSet, least, most int) (moved bool) {
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
func (p *Part) determine() (agrees bool) {
	f := p.bounds()
	agrees = true
	for _, b := range p.Blocks {
		for v := 1; v < p.values; v++ {
			if f.low[b][v] == f.high[b][v] {
				independent, ok := p.equations.Insert([]modular.Term{{Column: p.column(b, v), Factor: 1}}, f.low[b][v])
				agrees = agrees && (independent || ok)
			}
		}
	}
	return agrees
}
