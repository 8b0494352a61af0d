package suppressor

import (
	"errors"
	"fmt"
	"math"
)

// A Sampler draws the cells of a data set according to the priors, given what is released. Who of a group has the attribute is not
// drawn: everybody in it is equally likely, and neither Safe nor the released sums depend on it.
type Sampler interface {
	Sample(Released) ([]int, error)
}

// ErrParameters is returned when epsilon is not in (0, 1), or delta not in (0, 1/e): then the suppressor's threshold would be below its use.
var ErrParameters = errors.New("suppressor: epsilon must be in (0, 1) and delta in (0, 1/e)")

// A Suppressor decides by sampling what may be released of a table. All fields are required, but for Decisions.
type Suppressor struct {
	Table          Table
	Epsilon, Delta float64
	// Decisions is the paper's T. 0: the number of cells with their margins, (m+1)(n+1).
	Decisions int
	Sampler   Sampler
	Beliefs   Beliefs
}

func (s *Suppressor) perDecision() float64 {
	t := s.Decisions
	if t == 0 {
		t = (s.Table.Rows + 1) * (s.Table.Columns + 1)
	}
	return float64(t) / s.Delta
}

// Samples is how many data sets a decision draws: T/delta ln(T/delta), rounded up.
func (s *Suppressor) Samples() int {
	x := s.perDecision()
	return int(math.Ceil(x * math.Log(x)))
}

// Threshold is how many of them may be unsafe: half of ln(T/delta).
func (s *Suppressor) Threshold() float64 { return math.Log(s.perDecision()) / 2 }

// SafeToSplit is Algorithm 2: whether the sums of the parts may be released where a row or column interval is split, as far as can be told
// without looking at them.
func (s *Suppressor) SafeToSplit(released Released, parts ...Region) (bool, error) {
	return s.decide(released, parts)
}

func (s *Suppressor) decide(released Released, regions []Region) (bool, error) {
	if !(s.Epsilon > 0 && s.Epsilon < 1 && s.Delta > 0 && s.Delta < 1/math.E) {
		return false, ErrParameters
	}
	count := 0
	verdicts := map[string]bool{} // Safe depends on the sample through the sums alone
	for range s.Samples() {
		values, err := s.Sampler.Sample(released)
		if err != nil {
			return false, err
		}
		with := released
		for _, r := range regions {
			with = with.And(r, s.Table.Sum(values, r))
		}
		name := fmt.Sprint(with[len(released):])
		safe, known := verdicts[name]
		if !known {
			posterior, err := s.Beliefs.Posterior(with)
			if err != nil {
				return false, err
			}
			safe = s.Table.Safe(s.Epsilon, posterior)
			verdicts[name] = safe
		}
		if !safe {
			count++
		}
	}
	return float64(count) <= s.Threshold(), nil
}

// A Publication is a table with some of its cells suppressed.
type Publication struct {
	Released   Released
	Suppressed []Region
}

// Suppress is Algorithm 3: it goes through the cells in row-major order and releases those that are likely to be safe. A cell is read, by
// answer, after it was decided to release it.
func (s *Suppressor) Suppress(released Released, answer func(Region) int) (Publication, error) {
	p := Publication{Released: released}
	for i := range s.Table.Cells {
		cell := At(i/s.Table.Columns, i%s.Table.Columns)
		release, err := s.decide(p.Released, []Region{cell})
		if err != nil {
			return Publication{}, err
		}
		if release {
			p.Released = p.Released.And(cell, answer(cell))
		} else {
			p.Suppressed = append(p.Suppressed, cell)
		}
	}
	return p, nil
}
