package console

import (
	"fmt"
	"math"
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

// A heatMap shows how much of each block's budget is spent, as a table: what a cell says it says in a number, and its colour says it again.
type heatMap struct {
	Rows    string // what the rows are
	Columns []string
	Lines   []heatLine
	// Words say what blocks have spent that nobody charged by name, NULL and values outside among them.
	Words string
}

type heatLine struct {
	Name  string
	Cells []heatCell
}

// A heatCell is a block. Level is from 0 to 5; -1: there is no such block.
type heatCell struct {
	Name, Spent string
	Percent     int
	Level       int
}

// mostHeatCells bounds the blocks that are shown as a map. More have the list of those that were charged by name.
const mostHeatCells = 1200

// heat is the map of a table whose blocks are months or days; nil of others.
func (v *visit) heat(t *policy.Table) (*heatMap, error) {
	b := t.Blocks
	if b == nil || b.By != policy.ByMonth && b.By != policy.ByDay {
		return nil, nil
	}
	names := b.All()
	names = names[:len(names)-2] // NULL and outside
	if len(names) > mostHeatCells {
		return nil, nil
	}
	s, err := v.ledger.Balance(v.r.Context(), release.Accounting(t), "", nil)
	if err != nil {
		return nil, err
	}
	m := &heatMap{Rows: "Year", Words: fmt.Sprintf("Blocks that nobody asked about by name, rows without a value among them, have spent %v.", s.Elsewhere.Spent.RoundUp(books.ShownDigits))}
	columns, width := 12, len("2006-")
	if b.By == policy.ByDay {
		m.Rows, columns, width = "Month", 31, len("2006-01-")
	}
	for i := range columns {
		m.Columns = append(m.Columns, fmt.Sprintf("%02d", i+1))
	}
	for _, name := range names {
		row, column := strings.TrimSuffix(name[:width], "-"), 0
		if _, err := fmt.Sscanf(name[width:], "%02d", &column); err != nil || column < 1 || column > columns {
			return nil, fmt.Errorf("console: a block %q", name)
		}
		if len(m.Lines) == 0 || m.Lines[len(m.Lines)-1].Name != row {
			line := heatLine{Name: row, Cells: make([]heatCell, columns)}
			for i := range line.Cells {
				line.Cells[i].Level = -1
			}
			m.Lines = append(m.Lines, line)
		}
		m.Lines[len(m.Lines)-1].Cells[column-1] = newHeatCell(name, s.In(name), accountant.Named(s.Budget))
	}
	return m, nil
}

// newHeatCell is a block with the share of the first amount that its budget bounds, rounded up.
func newHeatCell(name string, b accountant.BlockBalance, budget accountant.Loss) heatCell {
	of := epsilonAmount
	if budget.Epsilon == 0 {
		of = releasesAmount
	}
	c := heatCell{Name: name, Spent: b.Spent.RoundUp(books.ShownDigits).String()}
	if whole := of.of(budget); whole > 0 {
		c.Percent = int(math.Ceil(math.Min(100, 100*of.of(b.Spent)/whole)))
	}
	c.Level = (c.Percent + 19) / 20
	return c
}
