package disclosure

import (
	"math"
	"testing"

	"tacit/mechanisms"
)

// The reference values of discrete Gaussian noise of variance 4 at epsilon 0.5, and of Laplace noise of scale 2 at its own epsilon.
func TestDeltas(t *testing.T) {
	gaussian, err := gaussianLaw(4)
	if err != nil {
		t.Fatal(err)
	}
	laplace, err := mechanisms.LaplaceLaw(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		what      string
		got, want float64
	}{
		{"Gaussian, add-remove", oneCellDelta(gaussian, 0.5), 0.0540072237},
		{"Gaussian, replace-one", twoCellDelta(gaussian, 0.5), 0.120956509},
		{"Laplace, add-remove", oneCellDelta(laplace, 0.5), 0},
		{"Laplace, replace-one", twoCellDelta(laplace, 1), 0},
	} {
		if math.Abs(test.got-test.want) > 1e-9 {
			t.Errorf("%s: delta %.10g, want %.10g", test.what, test.got, test.want)
		}
	}
}

// The published variance 20/epsilon has the exact deltas of the errata, and the stated one has them, too.
func TestDeltasOfThePapersNoise(t *testing.T) {
	for i, want := range []struct{ run, stated float64 }{{1.25e-3, .015784}, {1.07e-4, .037969}, {8.6e-7, .096793}, {6.0e-11, .176249}} {
		for variance, delta := range map[float64]float64{runVariance(epsilons[i]): want.run, statedVariance(epsilons[i]): want.stated} {
			law, err := gaussianLaw(variance)
			if err != nil {
				t.Fatal(err)
			}
			if got := twoCellDelta(law, epsilons[i]); math.Abs(got-delta) > 0.005*delta {
				t.Errorf("variance %g, epsilon %g: delta %.4g, want %.4g", variance, epsilons[i], got, delta)
			}
		}
	}
}

// What sums over a law say of Laplace noise is what package mechanisms says in closed form.
func TestClampedLaw(t *testing.T) {
	cells := counted(t, 0, 1, 2, 5, 40, 3)
	s, err := cells.laplace("test", 1)
	if err != nil {
		t.Fatal(err)
	}
	law, err := mechanisms.LaplaceLaw(2)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range cells.counts {
		got, want := clamped(law, n), s.expect[i]
		if math.Abs(got.Bias-want.Bias) > 1e-9 || math.Abs(got.Variance-want.Variance) > 1e-9 {
			t.Errorf("count %d: bias %v and variance %v, want %v and %v", n, got.Bias, got.Variance, want.Bias, want.Variance)
		}
		for v := -1.0; v < 6; v++ {
			if got, want := got.Distribution(v), want.Distribution(v); math.Abs(got-want) > 1e-12 {
				t.Errorf("count %d: P(shown <= %v) is %v, want %v", n, v, got, want)
			}
		}
	}
}
