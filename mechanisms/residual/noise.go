package residual

import (
	"fmt"
	"math/big"

	"tacit/mechanisms/sampling"
)

// A noise draws a discrete Gaussian variable of any variance that is needed.
//
// A variance v that sampling.NewVariance takes is drawn as such. A larger one is drawn as Z = X + g Y. X has the variance V1 = 16 g^2, and Y has
// v2, with V2 = g^2 v2 >= V1 and V1 + V2 >= v. The distribution of Z is discrete Gaussian but for a factor that is hardly not 1:
//
//	P(Z = w) is proportional to the sum over y of exp(-(w - g y)^2/(2 V1) - (g y)^2/(2 V2))
//	         = exp(-w^2/(2(V1 + V2))) times the sum over y of exp(-(g y - m)^2/(2c)), c = V1 V2/(V1 + V2), m = w V2/(V1 + V2).
//
// By Poisson's summation formula the last sum is sqrt(2 pi c)/g times 1, and at most 2(q + q^4 + ...) more or less, q = exp(-2 pi^2 c/g^2). As
// c >= V1/2 = 8 g^2, q is below 3e-69. So each probability of Z is that of a discrete Gaussian of variance V1 + V2 times a factor within
// exp(+-1e-67). (Peikert 2010, "An efficient and parallel Gaussian sampler for lattices", Theorem 3.1, is the general form.)
//
// What it costs: let the likelihoods of all up to 2^47 components together be within exp(+-x) of the ideal ones, x = 1e-52. Then a Renyi divergence of order a is at most
// (2a - 1)x/(a - 1) above the ideal one, which is at most a rho. With b = 1e-10 that is (2 + 1/b)x < 1e-41 for a >= 1 + b. Divergences of smaller orders are
// at most that of order 1 + b, or rho(1 + b) + 1e-41. So the release is rho'-zCDP with rho' = rho(1 + b) + 1e-41, which roundingOfLoss covers for rho from
// leastRho on.
type noise struct {
	variance *big.Rat // V1 + V2
	fine     *sampling.Gaussian
	coarse   *sampling.Gaussian // of Y; nil if there is none
	step     int64              // g
}

// leastRho is the least rho that can be asked for.
var leastRho = big.NewRat(1, 1<<40)

// fineness is V1/g^2, and mostSteps the largest g, with which V1 is what can be drawn.
const (
	fineness  = 16
	mostSteps = 1 << 17
)

// newNoise makes noise of the least variance from v on that it can.
func newNoise(bits *sampling.Bits, v *big.Rat) (noise, error) {
	if variance, err := sampling.NewVariance(v); err == nil {
		return noise{variance: variance.Rat(), fine: bits.Gaussian(variance)}, nil
	}
	var n noise
	for n.step = 2; n.step <= mostSteps; n.step *= 2 {
		squared := big.NewRat(n.step*n.step, 1)
		rest := new(big.Rat).Quo(v, squared)
		coarse, problem := sampling.NewVariance(rest.Sub(rest, big.NewRat(fineness, 1)))
		if problem != nil {
			continue
		}
		first := new(big.Rat).Mul(squared, big.NewRat(fineness, 1))
		fine, problem := sampling.NewVariance(first)
		if problem != nil {
			return n, problem
		}
		n.fine, n.coarse = bits.Gaussian(fine), bits.Gaussian(coarse)
		n.variance = first.Add(first, squared.Mul(squared, coarse.Rat()))
		return n, nil
	}
	return n, fmt.Errorf("a variance of %s is too large to be drawn", v.FloatString(0))
}

// draw is modulo 2^64, which no sound source ever reaches.
func (n noise) draw(bits *sampling.Bits) int64 {
	bits.Start()
	z := n.fine.Discrete()
	if n.coarse != nil {
		bits.Start()
		z += n.step * n.coarse.Discrete()
	}
	return z
}

// float is the variance, rounded to nearest.
func (n noise) float() float64 {
	f, _ := n.variance.Float64()
	return f
}
