package expr

import (
	"cmp"
	"slices"
	"strings"

	"tacit/rewrite/internal/pgvalue"
)

// Simplify brings a formula into canonical form without changing where it is true: lists flat, sorted and without
// repetition; equalities of one column in an OR, and inequalities in an AND, as one membership; no NULL tests that the catalog or
// another part of the same AND decides. Two formulas with one canonical text are true of the same rows, since every
// step keeps the meaning; that two formulas with one meaning often have one text is convenience: then a question is free.
func Simplify(f Formula) Formula { return new(simplifier).simplify(f).formula }

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
	formula Formula
	text    string // of an atom, once it is needed
	parts   []term // of a list, which has two at least
}

func (s *simplifier) simplify(f Formula) term {
	switch f := f.(type) {
	case All:
		return s.list(f, true)
	case AnyOf:
		return s.list(f, false)
	}
	return term{formula: simplifyAtom(f)}
}

func simplifyAtom(f Formula) Formula {
	switch f := f.(type) {
	case Pairing:
		return simplifyPairing(f)
	case Comparison:
		if f, ok := compare(f.Column, f.Op, f.Value).(Comparison); ok {
			return f
		}
		return simplifyAtom(compare(f.Column, f.Op, f.Value))
	case Membership:
		return simplifyMembership(f)
	case Nullness:
		if f.Column.NotNull {
			return Truth(!f.Null)
		}
	}
	return f
}

func simplifyPairing(p Pairing) Formula {
	if p.Left == p.Right {
		return beyond(p.Left, p.op.holds(0))
	}
	if p.Left.Text() > p.Right.Text() {
		p = Pairing{p.Right, p.op.Flipped(), p.Left}
	}
	return p
}

func simplifyMembership(m Membership) Formula {
	values := slices.Clone(m.Values)
	slices.SortFunc(values, func(a, b pgvalue.Datum) int { return cmp.Compare(a.Text, b.Text) })
	values = slices.CompactFunc(values, func(a, b pgvalue.Datum) bool { return a.Text == b.Text })
	if len(values) == 1 {
		return Comparison{m.Column, membershipOperator(m.In), values[0]}
	}
	return Membership{m.Column, m.In, values}
}

func membershipOperator(in bool) Operator {
	if in {
		return Equal
	}
	return Unequal
}

// list simplifies an AND (conjunction) or an OR.
func (s *simplifier) list(parts []Formula, conjunction bool) term {
	flat, decided := s.flatten(nil, parts, conjunction)
	if s.parts += len(flat); s.exceeded() {
		return term{formula: Truth(false)} // and no more, since the condition is refused
	}
	if !decided {
		flat, decided = mergeBounds(flat, conjunction)
	}
	if decided {
		return term{formula: Truth(!conjunction)}
	}
	flat = mergeMemberships(flat, conjunction)
	if conjunction {
		flat = dropImpliedNullTests(flat)
	}
	for i, part := range flat {
		if part.parts == nil && part.text == "" {
			flat[i].text = FormulaText(part.formula)
		}
	}
	slices.SortFunc(flat, compareTerms)
	flat = slices.CompactFunc(flat, func(a, b term) bool { return compareTerms(a, b) == 0 })
	switch len(flat) {
	case 0:
		return term{formula: Truth(conjunction)}
	case 1:
		return flat[0]
	}
	formulas := make([]Formula, len(flat))
	for i, part := range flat {
		formulas[i] = part.formula
	}
	if conjunction {
		return term{formula: All(formulas), parts: flat}
	}
	return term{formula: AnyOf(formulas), parts: flat}
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
func (s *simplifier) flatten(flat []term, parts []Formula, conjunction bool) (_ []term, decided bool) {
	for _, part := range parts {
		if inner, ok := listOf(part, conjunction); ok {
			if flat, decided = s.flatten(flat, inner, conjunction); decided {
				return nil, true
			}
			continue
		}
		t := s.simplify(part)
		if value, ok := t.formula.(Truth); ok {
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
func listOf(f Formula, conjunction bool) (parts []Formula, ok bool) {
	if conjunction {
		parts, ok = f.(All)
		return parts, ok
	}
	parts, ok = f.(AnyOf)
	return parts, ok
}

// An interval is what the bounds of one integer column in one list say together. Integer bounds are closed (see compare).
type interval struct {
	least, greatest       int64
	hasLeast, hasGreatest bool
}

// add takes in a bound: the narrower counts in an AND, the wider in an OR.
func (v *interval) add(op Operator, n int64, conjunction bool) {
	if op == GreaterEqual {
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
		c, ok := part.formula.(Comparison)
		if !ok || !pgvalue.IsInteger(c.Value.OID) || c.Op != LessEqual && c.Op != GreaterEqual {
			kept = append(kept, part)
			continue
		}
		if intervals[c.Column] == nil {
			intervals[c.Column] = &interval{}
			order = append(order, c.Column)
		}
		intervals[c.Column].add(c.Op, c.Value.Number.Num().Int64(), conjunction)
	}
	for _, column := range order {
		for _, part := range intervals[column].formulas(column, conjunction) {
			if part, ok := part.(Truth); ok {
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

func (v *interval) formulas(c *Column, conjunction bool) []Formula {
	both := v.hasLeast && v.hasGreatest
	switch {
	case both && conjunction && v.least > v.greatest:
		return []Formula{Truth(false)}
	case both && conjunction && v.least == v.greatest:
		return []Formula{Comparison{c, Equal, pgvalue.IntegerDatum(c.TypeOID, v.least)}}
	case both && !conjunction && (v.least <= v.greatest || v.least == v.greatest+1):
		return []Formula{simplifyAtom(Nullness{c, false})}
	}
	var parts []Formula
	if v.hasLeast {
		parts = append(parts, Comparison{c, GreaterEqual, pgvalue.IntegerDatum(c.TypeOID, v.least)})
	}
	if v.hasGreatest {
		parts = append(parts, Comparison{c, LessEqual, pgvalue.IntegerDatum(c.TypeOID, v.greatest)})
	}
	return parts
}

// mergeMemberships unites a = 1 OR a IN (2, 3), and a <> 1 AND a NOT IN (2, 3).
func mergeMemberships(parts []term, conjunction bool) []term {
	in := !conjunction
	type group struct {
		column *Column
		oid    pgvalue.OID
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
		g := group{c, values[0].OID}
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
		var all []pgvalue.Datum
		for _, part := range merged[g] {
			_, values := membersOf(part.formula, in)
			all = append(all, values...)
		}
		kept = append(kept, term{formula: simplifyMembership(Membership{g.column, in, all})})
	}
	return kept
}

// membersOf returns the column and the values of a = 1 and a IN (2, 3), or of a <> 1 and a NOT IN (2, 3); no column for others.
func membersOf(f Formula, in bool) (*Column, []pgvalue.Datum) {
	switch f := f.(type) {
	case Comparison:
		if f.Op == membershipOperator(in) {
			return f.Column, []pgvalue.Datum{f.Value}
		}
	case Membership:
		if f.In == in {
			return f.Column, f.Values
		}
	}
	return nil, nil
}

// dropImpliedNullTests drops a IS NOT NULL from an AND in which another part is false where a is NULL.
func dropImpliedNullTests(parts []term) []term {
	rejecting := make(map[*Column]bool)
	for _, part := range parts {
		switch part := part.formula.(type) {
		case Comparison:
			rejecting[part.Column] = true
		case Membership:
			rejecting[part.Column] = true
		case Pairing:
			rejecting[part.Left], rejecting[part.Right] = true, true
		}
	}
	return slices.DeleteFunc(parts, func(t term) bool {
		n, ok := t.formula.(Nullness)
		return ok && !n.Null && rejecting[n.Column]
	})
}

// FormulaText prints a canonical formula as SQL, for people and for the identity of a question: different formulas
// have different texts.
func FormulaText(f Formula) string {
	var b strings.Builder
	writeFormula(&b, f)
	return b.String()
}

func writeFormula(b *strings.Builder, f Formula) {
	switch f := f.(type) {
	case Truth:
		b.WriteString(truthText(f))
	case All:
		writeList(b, f, " AND ")
	case AnyOf:
		writeList(b, f, " OR ")
	case Comparison:
		if f.Column.TypeOID == pgvalue.Bool && !f.Column.Stored() && f.Op == Equal { // a condition that is a value
			if f.Value.Text == "f" {
				b.WriteString("NOT ")
			}
			b.WriteString(f.Column.Text())
			return
		}
		b.WriteString(f.Column.Text() + " " + string(f.Op) + " " + datumText(f.Column, f.Value))
	case Pairing:
		b.WriteString(f.Left.Text() + " " + string(f.op) + " " + f.Right.Text())
	case Membership:
		writeMembership(b, f)
	case Nullness:
		word := " IS NOT NULL"
		if f.Null {
			word = " IS NULL"
		}
		if f.Column.IsOfPersons() && f.Column.Aggregate == nil {
			word = map[bool]string{true: " IS FALSE"}[f.Null]
		}
		b.WriteString(f.Column.Text() + word)
	default:
		panic("rewrite: internal error: unknown formula")
	}
}

func truthText(t Truth) string {
	if t {
		return "true"
	}
	return "false"
}

func writeList(b *strings.Builder, parts []Formula, separator string) {
	b.WriteByte('(')
	for i, part := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		writeFormula(b, part)
	}
	b.WriteByte(')')
}

func writeMembership(b *strings.Builder, m Membership) {
	word := " NOT IN ("
	if m.In {
		word = " IN ("
	}
	b.WriteString(m.Column.Text() + word)
	for i, v := range m.Values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(datumText(m.Column, v))
	}
	b.WriteByte(')')
}

// datumText names the type unless it is the column's own and the text alone tells it.
func datumText(c *Column, d pgvalue.Datum) string {
	own := d.OID == c.TypeOID || d.OID == pgvalue.Text && pgvalue.FamilyOf(c.TypeOID) == pgvalue.Texts
	switch {
	case own && (pgvalue.IsInteger(d.OID) || d.OID == pgvalue.Numeric && !d.IsNaN()):
		return d.Text
	case own && (pgvalue.FamilyOf(d.OID) == pgvalue.Texts || d.OID == pgvalue.Bpchar):
		return pgvalue.QuoteString(d.Text)
	case own && d.OID == pgvalue.Bool:
		return map[string]string{"t": "true", "f": "false"}[d.Text]
	}
	b, _ := pgvalue.BuiltinType(d.OID)
	return b.Name + " " + pgvalue.QuoteString(d.Text)
}
