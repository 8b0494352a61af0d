package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tacit/policy"
	"tacit/release/assess"
)

// A keyChoice is something that cells can be by, of which a form offers a few for each column.
type keyChoice struct {
	ID, Name string
	SQL      string // as a statement has it
	labels   []string
	declared bool
	Unknown  bool // how many values it has is not in the policy
}

// mostLabels is how many values of a range are offered one by one. Of longer ones parts are offered.
const mostLabels = 500

// keyChoices are those of a table.
func keyChoices(t *policy.Table) (choices []keyChoice) {
	for _, c := range t.Columns {
		name := quoted(c.Name)
		switch r := c.Domain.Range; {
		case c.Domain.Values != nil:
			choices = append(choices, keyChoice{ID: c.Name, Name: c.Name, SQL: name, labels: c.Domain.Values, declared: true})
		case r != nil && r.Dates:
			first, last := dayOf(r.First), dayOf(r.Last)
			choices = append(choices,
				keyChoice{ID: "month of " + c.Name, Name: "month of " + c.Name, SQL: "date_trunc('month', " + name + ")", labels: months(first, last), declared: true},
				keyChoice{ID: "year of " + c.Name, Name: "year of " + c.Name, SQL: "date_trunc('year', " + name + ")", labels: years(first, last), declared: true})
		case r != nil && r.Last-r.First < mostLabels:
			choices = append(choices, keyChoice{ID: c.Name, Name: c.Name, SQL: name, labels: numbers(r.First, r.Last), declared: true})
			if r.Last-r.First >= 20 && r.First >= 0 {
				choices = append(choices, keyChoice{ID: "tens of " + c.Name, Name: "tens of " + c.Name, SQL: name + " / 10", labels: numbers(r.First/10, r.Last/10), declared: true})
			}
		case c.Domain.ValuesFrom != nil:
			choices = append(choices, keyChoice{ID: c.Name, Name: c.Name, SQL: name, declared: true, Unknown: true})
		default:
			choices = append(choices, keyChoice{ID: c.Name, Name: c.Name, SQL: name, Unknown: true})
		}
	}
	return choices
}

// quoted is a name as SQL has it, whatever is in it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func dayOf(n int64) time.Time { return time.Unix(n*24*60*60, 0).UTC() }

func months(first, last time.Time) (labels []string) {
	for at := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); !at.After(last) && len(labels) <= assess.MostSupposedCells; at = at.AddDate(0, 1, 0) {
		labels = append(labels, at.Format("2006-01"))
	}
	return labels
}

func years(first, last time.Time) []string { return numbers(int64(first.Year()), int64(last.Year())) }

func numbers(first, last int64) (labels []string) {
	for n := first; n <= last && len(labels) <= assess.MostSupposedCells; n++ {
		labels = append(labels, strconv.FormatInt(n, 10))
	}
	return labels
}

// supposed is the key with so many values, where the policy does not say how many there are.
func (k keyChoice) supposed(values int) assess.SupposedKey {
	labels := k.labels
	if k.Unknown {
		for i := range values {
			labels = append(labels, fmt.Sprintf("value %d", i+1))
		}
	}
	return assess.SupposedKey{Name: k.Name, Labels: labels, Declared: k.declared}
}

// countStatement counts a table by keys, or the persons of whom it has rows.
func countStatement(t *policy.Table, keys []keyChoice, byPersons bool) string {
	var names []string
	for _, k := range keys {
		names = append(names, k.SQL)
	}
	counted := "count(*)"
	if byPersons && t.Person != nil {
		counted = "count(DISTINCT " + quoted(t.Person.Column) + ")"
	}
	text := "SELECT " + strings.Join(append(names, counted), ", ") + " FROM " + quoted(t.Name.Schema) + "." + quoted(t.Name.Name)
	if len(names) > 0 {
		text += " GROUP BY " + strings.Join(names, ", ")
	}
	return text
}
