package policy

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tacit/policy/internal/document"
	"tacit/policy/internal/name"
)

func (d *decoder) columns(n *document.Node, p *Policy) []Column {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	var columns []Column
	for _, e := range o.Node.Entries {
		if err := name.Check(e.Key); err != nil {
			d.Report(e.Value.AtKey(), err.Error(), "write the column's name as in the catalog")
		}
		columns = append(columns, d.column(e, p))
	}
	return columns
}

func (d *decoder) column(e document.Entry, p *Policy) Column {
	o := d.Object(e.Value, "values", "values_from", "range", "step", "nullable", "outside")
	c := Column{Name: e.Key, Domain: d.domain(o, p), NeverNull: d.Choice(o.Optional("nullable"), "true", "false") == "false"}
	outside := o.Optional("outside")
	if outside != nil && outside.Kind == document.Null { // as YAML reads the word
		c.DropOutside = true
	} else {
		c.DropOutside = d.Choice(outside, "clamp", "null") == "null"
	}
	if outside != nil && c.Domain.Range == nil && c.Domain.Bounds == nil && c.Domain.Values == nil {
		d.Report(outside, "there is no range that values could be outside of", "declare one: {range: [0, 120], outside: null}, or remove it")
	}
	return c
}

func (d *decoder) domain(o document.Object, p *Policy) Domain {
	given := 0
	for _, key := range []string{"values", "values_from", "range"} {
		if o.Optional(key) != nil {
			given++
		}
	}
	if given > 1 {
		d.Report(o.Node, "the domain is given in more than one way", "keep one of values, values_from and range")
		return Domain{}
	}
	domain := Domain{
		Values:     d.values(o.Optional("values"), p.Limits.Cells),
		ValuesFrom: d.valuesFrom(o.Optional("values_from"), p.Public),
	}
	domain.Range, domain.Bounds = d.valueRange(o.Optional("range"), o.Optional("step"), p.Limits)
	return domain
}

// values returns a list of values as they stand in the file: NO is no boolean here, 017 no fifteen.
func (d *decoder) values(n *document.Node, maxCells int) []string {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	if len(n.Items) == 0 {
		d.Report(n, "the list is empty", "list the values, or write {} if they are unknown")
	}
	if len(n.Items) > maxCells {
		d.Report(n, fmt.Sprintf("the list is longer than limits.cells, %d", maxCells), "shorten it, or raise limits.cells")
	}
	var values []string
	seen := make(map[string]bool)
	for _, item := range n.Items {
		switch {
		case item.Kind == document.Null:
			d.Report(item, "null is no value", "remove it: a column that allows NULL has a cell for it; quote it if it is meant as text")
		case !d.Expect(item, document.Scalar):
		case seen[item.Text]:
			d.Report(item, fmt.Sprintf("%q is listed twice", item.Text), "remove one")
		default:
			seen[item.Text] = true
			values = append(values, item.Text)
		}
	}
	return values
}

func (d *decoder) valuesFrom(n *document.Node, public []TableName) *ColumnName {
	text, ok := d.Text(n)
	if !ok {
		return nil
	}
	name, err := parseColumnName(text)
	if err != nil {
		d.Report(n, err.Error(), "write schema.table.column, such as public.regions.region")
		return nil
	}
	if !slices.Contains(public, name.Table) {
		d.Report(n, fmt.Sprintf("%v is not listed under public", name.Table), fmt.Sprintf("add it to public if its contents are no secret: public: [%v]", name.Table))
		return nil
	}
	return &name
}

const rangeRemedy = "write the first and the last value, both numbers, dates, times or durations: [0, 120], [2020-01-01, 2026-12-31], [2020-01-01, today] or [0s, 30d]"

// valueRange decodes a range, as bounds if its values are not listed.
func (d *decoder) valueRange(n, step *document.Node, limits Limits) (*Range, *Bounds) {
	switch {
	case n == nil && step != nil:
		d.Report(step, "there is no range that has steps", "declare one: {range: [0, 100], step: 0.01}, or remove it")
		return nil, nil
	case n == nil || !d.Expect(n, document.Sequence):
		return nil, nil
	case len(n.Items) != 2:
		d.Report(n, fmt.Sprintf("a range has two ends, not %d", len(n.Items)), rangeRemedy)
		return nil, nil
	}
	if b, handled := d.bounds(n, step); handled {
		return nil, b
	}
	r := d.listedRange(n)
	switch {
	case r != nil && step != nil:
		d.Report(step, "only a range of numbers has a step", "remove it")
	case r != nil && !r.Dates && !r.Listed(limits):
		return nil, &Bounds{Least: strconv.FormatInt(r.First, 10), Greatest: strconv.FormatInt(r.Last, 10)}
	}
	return r, nil
}

// listedRange decodes a range of whole numbers or of dates.
func (d *decoder) listedRange(n *document.Node) *Range {
	first, firstIsDate, firstOK := d.rangeEnd(n.Items[0])
	if end := n.Items[1]; end.Kind == document.Scalar && end.Text == todayEnd {
		return d.rangeToToday(n, first, firstIsDate, firstOK)
	}
	last, lastIsDate, lastOK := d.rangeEnd(n.Items[1])
	switch {
	case !firstOK || !lastOK:
	case firstIsDate != lastIsDate:
		d.Report(n, "one end is a number and the other is a date", rangeRemedy)
	case first > last:
		d.Report(n, "the first value is above the last", "exchange them")
	default:
		return &Range{First: first, Last: last, Dates: firstIsDate}
	}
	return nil
}

// rangeEnd returns a whole number, or a date as days since 1970-01-01.
func (d *decoder) rangeEnd(n *document.Node) (value int64, isDate, ok bool) {
	text, ok := d.Text(n)
	if !ok {
		return 0, false, false
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil && date.Year() > 0 {
		return daysOf(date), true, true
	}
	value, err := strconv.ParseInt(text, 10, 64)
	// Other spellings, such as 010 and +1, mean other numbers to other readers of YAML.
	if err != nil || strconv.FormatInt(value, 10) != text {
		d.Report(n, fmt.Sprintf("%q is neither a number nor a date", text), rangeRemedy)
		return 0, false, false
	}
	return value, false, true
}

// mayHave says whether a value, as text, is among those that are declared. A domain that is unknown, or read from a table, may have any.
func (d Domain) mayHave(text string) bool {
	switch {
	case d.Values != nil:
		return slices.Contains(d.Values, text)
	case d.Range == nil:
		return true
	}
	value, isDate, ok := (&decoder{}).rangeEnd(&document.Node{Kind: document.Scalar, Text: text})
	return ok && isDate == d.Range.Dates && d.Range.First <= value && value <= d.Range.Last
}

// size is how many values are declared; 0 if that is not known.
func (d Domain) size() int {
	if r := d.Range; r != nil {
		return int(r.Last - r.First + 1)
	}
	return len(d.Values)
}
