package risk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomCell are the counts of a cell with a record at least, of few or many records.
func randomCell(random *rand.Rand, labels int) []int64 {
	counts := make([]int64, labels)
	for sum := int64(0); sum == 0; {
		most := int64(math.Exp(6 * random.Float64()))
		for k := range counts {
			counts[k] = 0
			if random.IntN(3) > 0 {
				counts[k] = random.Int64N(most + 1)
			}
			sum += counts[k]
		}
	}
	return counts
}

func occurring(counts []int64) (m int) {
	for _, count := range counts {
		if count > 0 {
			m++
		}
	}
	return m
}

// What holds of the local risk of every cell and noise.
func TestLocalProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	for range 300 {
		labels := 1 + random.IntN(6)
		counts := randomCell(random, labels)
		for _, l := range lawsOf(t, math.Exp(9*random.Float64()-5)) {
			s := l.law.Survival()
			event, records := Local(s, Event, labels, counts), Local(s, Records, labels, counts)
			if !(event >= 0 && event <= 1+1e-15 && records >= 0 && records <= event*(1+1e-15)) {
				t.Fatalf("%s, %v: event %v, records %v", l.name, counts, event, records)
			}
			if want := byProducts(s, Event, counts); !near(event, want, 1e-12) {
				t.Errorf("%s, %v: event %v, by products %v", l.name, counts, event, want)
			}
			if want := byProducts(s, Records, counts); !near(records, want, 1e-12) {
				t.Errorf("%s, %v: records %v, by products %v", l.name, counts, records, want)
			}
			if occurring(counts) == 1 && event != records {
				t.Errorf("%s, %v: versions of a homogeneous cell differ: %v, %v", l.name, counts, event, records)
			}
			if occurring(counts) == 1 && event < math.Pow(0.5, float64(labels)) {
				t.Errorf("%s, %v: a homogeneous cell's risk of %v is below 2^-K", l.name, counts, event)
			}
		}
	}
}

// Of homogeneous cells, more epsilon is more risk, and larger cells have more.
func TestHomogeneousRiskGrows(t *testing.T) {
	for labels := 1; labels <= 5; labels++ {
		for n := int64(1); n <= 64; n *= 2 {
			before := make(map[int]float64)
			for epsilon := 0.01; epsilon < 60; epsilon *= 1.3 {
				for i, l := range lawsOf(t, epsilon) {
					risk := Local(l.law.Survival(), Event, labels, []int64{n})
					if risk < before[i] {
						t.Errorf("%s, K %d, n %d: the risk falls from %v to %v", l.name, labels, n, before[i], risk)
					}
					if larger := Local(l.law.Survival(), Event, labels, []int64{n + 1}); larger < risk {
						t.Errorf("%s, K %d: n %d has risk %v, and one more %v", l.name, labels, n, risk, larger)
					}
					before[i] = risk
				}
			}
		}
	}
}

// Of heterogeneous cells, the risk may fall as epsilon grows: what Largest has to reckon with.
func TestHeterogeneousRiskRisesAndFalls(t *testing.T) {
	at := func(epsilon float64) float64 { return Local(laplace(epsilon), Event, 10, []int64{9, 1}) }
	if low, middle, high := at(0.01), at(1.5), at(9); !(low < middle && high < middle) {
		t.Errorf("risk is %v, %v and %v", low, middle, high)
	}
}

// Much noise brings every cell to m 2^-K, or 2^-K of its records, and little brings homogeneous cells to 1 and others to 0.
func TestLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 4))
	for range 100 {
		labels := 1 + random.IntN(6)
		counts := randomCell(random, labels)
		m := occurring(counts)
		floor := math.Pow(0.5, float64(labels))
		if got := Local(AllNoise, Event, labels, counts); got != float64(m)*floor {
			t.Errorf("%v: event tends to %v, want %d 2^-%d", counts, got, m, labels)
		}
		if got := Local(AllNoise, Records, labels, counts); !near(got, floor, 1e-14) {
			t.Errorf("%v: records tend to %v, want 2^-%d", counts, got, labels)
		}
		top := 0.0
		if m == 1 {
			top = 1
		}
		for _, v := range Versions {
			if got := Local(NoNoise, v, labels, counts); got != top {
				t.Errorf("%v: %s tends to %v, want %v", counts, v, got, top)
			}
			for _, l := range lawsOf(t, 1e-7) {
				if got, want := Local(l.law.Survival(), v, labels, counts), Local(AllNoise, v, labels, counts); math.Abs(got-want) > 1e-3 {
					t.Errorf("%s, %v, %s: %v, near to its limit %v", l.name, counts, v, got, want)
				}
			}
			for _, l := range lawsOf(t, 200) {
				if got := Local(l.law.Survival(), v, labels, counts); math.Abs(got-top) > 1e-9 {
					t.Errorf("%s, %v, %s: %v, near to its limit %v", l.name, counts, v, got, top)
				}
			}
		}
	}
}

// A hundred large counts underflow in every product but are no trouble, and nothing becomes NaN.
func TestLargeCells(t *testing.T) {
	counts := make([]int64, 100)
	for k := range counts {
		counts[k] = 1_000_000
	}
	for _, epsilon := range []float64{1e-9, 1e-3, 1, 100} {
		for _, l := range lawsOf(t, epsilon) {
			for _, v := range Versions {
				if got := Local(l.law.Survival(), v, 100, counts); !(got >= 0 && got < 1e-20) {
					t.Errorf("%s: %v", l.name, got)
				}
				if got := Local(l.law.Survival(), v, 1, []int64{math.MaxInt64 / 2}); !(got >= 0.5) {
					t.Errorf("%s, the largest cell: %v", l.name, got)
				}
			}
		}
	}
}
