package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacit/mechanisms/residual"
)

// A statement counts rows by some columns, of those rows that have one value of another column.
type statement struct {
	by []string
	// where is the column of the condition, "" for none, and value what it has.
	where, value string
}

// SQL is the statement as a dashboard sends it.
func (s statement) SQL() string {
	keys := strings.Join(s.by, ", ")
	sql := "SELECT "
	if len(s.by) > 0 {
		sql += keys + ", "
	}
	sql += "count(*) FROM public.adult"
	if s.where != "" {
		sql += fmt.Sprintf(" WHERE %s = '%s'", s.where, s.value)
	}
	if len(s.by) > 0 {
		sql += " GROUP BY " + keys
	}
	return sql
}

// marginal are all columns of the statement: its cells are cells of that marginal.
func (s statement) marginal() []string {
	names := slices.Clone(s.by)
	if s.where != "" {
		names = append(names, s.where)
	}
	slices.SortFunc(names, func(a, b string) int { return columnAt(a) - columnAt(b) })
	return names
}

// cells is how many cells the statement shows.
func (s statement) cells() int {
	n := 1
	for _, name := range s.by {
		n *= len(columns[columnAt(name)].values)
	}
	return n
}

// A sliced dashboard is opened once for each value of a column, and shows charts of others each time.
type sliced struct {
	by     string
	charts [][]string
}

// charts are those of dashboards without a condition: a number, a bar chart of each column, tables of two and three columns.
var charts = [][]string{
	{},
	{"workclass"}, {"education"}, {"marital_status"}, {"occupation"}, {"relationship"}, {"race"}, {"sex"}, {"native_country"}, {"income"}, {"age_group"},
	{"workclass", "income"}, {"education", "income"}, {"marital_status", "income"}, {"occupation", "income"}, {"relationship", "income"},
	{"race", "income"}, {"sex", "income"}, {"native_country", "income"}, {"income", "age_group"},
	{"education", "age_group"}, {"education", "occupation"}, {"workclass", "occupation"}, {"education", "race"}, {"marital_status", "age_group"},
	{"relationship", "age_group"}, {"marital_status", "relationship"}, {"race", "native_country"}, {"education", "native_country"}, {"occupation", "sex"},
	{"workclass", "sex"}, {"race", "sex"}, {"sex", "age_group"},
	{"race", "sex", "income"}, {"sex", "income", "age_group"}, {"education", "sex", "income"}, {"marital_status", "sex", "age_group"},
	{"workclass", "sex", "income"}, {"occupation", "sex", "income"},
}

var slicedDashboards = []sliced{
	{"income", [][]string{{}, {"workclass"}, {"education"}, {"marital_status"}, {"occupation"}, {"relationship"}, {"race"}, {"sex"}, {"native_country"}, {"age_group"}}},
	{"sex", [][]string{{}, {"workclass"}, {"education"}, {"marital_status"}, {"occupation"}, {"race"}, {"income"}, {"age_group"}, {"education", "income"}, {"income", "age_group"}}},
	{"race", [][]string{{}, {"sex"}, {"income"}, {"education"}, {"age_group"}}},
	{"workclass", [][]string{{"income"}, {"sex"}, {"age_group"}}},
	{"relationship", [][]string{{"sex"}, {"income"}, {"age_group"}}},
	{"age_group", [][]string{{"income"}, {"workclass"}, {"marital_status"}}},
	{"marital_status", [][]string{{"income"}, {"sex"}, {"age_group"}}},
}

// statements are those of all dashboards, in the order in which they are opened.
func statements() []statement {
	var all []statement
	for _, by := range charts {
		all = append(all, statement{by: by})
	}
	for _, d := range slicedDashboards {
		for _, value := range columns[columnAt(d.by)].values {
			for _, by := range d.charts {
				all = append(all, statement{by, d.by, value})
			}
		}
	}
	return all
}

// A shown marginal is one whose cells some statements show. Each of its cells is shown as often as any other, since a sliced dashboard is opened for
// all values.
type shown struct {
	columns []string
	times   int
}

// shownMarginals are those of statements.
func shownMarginals(all []statement) []shown {
	cells := make(map[string]int)
	names := make(map[string][]string)
	for _, s := range all {
		key := strings.Join(s.marginal(), ", ")
		cells[key] += s.cells()
		names[key] = s.marginal()
	}
	var marginals []shown
	for _, key := range slices.Sorted(maps.Keys(cells)) {
		m := shown{columns: names[key]}
		m.times = cells[key] / statement{by: m.columns}.cells()
		marginals = append(marginals, m)
	}
	return marginals
}

// workload is that of the marginals, each with how often it is shown as its weight.
func workload(marginals []shown) (*residual.Workload, error) {
	sizes := make([]int, len(columns))
	for i, c := range columns {
		sizes[i] = len(c.values)
	}
	wanted := make([]residual.Marginal, len(marginals))
	for i, m := range marginals {
		wanted[i].Weight = float64(m.times)
		for _, name := range m.columns {
			wanted[i].Columns = append(wanted[i].Columns, columnAt(name))
		}
	}
	return residual.NewWorkload(sizes, wanted)
}
