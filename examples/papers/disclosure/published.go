package disclosure

import (
	"math"

	"tacit/mechanisms/microdata"
	"tacit/policy"
)

// The papers' mechanisms, as their tables name them.
const (
	laplaceName     = "Laplace"
	gaussianName    = "Discrete Gaussian"
	suppressionName = "DP Suppression"
	swappingName    = "DP Swapping"
	anonymityName   = "DP k-anonymity"
)

// A published mechanism has a figure for each of epsilons.
type published struct {
	l1, alpha []string
	variance  []string // only of Das et al. 2024
}

// zhu are Tables 1 to 3 of Zhu et al. 2023, by excerpt and mechanism, as printed.
var zhu = map[string]map[string]published{
	"ma": {
		laplaceName:     {l1: []string{"763.775", "342.885", "154.78", "67.34"}, alpha: []string{"3.655", "1.845", "0.905", "0.465"}},
		gaussianName:    {l1: []string{"980.81", "659.215", "436.925", "290.715"}, alpha: []string{"4.945", "3.065", "2.2", "1.495"}},
		suppressionName: {l1: []string{"935.525", "1003.035", "1018.335", "1014.63"}, alpha: []string{"4.345", "4.5", "4.72", "4.92"}},
		swappingName:    {l1: []string{"10906.79", "9859.26", "6841.19", "1664.63"}, alpha: []string{"469.015", "425.335", "282.73", "101.645"}},
		anonymityName:   {l1: []string{"2337.8", "3297.4", "4175.5", "4590.7"}, alpha: []string{"22.65", "32.1", "37.65", "40.75"}},
	},
	"tx": {
		laplaceName:     {l1: []string{"901.21", "409.03", "187.59", "81.63"}, alpha: []string{"3.645", "1.815", "0.905", "0.46"}},
		gaussianName:    {l1: []string{"1156.63", "777.455", "523.825", "353.99"}, alpha: []string{"4.62", "2.96", "1.995", "1.545"}},
		suppressionName: {l1: []string{"1138.62", "1205.315", "1219.19", "1217.115"}, alpha: []string{"4.53", "4.47", "4.71", "4.91"}},
		swappingName:    {l1: []string{"12988.58", "11624.64", "8212.7", "2117.62"}, alpha: []string{"437.105", "394.28", "266.78", "75.48"}},
		anonymityName:   {l1: []string{"2963.3", "4296.8", "5406.7", "5992.0"}, alpha: []string{"24.7", "35.4", "43.4", "48.9"}},
	},
	"national": {
		laplaceName:     {l1: []string{"2992.88", "1372.36", "628.335", "274.36"}, alpha: []string{"4.02", "2", "0.975", "0.48"}},
		gaussianName:    {l1: []string{"3798.96", "2570.38", "1728.1", "1162"}, alpha: []string{"4.885", "3.235", "2.62", "1.71"}},
		suppressionName: {l1: []string{"3687.445", "3911.82", "3969.165", "3962.755"}, alpha: []string{"4.39", "4.56", "4.76", "4.93"}},
		swappingName:    {l1: []string{"35385.63", "32134.71", "22242.12", "5634.95"}, alpha: []string{"580.015", "553.66", "339.09", "108.565"}},
		anonymityName:   {l1: []string{"10260.6", "14668.5", "18529.7", "20456.9"}, alpha: []string{"34.5", "46.1", "54.4", "61.5"}},
	},
}

// das is Table 1 of Das et al. 2024, Massachusetts, as printed.
var das = map[string]published{
	laplaceName: {l1: []string{"763.77", "342.88", "154.78", "67.34"}, alpha: []string{"3.65", "1.84", "0.90", "0.46"},
		variance: []string{"39.50", "9.97", "2.06", "0.68"}},
	gaussianName: {l1: []string{"980.81", "659.21", "436.92", "290.71"}, alpha: []string{"4.94", "3.06", "2.20", "1.49"},
		variance: []string{"45.06", "22.94", "12.03", "5.74"}},
	suppressionName: {l1: []string{"745.39", "676.37", "510.18", "336.54"}, alpha: []string{"3.47", "3.38", "3.49", "3.83"},
		variance: []string{"6.37", "2.94", "2.22", "1.37"}},
	swappingName: {l1: []string{"3462.16", "3652.08", "3653.04", "3658.16"}, alpha: []string{"1774.72", "1945.24", "1946.84", "1949.00"},
		variance: []string{"64920.40", "113.87", "112.22", "117.29"}},
}

// A publishedDelta is the column delta of both papers' tables, with the formula that gives it.
type publishedDelta struct {
	mechanism string
	zhu, das  []string // as printed; das is nil if the 2024 paper has no such row
	origin    string
	formula   func(epsilon float64) float64
	fitted    bool // a parameter of the formula was found from the printed digits
}

// The parameters that the published deltas imply.
const (
	impliedPlaces = 9 // values of the quasi-identifier of swapping: IPUMS's RACE
	largestCount  = 500
)

// deltas: each formula is that of a theorem of the papers, with what the paper leaves unsaid.
var deltas = []publishedDelta{
	{
		mechanism: laplaceName, zhu: []string{"0", "0", "0", "0"}, das: []string{"0", "0", "0", "0"},
		origin:  "the Laplace mechanism of scale 2/ε",
		formula: func(float64) float64 { return 0 },
	},
	{
		mechanism: gaussianName, zhu: []string{"0.363", "0.132", "0.017", "3E-4"}, das: []string{"0.36", "0.13", "0.01", "3E-4"},
		fitted: true, origin: "exp(-(ε-ρ)²/(4ρ)) with ρ = ε/10: the papers' (ε'²/2 + ε' sqrt(2 ln(1/δ)), δ) with ε'² = ε/5. So the noise had variance 4/ε'² = " +
			"20/ε, not 4/ε²",
		formula: func(epsilon float64) float64 {
			rho := epsilon / 10
			return math.Exp(-(epsilon - rho) * (epsilon - rho) / (4 * rho))
		},
	},
	{
		mechanism: suppressionName, zhu: []string{"0.999", "0.999", "0.999", "0.999"}, das: []string{"0.99", "0.99", "0.99", "0.99"},
		origin:  "Theorem 1, 1 - exp(-ε(B-k))/4, for any B of 18 or more",
		formula: func(epsilon float64) float64 { return 1 - math.Exp(-epsilon*(largestCount-defaultK))/4 },
	},
	{
		mechanism: swappingName, zhu: []string{"0.868", "0.874", "0.899", "0.969"},
		fitted: true, origin: "Theorem 3 of 2023 with 9 values of the quasi-identifier, which is RACE; the first is rounded, the others are cut off",
		formula: func(epsilon float64) float64 { return publishedSwappingDelta(epsilon, impliedPlaces) },
	},
	{
		mechanism: swappingName, das: []string{"0.99", "0.99", "0.99", "0.99"},
		origin:  "Theorem 3 of 2024 with 7,634 records and γ = 0.75",
		formula: func(epsilon float64) float64 { return publishedDonorDelta(epsilon, 1-defaultRate, excerpts[0].records) },
	},
	{
		mechanism: anonymityName, zhu: []string{"0.878", "0.906", "0.981", "0.999"},
		origin:  "Theorem 5 with β = 1 - exp(-ε) and any B of 5 or more; k does not occur in it",
		formula: publishedAnonymityDelta,
	},
}

// publishedSwappingDelta is Theorem 3 of Zhu et al. 2023, which has the wrong sign before the square: see mechanisms.SwappingDelta.
func publishedSwappingDelta(epsilon float64, places int) float64 {
	others := float64(places - 1)
	gamma := math.Exp(epsilon) / (math.Exp(epsilon) + others)
	return 1 - (1-gamma*gamma)/others - (1-gamma)*(1-gamma)/(others*others)
}

// publishedDonorDelta is Theorem 3 of Das et al. 2024, which does not hold: see microdata.DonorSwappingGuarantee.
func publishedDonorDelta(epsilon, gamma float64, records int) float64 {
	l := math.Exp(-epsilon/2) / float64(records)
	return 1 - 2*gamma*(1-gamma)*l - 3*(1-gamma)*(1-gamma)*l*l
}

// publishedAnonymityDelta is Theorem 5 of Zhu et al. 2023: 1 - min over w of P(Bin(w, beta) <= beta w)^2. The minimum is at w of 5, 3, 1 and 1 for the
// papers' epsilons, so that a bound on counts of 5 or more does not matter.
func publishedAnonymityDelta(epsilon float64) float64 {
	beta := -math.Expm1(-epsilon)
	least := 1.0
	for w := 1; w <= largestCount; w++ {
		within := binomialAtMost(w, int(math.Floor(beta*float64(w))), beta)
		least = min(least, within*within)
	}
	return 1 - least
}

// binomialAtMost is P(Bin(n, p) <= most).
func binomialAtMost(n, most int, p float64) float64 {
	var sum float64
	for j := 0; j <= most; j++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(j + 1))
		c, _ := math.Lgamma(float64(n - j + 1))
		sum += math.Exp(a - b - c + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
	}
	return sum
}

// anonymityDelta is the exact delta of DP k-anonymity that can be proved: that of publishing the sample.
func anonymityDelta(epsilon float64, a policy.Adjacency) float64 {
	return float64(microdata.DPKAnonymityGuarantee(epsilonOf(epsilon), a).Delta) / float64(policy.OneDelta)
}
