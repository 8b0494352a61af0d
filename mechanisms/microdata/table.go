package microdata

import (
	"errors"
	"fmt"
	"slices"
)

// errNotInDomain is returned when a value is none of those that its column may have.
var errNotInDomain = errors.New("microdata: a value is outside the domain of its column")

// A Table holds the columns of a table that a mechanism has to see, four bytes to a cell. The rest of a row stays where it is; its
// number in the table, counted from 0 in the order of Append, stands for it.
type Table struct {
	columns []Column
	codes   []map[string]Cell // of categorical columns
	cells   [][]Cell          // by column
	rows    int
}

// NewTable returns an empty table, or says what is wrong with the columns. At least one has to be a quasi-identifier.
func NewTable(columns []Column) (*Table, error) {
	if err := checkColumns(columns); err != nil {
		return nil, fmt.Errorf("microdata: %w", err)
	}
	t := &Table{columns: slices.Clone(columns), cells: make([][]Cell, len(columns)), codes: make([]map[string]Cell, len(columns))}
	for i := range t.columns {
		c := &t.columns[i]
		if c.Numeric {
			continue
		}
		t.codes[i] = make(map[string]Cell, len(c.values()))
		for code, v := range c.values() {
			t.codes[i][v] = Cell(code)
		}
	}
	return t, nil
}

func checkColumns(columns []Column) error {
	if len(columns) > maxColumns {
		return fmt.Errorf("%d columns, must be at most %d", len(columns), maxColumns)
	}
	seen := make(map[string]bool, len(columns))
	for i := range columns {
		if err := columns[i].check(); err != nil {
			return err
		}
		if seen[columns[i].Name] {
			return fmt.Errorf("column %q stands twice", columns[i].Name)
		}
		seen[columns[i].Name] = true
	}
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Quasi }) {
		return errors.New("no column is a quasi-identifier")
	}
	return nil
}

// Category is the cell of a value of a categorical column, or an error.
func (t *Table) Category(column int, value string) (Cell, error) {
	if code, ok := t.codes[column][value]; ok {
		return code, nil
	}
	return Null, errNotInDomain
}

// Number is the cell of a number of a numeric column, or an error. Who wants numbers outside the range counted at its ends
// clamps them.
func (t *Table) Number(column int, n int64) (Cell, error) {
	if code, ok := t.columns[column].Number(n); ok {
		return code, nil
	}
	return Null, errNotInDomain
}

// Append adds a row, which has one cell for each column. It keeps a copy. After an error the table is as before.
func (t *Table) Append(row []Cell) error {
	if len(row) != len(t.columns) {
		return fmt.Errorf("microdata: a row of %d cells for %d columns", len(row), len(t.columns))
	}
	if t.rows == maxRows {
		return fmt.Errorf("microdata: more than %d rows", maxRows)
	}
	for i, v := range row {
		if !t.columns[i].admits(v) {
			return errNotInDomain
		}
	}
	for i, v := range row {
		t.cells[i] = append(t.cells[i], v)
	}
	t.rows++
	return nil
}

// Rows is the number of rows.
func (t *Table) Rows() int { return t.rows }

// Columns are the columns. They must not be changed.
func (t *Table) Columns() []Column { return t.columns }

// Cell is one value.
func (t *Table) Cell(row, column int) Cell { return t.cells[column][row] }

// Quasi are the numbers of the columns that are quasi-identifiers.
func (t *Table) Quasi() []int { return quasi(t.columns) }

func quasi(columns []Column) []int {
	var numbers []int
	for i := range columns {
		if columns[i].Quasi {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// declared checks that the domains of the quasi-identifiers are known without the rows.
func declared(columns []Column) error {
	for i := range columns {
		if columns[i].Quasi && columns[i].FromData {
			return fmt.Errorf("the domain of column %q comes from the rows, must be declared", columns[i].Name)
		}
	}
	return nil
}

// all are the numbers of n columns.
func all(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// groups numbers the different combinations of some columns' values, in the order of their first rows: of is the number of each
// row's combination, and count how many there are.
//
// Column by column, rows that agreed so far are told apart by one more value.
func (t *Table) groups(columns []int) (of []int32, count int) {
	of = make([]int32, t.rows)
	count = min(1, t.rows)
	for _, c := range columns {
		next := make(map[uint64]int32, count)
		for row, v := range t.cells[c] {
			key := uint64(of[row])<<32 | uint64(uint32(v))
			number, ok := next[key]
			if !ok {
				number = int32(len(next))
				next[key] = number
			}
			of[row] = number
		}
		count = len(next)
	}
	return of, count
}
