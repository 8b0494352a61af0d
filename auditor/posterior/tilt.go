package posterior

import (
	"fmt"
	"math"
)

// maxShared bounds the people who share rates in a tilt: each step of the solution walks over them.
const maxShared = 1_000_000

// tilted is the mean and the variance of how many people of the parts are in the class under a tilt.
func tilted(parts []part, tilt float64) (mean, variance float64) {
	for i := range parts {
		p := &parts[i]
		if p.shared > 0 {
			m, v := p.moments(tilt)
			mean, variance = mean+m, variance+v
			continue
		}
		x := p.odds * math.Exp(tilt)
		rate := x / (1 + x)
		mean += float64(p.people) * rate
		variance += float64(p.people) * rate / (1 + x)
	}
	return mean, variance
}

// moments are those of a part whose law has no closed form.
func (p *part) moments(tilt float64) (mean, variance float64) {
	w := p.window(tilt)
	mean = w.Mean()
	for i, x := range w.Mass {
		d := float64(w.First+i) - mean
		variance += x * d * d
	}
	return mean, variance
}

// solve is a tilt under which the mean is close to the known sum, which lies strictly between 0 and all people: Newton's method on a
// function that rises, held inside a bracket. Conditional laws given the sum do not depend on the tilt, but only a tilted law has its
// weight where the sum is. It need not be exact.
func solve(parts []part, sum int) (float64, error) {
	shared := 0
	for i := range parts {
		if parts[i].shared > 0 {
			shared += parts[i].people
		}
	}
	if shared > maxShared {
		return 0, fmt.Errorf("%w: a tilt of %d people who share rates", ErrTooLarge, shared)
	}
	low, high := -1.0, 1.0
	for mean, _ := tilted(parts, low); mean > float64(sum) && low > -600; mean, _ = tilted(parts, low) {
		low *= 2
	}
	for mean, _ := tilted(parts, high); mean < float64(sum) && high < 600; mean, _ = tilted(parts, high) {
		high *= 2
	}
	x := min(max(0, low), high)
	for range 60 {
		mean, variance := tilted(parts, x)
		gap := float64(sum) - mean
		if math.Abs(gap) <= 0.01*math.Sqrt(variance) {
			break
		}
		if gap > 0 {
			low = x
		} else {
			high = x
		}
		if x += gap / variance; !(x > low && x < high) {
			x = (low + high) / 2
		}
	}
	return x, nil
}
