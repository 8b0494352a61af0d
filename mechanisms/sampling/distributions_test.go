package sampling

import (
	"math"
	"math/big"

	"tacit/internal/battery"
)

// A form is a method of Bits or Gaussian with its distribution, computed in floating point.
type form struct {
	battery.Distribution
	draw func(*Bits) int64
}

// symmetric makes a distribution of its probabilities and upper tails for positive values.
func symmetric(pmf, upper func(int64) float64) battery.Distribution {
	return battery.Distribution{
		PMF: func(z int64) float64 { return pmf(max(z, -z)) },
		Upper: func(k int64) float64 {
			if k <= 0 {
				return 1 - upper(1-k)
			}
			return upper(k)
		},
	}
}

// laplaceForms are the untruncated ones.
func laplaceForms(s, t uint64) map[string]form {
	rate := float64(s) / float64(t)
	a := math.Exp(-rate)
	power := func(x float64) float64 { return math.Exp(-rate * x) }
	return map[string]form{
		"Geometric": {
			draw: func(b *Bits) int64 { b.Start(); return int64(b.Geometric(s, t)) },
			Distribution: battery.Distribution{
				PMF: func(z int64) float64 {
					if z < 0 {
						return 0
					}
					return power(float64(z)) * (1 - a)
				},
				Upper: func(k int64) float64 { return power(float64(max(0, k))) },
			},
		},
		"DiscreteLaplace": {
			draw:         func(b *Bits) int64 { return b.DiscreteLaplace(s, t) },
			Distribution: discreteLaplace(rate),
		},
		"RoundedLaplace": {
			draw: func(b *Bits) int64 { return b.RoundedLaplace(s, t) },
			Distribution: symmetric(func(z int64) float64 {
				if z == 0 {
					return 1 - power(0.5)
				}
				return (power(float64(z)-0.5) - power(float64(z)+0.5)) / 2
			}, func(k int64) float64 { return power(float64(k)-0.5) / 2 }),
		},
		"LaplaceFloor": {
			draw:         func(b *Bits) int64 { return b.LaplaceFloor(s, t) },
			Distribution: laplaceFloor(rate),
		},
	}
}

func discreteLaplace(rate float64) battery.Distribution {
	a := math.Exp(-rate)
	return symmetric(
		func(z int64) float64 { return (1 - a) / (1 + a) * math.Exp(-rate*float64(z)) },
		func(k int64) float64 { return math.Exp(-rate*float64(k)) / (1 + a) })
}

func laplaceFloor(rate float64) battery.Distribution {
	upper := func(k int64) float64 { // P(X >= k)
		if k >= 0 {
			return math.Exp(-rate*float64(k)) / 2
		}
		return 1 - math.Exp(rate*float64(k))/2
	}
	return battery.Distribution{Upper: upper, PMF: func(z int64) float64 {
		z = max(z, -1-z)
		return upper(z) - upper(z+1)
	}}
}

func truncated(s, t uint64, bound int64) form {
	return form{
		draw: func(b *Bits) int64 { return b.TruncatedDiscreteLaplace(s, t, bound) },
		Distribution: summed(bound, func(z int64) float64 {
			return math.Exp(-float64(s) / float64(t) * math.Abs(float64(z)))
		}),
	}
}

// summed is the distribution on -bound..bound with probabilities proportional to weight.
func summed(bound int64, weight func(int64) float64) battery.Distribution {
	upper := make([]float64, 2*bound+2) // upper[i] = P(Z >= i - bound), up to a factor
	for z := bound; z >= -bound; z-- {
		upper[z+bound] = upper[z+bound+1] + weight(z)
	}
	total := upper[0]
	return battery.Distribution{
		PMF: func(z int64) float64 {
			if z < -bound || z > bound {
				return 0
			}
			return weight(z) / total
		},
		Upper: func(k int64) float64 { return upper[max(-bound, min(bound+1, k))+bound] / total },
	}
}

// discreteGaussian leaves out what is beyond 40 sigma: less than exp(-800) of it.
func discreteGaussian(sigma float64) battery.Distribution {
	return summed(int64(40*sigma)+2, func(z int64) float64 { return math.Exp(-float64(z) * float64(z) / (2 * sigma * sigma)) })
}

// normalAbove is P(X > x) for a Gaussian.
func normalAbove(x, sigma float64) float64 { return math.Erfc(x/sigma/math.Sqrt2) / 2 }

func roundedGaussian(sigma float64) battery.Distribution {
	upper := func(k int64) float64 { return normalAbove(float64(k)-0.5, sigma) }
	return symmetric(func(z int64) float64 {
		if z == 0 {
			return math.Erf(0.5 / sigma / math.Sqrt2)
		}
		return upper(z) - upper(z+1)
	}, upper)
}

// gaussianFloor is the continuous Gaussian rounded down: what rounding on one side would give.
func gaussianFloor(sigma float64) battery.Distribution {
	upper := func(k int64) float64 { return normalAbove(float64(k), sigma) }
	return battery.Distribution{Upper: upper, PMF: func(z int64) float64 { z = max(z, -1-z); return upper(z) - upper(z+1) }}
}

// variance is that of a sigma: exactly, or the one above it.
func variance(sigma float64) Variance {
	s := new(big.Rat).SetFloat64(sigma)
	v, err := NewVariance(s.Mul(s, s))
	if err != nil {
		panic(err)
	}
	return v
}
