package history

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tacit/auditor/posterior"
)

// A world says how many people of each unit have each value.
type world [][]int

// answer counts the people of some units who have one of the values of a set.
func (w world) answer(units []int32, set posterior.ValueSet) (n int64) {
	for _, u := range units {
		for v, people := range w[u] {
			if set.Has(v) {
				n += int64(people)
			}
		}
	}
	return n
}

// worlds are all that there can be of units of so many people each.
func worlds(people []int, values int) []world {
	all := []world{nil}
	for _, n := range people {
		var more []world
		for _, w := range all {
			for _, have := range compositions(n, values) {
				more = append(more, append(slices.Clone(w), have))
			}
		}
		all = more
	}
	return all
}

// compositions are the ways to divide n people among values.
func compositions(n, values int) [][]int {
	if values == 1 {
		return [][]int{{n}}
	}
	var all [][]int
	for first := range n + 1 {
		for _, rest := range compositions(n-first, values-1) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

// randomQuestion is about some units, and about one or two disjoint sets of values, none of which is empty or everything.
func randomQuestion(random *rand.Rand, units, values int) (asked []int32, sets []posterior.ValueSet) {
	for u := range units {
		if random.IntN(2) == 0 {
			asked = append(asked, int32(u))
		}
	}
	all := posterior.ValueSet(1)<<values - 1
	first := 1 + posterior.ValueSet(random.IntN(int(all)-1))
	sets = append(sets, first)
	if second := posterior.ValueSet(random.IntN(int(all)+1)) &^ first; second != 0 && first|second != all {
		sets = append(sets, second)
	}
	return asked, sets
}

// Whatever is said to be known is so in each world that agrees with all answers, by enumeration. What is the same in all these worlds is mostly found
// to be known: never to find it would be safe, and useless.
func TestShapesAgreeWithEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	determined, found := 0, 0
	for range 400 {
		values := 2 + random.IntN(2)
		people := make([]int, 10-2*values)
		h := New(values)
		for u := range people {
			people[u] = random.IntN(3)
			h.Add(people[u])
		}
		left := worlds(people, values)
		truth := left[random.IntN(len(left))]
		for range 8 {
			units, sets := randomQuestion(random, len(people), values)
			sh := h.Shape(units, sets)
			var rest []int32 // the units that nothing is open of
			for _, u := range units {
				if !slices.ContainsFunc(sh.Open, func(p Piece) bool { return slices.Contains(p.Units, u) }) {
					rest = append(rest, u)
				}
			}
			same := true
			answers := make([]int64, len(sets))
			for j, set := range sets {
				answers[j] = truth.answer(units, set)
				for _, w := range left {
					if got := w.answer(rest, set); got != int64(sh.Value[j]) {
						t.Fatalf("of units %v, set %b: %d is said to be known of %v, and one world has %d", units, set, sh.Value[j], rest, got)
					}
					same = same && w.answer(units, set) == answers[j]
				}
			}
			if same {
				determined++
				if h.Kind(&sh) == Free {
					found++
				}
			}
			open, err := sh.Rest(answers)
			if err != nil {
				t.Fatalf("the true answer %v to %v contradicts what is known: %v", answers, units, err)
			}
			if _, err := h.Release(&sh, open, 0); err != nil {
				t.Fatalf("the true answer %v to %v cannot be released: %v", answers, units, err)
			}
			left = slices.DeleteFunc(left, func(w world) bool {
				return slices.ContainsFunc(sets, func(set posterior.ValueSet) bool { return w.answer(units, set) != truth.answer(units, set) })
			})
		}
	}
	t.Logf("%d of %d answers that are the same in all worlds were known", found, determined)
	if determined < 500 || found*100 < determined*99 {
		t.Errorf("of %d answers that are the same in all worlds only %d were known", determined, found)
	}
}

// An answer that no world has is told where the sums released before say so by themselves.
func TestContradictions(t *testing.T) {
	h := New(2)
	for range 2 {
		h.Add(2)
	}
	ill := []posterior.ValueSet{2}
	release := func(units []int32, answer int64) error {
		sh := h.Shape(units, ill)
		rest, err := sh.Rest([]int64{answer})
		if err == nil {
			_, err = h.Release(&sh, rest, 0)
		}
		return err
	}
	if err := release([]int32{0, 1}, 1); err != nil {
		t.Fatal(err)
	}
	if err := release([]int32{0, 1}, 2); err == nil {
		t.Error("another answer to the same question")
	}
	if err := release([]int32{0}, 2); err == nil {
		t.Error("more people in a unit than in all")
	}
}
