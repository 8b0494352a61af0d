package posterior

import (
	"slices"

	"tacit/auditor/posterior/internal/linear"
)

// An incidence says which sums each atom is in, in the order of a gram: sum i of the family is sum i, sum j of the rest is sum
// family+j.
type incidence struct {
	family   int
	values   []float64
	first    []int32    // by atom: its sum in the family, or -1
	firstSet []ValueSet // that it counts
	start    []int32    // by atom: its other sums
	other    []int32    // numbers of other sums, from 0, rising
	otherSet []ValueSet
	slot     []int32 // by entry of other: where the atom's covariance of first and other goes in gram.cross
}

// newIncidence tabulates ordered rows, and the gram with the pattern of their covariances.
func newIncidence(atoms int, rows []row, family int) (*incidence, *linear.Gram) {
	in := &incidence{family: family, first: make([]int32, atoms), firstSet: make([]ValueSet, atoms), start: make([]int32, atoms+1),
		values: make([]float64, 0, len(rows))}
	for a := range in.first {
		in.first[a] = -1
	}
	for i, r := range rows {
		in.values = append(in.values, float64(r.value))
		for _, a := range r.atoms {
			if i < family {
				in.first[a], in.firstSet[a] = int32(i), r.set
			} else {
				in.start[a+1]++
			}
		}
	}
	for a := range atoms {
		in.start[a+1] += in.start[a]
	}
	in.fill(rows[family:])
	return in, in.pattern(len(rows) - family)
}

func (in *incidence) fill(rest []row) {
	entries := in.start[len(in.start)-1]
	in.other, in.otherSet, in.slot = make([]int32, entries), make([]ValueSet, entries), make([]int32, entries)
	next := slices.Clone(in.start)
	for j, r := range rest {
		for _, a := range r.atoms {
			in.other[next[a]], in.otherSet[next[a]] = int32(j), r.set
			next[a]++
		}
	}
}

// pattern lays out the entries of the covariances between the family and the rest.
func (in *incidence) pattern(rest int) *linear.Gram {
	g := &linear.Gram{Family: in.family, Rest: rest, Diagonal: make([]float64, in.family), Dense: make([]float64, rest*rest),
		Start: make([]int32, in.family+1), With: make([]int32, 0, len(in.other))}
	slots := make([]int32, in.family*rest)
	for a, i := range in.first {
		if i < 0 {
			continue
		}
		for _, j := range in.other[in.start[a]:in.start[a+1]] {
			slots[int(i)*rest+int(j)] = 1
		}
	}
	for i := range in.family {
		for j := range rest {
			if s := &slots[i*rest+j]; *s != 0 {
				*s = int32(len(g.With))
				g.With = append(g.With, int32(j))
			}
		}
		g.Start[i+1] = int32(len(g.With))
	}
	g.Cross = make([]float64, len(g.With))
	for a, i := range in.first {
		if i < 0 {
			continue
		}
		for e := in.start[a]; e < in.start[a+1]; e++ {
			in.slot[e] = slots[int(i)*rest+int(in.other[e])]
		}
	}
	return g
}
