package linear

import (
	"cmp"
	"slices"
)

// Components assigns each element the representative of those that sets link it with.
func Components(elements int, sets [][]int32) []int32 {
	parent := make([]int32, elements)
	for a := range parent {
		parent[a] = int32(a)
	}
	find := func(a int32) int32 {
		for parent[a] != a {
			parent[a] = parent[parent[a]]
			a = parent[a]
		}
		return a
	}
	for _, set := range sets {
		for _, a := range set {
			parent[find(a)] = find(set[0])
		}
	}
	for a := range parent {
		parent[a] = find(int32(a))
	}
	return parent
}

// Disjoint orders sets with a large family of disjoint ones first, chosen greedily from the smallest. The others keep their order.
func Disjoint(elements int, sets [][]int32) (order []int, family int) {
	bySize := make([]int, len(sets))
	for i := range sets {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(i, j int) int { return cmp.Compare(len(sets[i]), len(sets[j])) })
	taken, chosen := make([]bool, elements), make([]bool, len(sets))
	for _, i := range bySize {
		if slices.ContainsFunc(sets[i], func(a int32) bool { return taken[a] }) {
			continue
		}
		for _, a := range sets[i] {
			taken[a] = true
		}
		chosen[i] = true
		order = append(order, i)
	}
	family = len(order)
	for i := range sets {
		if !chosen[i] {
			order = append(order, i)
		}
	}
	return order, family
}
