package policy

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tacit/policy/internal/name"
)

func (d *decoder) columns(n *node, p *Policy) []Column {
	o := d.object(n)
	if o.node == nil {
		return nil
	}
	var columns []Column
	for _, e := range o.node.entries {
		if err := name.Check(e.key); err != nil {
			d.report(e.value.key(), err.Error(), "write the column's name as in the catalog")
		}
		columns = append(columns, d.column(e, p))
	}
	return columns
}

func (d *decoder) column(e entry, p *Policy) Column {
	o := d.object(e.value, "values", "values_from", "range", "step", "nullable", "outside")
	c := Column{Name: e.key, Domain: d.domain(o, p), NeverNull: d.choice(o.optional("nullable"), "true", "false") == "false"}
	outside := o.optional("outside")
	if outside != nil && outside.kind == null { // as YAML reads the word
		c.DropOutside = true
	} else {
		c.DropOutside = d.choice(outside, "clamp", "null") == "null"
	}
	if outside != nil && c.Domain.Range == nil && c.Domain.Bounds == nil && c.Domain.Values == nil {
		d.report(outside, "there is no range that values could be outside of", "declare one: {range: [0, 120], outside: null}, or remove it")
	}
	return c
}

func (d *decoder) domain(o object, p *Policy) Domain {
	given := 0
	for _, key := range []string{"values", "values_from", "range"} {
		if o.optional(key) != nil {
			given++
		}
	}
	if given > 1 {
		d.report(o.node, "the domain is given in more than one way", "keep one of values, values_from and range")
		return Domain{}
	}
	domain := Domain{
		Values:     d.values(o.optional("values"), p.Limits.Cells),
		ValuesFrom: d.valuesFrom(o.optional("values_from"), p.Public),
	}
	domain.Range, domain.Bounds = d.valueRange(o.optional("range"), o.optional("step"), p.Limits)
	return domain
}

// values returns a list of values as they stand in the file: NO is no boolean here, 017 no fifteen.
func (d *decoder) values(n *node, maxCells int) []string {
	if n == nil || !d.expect(n, sequence) {
		return nil
	}
	if len(n.items) == 0 {
		d.report(n, "the list is empty", "list the values, or write {} if they are unknown")
	}
	if len(n.items) > maxCells {
		d.report(n, fmt.Sprintf("the list is longer than limits.cells, %d", maxCells), "shorten it, or raise limits.cells")
	}
	var values []string
	seen := make(map[string]bool)
	for _, item := range n.items {
		switch {
		case item.kind == null:
			d.report(item, "null is no value", "remove it: a column that allows NULL has a cell for it; quote it if it is meant as text")
		case !d.expect(item, scalar):
		case seen[item.text]:
			d.report(item, fmt.Sprintf("%q is listed twice", item.text), "remove one")
		default:
			seen[item.text] = true
			values = append(values, item.text)
		}
	}
	return values
}

func (d *decoder) valuesFrom(n *node, public []TableName) *ColumnName {
	text, ok := d.text(n)
	if !ok {
		return nil
	}
	name, err := parseColumnName(text)
	if err != nil {
		d.report(n, err.Error(), "write schema.table.column, such as public.regions.region")
		return nil
	}
	if !slices.Contains(public, name.Table) {
		d.report(n, fmt.Sprintf("%v is not listed under public", name.Table), fmt.Sprintf("add it to public if its contents are no secret: public: [%v]", name.Table))
		return nil
	}
	return &name
}

const rangeRemedy = "write the first and the last value, both numbers, dates, times or durations: [0, 120], [2020-01-01, 2026-12-31], [2020-01-01, today] or [0s, 30d]"

// valueRange decodes a range, as bounds if its values are not listed.
func (d *decoder) valueRange(n, step *node, limits Limits) (*Range, *Bounds) {
	switch {
	case n == nil && step != nil:
		d.report(step, "there is no range that has steps", "declare one: {range: [0, 100], step: 0.01}, or remove it")
		return nil, nil
	case n == nil || !d.expect(n, sequence):
		return nil, nil
	case len(n.items) != 2:
		d.report(n, fmt.Sprintf("a range has two ends, not %d", len(n.items)), rangeRemedy)
		return nil, nil
	}
	if b, handled := d.bounds(n, step); handled {
		return nil, b
	}
	r := d.listedRange(n)
	switch {
	case r != nil && step != nil:
		d.report(step, "only a range of numbers has a step", "remove it")
	case r != nil && !r.Dates && !r.Listed(limits):
		return nil, &Bounds{Least: strconv.FormatInt(r.First, 10), Greatest: strconv.FormatInt(r.Last, 10)}
	}
	return r, nil
}

// listedRange decodes a range of whole numbers or of dates.
func (d *decoder) listedRange(n *node) *Range {
	first, firstIsDate, firstOK := d.rangeEnd(n.items[0])
	if end := n.items[1]; end.kind == scalar && end.text == todayEnd {
		return d.rangeToToday(n, first, firstIsDate, firstOK)
	}
	last, lastIsDate, lastOK := d.rangeEnd(n.items[1])
	switch {
	case !firstOK || !lastOK:
	case firstIsDate != lastIsDate:
		d.report(n, "one end is a number and the other is a date", rangeRemedy)
	case first > last:
		d.report(n, "the first value is above the last", "exchange them")
	default:
		return &Range{First: first, Last: last, Dates: firstIsDate}
	}
	return nil
}

// rangeEnd returns a whole number, or a date as days since 1970-01-01.
func (d *decoder) rangeEnd(n *node) (value int64, isDate, ok bool) {
	text, ok := d.text(n)
	if !ok {
		return 0, false, false
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil && date.Year() > 0 {
		return daysOf(date), true, true
	}
	value, err := strconv.ParseInt(text, 10, 64)
	// Other spellings, such as 010 and +1, mean other numbers to other readers of YAML.
	if err != nil || strconv.FormatInt(value, 10) != text {
		d.report(n, fmt.Sprintf("%q is neither a number nor a date", text), rangeRemedy)
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
	value, isDate, ok := (&decoder{}).rangeEnd(&node{kind: scalar, text: text})
	return ok && isDate == d.Range.Dates && d.Range.First <= value && value <= d.Range.Last
}

// size is how many values are declared; 0 if that is not known.
func (d Domain) size() int {
	if r := d.Range; r != nil {
		return int(r.Last - r.First + 1)
	}
	return len(d.Values)
}
