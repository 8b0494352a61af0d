package policy

import (
	"fmt"

	"tacit/policy/internal/document"
)

// A decoder turns the nodes of a policy file into a Policy and collects everything that is wrong on the way. Its methods accept the nil node
// of a key that is absent, or whose absence was reported, and return a zero value for what they could not decode.
type decoder struct {
	document.Decoder
}

// An Error is one thing that is wrong with a policy file.
type Error = document.Error

// fixed returns a decimal number in units of 10^-places, if wrong has nothing against it; 0 if the key is absent or its value reported.
func fixed[A ~int64](d *decoder, n *document.Node, places int, remedy string, wrong func(A) string) A {
	text, ok := d.Text(n)
	if !ok {
		return 0
	}
	units, err := parseFixed(text, places)
	var problem string
	if err != nil {
		problem = err.Error()
	} else {
		problem = wrong(A(units))
	}
	if problem != "" {
		d.Report(n, problem, remedy)
		return 0
	}
	return A(units)
}

// epsilon returns an amount above 0.
func (d *decoder) epsilon(n *document.Node) Epsilon {
	return fixed(d, n, epsilonPlaces, "use a decimal number above 0 with at most 9 decimal places, such as 0.5", func(e Epsilon) string {
		if e == 0 {
			return "epsilon is 0, which allows no answer"
		}
		return ""
	})
}

// MaxDelta is the largest delta that a budget may have. With delta, a mechanism may publish any person's row outright with that
// probability, so that a value near 1 promises nothing; the usual advice is to stay well below one over the number of persons.
const MaxDelta Delta = 1e17

// delta returns an amount from 0 to MaxDelta.
func (d *decoder) delta(n *document.Node) Delta {
	return fixed(d, n, deltaPlaces, "use a number well below one over the number of persons, such as 1e-6, or 0", func(delta Delta) string {
		if delta > MaxDelta {
			return fmt.Sprintf("a delta above %v promises nothing useful", MaxDelta)
		}
		return ""
	})
}

// epsilonAndDelta returns the two keys of a budget. An epsilon is required unless the budget is one of releases without a guarantee,
// or of risk.
func (d *decoder) epsilonAndDelta(o document.Object, remedy string) (epsilon, delta *document.Node) {
	epsilon, delta = o.Optional("epsilon"), o.Optional("delta")
	switch {
	case epsilon != nil:
	case o.Optional("releases") == nil && o.Optional("risk") == nil:
		o.Required("epsilon", remedy)
	case delta != nil:
		d.Report(delta, "a delta without an epsilon covers nothing", "write an epsilon, too, or remove the delta")
	}
	return epsilon, delta
}

// maxReleases is the largest number of releases without a guarantee that a budget may have: more than anybody will ask for.
const maxReleases = 1_000_000_000

// releases returns a number of releases without a guarantee; 0 if the key is absent.
func (d *decoder) releases(n *document.Node) int64 {
	if n == nil {
		return 0
	}
	return int64(d.Integer(n, 1, maxReleases, 100))
}

// tableName returns a schema-qualified name.
func (d *decoder) tableName(n *document.Node, text string) (TableName, bool) {
	name, err := ParseTableName(text)
	if err != nil {
		d.Report(n, err.Error(), "write schema.table as in the catalog, such as public.patients; a part with a dot or a space in double quotes")
	}
	return name, err == nil
}
