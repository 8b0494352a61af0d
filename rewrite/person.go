package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// A Person says how persons are told apart in a table in which one may have several rows, and for how much each of them counts.
// CheckPerson must have accepted the column.
type Person struct {
	// Column holds the person. It need not be one of the table's listed columns; then statements can say count(DISTINCT column) and
	// count(column), and nothing else of it.
	Column Column
	// Rows and Groups bound what one person contributes to a count, see bounded.
	Rows, Groups int
}

// CheckPerson says why a column cannot tell persons apart: its type must be one whose equality is exact and is that of its canonical
// text. Floats are refused because equal persons could have been written as unequal numbers, booleans, dates and times because they
// are no names of persons, and other types because their equality is code that this package does not know.
func CheckPerson(c Column) error {
	switch c.TypeOID {
	case oidInt2, oidInt4, oidInt8, oidNumeric, oidText, oidVarchar, oidBpchar, oidUUID:
		return nil
	}
	return fmt.Errorf("persons cannot be told apart by a column of type %s: use one of integer, numeric, text, varchar, char or uuid", c.Formatted)
}

// Persons is the count of persons in each group, by which a private threshold decides: of rows, where a row is a person.
func (q *BoundQuery) Persons() Count { return Count{persons: q.Table.Person != nil} }

// Sensitivity is the most by which one person more, with all her rows, changes the cells of a count together (the l1 norm). No cell
// of Persons changes by more than 1. One person's rows exchanged for another's are twice that: a removal and an addition.
//
// Where a row is a person, one row more adds 1 to one cell. Otherwise let B be the rows that bounded keeps. Which rows of a person
// it keeps depends on her rows alone, so that one person more leaves all other rows of B as they were and adds rows of hers: at
// most Groups groups of rows, of which at most Rows rows are marked as counted. A count of marked rows that meet a FILTER grows by
// at most the number of marked rows, and so does a count of different values in them. A count of persons grows by at most 1 in each
// group in which she has rows; without keys there is one group.
func (q *BoundQuery) Sensitivity(c Count) int {
	p := q.person()
	switch {
	case p == nil, c.persons && len(q.Keys) == 0:
		return 1
	case c.persons:
		return p.Groups
	}
	return p.Rows
}

// PerCell is the most by which one person more, with all her rows, changes any one cell of a count: 1 for counts of persons, and for others
// the sensitivity, since all that a person adds may be in one cell.
func (q *BoundQuery) PerCell(c Count) int {
	if c.persons {
		return 1
	}
	return q.Sensitivity(c)
}

// bounds are the words in a question for the bounds that its counts depend on: none for persons without keys, whom no bound takes away.
func (q *BoundQuery) bounds(c Count) string {
	p := q.person()
	if p == nil || c.persons && len(q.Keys) == 0 {
		return ""
	}
	var most []string
	if !c.persons {
		most = append(most, fmt.Sprintf("%d ROWS", p.Rows))
	}
	if len(q.Keys) > 0 {
		most = append(most, fmt.Sprintf("%d GROUPS", p.Groups))
	}
	return fmt.Sprintf(" PER %s AT MOST %s", quoteIdentifier(p.Column.Name), strings.Join(most, " IN "))
}

// aggregate is the function of a count, without its FILTER, in a question.
func (q *BoundQuery) aggregate(c Count) string {
	switch {
	case c.persons:
		return "count(DISTINCT " + quoteIdentifier(q.Table.Person.Column.Name) + ")"
	case c.distinctColumn != nil:
		return "count(DISTINCT " + c.distinctColumn.Text() + ")"
	}
	return "count(*)"
}

// column names a stored column in the relation that from makes.
func (q *BoundQuery) column(c *Column) string {
	if q.Table.Person == nil || c.joined == nil {
		return tableColumn(c)
	}
	return "t." + q.joinedName(c)
}

// joinedName is the name of a column of another table than the first in bounded: its place among them, since its own name could make one
// too long to differ from others.
func (q *BoundQuery) joinedName(c *Column) string {
	return q.freeName(fmt.Sprint("joined ", slices.Index(q.joinedColumns(), c)+1))
}

// joinedColumns are the columns of other tables than the first that the query uses.
func (q *BoundQuery) joinedColumns() []*Column {
	used := slices.Clone(q.Keys)
	for _, c := range q.Counts {
		used = append(used, columnsOf(c.formula())...)
		if c.distinctColumn != nil {
			used = append(used, c.distinctColumn)
		}
	}
	return slices.DeleteFunc(mergeInputs(used...), func(c *Column) bool { return c.joined == nil })
}

// filterIsWhere tells whether a FILTER could as well be part of WHERE. Rows are bounded after WHERE and before FILTER, so for
// counts of a person's rows it could not.
func (q *BoundQuery) filterIsWhere(c Count) bool {
	return len(q.Keys) == 0 && (q.Table.Person == nil || c.persons)
}

// bounded is a FROM item, named t, of the columns that counts can be made of: those rows of the table, after WHERE, in which
// a person is named, and of each person only rows in at most Groups groups. If rows are counted, it ranks the rows of each person, and
// counted takes at most Rows of them. (Persons are counted in all their groups, or rows of one group could crowd out
// another.) Rows without a person are nobody's: they count for nothing.
//
// Of each person it keeps the groups, and marks the rows, whose hashes come first. The hash is one of the person, too, so that
// no group is preferred by everybody, and it takes the rows of a person in no other order than by their listed columns: the
// same table gives the same counts, however its rows are stored, and whatever else a statement counts.
//
//   - Groups are ranked by hash and key. dense_rank gives rows one rank only if their keys are equal, as GROUP BY sees it; rows
//     ranked up to Groups lie in at most Groups groups. Hashes that collide are told apart by the keys.
//   - Rows are ranked by the hash of their listed columns and of their number among the rows that are alike in these. row_number
//     gives no rank twice, so at most Rows rows are marked, whatever the hashes are. Which row has which number is left to
//     chance (the server's order), and makes no difference: keys, WHERE and FILTER are made of listed columns, so rows that are alike in
//     these stand and fall together, and exchanging two of them changes no count. A long text is alike to another if
//     its hash is: should two of one person collide, their order, and with it a count, may depend on how they are stored, the
//     bounds still hold.
//
// The partition of a window is a person, so what is kept of one depends on her own rows only, as Sensitivity requires.
func (q *BoundQuery) bounded(w *sqlWriter, rows bool) string {
	outside := w.column
	w.column = tableColumn
	defer func() { w.column = outside }()
	p := q.person()
	alike, group, content := q.freeName("alike"), q.freeName("group"), q.freeName("content")
	person := w.bytewise(&p.Column)
	inner := []string{}
	for _, c := range q.countable() {
		inner = append(inner, "t."+alwaysQuoted(c.Name))
	}
	for _, c := range q.joinedColumns() {
		inner = append(inner, tableColumn(c)+" AS "+q.joinedName(c))
	}
	if rows {
		text := q.contentText(w)
		inner = append(inner, text+" AS "+content, fmt.Sprintf("pg_catalog.row_number() OVER (PARTITION BY %s, %s) AS %s", person, text, alike))
	}
	if len(q.Keys) > 0 {
		inner = append(inner, fmt.Sprintf("pg_catalog.dense_rank() OVER (PARTITION BY %s ORDER BY %s) AS %s", person, q.keyOrder(w), group))
	}
	from := fmt.Sprintf("SELECT %s FROM %s WHERE t.%s IS NOT NULL", strings.Join(inner, ", "), q.tables(w), alwaysQuoted(p.Column.Name))
	if q.where != truth(true) {
		from += " AND " + w.formula(q.where)
	}
	if rows {
		order := hashOf(digest(person, &p.Column), "t."+content, "t."+alike)
		from = fmt.Sprintf("SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY %s ORDER BY %s, t.%s, t.%s) AS %s FROM (%s) AS t",
			person, order, content, alike, q.rowRank(), from)
		if len(q.Keys) > 0 {
			from += fmt.Sprintf(" WHERE t.%s OPERATOR(pg_catalog.<=) %d", group, p.Groups)
		}
	} else if len(q.Keys) > 0 {
		from = fmt.Sprintf("SELECT t.* FROM (%s) AS t WHERE t.%s OPERATOR(pg_catalog.<=) %d", from, group, p.Groups)
	}
	return "(" + from + ") AS t"
}

// rowRank is the column of bounded that ranks the rows of a person.
func (q *BoundQuery) rowRank() string { return q.freeName("row") }

// counted are the conditions on rows that belong to a count besides its FILTER.
func (q *BoundQuery) counted(c Count) []string {
	if q.Table.Person == nil || c.persons {
		return nil
	}
	return []string{fmt.Sprintf("t.%s OPERATOR(pg_catalog.<=) %d", q.rowRank(), q.person().Rows)}
}

// countable are the columns of the first table that counts can be made of, and the person's.
func (q *BoundQuery) countable() []*Column {
	var columns []*Column
	for i := range q.Table.Columns {
		if c := &q.Table.Columns[i]; c.usable() {
			columns = append(columns, c)
		}
	}
	if p := q.Table.Person; q.Table.column(p.Column.Name) == nil {
		columns = append(columns, &p.Column)
	}
	return columns
}

// contentText is one text for all listed columns of a row: rows that differ in them have different texts, but for long texts whose
// hashes collide.
func (q *BoundQuery) contentText(w *sqlWriter) string {
	var values []string
	for _, c := range q.countable() {
		if c.Name != q.Table.Person.Column.Name {
			values = append(values, digest(w.key(c), c))
		}
	}
	if q.partner != nil {
		person := q.partner.person()
		for i := range q.partner.columns {
			if c := &q.partner.columns[i]; c != person && c.usable() {
				values = append(values, digest(w.key(c), c))
			}
		}
	}
	return rowText(values...)
}

// keyOrder ranks the groups of a person.
func (q *BoundQuery) keyOrder(w *sqlWriter) string {
	person := &q.Table.Person.Column
	digests, keys := []string{digest(w.key(person), person)}, []string{}
	for _, k := range q.Keys {
		digests = append(digests, digest(w.key(k), k))
		keys = append(keys, w.bytewise(k))
	}
	return hashOf(digests...) + ", " + strings.Join(keys, ", ")
}

// bytewise is a key that is compared byte by byte if it is a text: with a deterministic collation texts are equal only if their
// bytes are, and comparing these is much faster.
func (w *sqlWriter) bytewise(c *Column) string {
	if f := familyOf(c.TypeOID); f == texts || f == blanks {
		return "(" + w.key(c) + ` COLLATE pg_catalog."C")`
	}
	return w.key(c)
}

// digest is an expression of bounded length for a value: long texts, put together, could exceed the length of all texts, an error
// that would tell of a row.
func digest(expression string, c *Column) string {
	if f := familyOf(c.TypeOID); f == texts || f == blanks {
		return "pg_catalog.hashtextextended(" + expression + ` COLLATE pg_catalog."C", 0)`
	}
	return expression
}

// rowText is one text for several values. It tells NULL from an empty text and one sequence of values from another (record_out).
func rowText(values ...string) string {
	return "(ROW(" + strings.Join(values, ", ") + `)::pg_catalog.text COLLATE pg_catalog."C")`
}

// hashOf is a hash of several values. Nothing rests on it but an even choice.
func hashOf(values ...string) string {
	return "pg_catalog.hashtextextended(" + rowText(values...) + ", 0)"
}

// freeName makes a quoted name that is not that of a column. The names given end in different letters than _, so that different ones
// stay different.
func (q *BoundQuery) freeName(name string) string {
	for slices.ContainsFunc(q.countable(), func(c *Column) bool { return c.Name == name }) {
		name += "_"
	}
	return alwaysQuoted(name)
}

// personHint says how persons are counted, where a row is not a person.
func (t *Table) personHint() string {
	if t.Person == nil {
		return ""
	}
	return fmt.Sprintf("Persons are counted by count(DISTINCT %s). ", quoteIdentifier(t.Person.Column.Name))
}
