package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A decoder turns nodes into a Policy and collects everything that is wrong on the way. Its methods accept the nil node of a key
// that is absent, or whose absence was reported, and return a zero value for what they could not decode.
type decoder struct {
	file   string
	errors errorList
}

func (d *decoder) report(n *node, problem, remedy string) {
	d.errors = append(d.errors, &Error{File: d.file, Line: n.line, Key: n.path, Problem: problem, Remedy: remedy})
}

func (d *decoder) reportFile(line int, problem, remedy string) {
	d.report(&node{line: line}, problem, remedy)
}

// An object is a mapping whose keys are known.
type object struct {
	d     *decoder
	node  *node
	known []string
}

// object makes sure that a node is a mapping with no other keys than those known. With no known keys, all are allowed.
func (d *decoder) object(n *node, known ...string) object {
	if n == nil || !d.expect(n, mapping) {
		return object{}
	}
	for _, e := range n.entries {
		if len(known) > 0 && !slices.Contains(known, e.key) {
			d.reportUnknown(e, known)
		}
	}
	return object{d, n, known}
}

func (d *decoder) reportUnknown(e entry, known []string) {
	at := e.value.key()
	d.report(at, "unknown key", "the keys here are "+strings.Join(known, ", "))
}

// optional returns the value of a key; nil if it is absent.
func (o object) optional(key string) *node {
	if o.node == nil {
		return nil
	}
	for _, e := range o.node.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// required is optional, but reports absence.
func (o object) required(key, remedy string) *node {
	value := o.optional(key)
	if value == nil && o.node != nil {
		at := place{path: o.node.path}.under(key, o.node.keyLine)
		o.d.report(&node{path: at.path, line: at.line}, "the key is missing", remedy)
	}
	return value
}

// expect reports a node of another kind.
func (d *decoder) expect(n *node, want kind) bool {
	if n.kind == want {
		return true
	}
	problem := fmt.Sprintf("this is %s instead of %s", n.kind, want)
	if n.kind == null {
		problem = "the key has no value"
	}
	d.report(n, problem, map[kind]string{
		scalar:   "write a single value after the key",
		sequence: "write a list: [first, second]",
		mapping:  "write a mapping: {key: value}, or {} for an empty one",
	}[want])
	return false
}

// text returns a scalar as it stands in the file.
func (d *decoder) text(n *node) (string, bool) {
	if n == nil || !d.expect(n, scalar) {
		return "", false
	}
	return n.text, true
}

// choice returns one of several words: the first if the key is absent, none if its value was reported.
func (d *decoder) choice(n *node, words ...string) string {
	if n == nil {
		return words[0]
	}
	text, ok := d.text(n)
	if ok && !slices.Contains(words, text) {
		d.report(n, fmt.Sprintf("%q is not known here", text), "use "+strings.Join(words, " or "))
		return ""
	}
	return text
}

// fixed returns a decimal number in units of 10^-places, if wrong has nothing against it; 0 if the key is absent or its value reported.
func fixed[A ~int64](d *decoder, n *node, places int, remedy string, wrong func(A) string) A {
	text, ok := d.text(n)
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
		d.report(n, problem, remedy)
		return 0
	}
	return A(units)
}

// epsilon returns an amount above 0.
func (d *decoder) epsilon(n *node) Epsilon {
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
func (d *decoder) delta(n *node) Delta {
	return fixed(d, n, deltaPlaces, "use a number well below one over the number of persons, such as 1e-6, or 0", func(delta Delta) string {
		if delta > MaxDelta {
			return fmt.Sprintf("a delta above %v promises nothing useful", MaxDelta)
		}
		return ""
	})
}

// epsilonAndDelta returns the two keys of a budget. An epsilon is required unless the budget is one of releases without a guarantee,
// or of risk.
func (o object) epsilonAndDelta(remedy string) (epsilon, delta *node) {
	epsilon, delta = o.optional("epsilon"), o.optional("delta")
	switch {
	case epsilon != nil:
	case o.optional("releases") == nil && o.optional("risk") == nil:
		o.required("epsilon", remedy)
	case delta != nil:
		o.d.report(delta, "a delta without an epsilon covers nothing", "write an epsilon, too, or remove the delta")
	}
	return epsilon, delta
}

// maxReleases is the largest number of releases without a guarantee that a budget may have: more than anybody will ask for.
const maxReleases = 1_000_000_000

// releases returns a number of releases without a guarantee; 0 if the key is absent.
func (d *decoder) releases(n *node) int64 {
	if n == nil {
		return 0
	}
	return int64(d.integer(n, 1, maxReleases, 100))
}

// integer returns a whole number between two bounds; fallback if the key is absent or its value reported.
func (d *decoder) integer(n *node, low, high, fallback int) int {
	text, ok := d.text(n)
	if !ok {
		return fallback
	}
	value, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(value) != text || value < low || value > high {
		d.report(n, fmt.Sprintf("%q is not a whole number from %d to %d", text, low, high), fmt.Sprintf("use one, such as %d", fallback))
		return fallback
	}
	return value
}

// tableName returns a schema-qualified name.
func (d *decoder) tableName(n *node, text string) (TableName, bool) {
	name, err := ParseTableName(text)
	if err != nil {
		d.report(n, err.Error(), "write schema.table as in the catalog, such as public.patients; a part with a dot or a space in double quotes")
	}
	return name, err == nil
}
