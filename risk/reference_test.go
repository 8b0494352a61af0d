package risk

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"tacit/mechanisms"
	"tacit/policy"
)

// The tests of this file compare with independently computed numbers, R1 to R7 of the project's list, to all their digits.

// digits wants a number to agree with a reference value in all of its printed digits.
func digits(t *testing.T, what string, got float64, want string) {
	t.Helper()
	value, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	mantissa, exponent, _ := strings.Cut(want, "e")
	_, places, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent) // 0 if there is none
	if unit := math.Pow10(power - len(places)); !(math.Abs(got-value) <= 0.500001*unit) {
		t.Errorf("%s is %.12g, want %s", what, got, want)
	}
}

// must is for laws of valid parameters.
func must(law mechanisms.Law, err error) mechanisms.Survival {
	if err != nil {
		panic(err)
	}
	return law.Survival()
}

func laplace(epsilon float64) mechanisms.Survival { return must(mechanisms.LaplaceLaw(1 / epsilon)) }

func geometric(epsilon float64) mechanisms.Survival {
	return must(mechanisms.GeometricLaw(math.Exp(-epsilon)))
}

func TestReferenceLocal(t *testing.T) {
	r1 := []int64{4, 1, 0}
	digits(t, "R1, event", Local(laplace(0.5), Event, 3, r1), "0.249503042")
	digits(t, "R1, records", Local(laplace(0.5), Records, 3, r1), "0.180165894")
	digits(t, "R2, exact", Local(laplace(0.1), Event, 3, []int64{1, 1, 1}), "0.355862572")
	r3 := []int64{2, 1, 0}
	digits(t, "R3, event", Local(geometric(1), Event, 3, r3), "0.230036631")
	digits(t, "R3, records", Local(geometric(1), Records, 3, r3), "0.135732056")
	discrete := must(mechanisms.DiscreteGaussianLaw(math.Sqrt2))
	digits(t, "R4, event", Local(discrete, Event, 3, r3), "0.255288322")
	digits(t, "R4, records", Local(discrete, Records, 3, r3), "0.151116714")
}

func TestReferenceClassicGaussian(t *testing.T) {
	m, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Gaussian, Epsilon: 5e8, Delta: 1e13, Calibration: policy.ClassicCalibration, Adjacency: policy.AddRemove,
		Sensitivity: 1, PerCell: 1, Random: bytes.NewReader(nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	const sigma = 9.68961052521
	s, _ := m.Survival()
	digits(t, "R5, by the mechanism", Local(s, Event, 2, []int64{3, 0}), "0.313283081")
	digits(t, "R5, by its sigma", Local(must(mechanisms.GaussianLaw(sigma)), Event, 2, []int64{3, 0}), "0.313283081")
	// The law's variance is sigma^2 and that of rounding, 1/12.
	law, _ := m.Law()
	digits(t, "R5, sigma", math.Sqrt(law.Variance()-1./12), "9.68961053")
}

func TestReferenceExpected(t *testing.T) {
	p := []float64{0.5, 0.3, 0.2}
	digits(t, "R6", Expected(laplace(1), Event, p, 5), "0.127602418")
	digits(t, "R7, event", Expected(geometric(1), Event, p, 5), "0.116132096")
	digits(t, "R7, records", Expected(geometric(1), Records, p, 5), "0.0777104816")
}
