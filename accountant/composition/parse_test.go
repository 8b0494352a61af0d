package composition

import (
	"math"
	"testing"
)

func TestParseReadsWhatStringWrites(t *testing.T) {
	for text, want := range map[string]Term{
		"approximate epsilon=0.5":                             Approximate(5e8, 0),
		"approximate epsilon=0 delta=1e-6":                    Approximate(0, 1e12),
		"geometric epsilon=0.5 moves=1":                       geometric(5e8, 1),
		"laplace epsilon=1 moves=8 delta=2.5e-7":              {Noise: LaplaceNoise, Epsilon: 1e9, Moves: 8, Delta: 25e10},
		"gaussian variance=7/2 squared=2":                     {Noise: GaussianNoise, Variance: Ratio{7, 2}, Squared: 2},
		"gaussian variance=18446744073709551615 squared=1":    {Noise: GaussianNoise, Variance: Ratio{math.MaxUint64, 1}, Squared: 1},
		"discrete-gaussian variance=64 moves=2":               {Noise: DiscreteGaussianNoise, Variance: Ratio{64, 1}, Moves: 2, Squared: 2},
		"discrete-gaussian variance=64 squared=12 delta=1e-9": {Noise: DiscreteGaussianNoise, Variance: Ratio{64, 1}, Squared: 12, Delta: 1e9},
		"approximate epsilon=9223372036.854775807 delta=1":    Approximate(math.MaxInt64, 1e18),
	} {
		got, err := Parse(text)
		if err != nil || got != want || want.String() != text {
			t.Errorf("%q is read as %v, %v; %v is written %q", text, got, err, want, want.String())
		}
	}
}

func TestParseRefusesWhatStringDoesNotWrite(t *testing.T) {
	for _, text := range []string{
		"", "geometric", "geometric epsilon=0.5", "geometric moves=1 epsilon=0.5", "geometric epsilon=0.50 moves=1", "geometric epsilon=0.5 moves=01",
		"geometric epsilon=0.5 moves=0", "geometric epsilon=0 moves=1", "geometric epsilon=0.5 moves=-1", "geometric epsilon=0.5 moves=1099511627777",
		"geometric epsilon=0.5 moves=1 ", " geometric epsilon=0.5 moves=1", "geometric  epsilon=0.5 moves=1", "geometric epsilon=0.5 moves=1 delta=0",
		"geometric epsilon=0.5 moves=1 squared=1", "geometric epsilon=0.5 moves=1 moves=1", "Geometric epsilon=0.5 moves=1", "cauchy epsilon=1",
		"approximate epsilon=-1", "approximate epsilon=1 delta=2", "approximate epsilon=1 moves=1",
		"gaussian variance=14/4 squared=2", "gaussian variance=0 squared=1", "gaussian variance=1/0 squared=1", "gaussian variance=7/1 squared=1",
		"gaussian variance=3.5 squared=1", "gaussian variance=+3 squared=1", "gaussian variance=3 moves=1", "gaussian variance=3",
		"discrete-gaussian variance=3 moves=1 squared=1", "discrete-gaussian variance=3 moves=2 squared=3", "gaussian variance=1/2/3 squared=1",
	} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"approximate epsilon=0.5 delta=1e-6", "geometric epsilon=0.5 moves=2", "discrete-gaussian variance=7/2 moves=1", "gaussian variance=4 squared=9"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		term, err := Parse(text)
		switch {
		case err != nil && term != (Term{}):
			t.Errorf("%q: %v beside an error", text, term)
		case err == nil && (term.String() != text || !term.valid()):
			t.Errorf("%q is read as %v, which is written otherwise or invalid", text, term)
		}
	})
}
