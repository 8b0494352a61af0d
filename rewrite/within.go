package rewrite

// WithinCount is a superset of the values of a column of the protected table that rows which meet WHERE and the FILTER of a count can have,
// whatever the table holds: a row that has another value changes the count of no cell.
//
// It follows from the canonical formula, which knows of each row only whether it is true: AND intersects, OR unites. A comparison of the
// column with a constant says what it says if this package knows exactly how the server compares the two, and so does one of the
// beginning of a month, or of the year, in which the column lies (see flooring); everything else, such as another function of the column,
// says nothing.
func (q *BoundQuery) WithinCount(column string, c Count) Extent {
	return q.within(column, all{q.where, c.formula()})
}

func (q *BoundQuery) within(column string, f formula) Extent {
	c := q.Table.column(column)
	if c == nil || q.partner != nil {
		return everything()
	}
	return extentOf(f, c)
}

// extentOf is a superset of the values of a column where a formula is true.
func extentOf(f formula, c *Column) Extent {
	switch f := f.(type) {
	case all:
		return combine(extentsOf(f, c), everything(), Extent.intersection)
	case anyOf:
		return combine(extentsOf(f, c), Extent{}, Extent.union)
	case truth:
		if !f {
			return Extent{}
		}
		return everything()
	}
	e, _ := extentOfAtom(f, c)
	return e
}

func extentsOf(parts []formula, c *Column) []Extent {
	extents := make([]Extent, len(parts))
	for i, part := range parts {
		extents[i] = extentOf(part, c)
	}
	return extents
}

// extentOfAtom is a superset of the values of a column where an atom is true, and whether it is no larger.
func extentOfAtom(f formula, c *Column) (e Extent, exact bool) {
	switch f := f.(type) {
	case comparison:
		return extentOfColumn(c, f.column, f.op, []datum{f.value})
	case membership:
		return extentOfColumn(c, f.column, membershipOperator(f.in), f.values)
	case nullness:
		if f.column == c {
			return Extent{Null: f.null, any: !f.null}, true
		}
	case pairing:
		if f.left == c || f.right == c {
			return notNull(), false
		}
	}
	return everything(), false
}

// extentOfColumn has the values of a column where this, or what is computed of it, compares with constants.
func extentOfColumn(c, compared *Column, op operator, values []datum) (e Extent, exact bool) {
	if compared == c {
		return extentOfValues(c, op, values)
	}
	if f := compared.flooring(); f != nil && f.column == c {
		return f.extent(op, values), false
	}
	return everything(), false
}

// extentOfValues has the values that compare with one of several constants, or for unequal with all of them, as an operator says.
func extentOfValues(c *Column, op operator, values []datum) (e Extent, exact bool) {
	switch {
	case c.Collation != "": // which may equate different texts
		return notNull(), false
	case tellsTexts(c.TypeOID):
		return extentOfTexts(c, op, values)
	}
	positive := op
	if op == unequal {
		positive = equal
	}
	for _, v := range values {
		p, ok := pointOf(v)
		if !ok || !comparedExactly(c.TypeOID, v.oid) {
			return notNull(), false
		}
		e.spans = append(e.spans, spanOf(positive, p))
	}
	if e.spans = unite(e.spans); op == unequal {
		e.spans = gaps(e.spans)
	}
	return e, true
}

// tellsTexts reports whether of a type only equality is known, which is that of canonical texts.
func tellsTexts(oid typeOID) bool {
	switch familyOf(oid) {
	case booleans, texts, blanks, uuids:
		return true
	}
	return false
}

func extentOfTexts(c *Column, op operator, values []datum) (e Extent, exact bool) {
	if op != equal && op != unequal {
		return notNull(), false
	}
	e.except = op == unequal
	for _, v := range values {
		if !equatedExactly(c.TypeOID, v.oid) {
			return notNull(), false
		}
		e.texts = append(e.texts, v.text)
	}
	e.texts = sortedTexts(e.texts)
	return e, true
}

// equatedExactly reports whether a column equals a constant if and only if their canonical texts are the same. Of a varchar and a
// character(n) the varchar is taken for a character(n), too, so that its trailing blanks do not count.
func equatedExactly(column, constant typeOID) bool {
	switch familyOf(column) {
	case texts:
		return familyOf(constant) == texts
	case blanks:
		return constant == oidBpchar || constant == oidText
	}
	return column == constant
}

// comparedExactly reports whether a column is compared with a constant without that either is rounded. A bigint or numeric that is
// compared with binary floating point becomes such.
func comparedExactly(column, constant typeOID) bool {
	switch {
	case IsInteger(column):
		return IsInteger(constant)
	case column == oidNumeric:
		return constant == oidNumeric || IsInteger(constant)
	case isFloat(column):
		return isFloat(constant)
	case familyOf(column) == dates, familyOf(column) == instants:
		return familyOf(constant) == familyOf(column)
	}
	return false
}
