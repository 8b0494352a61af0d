package posterior

import (
	"math"

	"tacit/auditor/posterior/internal/linear"
)

const (
	// mostExcess is that of a safe posterior, with the error from stopping Newton steps.
	mostExcess = 1 + 1e-6
	// searchWidth is the distance from the mean, in standard deviations, at which the search for safe answers stops.
	searchWidth = 9
)

// A search looks for the outermost safe answers. Answers are numbered from the feasible one nearest to the mean.
type search struct {
	*tilting
	at        map[int]approximation
	center    int // the answer with number 0
	step      int // between feasible answers
	low, high int // numbers that the search does not leave
	margin    float64
	base      float64 // log density of the released sums

	noted bool // population.noteDetermined was called

	middle []float64 // multipliers at the center
	slope  []float64 // of the multipliers, by answer
	drift  []float64 // of the posteriors at the center from the tilted probabilities
}

// An answer is what its release would show.
type approximation struct {
	solved     bool
	excess     float64 // Inf if it is not solved
	density    float64 // the probability
	multiplier float64 // of the question: the slope of the log density, with the sign turned
}

func (c *contrast) search(margin float64) (*search, error) {
	rows := append(inOrder(c.rows, c.order), *c.question)
	t, err := newTilting(c.linked, rows, c.family)
	if err != nil {
		return nil, err
	}
	s := &search{tilting: t, at: make(map[int]approximation), margin: margin,
		base: c.base.logDensity() + math.Log(2*math.Pi)/2 - math.Log(float64(c.spacing.step)),
		step: c.spacing.step, center: c.spacing.nearest(c.mean)}
	s.start(c.base)
	c.fence(s)
	return s, nil
}

// start puts the question in with multiplier 0, where its value is its tilted mean.
func (s *search) start(base *tilting) {
	last := len(s.values) - 1
	copy(s.multipliers, base.multipliers)
	s.tilt(s.multipliers)
	s.values[last] = 0
	s.direct()
	s.values[last] = -s.gradient[last]
	s.refactor()
}

// direct sets the gradient.
func (s *search) direct() {
	copy(s.gradient, s.values)
	s.subtractMeans(s.gradient)
}

// fence keeps the search inside of the window, and off the ends of what the bounds of counts allow, where there is no tilt.
func (c *contrast) fence(s *search) {
	low, high := 0, 0
	for _, i := range c.question.atoms {
		a := c.atoms[i]
		if c.Atoms[a].Boolean() {
			low += c.low[a]
			high += c.high[a]
		} else {
			high += c.Atoms[a].People
		}
	}
	width := searchWidth*c.Deviation + 1
	s.low = int(math.Ceil((max(float64(low)+1, c.mean-width) - float64(s.center)) / float64(s.step)))
	s.high = int(math.Floor((min(float64(high)-1, c.mean+width) - float64(s.center)) / float64(s.step)))
}

// ask solves for an answer. With posteriors it also finds the excess.
func (s *search) ask(number int, posteriors bool) approximation {
	a, ok := s.at[number]
	if ok && (!posteriors || !math.IsNaN(a.excess)) {
		return a
	}
	a = approximation{excess: math.Inf(1)}
	if number >= s.low && number <= s.high && s.follow(float64(s.center+number*s.step)) == nil {
		a.solved, a.excess = true, math.NaN()
		a.density = math.Exp(s.logDensity() - s.base)
		a.multiplier = s.multipliers[len(s.multipliers)-1]
		if posteriors {
			a.excess = s.judge()
		}
	}
	s.at[number] = a
	return a
}

// judge is the excess at a solution. What a question determines it determines whatever the answer.
func (s *search) judge() float64 {
	posteriors := s.current()
	if !s.noted {
		s.noteDetermined()
		s.noted = true
	}
	return s.excess(posteriors, s.margin)
}

// risk is the probability outside of the outermost safe answers.
func (s *search) risk() float64 {
	center := s.ask(0, true)
	if !(center.excess <= mostExcess) {
		return 1
	}
	s.aim(s.current())
	low := s.side(-1)
	s.back()
	return min(1, low+s.side(1))
}

// side is the probability of the answers beyond the last safe one in a direction.
func (s *search) side(direction int) float64 {
	end := s.high
	if direction < 0 {
		end = -s.low
	}
	safe, unsafe := 0, end+1
	unsafeExcess := math.Inf(1)
	guess := s.guess(direction, end)
	for tries := 0; unsafe-safe > 1; tries++ {
		n := min(max(guess, safe+1), unsafe-1)
		if tries > 5 {
			n = (safe + unsafe) / 2
		}
		a := s.ask(direction*n, true)
		if a.excess <= mostExcess {
			safe = n
		} else {
			unsafe, unsafeExcess = n, a.excess
		}
		guess = s.interpolate(direction, safe, unsafe, unsafeExcess)
	}
	return s.tail(direction, safe)
}

// aim remembers the solution at the center, and the direction in which multipliers move with the answer.
func (s *search) aim(center []float64) {
	s.middle = append([]float64(nil), s.multipliers...)
	s.drift = append([]float64(nil), s.tilted()...)
	for i, q := range center {
		s.drift[i] = q - s.drift[i]
	}
	s.slope = make([]float64, len(s.multipliers))
	s.slope[len(s.slope)-1] = float64(s.step)
	s.gram.Solve(s.slope)
}

// back returns to the center.
func (s *search) back() {
	copy(s.multipliers, s.middle)
	s.values[len(s.values)-1] = float64(s.center)
	s.tilt(s.multipliers)
	s.refactor()
}

// guess predicts the last safe answer, with multipliers to first order from the center and its correction of the posteriors.
func (s *search) guess(direction, end int) int {
	safe, unsafe := 0, end+1
	predicted := make([]float64, len(s.drift))
	for unsafe-safe > 1 {
		n := (safe + unsafe) / 2
		copy(s.trial, s.middle)
		linear.Axpy(float64(direction*n), s.slope, s.trial)
		s.tilt(s.trial)
		copy(predicted, s.drift)
		linear.Axpy(1, s.tilted(), predicted)
		if s.excess(predicted, s.margin) <= mostExcess {
			safe = n
		} else {
			unsafe = n
		}
	}
	return safe
}

// interpolate guesses the border from the last safe answer and one more.
func (s *search) interpolate(direction, safe, unsafe int, unsafeExcess float64) int {
	from := s.at[direction*safe]
	if !math.IsInf(unsafeExcess, 1) {
		return safe + int(math.Floor((mostExcess-from.excess)/(unsafeExcess-from.excess)*float64(unsafe-safe)))
	}
	if safe == 0 {
		return (safe + unsafe) / 2
	}
	center := s.at[0]
	slope := (from.excess - center.excess) / float64(safe)
	if slope <= 0 {
		return (safe + unsafe) / 2
	}
	return safe + int(math.Floor((mostExcess-from.excess)/slope))
}

// tailTerms are added one by one before the geometric bound.
const tailTerms = 4

// tail sums beyond the last safe answer. The law of the answer is log-concave, so that the ratio of neighbours only falls.
func (s *search) tail(direction, safe int) float64 {
	sum := 0.0
	previous := s.at[direction*safe]
	for n := safe + 1; n <= safe+tailTerms; n++ {
		a := s.ask(direction*n, false)
		if !a.solved {
			break
		}
		sum += a.density
		previous = a
	}
	r := math.Exp(-float64(direction*s.step) * previous.multiplier)
	if !(r < 1) {
		return 1
	}
	return sum + previous.density*r/(1-r)
}
