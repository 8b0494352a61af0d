package sources

import (
	"cmp"
	"slices"

	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// This file chooses the releases that a question is derived from, of those that it follows from. The invariant: an answer that is a mean of several
// changes only for a clearly better one. Start at Mapper.

// maxMapped bounds the releases that one question is derived from, and mostTried those that are tried.
const (
	maxMapped = 8
	mostTried = 4 * maxMapped
)

// An Origin is a recorded release that a question follows from.
type Origin struct {
	*Recorded
	Derivation *query.Derivation
	// Passing is how many of its cells pass the question's conditions, as far as that is known. All origins are mapped to the same cells, so the fewer
	// pass, the fewer are added up.
	Passing int
}

// A Following are the cells of a query as they follow from one release, and how many of its cells each adds up.
type Following struct {
	Origin
	Cells *cells.Released
	Added []int
}

// A Mapper maps the cells of a release to those of a query; ok is false if they do not follow.
type Mapper func(Origin) (f Following, ok bool, err error)

// First maps releases in their order, until maxMapped are mapped. One is left out where an older one is, of which no cells are added up: no other is
// better.
func (m Mapper) First(origins []Origin) (found []Following, err error) {
	for _, o := range origins[:min(len(origins), mostTried)] {
		if slices.ContainsFunc(found, func(f Following) bool { return MostAdded(f.Added) == 1 && f.ID < o.ID }) {
			continue
		}
		f, ok, err := m(o)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, f)
		}
		if len(found) == maxMapped {
			break
		}
	}
	return found, nil
}

// Chosen maps those that a mean is made of, see choose. In place of those that do not follow after all others are chosen.
func (m Mapper) Chosen(origins []Origin) (found []Following, err error) {
	mapped := make(map[int64]Following)
	for tried := 0; ; {
		failed := make(map[int64]bool)
		picked := choose(origins)
		for _, o := range picked {
			if _, ok := mapped[o.ID]; ok {
				continue
			}
			if tried++; tried > mostTried {
				failed[o.ID] = true
				continue
			}
			f, ok, err := m(o)
			if err != nil {
				return nil, err
			}
			if failed[o.ID] = !ok; ok {
				mapped[o.ID] = f
			}
		}
		left := func(o Origin) bool { return failed[o.ID] }
		if tried > mostTried || !slices.ContainsFunc(picked, left) {
			for _, o := range picked {
				if f, ok := mapped[o.ID]; ok {
					found = append(found, f)
				}
			}
			return found, nil
		}
		origins = slices.DeleteFunc(slices.Clone(origins), left)
	}
}

// choose takes the releases that a mean is made of, maxMapped at most. Let each come after the other, in the order in which they were recorded. The first maxMapped are
// taken. Later, one takes the place of that with the most cells if the error of the mean of all falls by more than one part in twenty: the sum of
// the inverse numbers of cells, to which the inverse variance is proportional, must rise by more than 1/0.95^2 - 1, which is less than 11%. So
// one of which few cells are added up is not kept out by those that were recorded after it, nor is one that is taken put aside for one that is hardly better.
func choose(origins []Origin) []Origin {
	origins = slices.SortedFunc(slices.Values(origins), func(a, b Origin) int { return cmp.Compare(a.ID, b.ID) })
	chosen := slices.Clone(origins[:min(len(origins), maxMapped)])
	for _, o := range origins[len(chosen):] {
		worst, sum := 0, 0.0
		for i, c := range chosen {
			sum += inverse(c)
			if c.Passing >= chosen[worst].Passing {
				worst = i
			}
		}
		if inverse(o)-inverse(chosen[worst]) > sum*0.11 {
			chosen = append(slices.Delete(chosen, worst, worst+1), o)
		}
	}
	return chosen
}

func inverse(o Origin) float64 { return 1 / float64(max(1, o.Passing)) }

// MostAdded is how many cells a count adds up at most; where there are no cells it is one.
func MostAdded(added []int) int { return slices.Max(append([]int{1}, added...)) }
