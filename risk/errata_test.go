package risk

import (
	"math"
	"testing"

	"tacit/mechanisms"
)

// The tests of this file hold the forms of Liu and Zhao 2023 ("printed") against exact values, for Laplace noise of scale 1/epsilon and
// Gaussian noise of sigma, both rounded. Nothing else uses the printed forms.

func gaussian(sigma float64) mechanisms.Survival { return must(mechanisms.GaussianLaw(sigma)) }

// f0 is F0, the probability that an empty label is shown as 0.
func f0(epsilon float64) float64 { return 1 - math.Exp(-epsilon/2)/2 }

// scenario1 is the first term of equation 13 for one cell: it is correct.
func scenario1(epsilon float64, labels int, n float64) float64 {
	return math.Pow(f0(epsilon), float64(labels-1)) * (1 - math.Exp((0.5-n)*epsilon)/2)
}

// bracket is e^(-0.5 epsilon) + e^((1.5-n) epsilon) - e^((1-n) epsilon).
func bracket(epsilon, n float64) float64 {
	return math.Exp(-epsilon/2) + math.Exp((1.5-n)*epsilon) - math.Exp((1-n)*epsilon)
}

// scenario8 is the second term of equation 14 for one cell, and that of equation 13 without the factor too many.
func scenario8(epsilon float64, labels int, n float64) float64 {
	return math.Pow(f0(epsilon), float64(labels-2)) * bracket(epsilon, n) / 2
}

// printed13 is the second term of equation 13 for one cell as printed.
func printed13(epsilon float64, labels int, n float64) float64 {
	return math.Pow(f0(epsilon), float64(labels-1)) * scenario8(epsilon, labels, n)
}

// printed14 is equation 14 for one cell.
func printed14(epsilon float64, p []float64, n float64) float64 {
	var alike float64
	for _, p := range p {
		alike += math.Pow(p, n)
	}
	return alike*scenario1(epsilon, len(p), n) + (1-alike)*scenario8(epsilon, len(p), n)
}

// uneven8 is E_i.
func uneven8(sigma, n float64) float64 {
	erf := func(x float64) float64 { return math.Erf(x / (math.Sqrt2 * sigma)) }
	return (1-erf(1.5-n))*(1+erf(-0.5)) + (1+erf(1.5-n))*(1+erf(0.5))
}

// gaussianFactor is (1 + erf(0.5/(sqrt2 sigma)))^power / 2^K.
func gaussianFactor(sigma float64, power, labels int) float64 {
	return math.Pow(1+math.Erf(0.5/(math.Sqrt2*sigma)), float64(power)) / math.Pow(2, float64(labels))
}

// The first terms of equations 13 to 15, 18 and 27 are exact for homogeneous cells.
func TestScenario1IsExact(t *testing.T) {
	for labels := 1; labels <= 5; labels++ {
		for n := int64(1); n < 40; n++ {
			for _, x := range []float64{0.01, 0.3, 1, 4} {
				if got, want := Local(laplace(x), Event, labels, []int64{n}), scenario1(x, labels, float64(n)); !near(got, want, 1e-12) {
					t.Errorf("K %d, n %d, epsilon %v: %v, want %v", labels, n, x, got, want)
				}
				want := gaussianFactor(x, labels-1, labels) * (1 + math.Erf((float64(n)-0.5)/(math.Sqrt2*x)))
				if got := Local(gaussian(x), Event, labels, []int64{n}); !near(got, want, 1e-12) {
					t.Errorf("K %d, n %d, sigma %v: %v, want %v", labels, n, x, got, want)
				}
			}
		}
	}
}

// The second terms are exact for counts of n-1 and 1, but not as equations 13, 22 and S1 print them.
func TestScenario8OfTwoLabels(t *testing.T) {
	for labels := 2; labels <= 5; labels++ {
		for n := int64(2); n < 40; n++ {
			for _, x := range []float64{0.01, 0.3, 1, 4} {
				cell, size := []int64{n - 1, 1}, float64(n)
				exact := Local(laplace(x), Event, labels, cell)
				if want := scenario8(x, labels, size); !near(exact, want, 1e-10) {
					t.Errorf("K %d, n %d, epsilon %v: %v, want %v", labels, n, x, exact, want)
				}
				if printed := printed13(x, labels, size); printed >= exact {
					t.Errorf("K %d, n %d, epsilon %v: equation 13 as printed has %v, which bounds %v", labels, n, x, printed, exact)
				}
				exact = Local(gaussian(x), Event, labels, cell)
				if want := gaussianFactor(x, labels-2, labels) * uneven8(x, size); !near(exact, want, 1e-10) {
					t.Errorf("K %d, n %d, sigma %v: %v, want %v", labels, n, x, exact, want)
				}
			}
		}
	}
	// Equation 22, K = 2, sigma = 0.5, n = 4.
	digits(t, "equation 22", gaussianFactor(0.5, 0, 2)*uneven8(0.5, 4), "0.158655")
	digits(t, "equation 22, printed", gaussianFactor(0.5, 1, 2)*uneven8(0.5, 4), "0.266968")
	digits(t, "equation 22, exact", Local(gaussian(0.5), Event, 2, []int64{3, 1}), "0.158655")
	// Equation S1, counts (3,1), epsilon = 1: F0 before the second term, and no 1/2 there.
	digits(t, "equation S1, exact", Local(laplace(1), Event, 2, []int64{3, 1}), "0.319414")
	digits(t, "equation S1, printed", f0(1)*bracket(1, 4), "0.445094")
}

// R2 and what the errata have of equations 13 to 15 for three labels: the paper's second term is below the risk.
func TestPrintedBoundFails(t *testing.T) {
	ones := []int64{1, 1, 1}
	digits(t, "R2, the paper's bound", scenario8(0.1, 3, 3), "0.260411477")
	bound, ok := HeterogeneousBound(laplace(0.1), Event, 3, 3)
	if !ok {
		t.Fatal("no bound")
	}
	digits(t, "R2, bound", bound, "0.355862572")
	exceeds := func(epsilon float64) bool { return Local(laplace(epsilon), Event, 3, ones) > scenario8(epsilon, 3, 3) }
	if !exceeds(0.01) || !exceeds(0.550989) || exceeds(0.550991) {
		t.Error("the paper's bound of (1,1,1) does not fail up to an epsilon of 0.550990")
	}
	// It holds for the record version.
	for epsilon := 0.01; epsilon < 5; epsilon *= 1.5 {
		if got := Local(laplace(epsilon), Records, 3, ones); got > scenario8(epsilon, 3, 3) {
			t.Errorf("epsilon %v: %v of the records, above the paper's bound", epsilon, got)
		}
	}

	p := []float64{0.5, 0.3, 0.2}
	digits(t, "R6, equation 14", printed14(1, p, 5), "0.224523158")
	digits(t, "equation 14, exact", Expected(laplace(0.2), Event, p, 4), "0.276610")
	digits(t, "equation 14, printed", printed14(0.2, p, 4), "0.260785")
	if got, want := Expected(laplace(0.7), Event, p, 1), printed14(0.7, p, 1); !near(got, want, 1e-12) {
		t.Errorf("of one record: %v, equation 14 has %v", got, want)
	}
}

// Equation 14 with the right second term is what ExpectedBound has.
func TestExpectedBoundIsEquation14(t *testing.T) {
	table := mustTable(t, 2, [][]int64{{3, 1}})
	for _, epsilon := range []float64{0.1, 1, 3} {
		bound, ok := table.ExpectedBound(laplace(epsilon), Event)
		if want := printed14(epsilon, []float64{0.75, 0.25}, 4); !ok || !near(bound.Weighted, want, 1e-12) {
			t.Errorf("epsilon %v: %v, want %v", epsilon, bound, want)
		}
	}
}

// The asymptotes that the paper shows for the bankruptcy subset, 0.16 and 0.18, are those of the corrected equation 13: of 78 cells, 54 are
// homogeneous, and hold 142 of 250 records.
func TestBankruptcyAsymptotes(t *testing.T) {
	asymptote := func(second func(epsilon float64, labels int, n float64) float64) Average {
		const none = 1e-12
		homogeneous, other := scenario1(none, 3, 2), second(none, 3, 2)
		return Average{Unweighted: (54*homogeneous + 24*other) / 78, Weighted: (142*homogeneous + 108*other) / 250}
	}
	correct, printed := asymptote(scenario8), asymptote(printed13)
	digits(t, "unweighted", correct.Unweighted, "0.1635")
	digits(t, "weighted", correct.Weighted, "0.1790")
	digits(t, "unweighted, printed", printed.Unweighted, "0.1058")
	digits(t, "weighted, printed", printed.Weighted, "0.0980")
}

// What the paper's text says of the terms: 0.985, 0.959 and 0.888 for n of 4, 3 and 2 are at epsilon = 1 (and above them at more), and the
// bracket falls with epsilon.
func TestTermsOfTheText(t *testing.T) {
	for n, want := range map[float64]string{4: "0.9849", 3: "0.9590", 2: "0.8884"} {
		digits(t, "1 - e^(0.5-n)/2", 1-math.Exp(0.5-n)/2, want)
		before := math.Inf(1)
		for epsilon := 0.01; epsilon < 20; epsilon *= 1.1 {
			now := bracket(epsilon, n)
			if now > before {
				t.Errorf("n %v: the bracket grows at epsilon %v", n, epsilon)
			}
			before = now
		}
	}
}

// Corollaries 2 and 4: all cells homogeneous, the average is between 2^-K and 1.
func TestRangeOfHomogeneousTables(t *testing.T) {
	table := mustTable(t, 2, [][]int64{{1, 0}, {0, 7}, {2, 0}})
	for epsilon := 1e-6; epsilon < 6; epsilon *= 2 {
		for _, l := range lawsOf(t, epsilon) {
			got := table.Local(l.law.Survival(), Event)
			if !(got.Unweighted > 0.25 && got.Unweighted < 1 && got.Weighted > 0.25 && got.Weighted < 1) {
				t.Errorf("%s: %v", l.name, got)
			}
		}
	}
}
