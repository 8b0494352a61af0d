package posterior

import (
	"errors"
	"fmt"
	"math/big"
	"testing"
)

// leastPeople are the least people of one answer, and of a certificate, at some risks and values of epsilon, for the priors
// .5, .4, .3, .2, .1, .05, .02 and .01. They were computed by another program, which looked at every size up to some thousands of people and
// at a grid above.
var leastPeople = []struct {
	risk, epsilon  float64
	one, certified [8]int
}{
	{1e-2, .1, [8]int{679, 1010, 1564, 2668, 5980, 12668, 32668, 65910}, [8]int{836, 1254, 1951, 3345, 7526, 15893, 40971, 82816}},
	{1e-2, .2, [8]int{169, 255, 389, 671, 1517, 3184, 8202, 16653}, [8]int{209, 313, 487, 836, 1885, 3977, 10267, 20728}},
	{1e-2, .5, [8]int{26, 39, 63, 107, 247, 534, 1334, 2732}, [8]int{32, 49, 78, 135, 304, 642, 1660, 3344}},
	{1e-2, .8, [8]int{12, 16, 25, 42, 95, 212, 556, 1112}, [8]int{12, 19, 30, 53, 120, 257, 668, 1343}},
	{1e-3, .1, [8]int{1090, 1635, 2546, 4335, 9745, 20636, 53128, 107087}, [8]int{1262, 1894, 2948, 5053, 11374, 24024, 61968, 125171}},
	{1e-3, .2, [8]int{274, 411, 639, 1096, 2467, 5182, 13455, 27161}, [8]int{314, 473, 737, 1266, 2855, 6033, 15571, 31458}},
	{1e-3, .5, [8]int{42, 64, 103, 177, 407, 867, 2232, 4532}, [8]int{49, 74, 118, 205, 467, 993, 2567, 5196}},
	{1e-3, .8, [8]int{15, 24, 39, 73, 167, 356, 917, 1889}, [8]int{17, 29, 46, 82, 190, 405, 1059, 2131}},
	{1e-4, .1, [8]int{1530, 2271, 3543, 6096, 13673, 28871, 74341, 150816}, [8]int{1696, 2547, 3962, 6799, 15306, 32344, 83450, 168575}},
	{1e-4, .2, [8]int{379, 567, 889, 1534, 3439, 7281, 18781, 37881}, [8]int{422, 635, 992, 1708, 3851, 8145, 21022, 42484}},
	{1e-4, .5, [8]int{59, 89, 145, 254, 574, 1227, 3166, 6467}, [8]int{65, 100, 160, 279, 640, 1361, 3528, 7130}},
	{1e-4, .8, [8]int{23, 34, 58, 103, 239, 512, 1334, 2666}, [8]int{24, 39, 63, 114, 263, 562, 1459, 2960}},
}

// TestLeastPeople takes sizes up to 2000 as exact, and larger ones as found on a grid: at most 1 in 100 too small. Certificates of more than
// 10,000 people would take seconds.
func TestLeastPeople(t *testing.T) {
	for n, row := range leastPeople {
		for i, p := range []float64{.5, .4, .3, .2, .1, .05, .02, .01} {
			if testing.Short() && (i+n)%3 != 0 {
				continue
			}
			for _, c := range []struct {
				want      int
				certified bool
			}{{row.one[i], false}, {row.certified[i], true}} {
				if c.certified && c.want > 10_000 {
					continue
				}
				got, err := fewestPeople(need{Kind: within(1, p, row.epsilon), Sets: []ValueSet{True}, Risk: row.risk, Certified: c.certified})
				if err != nil {
					t.Fatal(err)
				}
				if got < c.want || c.want <= 2000 && got > c.want || float64(got) > 1.012*float64(c.want) {
					t.Errorf("%+v p=%v: %d people, not %d", row, p, got, c.want)
				}
			}
		}
	}
}

// TestLeastPeopleExactly decides the sizes where the grid and LeastPeople differ in rational arithmetic.
func TestLeastPeopleExactly(t *testing.T) {
	for _, c := range []struct {
		people, tenths int
		passes         bool
	}{{2285, 4, true}, {2284, 4, false}, {3546, 3, true}, {3545, 3, false}} {
		n, p := int64(c.people), int64(c.tenths)
		// Shares within 9/10 and 11/10 of the prior are safe; weights are C(n,v) p^v (10-p)^(n-v), of 10^n in all.
		weight := new(big.Int).Exp(big.NewInt(10-p), big.NewInt(n), nil)
		unsafe := new(big.Int)
		for v := range n + 1 {
			if 100*v < 9*p*n || 100*v > 11*p*n {
				unsafe.Add(unsafe, weight)
			}
			weight.Mul(weight, big.NewInt((n-v)*p))
			weight.Quo(weight, big.NewInt((v+1)*(10-p)))
		}
		unsafe.Mul(unsafe, big.NewInt(10_000))
		if passes := unsafe.Cmp(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)) <= 0; passes != c.passes {
			t.Errorf("%d people of prior .%d pass a risk of 1e-4: %v", c.people, c.tenths, passes)
		}
	}
}

func TestLeastPeopleOfVectors(t *testing.T) {
	for _, c := range []struct {
		prior   []float64
		epsilon float64
		want    int
	}{
		{[]float64{.4, .3, .2, .1}, .5, 407},
		{[]float64{.4, .3, .2, .1}, .2, 2467},
		{[]float64{.25, .25, .25, .25}, .5, 166},
		{[]float64{.25, .25, .25, .25}, .2, 1017},
		{[]float64{.6, .3, .08, .02}, .5, 2234},
	} {
		got, err := fewestPeople(need{Kind: withinEach(1, c.epsilon, c.prior...), Sets: []ValueSet{1, 2, 4, 8}, Risk: 1e-3, Insiders: 7})
		if err != nil || got < c.want+7 || float64(got) > 1.01*float64(c.want+7) {
			t.Errorf("%v: %d people, not %d, error %v", c.prior, got-7, c.want, err)
		}
	}
}

func TestLeastPeopleRefused(t *testing.T) {
	good := need{Kind: within(1, .3, .5), Sets: []ValueSet{True}, Risk: .01}
	for name, c := range map[string]struct {
		change func(*need)
		want   error
	}{
		"no risk":                 {func(n *need) { n.Risk = 0 }, errInvalid},
		"prior outside of limits": {func(n *need) { n.Kind.Limits = []Limit{{}, {.4, .5}} }, errInvalid},
		"shared rate":             {func(n *need) { n.Kind.Spread = .1 }, ErrTypes},
		"never enough":            {func(n *need) { n.Kind = within(1, 1e-7, 1e-3) }, ErrTooLarge},
	} {
		n := good
		c.change(&n)
		if got, err := fewestPeople(n); !errors.Is(err, c.want) {
			t.Error(name, fmt.Sprint(got), err)
		}
	}
}
