package mechanisms

import "math"

// SelectionSurvival says how likely a key with n people that was found in the data is shown by Select, with 1 or more; a key that nobody has
// is not found, and never shown. ok is false if Select shows none. Keys are independent of one another: each has noise of its own.
func (m *Mechanism) SelectionSurvival() (survival Survival, ok bool) {
	switch s := m.selection().(type) {
	case noisyThreshold:
		survival = Law{s.noise}.atLeast(s.tau)
		survival.stepped = true
		return found(survival), true
	case truncatedThreshold:
		return found(Survival{survives: s.shows, vanishes: s.withholds, stepped: true}), true
	case publishedSuppression:
		return found(Survival{survives: s.above, vanishes: s.below}), true
	}
	return Survival{}, false
}

// found is the survival of keys that are found only if somebody has them.
func found(s Survival) Survival {
	return Survival{
		stepped: s.stepped,
		survives: func(n int64) float64 {
			if n == 0 {
				return 0
			}
			return s.survives(n)
		},
		vanishes: func(n int64) float64 {
			if n == 0 {
				return 1
			}
			return s.vanishes(n)
		},
	}
}

// shows is P(n + X > k), for n >= 1.
func (t truncatedThreshold) shows(n int64) float64 {
	if n <= t.k {
		return t.upperTail(t.k + 1 - n)
	}
	return 1 - t.withholds(n)
}

// withholds is P(n + X <= k) = P(X >= n - k), for n >= 1.
func (t truncatedThreshold) withholds(n int64) float64 {
	switch {
	case n > 2*t.k:
		return 0
	case n > t.k:
		return t.upperTail(n - t.k)
	}
	return 1 - t.shows(n)
}

// upperTail is P(X >= x), for x from 1 to k. With a for the ratio of neighbouring probabilities it is
//
//	(a^x + ... + a^k) / (1 + 2 (a + ... + a^k)) = a^(x-1) (1-a^(k+1-x)) a / (1 - a + 2a (1-a^k)),
//
// without a difference of nearly equal numbers.
func (t truncatedThreshold) upperTail(x int64) float64 {
	rate := t.noise.rate()
	a, gap := math.Exp(-rate), -math.Expm1(-rate)
	upTo := func(n int64) float64 { return -math.Expm1(-rate * float64(n)) } // 1 - a^n
	return math.Exp(-rate*float64(x-1)) * upTo(t.k+1-x) * a / (gap + 2*a*upTo(t.k))
}
