package homogeneity

import "math"

// This file has the papers' formulas as they are printed, for one cell: those that are wrong, to show what they give. Nothing else uses
// them; the right forms are in package risk, and its tests named TestErratum compare both with enumerations.

// labelStays is F0, the probability that Laplace noise leaves an empty label empty.
func labelStays(epsilon float64) float64 { return 1 - math.Exp(-epsilon/2)/2 }

// recordsStay is the probability that a label of n records survives Laplace noise.
func recordsStay(n, epsilon float64) float64 { return 1 - math.Exp((0.5-n)*epsilon)/2 }

// twoLabels is the factor of scenario 8 in equations 13 to 17: e^(-0.5ε) + e^((1.5-n)ε) - e^((1-n)ε). Half of it, times F0^(K-2), is the risk of n-1 records of one
// label and one of another.
func twoLabels(n, epsilon float64) float64 {
	return math.Exp(-0.5*epsilon) + math.Exp((1.5-n)*epsilon) - math.Exp((1-n)*epsilon)
}

// scenario8 is what equations 13 to 17 mean by their bound of a heterogeneous cell.
func scenario8(labels int, n, epsilon float64) float64 {
	return math.Pow(labelStays(epsilon), float64(labels-2)) * twoLabels(n, epsilon) / 2
}

// printed13 is equation 13: F0^(K-1) multiplies both terms.
func printed13(labels int, n, epsilon float64, homogeneous bool) float64 {
	first := math.Pow(labelStays(epsilon), float64(labels-1))
	if homogeneous {
		return first * recordsStay(n, epsilon)
	}
	return first * scenario8(labels, n, epsilon)
}

// meant13 is equation 13 as it was meant, and as the authors' code has it: F0^(K-1) belongs to the first term alone.
func meant13(labels int, n, epsilon float64, homogeneous bool) float64 {
	if homogeneous {
		return printed13(labels, n, epsilon, true)
	}
	return scenario8(labels, n, epsilon)
}

// meant14 is equation 14, with the probabilities of the labels.
func meant14(p []float64, n, epsilon float64) float64 {
	same := 0.0
	for _, pk := range p {
		same += math.Pow(pk, n)
	}
	return same*meant13(len(p), n, epsilon, true) + (1-same)*scenario8(len(p), n, epsilon)
}

// plotted14 is what the 2023 paper plots of a cell as its expected risk.
func plotted14(counts []int64, labels int, epsilon float64) float64 {
	n := 0.0
	for _, c := range counts {
		n += float64(c)
	}
	p := make([]float64, labels)
	for k, c := range counts {
		p[k] = float64(c) / n
	}
	if n == 1 {
		return meant13(labels, 1, epsilon, true)
	}
	return meant14(p, n, epsilon)
}

// sameLabel is A_i, the probability that n records with a Dirichlet prior have one label.
func sameLabel(alpha []float64, n float64) float64 {
	total, a := 0.0, 0.0
	for _, x := range alpha {
		total += x
	}
	for _, x := range alpha {
		a += math.Exp(logGamma(total) + logGamma(x+n) - logGamma(total+n) - logGamma(x))
	}
	return a
}

func logGamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// meant15 is equation 15.
func meant15(alpha []float64, n, epsilon float64) float64 {
	a := sameLabel(alpha, n)
	return a*meant13(len(alpha), n, epsilon, true) + (1-a)*scenario8(len(alpha), n, epsilon)
}

// printed16 is equation 16 for one homogeneous cell of two labels and sizes from a Poisson distribution: f(n) at the observed n, where there should be a sum
// over n.
func printed16(n, mean, epsilon float64) float64 {
	return labelStays(epsilon) * poisson(n, mean) * recordsStay(n, epsilon)
}

func poisson(n, mean float64) float64 { return math.Exp(n*math.Log(mean) - mean - logGamma(n+1)) }

// printed19 is equation 19 for one cell: the shrinkage risk of equation 15 without its second term.
func printed19(alpha []float64, n, epsilon float64) float64 {
	return sameLabel(alpha, n) * printed13(len(alpha), n, epsilon, true)
}

// printed21 is equation 21 with sizes from a Poisson distribution that is not truncated.
func printed21(alpha []float64, mean, epsilon float64) float64 {
	sum := 0.0
	for n := 1.0; n < 200; n++ {
		sum += poisson(n, mean) * printed19(alpha, n, epsilon)
	}
	return sum
}

// gaussianFactor is 1 + erf(x/(sqrt(2) sigma)), twice the probability that Gaussian noise is below x.
func gaussianFactor(x, sigma float64) float64 { return 1 + math.Erf(x/(math.Sqrt2*sigma)) }

// printed22 is equation 22 for a heterogeneous cell: (1+erf)^(K-1) multiplies both terms.
func printed22(labels int, n, sigma float64) float64 {
	empty := gaussianFactor(0.5, sigma)
	e := gaussianFactor(n-1.5, sigma)*gaussianFactor(-0.5, sigma) + gaussianFactor(1.5-n, sigma)*empty
	return math.Pow(empty, float64(2*labels-3)) * e / math.Pow(2, float64(labels))
}

// printed28 is equation 28 for one cell of two labels: it divides by 4 B(α1, α2), where there should be 2^K.
func printed28(alpha1, alpha2, n, sigma float64) float64 {
	beta := math.Exp(logGamma(alpha1) + logGamma(alpha2) - logGamma(alpha1+alpha2))
	return gaussianFactor(0.5, sigma) * sameLabel([]float64{alpha1, alpha2}, n) * gaussianFactor(n-0.5, sigma) / (4 * beta)
}

// printedS1 is equation S1 for a heterogeneous cell: F0 multiplies both terms, and the second lacks its factor of 1/2.
func printedS1(n, epsilon float64) float64 { return labelStays(epsilon) * twoLabels(n, epsilon) }

// printed36 is corollary 3.6 of the 2021 paper for sizes from a Poisson distribution: its sum begins at a size of 0, where the formula for the tail of the noise does not
// hold.
func printed36(alpha, beta, mean, epsilon float64) float64 {
	sum := 0.0
	for n := 0.0; n < 200; n++ {
		sum += poisson(n, mean) * recordsStay(n, epsilon) * sameLabel([]float64{alpha, beta}, n)
	}
	return labelStays(epsilon) * sum
}

// printedNegativeBinomial is what the 2021 paper's negative binomial probabilities sum to: they have n+λ+1 over n, where n+λ-1 is right.
func printedNegativeBinomial(lambda, r float64) float64 {
	sum := 0.0
	for n := 0.0; n < 2_000; n++ {
		sum += math.Exp(logGamma(n+lambda+2) - logGamma(n+1) - logGamma(lambda+2) + n*math.Log1p(-r) + lambda*math.Log(r))
	}
	return sum
}
