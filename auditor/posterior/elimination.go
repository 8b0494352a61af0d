package posterior

import "fmt"

// A Law is what the answer to a question can be, and what each answer would tell.
type Law struct {
	Values      []int         // possible answers, rising
	Probability []float64     // of each answer, given the released sums
	Posterior   [][][]float64 // of each answer: the posterior probability of each value of each atom
	Lost        float64       // bounds the probability of answers too unlikely for floating point; they count as unsafe
}

// Risk is the probability that the answer takes some atom that is not exempt out of its limits.
func (l Law) Risk(atoms []Atom) float64 {
	risk := l.Lost
	for i, posterior := range l.Posterior {
		if !safe(atoms, posterior) {
			risk += l.Probability[i]
		}
	}
	return min(risk, 1)
}

// Eliminate computes the exact law of the answer to a question, given the released sums, by variable elimination: the atoms are taken one
// after another, and what is kept of those taken is the partial sum of every released sum that is not complete yet. The work grows with
// the number of such partial sums, so it is for small counts or few linked sums; beyond the limit it returns [ErrTooLarge].
//
// Nothing is cut off but what floating point cannot hold, and that is in [Law.Lost].
func (s System) Eliminate(q Set, limit EliminationLimit) (Law, error) {
	e, err := newElimination(s, q, limit.orDefault())
	if err != nil {
		return Law{}, err
	}
	e.forward()
	return e.law()
}

// EliminatedPosterior computes the exact posterior probability of each value of each atom, as [System.Eliminate] does.
func (s System) EliminatedPosterior(limit EliminationLimit) ([][]float64, error) {
	law, err := s.Eliminate(Set{}, limit)
	if err != nil {
		return nil, err
	}
	return law.Posterior[0], nil
}

// leastLikely is the probability below which partial sums are taken as too unlikely for floating point. The losses of all products that
// underflow stay far below it.
const leastLikely = 1e-280

func newElimination(s System, q Set, limit EliminationLimit) (*elimination, error) {
	if err := s.check(q); err != nil {
		return nil, err
	}
	e := &elimination{atoms: s.Atoms, limit: limit}
	if sums := len(s.Sums) + 1; len(s.Atoms)*max(len(s.Atoms), sums)*sums > limit.Operations/100 {
		return nil, fmt.Errorf("%w: %d atoms in %d sums", ErrTooLarge, len(s.Atoms), len(s.Sums))
	}
	e.links = s.links(q)
	disentangle(e.links)
	e.order = arrange(s.Atoms, e.links)
	kept, err := independent(s.Atoms, e.links, e.order)
	if err != nil {
		return nil, err
	}
	e.links = kept
	return e, e.lay()
}

// check refuses a system that is none.
func (s System) check(q Set) error {
	for i := range s.Atoms {
		if err := s.Atoms[i].check(); err != nil {
			return fmt.Errorf("atom %d: %w", i, err)
		}
	}
	sets := []Set{q}
	for _, sum := range s.Sums {
		sets = append(sets, sum.Set)
	}
	for _, set := range sets {
		for i, atom := range set.Atoms {
			if atom < 0 || atom >= len(s.Atoms) || i > 0 && atom <= set.Atoms[i-1] {
				return fmt.Errorf("%w: a sum over atoms %v of %d", errInvalid, set.Atoms, len(s.Atoms))
			}
		}
	}
	return nil
}

// forward fills ahead.
func (e *elimination) forward() {
	e.ahead = make([][]float64, len(e.fronts))
	for i := range e.fronts {
		e.ahead[i] = make([]float64, e.fronts[i].states)
	}
	e.ahead[0][0] = 1
	for i := range e.steps {
		from, to := e.ahead[i], e.ahead[i+1]
		e.walk(i, func(state, next int, o *atomOutcome) {
			p := from[state] * o.probability
			if p < 1e-300 {
				e.underflow = true
			}
			to[next] += p
		})
	}
}

// walk visits each step of atom i from a partial sum that can be reached.
func (e *elimination) walk(i int, visit func(state, next int, o *atomOutcome)) {
	partial := make([]int, len(e.links))
	for state, p := range e.ahead[i] {
		if p == 0 {
			continue
		}
		e.fronts[i].partial(state, partial)
		for k := range e.drawn[i].outcomes {
			o := &e.drawn[i].outcomes[k]
			if next, ok := e.steps[i].next(partial, o); ok {
				visit(state, next, o)
			}
		}
	}
}

// law reads the answers off the last front, where the question is the one sum that is still open, and walks back from each.
func (e *elimination) law() (Law, error) {
	last := e.ahead[len(e.ahead)-1]
	total := 0.0
	for _, p := range last {
		total += p
	}
	if total < 1e-250 {
		return Law{}, errImpossible
	}
	var l Law
	if e.underflow {
		l.Lost = leastLikely / total
	}
	for i, p := range last {
		switch {
		case p == 0:
		case p < leastLikely:
			l.Lost += p / total
		default:
			l.Values = append(l.Values, e.answer(i))
			l.Probability = append(l.Probability, p/total)
			l.Posterior = append(l.Posterior, e.back(i))
		}
	}
	return l, nil
}

// answer is the answer that a state of the last front stands for.
func (e *elimination) answer(state int) int {
	return e.links[len(e.links)-1].offset + e.fronts[len(e.fronts)-1].axes[0].low + state
}

// back computes the posteriors given that the last front has a state: the probability that the atoms from i on lead there is kept
// for each partial sum, and joins the probability of the way to it.
func (e *elimination) back(state int) [][]float64 {
	behind := make([]float64, len(e.ahead[len(e.ahead)-1]))
	behind[state] = 1
	posterior := make([][]float64, len(e.atoms))
	for i := len(e.steps) - 1; i >= 0; i-- {
		before := make([]float64, len(e.ahead[i]))
		mean := make([]float64, e.drawn[i].classes)
		total := 0.0
		e.walk(i, func(state, next int, o *atomOutcome) {
			p := o.probability * behind[next]
			before[state] += p
			p *= e.ahead[i][state]
			total += p
			for class, people := range o.people {
				mean[class] += p * float64(people)
			}
		})
		for class := range mean {
			mean[class] /= total
		}
		posterior[e.order[i]] = e.drawn[i].posterior(&e.atoms[e.order[i]], mean)
		behind = before
	}
	return posterior
}
