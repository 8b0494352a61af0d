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
func simplify(f formula) formula { return new(simplifier).simplify(f).formula }

// A simplifier counts the parts of the lists that it has gone through. They are little more than the formula has, unless lists
// fall away at many levels, so that what is within them is gone through at each. Beyond the limit its results mean nothing.
//
// Sorting costs O(n log² n) for a formula of n bytes however deep it is: each atom is printed once, to compare two lists costs
// no more than the smaller, and no atom is in the smaller of two lists at more than log n levels.
type simplifier struct {
	parts int
	limit int // 0: none
}

func (s *simplifier) exceeded() bool { return s.limit > 0 && s.parts > s.limit }

// A term is a formula in canonical form.
type term struct {
	formula formula
	text    string // of an atom, once it is needed
	parts   []term // of a list, which has two at least
}

func (s *simplifier) simplify(f formula) term {
	switch f := f.(type) {
	case all:
		return s.list(f, true)
	case anyOf:
		return s.list(f, false)
	}
	return term{formula: simplifyAtom(f)}
}

func simplifyAtom(f formula) formula {
	switch f := f.(type) {
	case pairing:
		return simplifyPairing(f)
	case comparison:
		if f, ok := compare(f.column, f.op, f.value).(comparison); ok {
			return f
		}
		return simplifyAtom(compare(f.column, f.op, f.value))
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
	if p.left.Text() > p.right.Text() {
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

// list simplifies an AND (conjunction) or an OR.
func (s *simplifier) list(parts []formula, conjunction bool) term {
	flat, decided := s.flatten(nil, parts, conjunction)
	if s.parts += len(flat); s.exceeded() {
		return term{formula: truth(false)} // and no more, since the condition is refused
	}
	if !decided {
		flat, decided = mergeBounds(flat, conjunction)
	}
	if decided {
		return term{formula: truth(!conjunction)}
	}
	flat = mergeMemberships(flat, conjunction)
	if conjunction {
		flat = dropImpliedNullTests(flat)
	}
	for i, part := range flat {
		if part.parts == nil && part.text == "" {
			flat[i].text = formulaText(part.formula)
		}
	}
	slices.SortFunc(flat, compareTerms)
	flat = slices.CompactFunc(flat, func(a, b term) bool { return compareTerms(a, b) == 0 })
	switch len(flat) {
	case 0:
		return term{formula: truth(conjunction)}
	case 1:
		return flat[0]
	}
	formulas := make([]formula, len(flat))
	for i, part := range flat {
		formulas[i] = part.formula
	}
	if conjunction {
		return term{formula: all(formulas), parts: flat}
	}
	return term{formula: anyOf(formulas), parts: flat}
}

// compareTerms orders the parts of one list by their texts, of which that of a list begins with a bracket and that of an
// atom does not. Lists within one list are of one kind, and so are those within them.
func compareTerms(a, b term) int {
	switch {
	case a.parts == nil && b.parts == nil:
		return strings.Compare(a.text, b.text)
	case a.parts == nil:
		return strings.Compare(a.text, "(")
	case b.parts == nil:
		return strings.Compare("(", b.text)
	}
	for i := range min(len(a.parts), len(b.parts)) {
		if c := compareTerms(a.parts[i], b.parts[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(b.parts), len(a.parts)) // a blank comes before a bracket
}

// flatten appends the simplified parts to flat. It reports whether one of them decides the list: FALSE an AND, TRUE an OR.
func (s *simplifier) flatten(flat []term, parts []formula, conjunction bool) (_ []term, decided bool) {
	for _, part := range parts {
		if inner, ok := listOf(part, conjunction); ok {
			if flat, decided = s.flatten(flat, inner, conjunction); decided {
				return nil, true
			}
			continue
		}
		t := s.simplify(part)
		if value, ok := t.formula.(truth); ok {
			if bool(value) != conjunction {
				return nil, true
			}
		} else if _, ok := listOf(t.formula, conjunction); ok {
			flat = append(flat, t.parts...)
		} else {
			flat = append(flat, t)
		}
	}
	return flat, false
}

// listOf returns the parts of an AND (conjunction) or of an OR.
func listOf(f formula, conjunction bool) (parts []formula, ok bool) {
	if conjunction {
		parts, ok = f.(all)
		return parts, ok
	}
	parts, ok = f.(anyOf)
	return parts, ok
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
func mergeBounds(parts []term, conjunction bool) (_ []term, decided bool) {
	var order []*Column
	intervals := make(map[*Column]*interval)
	kept := make([]term, 0, len(parts))
	for _, part := range parts {
		c, ok := part.formula.(comparison)
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
			kept = append(kept, term{formula: part})
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
		return []formula{simplifyAtom(nullness{c, false})}
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
func mergeMemberships(parts []term, conjunction bool) []term {
	in := !conjunction
	type group struct {
		column *Column
		oid    typeOID
	}
	var order []group
	merged := make(map[group][]term)
	kept := make([]term, 0, len(parts))
	for _, part := range parts {
		c, values := membersOf(part.formula, in)
		if c == nil {
			kept = append(kept, part)
			continue
		}
		g := group{c, values[0].oid}
		if merged[g] == nil {
			order = append(order, g)
		}
		merged[g] = append(merged[g], part)
	}
	for _, g := range order {
		if len(merged[g]) == 1 {
			kept = append(kept, merged[g][0])
			continue
		}
		var all []datum
		for _, part := range merged[g] {
			_, values := membersOf(part.formula, in)
			all = append(all, values...)
		}
		kept = append(kept, term{formula: simplifyMembership(membership{g.column, in, all})})
	}
	return kept
}

// membersOf returns the column and the values of a = 1 and a IN (2, 3), or of a <> 1 and a NOT IN (2, 3); no column for others.
func membersOf(f formula, in bool) (*Column, []datum) {
	switch f := f.(type) {
	case comparison:
		if f.op == membershipOperator(in) {
			return f.column, []datum{f.value}
		}
	case membership:
		if f.in == in {
			return f.column, f.values
		}
	}
	return nil, nil
}

// dropImpliedNullTests drops a IS NOT NULL from an AND in which another part is false where a is NULL.
func dropImpliedNullTests(parts []term) []term {
	rejecting := make(map[*Column]bool)
	for _, part := range parts {
		switch part := part.formula.(type) {
		case comparison:
			rejecting[part.column] = true
		case membership:
			rejecting[part.column] = true
		case pairing:
			rejecting[part.left], rejecting[part.right] = true, true
		}
	}
	return slices.DeleteFunc(parts, func(t term) bool {
		n, ok := t.formula.(nullness)
		return ok && !n.null && rejecting[n.column]
	})
}

// formulaText prints a canonical formula as SQL, for people and for the identity of a question: different formulas
// have different texts.
func formulaText(f formula) string {
	var b strings.Builder
	writeFormula(&b, f)
	return b.String()
}

func writeFormula(b *strings.Builder, f formula) {
	switch f := f.(type) {
	case truth:
		b.WriteString(truthText(f))
	case all:
		writeList(b, f, " AND ")
	case anyOf:
		writeList(b, f, " OR ")
	case comparison:
		if f.column.TypeOID == oidBool && !f.column.Stored() && f.op == equal { // a condition that is a value
			if f.value.text == "f" {
				b.WriteString("NOT ")
			}
			b.WriteString(f.column.Text())
			return
		}
		b.WriteString(f.column.Text() + " " + string(f.op) + " " + datumText(f.column, f.value))
	case pairing:
		b.WriteString(f.left.Text() + " " + string(f.op) + " " + f.right.Text())
	case membership:
		writeMembership(b, f)
	case nullness:
		word := " IS NOT NULL"
		if f.null {
			word = " IS NULL"
		}
		b.WriteString(f.column.Text() + word)
	default:
		panic("rewrite: internal error: unknown formula")
	}
}

func truthText(t truth) string {
	if t {
		return "true"
	}
	return "false"
}

func writeList(b *strings.Builder, parts []formula, separator string) {
	b.WriteByte('(')
	for i, part := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		writeFormula(b, part)
	}
	b.WriteByte(')')
}

func writeMembership(b *strings.Builder, m membership) {
	word := " NOT IN ("
	if m.in {
		word = " IN ("
	}
	b.WriteString(m.column.Text() + word)
	for i, v := range m.values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(datumText(m.column, v))
	}
	b.WriteByte(')')
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
