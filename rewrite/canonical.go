package rewrite

import (
	"cmp"
	"slices"
	"strings"
)

// simplify brings a formula into canonical form without changing where it is true: lists flat, sorted and without
// repetition; equalities of one column in an OR, and inequalities in an AND, as one membership; no NULL tests that the catalog or
// another part of the same AND decides. Two formulas with one canonical text are true of the same rows, since every
// step keeps the meaning; that two formulas with one meaning often have one text is convenience: then a question is free.
func simplify(f formula) formula {
	switch f := f.(type) {
	case all:
		return simplifyList(f, true)
	case anyOf:
		return simplifyList(f, false)
	case pairing:
		return simplifyPairing(f)
	case comparison:
		if f, ok := compare(f.column, f.op, f.value).(comparison); ok {
			return f
		}
		return simplify(compare(f.column, f.op, f.value))
	case membership:
		return simplifyMembership(f)
	case nullness:
		if f.column.NotNull {
			return truth(!f.null)
		}
	}
	return f
}

func simplifyPairing(p pairing) formula {
	if p.left == p.right {
		return beyond(p.left, p.op.holds(0))
	}
	if p.left.Name > p.right.Name {
		p = pairing{p.right, p.op.flipped(), p.left}
	}
	return p
}

func simplifyMembership(m membership) formula {
	values := slices.Clone(m.values)
	slices.SortFunc(values, func(a, b datum) int { return cmp.Compare(a.text, b.text) })
	values = slices.CompactFunc(values, func(a, b datum) bool { return a.text == b.text })
	if len(values) == 1 {
		return comparison{m.column, membershipOperator(m.in), values[0]}
	}
	return membership{m.column, m.in, values}
}

func membershipOperator(in bool) operator {
	if in {
		return equal
	}
	return unequal
}

// simplifyList simplifies an AND (conjunction) or an OR.
func simplifyList(parts []formula, conjunction bool) formula {
	flat, decided := flatten(nil, parts, conjunction)
	if !decided {
		flat, decided = mergeBounds(flat, conjunction)
	}
	if decided {
		return truth(!conjunction)
	}
	flat = mergeMemberships(flat, conjunction)
	if conjunction {
		flat = dropImpliedNullTests(flat)
	}
	texts := make(map[string]formula, len(flat))
	keys := make([]string, 0, len(flat))
	for _, part := range flat {
		text := formulaText(part)
		if _, seen := texts[text]; !seen {
			keys = append(keys, text)
		}
		texts[text] = part
	}
	slices.Sort(keys)
	sorted := make([]formula, len(keys))
	for i, k := range keys {
		sorted[i] = texts[k]
	}
	switch {
	case len(sorted) == 0:
		return truth(conjunction)
	case len(sorted) == 1:
		return sorted[0]
	case conjunction:
		return all(sorted)
	}
	return anyOf(sorted)
}

// flatten appends the simplified parts to flat. It reports whether one of them decides the list: FALSE an AND, TRUE an OR.
func flatten(flat, parts []formula, conjunction bool) (_ []formula, decided bool) {
	for _, part := range parts {
		switch part := simplify(part).(type) {
		case truth:
			if bool(part) != conjunction {
				return nil, true
			}
		case all:
			if conjunction {
				flat = append(flat, part...)
			} else {
				flat = append(flat, part)
			}
		case anyOf:
			if conjunction {
				flat = append(flat, part)
			} else {
				flat = append(flat, part...)
			}
		default:
			flat = append(flat, part)
		}
	}
	return flat, false
}

// An interval is what the bounds of one integer column in one list say together. Integer bounds are closed (see compare).
type interval struct {
	least, greatest       int64
	hasLeast, hasGreatest bool
}

// add takes in a bound: the narrower counts in an AND, the wider in an OR.
func (v *interval) add(op operator, n int64, conjunction bool) {
	if op == greaterEqual {
		if !v.hasLeast || n > v.least == conjunction {
			v.least = n
		}
		v.hasLeast = true
		return
	}
	if !v.hasGreatest || n < v.greatest == conjunction {
		v.greatest = n
	}
	v.hasGreatest = true
}

// mergeBounds leaves at most one lower and one upper bound of each integer column. Bounds that meet in one number are an equality
// in an AND; those that no integer, or every integer, satisfies, are no bounds. It reports whether they decide the list.
func mergeBounds(parts []formula, conjunction bool) (_ []formula, decided bool) {
	var order []*Column
	intervals := make(map[*Column]*interval)
	kept := make([]formula, 0, len(parts))
	for _, part := range parts {
		c, ok := part.(comparison)
		if !ok || !IsInteger(c.value.oid) || c.op != lessEqual && c.op != greaterEqual {
			kept = append(kept, part)
			continue
		}
		if intervals[c.column] == nil {
			intervals[c.column] = &interval{}
			order = append(order, c.column)
		}
		intervals[c.column].add(c.op, c.value.number.Num().Int64(), conjunction)
	}
	for _, column := range order {
		for _, part := range intervals[column].formulas(column, conjunction) {
			if part, ok := part.(truth); ok {
				if bool(part) != conjunction {
					return nil, true
				}
				continue
			}
			kept = append(kept, part)
		}
	}
	return kept, false
}

func (v *interval) formulas(c *Column, conjunction bool) []formula {
	both := v.hasLeast && v.hasGreatest
	switch {
	case both && conjunction && v.least > v.greatest:
		return []formula{truth(false)}
	case both && conjunction && v.least == v.greatest:
		return []formula{comparison{c, equal, integerDatum(c.TypeOID, v.least)}}
	case both && !conjunction && (v.least <= v.greatest || v.least == v.greatest+1):
		return []formula{simplify(nullness{c, false})}
	}
	var parts []formula
	if v.hasLeast {
		parts = append(parts, comparison{c, greaterEqual, integerDatum(c.TypeOID, v.least)})
	}
	if v.hasGreatest {
		parts = append(parts, comparison{c, lessEqual, integerDatum(c.TypeOID, v.greatest)})
	}
	return parts
}

// mergeMemberships unites a = 1 OR a IN (2, 3), and a <> 1 AND a NOT IN (2, 3).
func mergeMemberships(parts []formula, conjunction bool) []formula {
	in := !conjunction
	type group struct {
		column *Column
		oid    typeOID
	}
	var order []group
	merged := make(map[group][]datum)
	kept := make([]formula, 0, len(parts))
	add := func(c *Column, values ...datum) {
		g := group{c, values[0].oid}
		if merged[g] == nil {
			order = append(order, g)
		}
		merged[g] = append(merged[g], values...)
	}
	for _, part := range parts {
		switch part := part.(type) {
		case comparison:
			if part.op == membershipOperator(in) {
				add(part.column, part.value)
				continue
			}
		case membership:
			if part.in == in {
				add(part.column, part.values...)
				continue
			}
		}
		kept = append(kept, part)
	}
	for _, g := range order {
		kept = append(kept, simplifyMembership(membership{g.column, in, merged[g]}))
	}
	return kept
}

// dropImpliedNullTests drops a IS NOT NULL from an AND in which another part is false where a is NULL.
func dropImpliedNullTests(parts []formula) []formula {
	rejecting := make(map[*Column]bool)
	for _, part := range parts {
		switch part := part.(type) {
		case comparison:
			rejecting[part.column] = true
		case membership:
			rejecting[part.column] = true
		case pairing:
			rejecting[part.left], rejecting[part.right] = true, true
		}
	}
	return slices.DeleteFunc(parts, func(f formula) bool {
		n, ok := f.(nullness)
		return ok && !n.null && rejecting[n.column]
	})
}

// formulaText prints a canonical formula as SQL, for people and for the identity of a question: different formulas
// have different texts.
func formulaText(f formula) string {
	switch f := f.(type) {
	case truth:
		if f {
			return "true"
		}
		return "false"
	case all:
		return listText(f, " AND ")
	case anyOf:
		return listText(f, " OR ")
	case comparison:
		return quoteIdentifier(f.column.Name) + " " + string(f.op) + " " + datumText(f.column, f.value)
	case pairing:
		return quoteIdentifier(f.left.Name) + " " + string(f.op) + " " + quoteIdentifier(f.right.Name)
	case membership:
		values := make([]string, len(f.values))
		for i, v := range f.values {
			values[i] = datumText(f.column, v)
		}
		word := " NOT IN ("
		if f.in {
			word = " IN ("
		}
		return quoteIdentifier(f.column.Name) + word + strings.Join(values, ", ") + ")"
	case nullness:
		if f.null {
			return quoteIdentifier(f.column.Name) + " IS NULL"
		}
		return quoteIdentifier(f.column.Name) + " IS NOT NULL"
	}
	panic("rewrite: internal error: unknown formula")
}

func listText(parts []formula, separator string) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = formulaText(part)
	}
	return "(" + strings.Join(texts, separator) + ")"
}

// datumText names the type unless it is the column's own and the text alone tells it.
func datumText(c *Column, d datum) string {
	own := d.oid == c.TypeOID || d.oid == oidText && familyOf(c.TypeOID) == texts
	switch {
	case own && (IsInteger(d.oid) || d.oid == oidNumeric && !d.isNaN()):
		return d.text
	case own && (familyOf(d.oid) == texts || d.oid == oidBpchar):
		return quoteString(d.text)
	case own && d.oid == oidBool:
		return map[string]string{"t": "true", "f": "false"}[d.text]
	}
	b, _ := builtinType(d.oid)
	return b.name + " " + quoteString(d.text)
}

// quoteString quotes a string constant for standard_conforming_strings = on.
func quoteString(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
