package homogeneity

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tacit/examples/papers/internal/utility"
	"tacit/mechanisms"
)

// The settings of figure 4 of the 2023 paper. Its boxes of (ε, δ)-DP go to ε = 1, which the theorem behind the classic calibration excludes: here the
// last one is at belowOne.
const (
	distanceRepeats = 100 // as in the authors' code
	largestMarginal = 3
	belowOne        = 0.999
)

// A distanceSetting is a mechanism at an epsilon, and the total variation distances of the marginals of 1, 2 and 3 attributes, each the mean of
// the repeats.
type distanceSetting struct {
	sanitizer sanitizer
	epsilon   float64
	everyCell bool
	means     [largestMarginal][]float64
	squares   [largestMarginal][]float64 // the means of the squared distances
}

// standardError is the largest of those of the means of a width: that of their median is no larger.
func (s distanceSetting) standardError(width int) float64 {
	most := 0.0
	for i, mean := range s.means[width] {
		most = max(most, math.Sqrt(max(0, s.squares[width][i]-mean*mean)/(distanceRepeats-1)))
	}
	return most
}

// levels is the domain of the Bankruptcy subset: five quasi-identifiers and the sensitive attribute.
func (c crossTab) domain(names ...string) utility.Domain {
	var d utility.Domain
	for _, name := range names {
		d = append(d, utility.Variable{Name: name, Levels: c.labels})
	}
	return d
}

var subsetAttributes = []string{"industrial risk", "management risk", "credibility", "competitiveness", "operating risk", "financial flexibility"}

// subsetHistogram is the Bankruptcy subset as a table of six attributes, and which of its cells the papers add noise to: those of the combinations
// of quasi-identifiers that somebody has. All attributes have the same levels.
func subsetHistogram(c crossTab) (*utility.Histogram, []int, error) {
	h, err := utility.NewHistogram(c.domain(subsetAttributes...))
	if err != nil {
		return nil, nil, err
	}
	var cells []int
	for i, key := range c.keys {
		for k, label := range c.labels {
			at, err := h.Domain.Cell(append(slices.Clone(key), label)...)
			if err != nil {
				return nil, nil, err
			}
			h.Counts[at] = float64(c.counts[i][k])
			cells = append(cells, at)
		}
	}
	return h, cells, nil
}

// measure fills in the means.
func (s *distanceSetting) measure(ctx context.Context, h *utility.Histogram, cells []int, seed uint64) error {
	m, err := s.sanitizer.at(s.epsilon, seeded(seed))
	if err != nil {
		return err
	}
	counts, err := h.Integers()
	if err != nil {
		return err
	}
	if s.everyCell {
		cells = nil
		for at := range counts {
			cells = append(cells, at)
		}
	}
	noisy := make([]int64, len(cells))
	for i, at := range cells {
		noisy[i] = counts[at]
	}
	for range distanceRepeats {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.repeat(m, h, cells, noisy); err != nil {
			return fmt.Errorf("%s, epsilon %g: %w", s.sanitizer.name, s.epsilon, err)
		}
	}
	return nil
}

// repeat sanitizes once and adds the distances to the means.
func (s *distanceSetting) repeat(m *mechanisms.Mechanism, h *utility.Histogram, cells []int, counts []int64) error {
	shown, err := m.Sanitize(mechanisms.Histogram{Counts: counts})
	if err != nil {
		return err
	}
	table := make([]float64, len(h.Counts))
	for i, at := range cells {
		table[at] = float64(shown.Counts[i])
	}
	sanitized, err := h.With(table)
	if err != nil {
		return err
	}
	all, err := utility.MarginalTVDs(h, sanitized, largestMarginal)
	if err != nil {
		return err
	}
	for width, marginals := range all {
		if s.means[width] == nil {
			s.means[width], s.squares[width] = make([]float64, len(marginals)), make([]float64, len(marginals))
		}
		for i, marginal := range marginals {
			s.means[width][i] += marginal.TVD / distanceRepeats
			s.squares[width][i] += marginal.TVD * marginal.TVD / distanceRepeats
		}
	}
	return nil
}

// distanceSettings are those of figure 4, with noise in the cells of the paper, and Laplace noise in every cell of the domain beside them.
func distanceSettings() []distanceSetting {
	var settings []distanceSetting
	add := func(s sanitizer, high float64, everyCell bool) {
		for _, e := range epsilons(-3, high, 1) {
			if s.below > 0 && e >= s.below {
				e = belowOne
			}
			settings = append(settings, distanceSetting{sanitizer: s, epsilon: e, everyCell: everyCell})
		}
	}
	add(laplace(), 2, false)
	add(laplace(), 2, true)
	for _, delta := range bankruptcyDeltas {
		add(gaussianDP(delta), 0, false)
	}
	for _, delta := range bankruptcyDeltas {
		add(gaussianPDP(delta), 2, false)
	}
	return settings
}

// distances measures all settings.
func distances(ctx context.Context, subset crossTab) ([]distanceSetting, error) {
	h, cells, err := subsetHistogram(subset)
	if err != nil {
		return nil, err
	}
	settings := distanceSettings()
	for i := range settings {
		if err := settings[i].measure(ctx, h, cells, uint64(1_000+i)); err != nil {
			return nil, err
		}
	}
	return settings, nil
}
