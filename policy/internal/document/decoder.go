package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Decoder reads the nodes of a file and collects everything that is wrong on the way. Its methods accept the nil node of a key
// that is absent, or whose absence was reported, and return a zero value for what they could not read.
type Decoder struct {
	File   string // as errors name it
	Errors Errors
}

// Report notes what is wrong with a node, and what to write instead.
func (d *Decoder) Report(n *Node, problem, remedy string) {
	d.Errors = append(d.Errors, &Error{File: d.File, Line: n.Line, Key: n.Path, Problem: problem, Remedy: remedy})
}

// ReportFile notes what is wrong with a line, or with the file as a whole.
func (d *Decoder) ReportFile(line int, problem, remedy string) {
	d.Report(&Node{Line: line}, problem, remedy)
}

// An Object is a mapping whose keys are known.
type Object struct {
	d     *Decoder
	Node  *Node
	known []string
}

// Object makes sure that a node is a mapping with no other keys than those known. With no known keys, all are allowed.
func (d *Decoder) Object(n *Node, known ...string) Object {
	if n == nil || !d.Expect(n, Mapping) {
		return Object{}
	}
	for _, e := range n.Entries {
		if len(known) > 0 && !slices.Contains(known, e.Key) {
			d.reportUnknown(e, known)
		}
	}
	return Object{d, n, known}
}

// Unchecked is a mapping whose keys are checked elsewhere. What is no mapping has no keys.
func (d *Decoder) Unchecked(n *Node) Object {
	if n == nil || n.Kind != Mapping {
		return Object{}
	}
	return Object{d: d, Node: n}
}

// Knows says whether a key is among those that the mapping may have.
func (o Object) Knows(key string) bool { return slices.Contains(o.known, key) }

func (d *Decoder) reportUnknown(e Entry, known []string) {
	at := e.Value.AtKey()
	d.Report(at, "unknown key", "the keys here are "+strings.Join(known, ", "))
}

// Optional returns the value of a key; nil if it is absent.
func (o Object) Optional(key string) *Node {
	if o.Node == nil {
		return nil
	}
	for _, e := range o.Node.Entries {
		if e.Key == key {
			return e.Value
		}
	}
	return nil
}

// Required is Optional, but reports absence.
func (o Object) Required(key, remedy string) *Node {
	value := o.Optional(key)
	if value == nil && o.Node != nil {
		at := place{path: o.Node.Path}.under(key, o.Node.KeyLine)
		o.d.Report(&Node{Path: at.path, Line: at.line}, "the key is missing", remedy)
	}
	return value
}

// Expect reports a node of another kind.
func (d *Decoder) Expect(n *Node, want Kind) bool {
	if n.Kind == want {
		return true
	}
	problem := fmt.Sprintf("this is %s instead of %s", n.Kind, want)
	if n.Kind == Null {
		problem = "the key has no value"
	}
	d.Report(n, problem, map[Kind]string{
		Scalar:   "write a single value after the key",
		Sequence: "write a list: [first, second]",
		Mapping:  "write a mapping: {key: value}, or {} for an empty one",
	}[want])
	return false
}

// Text returns a scalar as it stands in the file.
func (d *Decoder) Text(n *Node) (string, bool) {
	if n == nil || !d.Expect(n, Scalar) {
		return "", false
	}
	return n.Text, true
}

// Choice returns one of several words: the first if the key is absent, none if its value was reported.
func (d *Decoder) Choice(n *Node, words ...string) string {
	if n == nil {
		return words[0]
	}
	text, ok := d.Text(n)
	if ok && !slices.Contains(words, text) {
		d.Report(n, fmt.Sprintf("%q is not known here", text), "use "+strings.Join(words, " or "))
		return ""
	}
	return text
}

// Integer returns a whole number between two bounds; fallback if the key is absent or its value reported.
func (d *Decoder) Integer(n *Node, low, high, fallback int) int {
	text, ok := d.Text(n)
	if !ok {
		return fallback
	}
	value, problem, remedy := IntegerBetween(text, low, high, fallback)
	if problem != "" {
		d.Report(n, problem, remedy)
		return fallback
	}
	return value
}

// IntegerBetween reads a whole number between two bounds, or says what is wrong with it.
func IntegerBetween(text string, low, high, example int) (value int, problem, remedy string) {
	value, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(value) != text || value < low || value > high {
		return 0, fmt.Sprintf("%q is not a whole number from %d to %d", text, low, high), fmt.Sprintf("use one, such as %d", example)
	}
	return value, "", ""
}
