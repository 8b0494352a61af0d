package attack

import (
	"fmt"
	"slices"
	"strings"
)

// A Way is one classification of a table, with its totals: a tree of codes.
type Way struct {
	Name   string
	Codes  []string          // all of them, totals as well
	Parent map[string]string // of each code but the grand total
}

// Flat is a way without levels between its codes and their total.
func Flat(name, total string, codes ...string) Way {
	w := Way{Name: name, Codes: append(append([]string(nil), codes...), total), Parent: map[string]string{}}
	for _, code := range codes {
		w.Parent[code] = total
	}
	return w
}

// An Entry is a cell of a table with its code in each way.
type Entry struct {
	Codes []string
	Cell
}

// Cross is the table of all combinations of some ways' codes. Every combination must be there once: what is missing from a published table is hidden.
// The sums are those of each total of each way, at each combination of the other ways' codes.
func Cross(ways []Way, entries []Entry) (Publication, error) {
	c := crossing{ways: ways, at: map[string]int{}}
	for _, w := range ways {
		if err := w.validate(); err != nil {
			return Publication{}, err
		}
	}
	for _, e := range entries {
		if err := c.enter(e); err != nil {
			return Publication{}, err
		}
	}
	if err := c.complete(make([]string, len(ways)), 0); err != nil {
		return Publication{}, err
	}
	for way := range ways {
		c.addSums(way)
	}
	return c.table, nil
}

func (w Way) validate() error {
	known := map[string]bool{}
	for _, code := range w.Codes {
		if known[code] {
			return fmt.Errorf("%w: %s has the code %q twice", ErrMalformed, w.Name, code)
		}
		known[code] = true
	}
	totals := 0
	for _, code := range w.Codes {
		parent, ok := w.Parent[code]
		if !ok {
			totals++
		} else if !known[parent] {
			return fmt.Errorf("%w: %s has no code %q, the parent of %q", ErrMalformed, w.Name, parent, code)
		}
		for step := 0; ok; step++ {
			if step > len(w.Codes) {
				return fmt.Errorf("%w: %s: %q is under itself", ErrMalformed, w.Name, code)
			}
			parent, ok = w.Parent[parent]
		}
	}
	if totals != 1 {
		return fmt.Errorf("%w: %s has %d grand totals (codes without a parent), not one", ErrMalformed, w.Name, totals)
	}
	return nil
}

// A crossing is a table in the making.
type crossing struct {
	ways  []Way
	table Publication
	at    map[string]int // cells by their codes
}

func key(codes []string) string { return strings.Join(codes, "\x00") }

func (c *crossing) enter(e Entry) error {
	if e.Name == "" {
		e.Name = "(" + strings.Join(e.Codes, ", ") + ")"
	}
	if len(e.Codes) != len(c.ways) {
		return fmt.Errorf("%w: %s has %d codes in a table of %d ways", ErrMalformed, e.Name, len(e.Codes), len(c.ways))
	}
	for way, code := range e.Codes {
		if !slices.Contains(c.ways[way].Codes, code) {
			return fmt.Errorf("%w: %s has no code %q", ErrMalformed, c.ways[way].Name, code)
		}
	}
	if _, twice := c.at[key(e.Codes)]; twice {
		return fmt.Errorf("%w: %s is there twice", ErrMalformed, e.Name)
	}
	c.at[key(e.Codes)] = len(c.table.Cells)
	c.table.Cells = append(c.table.Cells, e.Cell)
	return nil
}

// complete looks every combination up.
func (c *crossing) complete(codes []string, way int) error {
	if way < len(c.ways) {
		for _, code := range c.ways[way].Codes {
			codes[way] = code
			if err := c.complete(codes, way+1); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := c.at[key(codes)]; !ok {
		return fmt.Errorf("%w: the cell (%s) is missing; enter it as hidden if it was not published", ErrMalformed, strings.Join(codes, ", "))
	}
	return nil
}

// addSums adds the sums over one way.
func (c *crossing) addSums(way int) {
	children := map[string][]string{}
	for _, code := range c.ways[way].Codes {
		if parent, ok := c.ways[way].Parent[code]; ok {
			children[parent] = append(children[parent], code)
		}
	}
	codes := make([]string, len(c.ways))
	var visit func(other int)
	visit = func(other int) {
		switch {
		case other == len(c.ways):
			for _, total := range c.ways[way].Codes {
				if parts := children[total]; len(parts) > 0 {
					c.addSum(codes, way, total, parts)
				}
			}
		case other == way:
			visit(other + 1)
		default:
			for _, code := range c.ways[other].Codes {
				codes[other] = code
				visit(other + 1)
			}
		}
	}
	visit(0)
}

func (c *crossing) addSum(codes []string, way int, total string, parts []string) {
	at := func(code string) int {
		codes[way] = code
		return c.at[key(codes)]
	}
	s := Sum{Total: at(total)}
	for _, part := range parts {
		s.Parts = append(s.Parts, at(part))
	}
	c.table.Sums = append(c.table.Sums, s)
}
