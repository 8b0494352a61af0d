package posterior

import "fmt"

// BlockPosterior is the posterior probability of each value of each atom of a block.
func BlockPosterior(g Group, known Classes) ([][]float64, error) {
	q := make([][]float64, len(g))
	for i := range g {
		q[i] = append(q[i], g[i].Prior...)
	}
	if known.Sets == nil {
		_, err := values(g)
		return q, err
	}
	qs, err := known.split(nil, g)
	if err != nil {
		return nil, err
	}
	for c := range qs {
		if err := qs[c].update(q, g); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// update sets the posteriors of the values that the question is about: inside a class they keep the proportions of the prior.
func (q *question) update(posterior [][]float64, g Group) error {
	parts, sure, err := q.parts(nil, g)
	if err != nil {
		return err
	}
	means, err := rates(parts, q.sum-sure)
	if err != nil {
		return err
	}
	taken := make([]bool, len(parts)) // by an atom that shares a rate
	for i := range g {
		p, _ := q.part(&g[i])
		t := 0
		for t < len(parts) && (taken[t] || !parts[t].sameLaw(&p)) {
			t++
		}
		if t == len(parts) || p.people == 0 && p.shared > 0 {
			continue
		}
		taken[t] = p.shared > 0
		for v, prior := range g[i].Prior {
			switch {
			case q.in.Has(v):
				posterior[i][v] = prior * means[t] / p.rate
			case len(g[i].Prior) == 2 || q.both:
				posterior[i][v] = prior * (1 - means[t]) / (p.rate / p.odds)
			}
		}
	}
	return nil
}

// rates are the posterior probabilities of the class for the parts of a block with a known sum.
func rates(parts []part, sum int) ([]float64, error) {
	n := count(parts)
	if sum < 0 || sum > n {
		return nil, fmt.Errorf("%w: %d of %d uncertain people", errImpossible, sum, n)
	}
	q := make([]float64, len(parts))
	if len(parts) <= 1 || sum == 0 || sum == n {
		for t := range q {
			q[t] = float64(sum) / float64(n)
		}
		return q, nil
	}
	tilt, err := solve(parts, sum)
	if err != nil {
		return nil, err
	}
	return q, meansAt(q, parts, tilt, sum)
}
