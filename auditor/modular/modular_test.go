package modular

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// The operations agree with big integers, at the ends of the range and at random.
func TestOperations(t *testing.T) {
	prime := big.NewInt(Prime)
	rng := rand.New(rand.NewPCG(1, 2))
	values := []uint64{0, 1, 2, Prime / 2, Prime/2 + 1, Prime - 2, Prime - 1}
	for range 200 {
		values = append(values, rng.Uint64N(Prime))
	}
	for _, a := range values {
		x := new(big.Int).SetUint64(a)
		for _, b := range values {
			y := new(big.Int).SetUint64(b)
			sum, product := new(big.Int).Add(x, y), new(big.Int).Mul(x, y)
			if got := add(a, b); got != sum.Mod(sum, prime).Uint64() {
				t.Fatalf("%d + %d = %d", a, b, got)
			}
			if got := multiply(a, b); got != product.Mod(product, prime).Uint64() {
				t.Fatalf("%d * %d = %d", a, b, got)
			}
		}
		if a != 0 && multiply(a, inverse(a)) != 1 {
			t.Fatalf("1 / %d = %d", a, inverse(a))
		}
		if residue(centred(a)) != a {
			t.Fatalf("%d is centred at %d", a, centred(a))
		}
	}
	for _, x := range []int{-1, 5, -Prime, 3 - 2*Prime, 1<<62 + 9} {
		want := new(big.Int).Mod(big.NewInt(int64(x)), prime).Uint64()
		if got := residue(x); got != want {
			t.Errorf("%d modulo the prime is %d, not %d", x, got, want)
		}
	}
}
