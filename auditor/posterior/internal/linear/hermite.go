package linear

import "math"

// A Hermite is a lower triangular basis of a lattice: Basis[k] is nil, or 0 before its pivot k, which is positive.
type Hermite struct{ Basis [][]int64 }

// NewHermite is the basis of the lattice of the zero vector in so many dimensions.
func NewHermite(dimensions int) *Hermite { return &Hermite{make([][]int64, dimensions)} }

// Full reports whether the lattice has every integer vector.
func (h *Hermite) Full() bool {
	for k, b := range h.Basis {
		if b == nil || b[k] != 1 {
			return false
		}
	}
	return true
}

// Insert adds a generator, which it overwrites. It fails on overflow.
func (h *Hermite) Insert(x []int64) bool {
	for k := range x {
		if x[k] == 0 {
			continue
		}
		b := h.Basis[k]
		if b == nil {
			if x[k] < 0 {
				negate(x)
			}
			h.Basis[k] = x
			return h.shorten()
		}
		if x[k]%b[k] == 0 {
			if !TakeAway(x, x[k]/b[k], b) {
				return false
			}
			continue
		}
		if !euclid(b, x, k) || !h.shorten() {
			return false
		}
	}
	return true
}

// euclid makes b's entry k the greatest common divisor of both and x's 0, by steps that keep the lattice.
func euclid(b, x []int64, k int) bool {
	for x[k] != 0 {
		if !TakeAway(b, b[k]/x[k], x) {
			return false
		}
		for i := range b {
			b[i], x[i] = x[i], b[i]
		}
	}
	if b[k] < 0 {
		negate(b)
	}
	return true
}

// shorten brings the entries below pivots between 0 and the pivot of their own row, so that they do not grow.
func (h *Hermite) shorten() bool {
	for k, b := range h.Basis {
		if b == nil {
			continue
		}
		for j := k + 1; j < len(b); j++ {
			c := h.Basis[j]
			if c == nil || b[j] >= 0 && b[j] < c[j] {
				continue
			}
			if !TakeAway(b, int64(math.Floor(float64(b[j])/float64(c[j]))), c) {
				return false
			}
		}
	}
	return true
}

func negate(x []int64) {
	for i := range x {
		x[i] = -x[i]
	}
}

// TakeAway takes f times y from x, unless it could leave the integers that are exact as float64.
func TakeAway(x []int64, f int64, y []int64) bool {
	for i, v := range y {
		if v == 0 {
			continue
		}
		if math.Abs(float64(x[i]))+math.Abs(float64(f))*math.Abs(float64(v)) > 1<<52 {
			return false
		}
		x[i] -= f * v
	}
	return true
}
