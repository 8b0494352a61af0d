package posterior

import (
	"math"
)

// An atomLaw is the law of an atom's counts as far as the sums see it: values that stand in the same sums are one class.
type atomLaw struct {
	classOf  []int // of each value; -1: impossible
	classes  int
	mass     []float64 // prior probability of each class
	adds     [][]bool  // whether a person of a class counts in each sum of the atom
	outcomes []atomOutcome
}

// An atomOutcome is a number of people of each class.
type atomOutcome struct {
	probability float64
	people      []int
	adds        []int // to each sum of the atom
}

// classify groups the values of an atom by the sums that count them.
func classify(a *Atom, sets []ValueSet) atomLaw {
	l := atomLaw{classOf: make([]int, len(a.Prior))}
	classes := map[string]int{}
	for value, prior := range a.Prior {
		l.classOf[value] = -1
		if prior == 0 {
			continue
		}
		adds, name := make([]bool, len(sets)), make([]byte, len(sets))
		for i, set := range sets {
			if adds[i] = set.Has(value); adds[i] {
				name[i] = 1
			}
		}
		class, known := classes[string(name)]
		if !known {
			class = l.classes
			classes[string(name)] = class
			l.classes++
			l.adds = append(l.adds, adds)
			l.mass = append(l.mass, 0)
		}
		l.classOf[value] = class
		l.mass[class] += prior
	}
	return l
}

// count is the number of outcomes, which may be beyond an int.
func (l *atomLaw) count(people int) float64 {
	n := 1.0
	for class := 1; class < l.classes; class++ {
		n *= float64(people+class) / float64(class)
	}
	return n
}

// enumerate fills in the outcomes: the multinomial law of the class counts, or the Dirichlet-multinomial law if the atom's rate is drawn.
// It reports whether an outcome was too unlikely for floating point.
func (l *atomLaw) enumerate(a *Atom) (lost bool) {
	concentration, _ := a.concentration()
	weights := make([][]float64, l.classes)
	for class, mass := range l.mass {
		weights[class] = classWeights(a.People, mass, concentration)
	}
	l.extend(make([]int, 0, l.classes), a.People, weights)
	most, total := math.Inf(-1), 0.0
	for i := range l.outcomes {
		most = max(most, l.outcomes[i].probability)
	}
	for i := range l.outcomes {
		l.outcomes[i].probability = math.Exp(l.outcomes[i].probability - most)
		total += l.outcomes[i].probability
	}
	kept := l.outcomes[:0]
	for _, o := range l.outcomes {
		if o.probability /= total; o.probability > 0 {
			kept = append(kept, o)
		}
	}
	lost = len(kept) < len(l.outcomes)
	l.outcomes = kept
	return lost
}

// extend appends every outcome that begins with the given counts, with the logarithm of its weight as its probability.
func (l *atomLaw) extend(people []int, left int, weights [][]float64) {
	if len(people) == l.classes-1 {
		l.outcomes = append(l.outcomes, l.outcome(append(people, left), weights))
		return
	}
	for n := range left + 1 {
		l.extend(append(people, n), left-n, weights)
	}
}

func (l *atomLaw) outcome(people []int, weights [][]float64) atomOutcome {
	o := atomOutcome{people: append([]int(nil), people...)}
	if l.classes > 0 {
		o.adds = make([]int, len(l.adds[0]))
	}
	for class, n := range people {
		o.probability += weights[class][n]
		for i, adds := range l.adds[class] {
			if adds {
				o.adds[i] += n
			}
		}
	}
	return o
}

// classWeights are the logarithms of mass^n/n!, or of the rising factorial of mass*concentration over n!, for n up to people. Their products
// over the classes are the multinomial and the Dirichlet-multinomial law up to a factor.
func classWeights(people int, mass, concentration float64) []float64 {
	w := make([]float64, people+1)
	for n := 1; n <= people; n++ {
		ratio := mass / float64(n)
		if concentration > 0 {
			ratio = (mass*concentration + float64(n-1)) / float64(n)
		}
		w[n] = w[n-1] + math.Log(ratio)
	}
	return w
}

// posterior spreads the mean number of people of each class over its values: inside a class the values keep the proportions of the prior,
// because no sum tells them apart. Values that are impossible or certain stay so exactly.
func (l *atomLaw) posterior(a *Atom, mean []float64) []float64 {
	q := make([]float64, len(a.Prior))
	for value, prior := range a.Prior {
		if class := l.classOf[value]; prior == 0 || prior == 1 || a.People == 0 {
			q[value] = prior
		} else {
			q[value] = mean[class] / float64(a.People) * (prior / l.mass[class])
		}
	}
	return q
}
