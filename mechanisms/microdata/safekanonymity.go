package microdata

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A Generalisation says how one column is generalised, whatever the rows are.
type Generalisation struct {
	// Width is the number of values in each interval of a numeric column, the first of which begins at Min. Required for one.
	Width int64
	// Level is how many steps below the root of the hierarchy the values of a categorical column are published; a value higher up
	// is published as it is. Without a hierarchy, 1 stands for the values and 0 for all together. Default 0: one class for the
	// column.
	Level int
}

func (g Generalisation) check(c *Column) error {
	switch {
	case c.Numeric && g.Level != 0:
		return fmt.Errorf("column %q is numeric and has a level", c.Name)
	case c.Numeric && g.Width < 1:
		return fmt.Errorf("column %q: the width is %d, must be at least 1", c.Name, g.Width)
	case c.Numeric:
		return nil
	case g.Width != 0:
		return fmt.Errorf("column %q is categorical and has a width", c.Name)
	case g.Level < 0 || g.Level > maxLevels || c.Hierarchy == nil && g.Level > 1:
		return fmt.Errorf("column %q has no level %d", c.Name, g.Level)
	}
	return nil
}

// of is the generalised value of a cell. NULL stays by itself.
func (g Generalisation) of(c *Column, v Cell) Generalised {
	switch {
	case v == Null:
		return Generalised{Low: Null, High: Null, Null: true}
	case c.Numeric:
		low := int64(v) - int64(v)%g.Width
		high := low + min(g.Width, c.size()-low) - 1
		return Generalised{Low: Cell(low), High: Cell(high)}
	case c.Hierarchy != nil:
		n := c.Hierarchy.at(g.Level, v)
		return Generalised{Low: n.first, High: n.last}
	case g.Level == 0:
		return Generalised{Low: 0, High: Cell(c.size() - 1)}
	default:
		return Generalised{Low: v, High: v}
	}
}

// SafeKAnonymityConfig configures a [SafeKAnonymity] mechanism.
type SafeKAnonymityConfig struct {
	// Columns are those of the tables. The domains of quasi-identifiers are declared. Required.
	Columns []Column
	// Scheme has a Generalisation for each quasi-identifier, in the order of Columns. It must not have been chosen by looking at
	// the rows. Required.
	Scheme []Generalisation
	// K is the least number of rows of a class, among those sampled. Required: 2 to 1,000,000.
	K int
	// Beta is the probability with which each row is sampled. Required: more than 0, less than 1.
	Beta policy.Share
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// SafeKAnonymity keeps each row with probability Beta, generalises the quasi-identifiers of those kept by a scheme that does not
// depend on the rows, and drops the classes that have fewer than K of them (Li, Qardaji and Su 2011, "On sampling, anonymization,
// and differential privacy or, k-anonymization meets differential privacy").
//
// Adjacency: either. Guarantee: (epsilon, delta) as [SafeKAnonymity.Guarantee] has them, if nothing but the classes' generalised
// values and their numbers of rows is published. If other columns of the rows are, delta is Beta.
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// A SafeKAnonymity is for one goroutine at a time.
type SafeKAnonymity struct {
	config SafeKAnonymityConfig
	random *sampling.Bits
}

// NewSafeKAnonymity returns the mechanism, or says what is wrong with the configuration.
func NewSafeKAnonymity(c SafeKAnonymityConfig) (*SafeKAnonymity, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("microdata: safe-k-anonymity: %w", err)
	}
	c.Columns, c.Scheme = slices.Clone(c.Columns), slices.Clone(c.Scheme)
	return &SafeKAnonymity{config: c, random: sampling.NewBits(c.Random)}, nil
}

func (c *SafeKAnonymityConfig) check() error {
	if err := checkK(c.Columns, c.K); err != nil {
		return err
	}
	if err := declared(c.Columns); err != nil {
		return err
	}
	if c.Beta <= 0 || c.Beta >= policy.OneShare {
		return fmt.Errorf("beta is %v, must be more than 0 and less than 1", c.Beta)
	}
	if c.Random == nil {
		return errNoRandom
	}
	numbers := quasi(c.Columns)
	if len(numbers) != len(c.Scheme) {
		return errors.New("the scheme must have a generalisation for each quasi-identifier")
	}
	for i, column := range numbers {
		if err := c.Scheme[i].check(&c.Columns[column]); err != nil {
			return err
		}
	}
	return nil
}

// Anonymise returns the classes of a sample of a table's rows, in the order of their values.
func (m *SafeKAnonymity) Anonymise(t *Table) ([]Class, error) {
	if err := sameColumns(t, m.config.Columns); err != nil {
		return nil, fmt.Errorf("microdata: safe-k-anonymity: %w", err)
	}
	rows := subsample(t.rows, func() bool { return drawShare(m.config.Beta, m.random) })
	if err := m.random.Err(); err != nil {
		return nil, fmt.Errorf("microdata: safe-k-anonymity: %w", err)
	}
	return m.classes(t, rows), nil
}

// classes sorts rows by their generalised values, one column after the other from the last, and cuts them where one changes. That
// an order is stable makes it the order by all columns.
func (m *SafeKAnonymity) classes(t *Table, rows []int32) []Class {
	columns := t.Quasi()
	low := func(i int, row int32) Cell { return m.generalise(t, columns[i], i, row).Low }
	same := func(a, b int32) bool {
		for i := range columns {
			if low(i, a) != low(i, b) {
				return false
			}
		}
		return true
	}
	for i := len(columns) - 1; i >= 0; i-- {
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(low(i, a), low(i, b)) })
	}
	var classes []Class
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && same(rows[begin], rows[end]) {
			end++
		}
		if end-begin >= m.config.K {
			c := Class{Rows: rows[begin:end]}
			for i, column := range columns {
				c.Quasi = append(c.Quasi, m.generalise(t, column, i, rows[begin]))
			}
			classes = append(classes, c)
		}
		begin = end
	}
	return classes
}

func (m *SafeKAnonymity) generalise(t *Table, column, i int, row int32) Generalised {
	return m.config.Scheme[i].of(&t.columns[column], t.cells[column][row])
}
