package paper

import "fmt"

// An Attack is section 3's: suppression that looks at the data, under a rule that everybody knows. Cells with few people are sensitive
// and hidden (primary suppression), and as few other cells as possible are hidden so that no sensitive cell follows from what is
// published (secondary suppression). The attacker sees a table with all margins and all cells hidden, and asks which tables the rule would hide
// altogether.
type Attack struct {
	Rows, Columns []int // published margins
	Sensitive     int   // cells with values up to this are sensitive
}

// Figure1 is the paper's maximally suppressed table. Rows are blue eyes and others; columns are blonde, brown and black hair.
func Figure1() Attack {
	return Attack{Rows: []int{110, 105}, Columns: []int{55, 105, 55}, Sensitive: 5}
}

// cells is the number of cells.
func (a Attack) cells() int { return len(a.Rows) * len(a.Columns) }

// Tables lists all tables with the published margins.
func (a Attack) Tables() [][]int {
	var tables [][]int
	table := make([]int, a.cells())
	rows, columns := append([]int(nil), a.Rows...), append([]int(nil), a.Columns...)
	var fill func(i int)
	fill = func(i int) {
		if i == len(table) {
			tables = append(tables, append([]int(nil), table...))
			return
		}
		row, column := i/len(columns), i%len(columns)
		low, high := 0, min(rows[row], columns[column])
		if column == len(columns)-1 {
			low = rows[row]
		}
		if row == len(a.Rows)-1 {
			low = max(low, columns[column])
		}
		for v := low; v <= high; v++ {
			table[i] = v
			rows[row] -= v
			columns[column] -= v
			fill(i + 1)
			rows[row] += v
			columns[column] += v
		}
	}
	fill(0)
	return tables
}

// A pattern is a set of hidden cells, bit i for cell i.
type pattern uint

func (p pattern) has(i int) bool { return p>>i&1 == 1 }

// Primary is the set of a table's sensitive cells, numbered from 1 in row-major order as in the paper.
func (a Attack) Primary(table []int) []int {
	var cells []int
	for i, v := range table {
		if v <= a.Sensitive {
			cells = append(cells, i+1)
		}
	}
	return cells
}

// Consistent lists the tables which the rule may hide altogether: there are sensitive cells, and no smaller set of hidden cells protects
// them. If several sets of the least size protect them, the rule may choose any.
func (a Attack) Consistent() [][]int {
	tables := a.Tables()
	all := pattern(1)<<a.cells() - 1
	exposed := a.exposed(tables)
	var consistent [][]int
next:
	for k, table := range tables {
		var primary pattern
		for _, i := range a.Primary(table) {
			primary |= 1 << (i - 1)
		}
		if primary == 0 || primary&exposed[all][k] != 0 {
			continue
		}
		for p := range all {
			if p&primary == primary && primary&exposed[p][k] == 0 {
				continue next // a smaller set protects them
			}
		}
		consistent = append(consistent, table)
	}
	return consistent
}

// exposed is, for each set of hidden cells and each table, the hidden cells whose value follows from the others and the margins: those that
// have one value in all tables that would be published alike (exact disclosure, Gusfield's criterion).
func (a Attack) exposed(tables [][]int) map[pattern][]pattern {
	exposed := map[pattern][]pattern{}
	for p := range pattern(1) << a.cells() {
		published := make([]string, len(tables))
		varies, first := map[string]pattern{}, map[string][]int{}
		for k, table := range tables {
			shown := append([]int(nil), table...)
			for i := range shown {
				if p.has(i) {
					shown[i] = -1
				}
			}
			name := fmt.Sprint(shown)
			published[k] = name
			if first[name] == nil {
				first[name] = table
			}
			for i, v := range table {
				if v != first[name][i] {
					varies[name] |= 1 << i
				}
			}
		}
		exposed[p] = make([]pattern, len(tables))
		for k := range tables {
			exposed[p][k] = p &^ varies[published[k]]
		}
	}
	return exposed
}

// A Finding is what the attacker believes of one set of sensitive cells.
type Finding struct {
	Primary     []int
	Tables      int
	Probability float64
}

// Findings weighs the consistent tables by the priors of who is in each cell, and groups them by their sensitive cells.
func (a Attack) Findings(people Table) []Finding {
	var findings []Finding
	at := map[string]int{}
	total := 0.0
	for _, table := range a.Consistent() {
		primary := a.Primary(table)
		k, known := at[fmt.Sprint(primary)]
		if !known {
			k = len(findings)
			at[fmt.Sprint(primary)] = k
			findings = append(findings, Finding{Primary: primary})
		}
		p := people.Probability(table)
		findings[k].Tables++
		findings[k].Probability += p
		total += p
	}
	for k := range findings {
		findings[k].Probability /= total
	}
	return findings
}

// Posterior is the probability that a person of each cell has the attribute, given that the rule hid all cells.
func (a Attack) Posterior(people Table) []float64 {
	q := make([]float64, a.cells())
	total := 0.0
	for _, table := range a.Consistent() {
		p := people.Probability(table)
		total += p
		for i, v := range table {
			q[i] += p * float64(v) / float64(people.Cells[i].People())
		}
	}
	for i := range q {
		q[i] /= total
	}
	return q
}

// Probability is that of a table's cells under the priors.
func (t Table) Probability(values []int) float64 {
	p := 1.0
	for i, cell := range t.Cells {
		law := cell.law()
		if values[i] < 0 || values[i] >= len(law) {
			return 0
		}
		p *= law[values[i]]
	}
	return p
}
