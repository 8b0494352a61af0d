package posterior

import (
	"math"
	"math/rand/v2"
	"testing"

	"tacit/auditor/posterior/internal/law"
)

// A tilted count is binomial with the shifted logit of its prior, or has a shared rate. The population's means, variances and third cumulants are
// those, and its moment generating function is the product of theirs, wherever it was tilted to before.
func TestTilt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := drawn(r, []int{4, 5}, margins(4, 5))
	for a := range s.Atoms {
		if a%3 == 1 {
			s.Atoms[a].Spread = 0.02
		}
	}
	k, err := s.known()
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := k.pieces()
	if err != nil || len(pieces) != 1 {
		t.Fatal(len(pieces), err)
	}
	tilting, _, _, err := pieces[0].tilting()
	if err != nil {
		t.Fatal(err)
	}
	b := tilting.population.(*booleanPopulation)
	for range 20 {
		multipliers := make([]float64, len(tilting.multipliers))
		for i := range multipliers {
			multipliers[i] = r.NormFloat64()
		}
		b.tilt(multipliers)
		log := 0.0
		for a := range b.people {
			eta := 0.0
			if i := b.first[a]; i >= 0 {
				eta += multipliers[i]
			}
			for _, j := range b.other[b.start[a]:b.start[a+1]] {
				eta += multipliers[b.family+int(j)]
			}
			atom := &s.Atoms[pieces[0].atoms[a]]
			n, p := float64(atom.People), atom.Prior[1]
			q := p * math.Exp(eta) / (1 - p + p*math.Exp(eta))
			want := law.Cumulants{Log: n * math.Log(1-p+p*math.Exp(eta)), Mean: n * q, Variance: n * q * (1 - q), Third: n * q * (1 - q) * (1 - 2*q)}
			if atom.Spread > 0 {
				want = law.NewSharedRate(atom.People, p, atom.Spread).Tilt(eta)
			}
			log += want.Log
			for _, pair := range [][2]float64{{b.means[a], want.Mean}, {b.vari[a], want.Variance}, {b.third[a], want.Third}} {
				if math.Abs(pair[0]-pair[1]) > 1e-9*n {
					t.Fatalf("atom %d: %g, not %g", a, pair[0], pair[1])
				}
			}
		}
		if got := b.logMoment(); math.Abs(got-log) > 1e-9*math.Abs(log) {
			t.Fatalf("the moment generating function is e^%g, not e^%g", got, log)
		}
	}
}

// The tilt of a sum has the mean of the tilted laws near the sum, those of shared rates among them.
func TestSolvedTiltsMeetTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var parts []part
		people := 0
		for range 1 + r.IntN(4) {
			rate := 0.05 + 0.9*r.Float64()
			p := part{people: 1 + r.IntN(60), odds: rate / (1 - rate), rate: rate}
			if r.IntN(2) == 0 {
				p.shared = 1 + 20*r.Float64()
			}
			people += p.people
			parts = append(parts, p)
		}
		if people < 2 {
			continue
		}
		sum := 1 + r.IntN(people-1)
		tilt, err := solve(parts, sum)
		if err != nil {
			t.Fatal(err)
		}
		var mean, variance float64
		for i := range parts {
			w := parts[i].window(tilt)
			m := w.Mean()
			mean += m
			for k, x := range w.Mass {
				d := float64(w.First+k) - m
				variance += x * d * d
			}
		}
		if gap := float64(sum) - mean; math.Abs(gap) > 0.0101*math.Sqrt(variance) {
			t.Errorf("%+v: the mean under the tilt %g of the sum %d is %g, of variance %g", parts, tilt, sum, mean, variance)
		}
	}
}
