package sampling

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNewVariance(t *testing.T) {
	ratio := func(s string) *big.Rat {
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatal(s)
		}
		return r
	}
	for _, c := range []struct{ v, want string }{
		{"1", "1"},
		{"1/3", "357913942/1073741824"},                // rounded up, to 30 places
		{"1023.9999999999999", "1024"},                 // 40 bits are too few for 30 places
		{"1024.00000000001", "549755813889/536870912"}, // 29 places
		{"1e-30", "1/256"},                             // the least
		{"1/256", "1/256"},                             //
		{"0.00390625001", "4194305/1073741824"},        // just above the least
		{"549755813887.75", "549755813888"},            // 39 bits and two places
		{"549755813887.5", "549755813887.5"},           // 40 bits: one place
		{"1099511627774.1", "1099511627775"},           // 40 bits: none
		{"1099511627775", "1099511627775"},             // the most
		{"1099511627775.0000001", ""}, {"1099511627776", ""}, {"1e300", ""}, {"0", ""}, {"-1", ""}, {"-1e-30", ""}, {"-1e300", ""},
	} {
		v, err := NewVariance(ratio(c.v))
		switch {
		case c.want == "":
			if err == nil || v != (Variance{}) {
				t.Errorf("%s: %v, want an error", c.v, v.Rat())
			}
		case err != nil:
			t.Errorf("%s: %v", c.v, err)
		case v.Rat().Cmp(ratio(c.want)) != 0:
			t.Errorf("%s: %v, want %s", c.v, v.Rat(), c.want)
		}
	}
}

// The one before in the same places is less than what was asked for, and there is no other representable one between.
func TestNewVarianceIsTheSmallest(t *testing.T) {
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	for range 20_000 {
		want := new(big.Rat).SetFloat64(math.Ldexp(1+random.Float64(), random.IntN(47)-8))
		v, err := NewVariance(want)
		if err != nil {
			t.Fatal(err)
		}
		if v.Rat().Cmp(want) < 0 || v.numerator >= 1<<40 || v.shift > 30 {
			t.Fatalf("%v for %v", v, want)
		}
		if v.shift < 30 && v.numerator < 1<<39 {
			t.Fatalf("%v has places to spare", v)
		}
		if before := (Variance{v.numerator - 1, v.shift}); before.Rat().Cmp(want) >= 0 {
			t.Fatalf("%v for %v, which %v would do for", v, want, before)
		}
		if exact, _ := v.Rat().Float64(); v.Float() != exact {
			t.Fatalf("%v: %v as a float", v, v.Float())
		}
	}
}

func TestGaussianRejectsNoVariance(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewBits(seeded(1)).Gaussian(Variance{})
}

func TestScaleOfTheProposal(t *testing.T) {
	for _, c := range []struct {
		v    Variance
		want uint64
	}{
		{Variance{1 << 22, 30}, 1}, {Variance{1<<30 - 1, 30}, 1}, {Variance{1 << 30, 30}, 2}, {Variance{4<<30 - 1, 30}, 2}, {Variance{4, 0}, 3},
		{Variance{1<<40 - 1, 0}, 1 << 20}, {Variance{(1<<20 - 1) * (1<<20 - 1), 0}, 1 << 20}, {Variance{(1<<20-1)*(1<<20-1) - 1, 0}, 1<<20 - 1},
	} {
		if got := NewBits(seeded(1)).Gaussian(c.v).t; got != c.want {
			t.Errorf("%v: t = %d, want %d", c.v, got, c.want)
		}
	}
}

// gOf is the exponent by its definition, apart from the arithmetic under test.
func gOf(g *Gaussian, x *big.Rat) *big.Rat {
	integer := func(n uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(n)) }
	square, t, y := (Variance{g.a, g.shift}).Rat(), integer(g.t), integer(g.y)
	twice := new(big.Rat).Add(square, square)
	if g.exact { // (y - sigma^2/t)^2/(2 sigma^2)
		d := new(big.Rat).Sub(y, new(big.Rat).Quo(square, t))
		return d.Quo(d.Mul(d, d), twice)
	}
	sum := new(big.Rat).Mul(x, x)
	sum.Quo(sum, twice)
	sum.Sub(sum, new(big.Rat).Quo(y, t))
	sum.Add(sum, new(big.Rat).Quo(square, new(big.Rat).Mul(integer(2), new(big.Rat).Mul(t, t))))
	return sum.Add(sum, new(big.Rat).Quo(integer(1), new(big.Rat).Mul(integer(2), t)))
}

// power is r 2^places.
func power(r *big.Rat, places uint) *big.Rat {
	return new(big.Rat).Mul(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), places)))
}

// fraction is n/2^places.
func fraction(n *big.Int, places uint) *big.Rat {
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), places))
}

// checkQuick reports a quick bound that is wrong, or too far from g to be of use.
func checkQuick(t *testing.T, g *Gaussian, offset uint64) {
	t.Helper()
	name := fmt.Sprintf("variance %d/2^%d, |y| = %d, offset %d", g.a, g.shift, g.y, offset)
	g.exact = true
	exact := power(gOf(g, nil), g.places)
	q := g.quickDiscrete()
	low, high := new(big.Rat).SetInt(new(big.Int).SetUint64(q.low)), new(big.Rat).SetInt(new(big.Int).SetUint64(q.high))
	if low.Cmp(exact) > 0 || exact.Cmp(high) >= 0 || q.high-q.low != 1 || q.low >= 1<<52 {
		t.Fatalf("%s, discrete: [%d, %d) for %s", name, q.low, q.high, exact.FloatString(3))
	}

	g.exact = false
	first := g.y<<20 + offset - 1<<19
	if g.y == 0 {
		first = offset >> 1
	}
	q = g.quickRounded(first)
	// g is increasing in x >= 0, and x is below its upper end.
	from := power(gOf(g, fraction(new(big.Int).SetUint64(first), 20)), g.places)
	to := power(gOf(g, fraction(new(big.Int).SetUint64(first+1), 20)), g.places)
	low.SetInt(new(big.Int).SetUint64(q.low))
	high.SetInt(new(big.Int).SetUint64(q.high))
	if from.Sign() < 0 {
		t.Fatalf("%s: g is negative: %s", name, from.FloatString(3))
	}
	width := new(big.Rat).Sub(to, from)
	width.Add(width, big.NewRat(5, 1)) // floors and one unit on each side
	if low.Cmp(from) > 0 || to.Cmp(high) > 0 || high.Sub(high, low).Cmp(width) > 0 || q.high >= 1<<53 {
		t.Fatalf("%s, rounded: [%d, %d) for [%s, %s)", name, q.low, q.high, from.FloatString(3), to.FloatString(3))
	}
}

// extremes are variances at the ends, and around the squares where t changes, with -short one in four of these.
func extremes() []Variance {
	all := []Variance{{1 << 22, 30}, {1<<22 + 1, 30}, {1<<40 - 1, 30}, {1 << 39, 30}, {1<<40 - 1, 0}, {1 << 39, 0}, {1<<40 - 1, 17}}
	tried := 0
	for _, root := range []uint64{1, 2, 3, 31, 32, 1000, 1<<20 - 1} {
		for shift := uint(0); shift <= 30; shift++ {
			for _, n := range []uint64{root*root<<shift - 1, root * root << shift, root*root<<shift + 1} {
				if tried++; testing.Short() && tried%4 != 0 {
					continue
				}
				if n < 1<<40 && n >= 1<<shift>>8 && n > 0 {
					all = append(all, Variance{n, shift})
				}
			}
		}
	}
	return all
}

func randomVariance(random *rand.Rand) Variance {
	shift := uint(random.IntN(31))
	n := random.Uint64N(1<<40) >> random.IntN(40)
	return Variance{max(n, 1, 1<<shift>>8), shift}
}

func TestQuickBounds(t *testing.T) {
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	for _, v := range extremes() {
		g := NewBits(seeded(1)).Gaussian(v)
		for _, y := range []uint64{0, 1, 2, g.t - 1, g.t, g.t + 1, 3 * g.t, 64*g.t - 1, random.Uint64N(64 * g.t)} {
			for _, offset := range []uint64{0, 1, 1<<19 - 1, 1 << 19, 1<<20 - 1, random.Uint64N(1 << 20)} {
				g.y = y
				checkQuick(t, g, offset)
			}
		}
	}
	tries := 20_000
	if testing.Short() {
		tries /= 4
	}
	for range tries {
		g := NewBits(seeded(1)).Gaussian(randomVariance(random))
		g.y = random.Uint64N(64*g.t) >> random.IntN(12)
		checkQuick(t, g, random.Uint64N(1<<20))
	}
}

// farValues are some |y| from 64 t on, up to the most that Geometric can return.
func farValues(g *Gaussian) []uint64 {
	return []uint64{64 * g.t, 64*g.t + 1, 100 * g.t, g.t << 16, g.t<<22 + 63*g.t}
}

func TestFarValuesHaveNoQuickBounds(t *testing.T) {
	for _, v := range extremes() {
		g := NewBits(seeded(1)).Gaussian(v)
		for _, g.y = range farValues(g) {
			if g.quickDiscrete() != open(32) || g.quickRounded(g.drawOffset()) != open(32) {
				t.Fatalf("%v, |y| = %d has quick bounds", v, g.y)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	random := rand.New(rand.NewChaCha8([32]byte{2}))
	for _, v := range append(extremes(), randomVariance(random), randomVariance(random)) {
		g := NewBits(seeded(1)).Gaussian(v)
		for _, g.y = range append(farValues(g), 0, 1, g.t, 10*g.t, 64*g.t-1) {
			for _, places := range []uint{3, 64, 96, 256} {
				g.bits.Start()
				g.exact = true
				exact := power(gOf(g, nil), places)
				low, high := g.bounds(places)
				if new(big.Rat).SetInt(low).Cmp(exact) > 0 || exact.Cmp(new(big.Rat).SetInt(high)) >= 0 || high.Sub(high, low).Cmp(big.NewInt(1)) != 0 {
					t.Fatalf("%v, |y| = %d, discrete, %d places: wrong bounds", v, g.y, places)
				}

				g.exact = false
				first := g.drawOffset()
				low, high = g.bounds(places)
				if began := new(big.Int).Rsh(&g.offset, g.drawn-20); began.Uint64() != first {
					t.Fatalf("%v, |y| = %d: the offset began with %d, and now with %d", v, g.y, first, began)
				}
				from := power(gOf(g, fraction(&g.offset, g.drawn)), places)
				to := power(gOf(g, fraction(new(big.Int).Add(&g.offset, big.NewInt(1)), g.drawn)), places)
				if new(big.Rat).SetInt(low).Cmp(from) > 0 || to.Cmp(new(big.Rat).SetInt(high)) > 0 {
					t.Fatalf("%v, |y| = %d, rounded, %d places: wrong bounds", v, g.y, places)
				}
				if high.Sub(high, low).Cmp(big.NewInt(2)) > 0 {
					t.Fatalf("%v, |y| = %d, rounded, %d places: bounds are %d apart", v, g.y, places, high)
				}
			}
		}
	}
}

// The whole part is that of a g computed apart, near and far.
func TestWholePart(t *testing.T) {
	for _, v := range extremes() {
		g := NewBits(seeded(1)).Gaussian(v)
		for _, g.y = range append(farValues(g), 0, 1, g.t, 10*g.t, 64*g.t-1) {
			for _, g.exact = range []bool{true, false} {
				g.bits.Start()
				g.drawOffset()
				got := g.bits.wholePart(g, 32)
				exact := gOf(g, fraction(&g.offset, g.drawn))
				if want := new(big.Int).Quo(exact.Num(), exact.Denom()); !want.IsUint64() || got != want.Uint64() || g.bits.err != nil {
					t.Fatalf("%v, |y| = %d, exact %v: %d, want %d (%v)", v, g.y, g.exact, got, want, g.bits.err)
				}
			}
		}
	}
}

// compare agrees with W and x of 1000 places. W begins as (g - whole)/k does, for up to 200 places, so that few places do not tell them apart.
func TestCompare(t *testing.T) {
	random := rand.New(rand.NewChaCha8([32]byte{3}))
	outcomes := map[bool]int{}
	tries := 5000
	if testing.Short() {
		tries /= 4
	}
	for i := range tries {
		// The places of x come from another source than those of W.
		g := NewBits(seeded(byte(i))).Gaussian(randomVariance(random))
		g.bits.Start()
		g.exact = i%2 == 0
		g.y = random.Uint64N(4*g.t + 1)
		if i%10 < 2 {
			g.y = random.Uint64N(200 * g.t)
		}
		g.drawOffset()
		whole, k := g.bits.wholePart(g, 32), 1+random.Uint64N(5)
		g.bounds(1000) // all of x
		share := gOf(g, fraction(&g.offset, g.drawn))
		share.Sub(share, new(big.Rat).SetInt(new(big.Int).SetUint64(whole)))
		ratio := power(new(big.Rat).Quo(share, new(big.Rat).SetInt(new(big.Int).SetUint64(k))), 1024)
		w := new(big.Int).Quo(ratio.Num(), ratio.Denom())
		same := 32 + uint(random.IntN(170))
		w.Rsh(w, 1024-same)
		for range 1024 - same {
			w.Lsh(w, 1)
			w.SetBit(w, 0, uint(random.IntN(2)))
		}
		want := new(big.Rat).Mul(fraction(w, 1024), new(big.Rat).SetInt(new(big.Int).SetUint64(k))).Cmp(share) < 0

		// Forget x but for what is drawn at first, and W but for 32 places.
		again := NewBits(seeded(byte(i))).Gaussian(Variance{g.a, g.shift})
		again.bits.Start()
		again.y, again.exact = g.y, g.exact
		again.drawOffset()
		b := NewBits(wordsOf(w))
		b.Start()
		c := comparison{w: b.Take(32), k: k, whole: whole, places: 32}
		if got := b.compare(again, c); got != want || b.err != nil {
			t.Fatalf("%v, |y| = %d, exact %v, k = %d, %d places alike: %v, want %v (%v)", Variance{g.a, g.shift}, g.y, g.exact, k, same, got, want, b.err)
		}
		outcomes[want]++
	}
	if outcomes[true] < tries/10 || outcomes[false] < tries/10 {
		t.Errorf("outcomes %v", outcomes)
	}
}

// wordsOf are the 1024 places of w as Take(32) deals them out: the first places are in the low half of the first word.
func wordsOf(w *big.Int) io.Reader {
	digits := w.FillBytes(make([]byte, 128)) // big-endian
	for i := 0; i < len(digits); i += 4 {
		digits[i], digits[i+1], digits[i+2], digits[i+3] = digits[i+3], digits[i+2], digits[i+1], digits[i]
	}
	return strings.NewReader(string(digits))
}

// What is taken at once does not matter: bounds that leave everything open give the same distribution as close ones..
func TestOpenBoundsExactly(t *testing.T) {
	v, err := NewVariance(big.NewRat(1, 1)) // t = 2, g = (y - 1/2)^2/2
	if err != nil {
		t.Fatal(err)
	}
	for y, g := range []float64{1. / 8, 1. / 8, 9. / 8, 25. / 8} {
		for _, places := range []uint{1, 2, 3} {
			checkShare(t, fmt.Sprintf("y = %d, %d places", y, places), math.Exp(-g), 16, func(b *Bits) bool {
				b.Start()
				gaussian := b.Gaussian(v)
				gaussian.y, gaussian.exact = uint64(y), true
				return b.bernoulliExpOf(gaussian, open(places))
			})
		}
	}
}
