package law

import "math"

// A SharedRate is the number of people with a value who share a rate, drawn from a Beta distribution.
type SharedRate struct {
	people        float64
	concentration float64
	logs          []float64 // log probabilities from count from on
}

// Cumulants are the logarithm of a moment generating function, and its first three derivatives.
type Cumulants struct{ Log, Mean, Variance, Third float64 }

// maxSpreadPeople bounds the atoms that share a rate: each tilt sums over their counts.
const maxSpreadPeople = 100000

// NewSharedRate needs a Beta distribution without peaks at 0 and 1, because tails are bounded by the log-concavity of counts. It is nil for
// others, and for more people than a tilt may sum over.
func NewSharedRate(people int, rate, spread float64) *SharedRate {
	total := (1-rate)/(rate*spread*spread) - 1
	alpha, beta := rate*total, (1-rate)*total
	if !(alpha >= 1 && beta >= 1) || people > maxSpreadPeople {
		return nil
	}
	b := &SharedRate{people: float64(people), concentration: total, logs: make([]float64, people+1)}
	n := float64(people)
	for k := range people {
		x := float64(k)
		b.logs[k+1] = b.logs[k] + math.Log((n-x)/(x+1)*(alpha+x)/(beta+n-x-1))
	}
	b.normalise()
	return b
}

func (b *SharedRate) normalise() {
	peak := math.Inf(-1)
	for _, l := range b.logs {
		peak = max(peak, l)
	}
	sum := 0.0
	for _, l := range b.logs {
		sum += math.Exp(l - peak)
	}
	for k := range b.logs {
		b.logs[k] -= peak + math.Log(sum)
	}
}

// Tilt sums the law over all counts whose weight is within e^-60 of the largest.
func (b *SharedRate) Tilt(eta float64) Cumulants {
	peak := b.peak(eta)
	top := b.logs[peak] + eta*float64(peak)
	var s0, s1, s2, s3 float64
	add := func(k int) bool {
		l := b.logs[k] + eta*float64(k) - top
		if l < -60 {
			return false
		}
		w, x := math.Exp(l), float64(k-peak)
		s0 += w
		s1 += w * x
		s2 += w * x * x
		s3 += w * x * x * x
		return true
	}
	for k := peak; k < len(b.logs) && add(k); k++ {
	}
	for k := peak - 1; k >= 0 && add(k); k-- {
	}
	m, second, third := s1/s0, s2/s0, s3/s0
	return Cumulants{Log: top + math.Log(s0), Mean: m + float64(peak), Variance: second - m*m, Third: third - 3*m*second + 2*m*m*m}
}

// peak is the mode of the tilted law, which is log-concave: the last count whose step up from the one before does not lose.
func (b *SharedRate) peak(eta float64) int {
	low, high := 0, len(b.logs)-1
	for low < high {
		k := (low + high + 1) / 2
		if b.logs[k]-b.logs[k-1]+eta >= 0 {
			low = k
		} else {
			high = k - 1
		}
	}
	return low
}

// Thickness is the variance of as many independent people as have the shape of the law: more people than the concentration of the rate
// do not make it more normal.
func (b *SharedRate) Thickness(mean float64) float64 {
	p := mean / b.people
	return p * (1 - p) / (1/b.people + 1/b.concentration)
}
