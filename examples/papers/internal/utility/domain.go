package utility

import (
	"errors"
	"fmt"
	"slices"
)

// maxCells is the most cells of a domain: 128 MB of counts.
const maxCells = 1 << 24

// A Variable is one way in which persons are told apart.
type Variable struct {
	// Name is required.
	Name string
	// Levels are all values that there can be, in the order in which tables show them. Required.
	Levels []string
}

// level is the number of a level.
func (v Variable) level(name string) (int, error) {
	if i := slices.Index(v.Levels, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("utility: %q is none of the levels of %s, %q", name, v.Name, v.Levels)
}

// A Domain is the variables of a table. Its cells are all combinations of levels, in the order in which the last variable changes fastest.
type Domain []Variable

// check says what is wrong with a domain.
func (d Domain) check() error {
	cells := 1
	for i, v := range d {
		switch {
		case v.Name == "":
			return fmt.Errorf("utility: variable %d has no name", i+1)
		case slices.ContainsFunc(d[:i], func(o Variable) bool { return o.Name == v.Name }):
			return fmt.Errorf("utility: there are two variables %s", v.Name)
		case len(v.Levels) == 0:
			return fmt.Errorf("utility: variable %s has no levels", v.Name)
		}
		seen := make(map[string]bool, len(v.Levels))
		for _, level := range v.Levels {
			if seen[level] {
				return fmt.Errorf("utility: variable %s has level %q twice", v.Name, level)
			}
			seen[level] = true
		}
		if len(v.Levels) > maxCells/cells {
			return fmt.Errorf("utility: there are more than %d combinations of levels; leave variables out, or put levels together", maxCells)
		}
		cells *= len(v.Levels)
	}
	return nil
}

// Cells is the number of combinations of levels.
func (d Domain) Cells() int {
	cells := 1
	for _, v := range d {
		cells *= len(v.Levels)
	}
	return cells
}

// Cell is the number of the cell with these levels, one for each variable.
func (d Domain) Cell(levels ...string) (int, error) {
	if len(levels) != len(d) {
		return 0, fmt.Errorf("utility: %d levels for %d variables", len(levels), len(d))
	}
	cell := 0
	for i, v := range d {
		at, err := v.level(levels[i])
		if err != nil {
			return 0, err
		}
		cell = cell*len(v.Levels) + at
	}
	return cell, nil
}

// Position is the number of the variable with that name.
func (d Domain) Position(name string) (int, error) {
	if i := slices.IndexFunc(d, func(v Variable) bool { return v.Name == name }); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("utility: there is no variable %s", name)
}

// positions are the numbers of several variables, each at most once.
func (d Domain) positions(names []string) ([]int, error) {
	at := make([]int, len(names))
	for i, name := range names {
		var err error
		if at[i], err = d.Position(name); err != nil {
			return nil, err
		}
		if slices.Contains(at[:i], at[i]) {
			return nil, fmt.Errorf("utility: variable %s is named twice", name)
		}
	}
	return at, nil
}

// index numbers, for each cell, the combination of levels that it has of the variables at some positions, in the order of these.
func (d Domain) index(at []int) []int {
	stride := make([]int, len(d)) // of the combination's number; 0 for variables that are not asked for
	step := 1
	for i := len(at) - 1; i >= 0; i-- {
		stride[at[i]] = step
		step *= len(d[at[i]].Levels)
	}
	numbers := make([]int, 1, d.Cells())
	for i, v := range d { // cells of the variables up to this one, last first so that they stay in place
		before := len(numbers)
		numbers = numbers[:before*len(v.Levels)]
		for n := before - 1; n >= 0; n-- {
			base := numbers[n]
			for l := range v.Levels {
				numbers[n*len(v.Levels)+l] = base + l*stride[i]
			}
		}
	}
	return numbers
}

// Blocks are the cells that agree in every variable but the quasi-identifiers: [mechanisms.Histogram].Blocks.
func (d Domain) Blocks(quasi ...string) ([][]int, error) {
	at, err := d.positions(quasi)
	if err != nil {
		return nil, err
	}
	if len(at) == 0 {
		return nil, errors.New("utility: at least one quasi-identifier is required")
	}
	others := make([]int, 0, len(d))
	size := 1
	for i, v := range d {
		if slices.Contains(at, i) {
			size *= len(v.Levels)
		} else {
			others = append(others, i)
		}
	}
	blocks := make([][]int, d.Cells()/size)
	for i := range blocks {
		blocks[i] = make([]int, 0, size)
	}
	for cell, block := range d.index(others) {
		blocks[block] = append(blocks[block], cell)
	}
	return blocks, nil
}
