package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/small"
)

// CheckPerson says why a column cannot tell persons apart: its type must be one whose equality is exact and is that of its canonical
// text. Floats are refused because equal persons could have been written as unequal numbers, booleans, dates and times because they
// are no names of persons, and other types because their equality is code that this package does not know.
func CheckPerson(c expr.Column) error {
	switch c.TypeOID {
	case pgvalue.Int2, pgvalue.Int4, pgvalue.Int8, pgvalue.Numeric, pgvalue.Text, pgvalue.Varchar, pgvalue.Bpchar, pgvalue.UUID:
		return nil
	}
	return fmt.Errorf("persons cannot be told apart by a column of type %s: use one of integer, numeric, text, varchar, char or uuid", c.Formatted)
}

// Persons is the count of persons in each group, by which a private threshold decides: of rows, where a row is a person.
func (q *BoundQuery) Persons() Count { return Count{Persons: q.Table.Person != nil && !q.oneRow()} }

// oneRow reports whether one row of each person is all that counts (rows: 1). It is chosen before WHERE and by her rows alone, see firstRows: so what
// is counted is a table in which each row is a person, whatever the question is, and everything that holds for such a table holds. Adding a
// person with all her rows adds one row to it. Persons are counted by rows, a threshold decides by the count that is asked, a finer count
// adds up to a coarser one, and a person is in one block.
//
// In a join of two protected tables the joined rows are bounded instead, like those of other persons.
func (q *BoundQuery) oneRow() bool {
	return q.Table.Person != nil && q.Table.Person.Rows == 1 && q.partner == nil
}

// firstRows is a FROM item, named t, of one row of each person: that whose listed columns have the first hash, or of several the first of apart.
func (q *BoundQuery) firstRows(w *expr.SQLWriter) string {
	outside := w.Column
	w.Column = expr.TableColumn
	defer func() { w.Column = outside }()
	p, rank, text := q.Table.Person, q.rowRank(), q.contentText(w, q.countable())
	var columns []string
	for _, c := range q.countable() {
		columns = append(columns, "t."+pgvalue.AlwaysQuoted(c.Name))
	}
	person, list := w.Bytewise(&p.Column), strings.Join(columns, ", ")
	return fmt.Sprintf("(SELECT %s FROM (SELECT %s, pg_catalog.row_number() OVER (PARTITION BY %s ORDER BY %s, %s, %s) AS %s FROM %s WHERE t.%s IS NOT NULL) AS t WHERE t.%s OPERATOR(pg_catalog.=) 1) AS t",
		list, list, person, hashOf(digest(person, &p.Column), text), text, apart(q.countable()), rank, q.protectedTable(), pgvalue.AlwaysQuoted(p.Column.Name), rank)
}

// Sensitivity is the most by which one person more, with all her rows, changes the cells of a count together (the l1 norm). No cell
// of Persons changes by more than 1. One person's rows exchanged for another's are twice that: a removal and an addition.
//
// Where a row is a person, one row more adds 1 to one cell. Otherwise let B be the rows that bounded keeps. Which rows of a person
// it keeps depends on her rows alone, so that one person more leaves all other rows of B as they were and adds rows of hers: at
// most Groups groups of rows, of which at most Rows rows are marked as counted. A count of marked rows that meet a FILTER grows by
// at most the number of marked rows, and so does a count of different values in them. A count of persons grows by at most 1 in each
// group in which she has rows; without keys there is one group. The sums of a [Measure] grow by its Total for each marked row.
// Where her rows of another table can move these, it is twice as much (see moves). It is so, too, where two persons who are exchanged can both come
// to one cell: that is more than is needed, and keeps what is stated of one cell within it.
func (q *BoundQuery) Sensitivity(c Count) int {
	if q.moves(c) || q.movesTwice(c) {
		return 2 * q.mostOf(c)
	}
	return q.mostOf(c)
}

// mostOf is the most that one person adds to the cells of a count together.
func (q *BoundQuery) mostOf(c Count) int {
	p := q.person()
	switch {
	case c.beyond != within:
		return q.MostBeyond()
	case c.Measure != nil && p == nil:
		return int(c.Measure.Total())
	case c.Measure != nil:
		return p.Rows * int(c.Measure.Total())
	case p == nil, c.Persons && len(q.Keys) == 0:
		return 1
	case c.Persons:
		return p.Groups
	}
	return p.Rows
}

// PerCell is the most by which one person more, with all her rows, changes any one cell of a count: 1 for counts of persons, and for others
// all that she adds, since that may be in one cell. If her rows move from a cell, no more than all of them are taken from it; the sums
// of a Measure can move within one.
//
// Two persons who are exchanged change no cell by more, where one takes rows away and the other adds some. But if their rows of another table
// are exchanged, the rows of both can move from the same cell to the same other one, or both can come to one: then it is twice as much. Let u and v be the changes by each of them, of
// which the l1 norm is at most Sensitivity and no cell is beyond half of PerCell. Then the square of the l2 norm of u-v is at most
// 2 Sensitivity PerCell, as that of [mechanisms.Config]: no cell of u-v is beyond PerCell, and its l1 norm is at most 2 Sensitivity.
func (q *BoundQuery) PerCell(c Count) int {
	most := q.mostOf(c)
	if c.Persons {
		most = 1
	}
	if q.movesTwice(c) || c.Measure != nil && q.moves(c) {
		return 2 * most
	}
	return most
}

// movesTwice reports whether the rows of two persons who are exchanged can move between the same cells, or come to the same.
func (q *BoundQuery) movesTwice(c Count) bool {
	return q.Table.Policy.Adjacency == policy.ReplaceOne && (q.moves(c) || q.comesWith(c))
}

// MovesKeys reports whether two persons who are exchanged can come to one key that nobody had. No threshold is made for that.
func (q *BoundQuery) MovesKeys() bool { return q.movesTwice(q.Persons()) }

// bounds are the words in a question for the bounds that its counts depend on: none for persons without keys, whom no bound takes away, but for those
// of joinRows.
func (q *BoundQuery) bounds(c Count) string {
	p, joined := q.person(), q.joinBounds()
	if p == nil {
		return ""
	}
	per := " PER " + pgvalue.QuoteIdentifier(p.Column.Name)
	var most []string
	switch {
	case c.Persons && len(q.Keys) == 0 && joined == "":
		return ""
	case c.Persons && len(q.Keys) == 0:
		return per + joined
	case !c.Persons:
		most = append(most, fmt.Sprintf("%d ROWS", p.Rows))
	}
	if len(q.Keys) > 0 {
		most = append(most, fmt.Sprintf("%d GROUPS", p.Groups))
	}
	return per + " AT MOST " + strings.Join(most, " IN ") + joined
}

// Aggregate is the function of a count, without its FILTER, in a question.
func (q *BoundQuery) Aggregate(c Count) string {
	switch {
	case c.Persons:
		return "count(DISTINCT " + pgvalue.QuoteIdentifier(q.Table.Person.Column.Name) + ")"
	case c.Measure != nil:
		return c.Measure.text(c.measured)
	case c.distinctColumn != nil:
		return "count(DISTINCT " + c.distinctColumn.Text() + ")"
	case c.Ordered != nil:
		return c.Ordered.String()
	}
	return "count(*)"
}

// Column names a stored column in the relation that from makes.
func (q *BoundQuery) Column(c *expr.Column) string {
	if q.Table.Person == nil || q.oneRow() || c.Joined == nil {
		return expr.TableColumn(c)
	}
	return "t." + q.joinedName(c)
}

// joinedName is the name of a column of another table than the first in bounded: its place among them, since its own name could make one
// too long to differ from others.
func (q *BoundQuery) joinedName(c *expr.Column) string {
	return q.freeName(fmt.Sprint("joined ", slices.Index(q.joinedColumns(), c)+1))
}

// joinedColumns are the columns of other tables than the first that the query uses.
func (q *BoundQuery) joinedColumns() []*expr.Column {
	used := slices.Clone(q.Keys)
	for _, c := range q.Counts {
		used = append(used, q.columnsOf(c)...)
	}
	return slices.DeleteFunc(expr.MergeInputs(used...), func(c *expr.Column) bool { return c.Joined == nil })
}

// filterIsWhere tells whether a FILTER could as well be part of WHERE. Rows are bounded after WHERE and before FILTER, so for
// counts of a person's rows it could not. Nor could it where WHERE chooses the rows that are joined.
func (q *BoundQuery) filterIsWhere(c Count) bool {
	return len(q.Keys) == 0 && (q.Table.Person == nil || c.Persons && q.joinBounds() == "")
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
//     gives no rank twice, so at most Rows rows are marked, whatever the hashes are. Rows whose content has one text can differ
//     to a function (1.0 and 1.00), so that they are numbered in the order of apart. What is alike in that, too, is alike to all
//     counts: keys, WHERE and FILTER are made of these columns, and exchanging two such rows changes no count. The server's own order
//     of equal rows depends on the rows of all persons, so that nothing may be left to it.
//
// The partition of a window is a person, so what is kept of one depends on her own rows only, as Sensitivity requires.
func (q *BoundQuery) bounded(w *expr.SQLWriter, rows bool) string {
	outside := w.Column
	w.Column = expr.TableColumn
	defer func() { w.Column = outside }()
	p := q.person()
	alike, group, content := q.freeName("alike"), q.freeName("group"), q.freeName("content")
	person := w.Bytewise(&p.Column)
	inner := []string{}
	for _, c := range q.countable() {
		inner = append(inner, "t."+pgvalue.AlwaysQuoted(c.Name))
	}
	for _, c := range q.joinedColumns() {
		inner = append(inner, expr.TableColumn(c)+" AS "+q.joinedName(c))
	}
	if rows {
		text := q.contentText(w, q.compared())
		inner = append(inner, text+" AS "+content, fmt.Sprintf("pg_catalog.row_number() OVER (PARTITION BY %s, %s ORDER BY %s) AS %s", person, text, apart(q.compared()), alike))
	}
	if len(q.Keys) > 0 {
		inner = append(inner, fmt.Sprintf("pg_catalog.dense_rank() OVER (PARTITION BY %s ORDER BY %s) AS %s", person, q.keyOrder(w, q.Keys), group))
	}
	from := fmt.Sprintf("SELECT %s FROM %s WHERE t.%s IS NOT NULL", strings.Join(inner, ", "), q.Tables(w), pgvalue.AlwaysQuoted(p.Column.Name))
	if q.Where != expr.Truth(true) {
		from += " AND " + w.Formula(q.Where)
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
	if q.Table.Person == nil || q.oneRow() || c.Persons {
		return nil
	}
	return []string{fmt.Sprintf("t.%s OPERATOR(pg_catalog.<=) %d", q.rowRank(), q.person().Rows)}
}

// PersonKey is a key that tells persons apart, and the table whose persons they are. Each group then has the rows of one person.
func (q *BoundQuery) PersonKey() (*Column, *expr.Table) {
	tables := []*expr.Table{q.Table}
	if q.partner != nil {
		tables = append(tables, q.partner.Protected)
	}
	for _, k := range q.Keys {
		for i, t := range tables {
			if k.Stored() && (k.Joined == nil) == (i == 0) && !k.Public() && t.Person != nil && k.Name == t.Person.Column.Name {
				return k, t
			}
		}
	}
	return nil, nil
}

// countable are the columns of the first table that counts can be made of, and the person's.
func (q *BoundQuery) countable() []*expr.Column {
	var columns []*expr.Column
	for i := range q.Table.Columns {
		if c := &q.Table.Columns[i]; c.Countable() {
			columns = append(columns, c)
		}
	}
	if p := q.Table.Person; q.Table.Column(p.Column.Name) == nil {
		columns = append(columns, &p.Column)
	}
	return columns
}

// compared are the columns by which the rows of a person are told apart: all but documents and arrays that have no part in the query, which take long
// to be read. Rows that are alike in the others are alike to all of its counts.
func (q *BoundQuery) compared() []*expr.Column {
	used, columns := q.usedColumns(), q.countable()
	if q.partner != nil {
		person := q.partner.Person()
		for i := range q.partner.Columns {
			if c := &q.partner.Columns[i]; c != person && c.Countable() {
				columns = append(columns, c)
			}
		}
	}
	return slices.DeleteFunc(columns, func(c *expr.Column) bool { return pgvalue.IsStructured(c.TypeOID) && !slices.Contains(used, c) })
}

// contentText is one text for columns of a row: rows that differ in them have different texts, but for what only apart tells apart.
func (q *BoundQuery) contentText(w *expr.SQLWriter, columns []*expr.Column) string {
	var values []string
	for _, c := range columns {
		if c.Joined != nil || c.Name != q.Table.Person.Column.Name {
			values = append(values, digest(w.Key(c), c))
		}
	}
	return rowText(values...)
}

// apart is an order of rows whose contentText is one: it tells apart all that a function, a comparison or a test for NULL can. It is of stored columns,
// and no value makes it fail.
func apart(columns []*expr.Column) string {
	var by []string
	for _, c := range columns {
		value := expr.TableColumn(c)
		switch f := pgvalue.FamilyOf(c.TypeOID); {
		case c.TypeOID == pgvalue.Enum:
		case c.TypeOID == pgvalue.Numeric:
			by = append(by, "pg_catalog.scale("+value+")") // 1.0 and 1.00
		case pgvalue.IsFloat(c.TypeOID):
			by = append(by, fmt.Sprintf("pg_catalog.%ssend(%s)", pgvalue.Typname(c.TypeOID), value)) // 0 and -0
		case c.TypeOID == pgvalue.Interval:
			by = append(by, value)
		case pgvalue.IsStructured(c.TypeOID): // by their bytes: no equality tells 1.0 from 1.00 in a document, nor a hash where an array begins
			by = append(by, value+" IS NULL", fmt.Sprintf("ROW(CASE WHEN %s THEN %s END) USING OPERATOR(pg_catalog.*<)", small.Value(value, c.TypeOID), value))
		case f == pgvalue.Blanks:
			by = append(by, "pg_catalog.octet_length("+value+")")
		case f == pgvalue.Texts: // whose hashes may collide
			by = append(by, value+` COLLATE pg_catalog."C"`)
		}
	}
	if by == nil {
		return "true"
	}
	return strings.Join(by, ", ")
}

// keyOrder ranks the groups of a person, by keys.
func (q *BoundQuery) keyOrder(w *expr.SQLWriter, by []*expr.Column) string {
	person := &q.Table.Person.Column
	digests, keys := []string{digest(w.Key(person), person)}, []string{}
	for _, k := range by {
		digests = append(digests, digest(w.Key(k), k))
		keys = append(keys, w.Bytewise(k))
	}
	return hashOf(digests...) + ", " + strings.Join(keys, ", ")
}

// digest is an expression of bounded length for a value: long texts, put together, could exceed the length of all texts, an error
// that would tell of a row.
func digest(expression string, c *expr.Column) string {
	switch f := pgvalue.FamilyOf(c.TypeOID); {
	case c.TypeOID == pgvalue.Jsonb:
		return fmt.Sprintf("CASE WHEN %s THEN pg_catalog.jsonb_hash_extended(%s, 0) END", small.Value(expression, c.TypeOID), expression)
	case pgvalue.IsStructured(c.TypeOID):
		collated := expression
		if element, _ := pgvalue.ElementType(c.TypeOID); pgvalue.IsText(element.OID) {
			collated += ` COLLATE pg_catalog."C"`
		}
		return fmt.Sprintf("CASE WHEN %s THEN pg_catalog.hash_array_extended(%s, 0) END", small.Value(expression, c.TypeOID), collated)
	case f == pgvalue.Texts || f == pgvalue.Blanks:
		return "pg_catalog.hashtextextended(" + expression + ` COLLATE pg_catalog."C", 0)`
	case c.TypeOID == pgvalue.Interval:
		return fmt.Sprintf("CASE WHEN true%s THEN %s END", small.Elapsed(expression, c.TypeOID), expression)
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
func (q *BoundQuery) freeName(name string) string { return freeName(name, q.countable()) }

func freeName(name string, columns []*expr.Column) string {
	for slices.ContainsFunc(columns, func(c *expr.Column) bool { return c.Name == name }) {
		name += "_"
	}
	return pgvalue.AlwaysQuoted(name)
}

// Partner is the second protected table of a join along persons, nil if there is none. It may be the same as the first.
func (q *BoundQuery) Partner() *expr.Table {
	if q.partner == nil {
		return nil
	}
	return q.partner.Protected
}

// TableOf is the table of a stored column that is protected; ok is false for a column of a public table.
func (q *BoundQuery) TableOf(c *expr.Column) (name policy.TableName, ok bool) {
	switch {
	case c.Joined == nil:
		return q.Table.Policy.Name, true
	case c.Joined.Protected != nil:
		return c.Joined.Protected.Policy.Name, true
	}
	return policy.TableName{}, false
}

// person says how persons are told apart in the rows that the query counts; nil if each row is a person. Of two tables' bounds
// it takes the larger ones: any are sound, since Sensitivity is that of the bounds taken, and what the steward found to be enough
// for the rows of one table should not cut those of the other short.
func (q *BoundQuery) person() *expr.Person {
	p := q.Table.Person
	if q.partner == nil {
		return p
	}
	other := q.partner.Protected.Person
	return &expr.Person{Column: p.Column, Rows: max(p.Rows, other.Rows), Groups: max(p.Groups, other.Groups)}
}

// PersonBounds is how many rows, in how many groups, one person counts for.
func (q *BoundQuery) PersonBounds() (rows, groups int) {
	p := q.person()
	return p.Rows, p.Groups
}
