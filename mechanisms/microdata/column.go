package microdata

import (
	"errors"
	"fmt"
	"math"
)

// A Cell is one value of a row, as a column numbers its values: a categorical column by their places in Values, a numeric one by
// their distances from Min. It is Null if there is no value.
type Cell int32

// Null is the cell of NULL. Here it is a value like others: equal to itself, and different from every other.
const Null Cell = -1

// The most that fits: a cell is an int32, and so is a row's number.
const (
	maxValues  = math.MaxInt32
	maxRows    = math.MaxInt32
	maxColumns = 1000
)

// A Column is one column of a table: either categorical, with Values or a Hierarchy, or Numeric.
type Column struct {
	// Name is required.
	Name string
	// Values are those of a categorical column, in an order that says which of them may be merged: values next to one another.
	// Required for one without a Hierarchy.
	Values []string
	// Hierarchy says which values of a categorical column may be merged, and what they are then called. Its leaves are the values.
	// Default: none.
	Hierarchy *Hierarchy
	// Numeric columns have the values Min to Max, such as days since 1970-01-01. Required for a numeric column.
	Numeric  bool
	Min, Max int64
	// Nullable columns may hold NULL.
	Nullable bool
	// Quasi marks a quasi-identifier, which the mechanisms replace or generalise. Default: it stays as it is, and is loaded only
	// because records are compared on it.
	Quasi bool
	// FromData says that Values, Hierarchy, Min or Max were learnt from the rows. Mechanisms whose guarantee depends on a domain
	// that anybody may know refuse such a column.
	FromData bool
}

func (c *Column) check() error {
	switch {
	case c.Name == "":
		return errors.New("a column has no name")
	case c.Numeric && (c.Values != nil || c.Hierarchy != nil):
		return fmt.Errorf("column %q is numeric and has a list of values", c.Name)
	case c.Numeric && c.Min > c.Max:
		return fmt.Errorf("column %q: the range begins at %d, above its end, %d", c.Name, c.Min, c.Max)
	case c.Numeric && uint64(c.Max)-uint64(c.Min) >= maxValues: // the difference of two int64 fits into uint64
		return fmt.Errorf("column %q: the range has more than %d values", c.Name, maxValues)
	case c.Numeric:
		return nil
	case c.Min != 0 || c.Max != 0:
		return fmt.Errorf("column %q is categorical and has a range", c.Name)
	case c.Hierarchy != nil && c.Values != nil:
		return fmt.Errorf("column %q: its hierarchy lists the values already", c.Name)
	case c.Hierarchy != nil:
		return nil
	}
	return c.checkValues()
}

func (c *Column) checkValues() error {
	if len(c.Values) == 0 || len(c.Values) > maxValues {
		return fmt.Errorf("column %q has %d values, must have 1 to %d", c.Name, len(c.Values), maxValues)
	}
	seen := make(map[string]bool, len(c.Values))
	for _, v := range c.Values {
		if seen[v] {
			return fmt.Errorf("column %q lists a value twice", c.Name)
		}
		seen[v] = true
	}
	return nil
}

// values lists those of a categorical column.
func (c *Column) values() []string {
	if c.Hierarchy != nil {
		return c.Hierarchy.values
	}
	return c.Values
}

// size is the number of values, NULL not counted.
func (c *Column) size() int64 {
	if c.Numeric {
		return c.Max - c.Min + 1
	}
	return int64(len(c.values()))
}

// domain is the number of values, NULL counted if there may be one.
func (c *Column) domain() int64 {
	if c.Nullable {
		return c.size() + 1
	}
	return c.size()
}

// admits says whether a cell is one of the column's.
func (c *Column) admits(v Cell) bool {
	return v >= 0 && int64(v) < c.size() || v == Null && c.Nullable
}

// Number is the cell of a number, if it is in the range of a numeric column.
func (c *Column) Number(n int64) (Cell, bool) {
	if !c.Numeric || n < c.Min || n > c.Max {
		return Null, false
	}
	return Cell(n - c.Min), true
}

// Int is the number of a cell of a numeric column. It has no meaning for Null.
func (c *Column) Int(v Cell) int64 { return c.Min + int64(v) }

// Text is the value of a cell of a categorical column. It has no meaning for Null.
func (c *Column) Text(v Cell) string { return c.values()[v] }
