package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// labelled is the query of two keys and a label over the fixture.
func labelled(t *testing.T, table, label, cells string) *query.LabelledQuery {
	t.Helper()
	q := boundQuery(t, fmt.Sprintf("SELECT count(*) FROM %s GROUP BY %s, %s", table, cells, label))
	return &query.LabelledQuery{BoundQuery: q, Count: q.Counts[0]}
}

// groupsOf are the groups of CountSQL, with keys in the order of Keys.
func groupsOf(server *twin, q *query.LabelledQuery) (keys [][]pgvalue.Value, counts []int64) {
	sql, args := q.CountSQL([]query.Count{q.Count})
	keys = make([][]pgvalue.Value, len(q.Keys))
	for _, row := range server.query(sql, args) {
		for i := range keys {
			keys[i] = append(keys[i], pgvalue.Value{Text: string(row[i]), Null: row[i] == nil})
		}
		var n int64
		fmt.Sscan(string(row[len(keys)]), &n)
		counts = append(counts, n)
	}
	return keys, counts
}

// patterns counts in memory what CellPatternsSQL counts in the server, from the groups of CountSQL.
func patterns(server *twin, q *query.LabelledQuery, declared map[int][]pgvalue.Value) map[string]int {
	cells := map[string][]int64{}
	keys, counts := groupsOf(server, q)
	for i, n := range counts {
		in, cell := true, ""
		for k := range q.Keys {
			v := keys[k][i]
			if values, ok := declared[k]; ok && !slices.Contains(values, v) {
				in = false
			}
			if k != q.Label() {
				cell += fmt.Sprintf("%+v ", v)
			}
		}
		if in && n > 0 {
			cells[cell] = append(cells[cell], n)
		}
	}
	return collapsed(cells)
}

// collapsed says how many cells have which counts.
func collapsed(cells map[string][]int64) map[string]int {
	found := map[string]int{}
	for _, counts := range cells {
		slices.Sort(counts)
		slices.Reverse(counts)
		found["{"+strings.ReplaceAll(strings.Trim(fmt.Sprint(counts), "[]"), " ", ",")+"}"]++
	}
	return found
}

// leftOut is the sum of the counts of groups in no cell, of one query, and the number of persons, -1 if a row is one.
func leftOut(server *twin, q *query.LabelledQuery) (left, persons int64) {
	persons = -1
	sql, args := query.CellPatternsSQL([]*query.LabelledQuery{q}, 1000)
	for _, row := range server.query(sql, args) {
		switch string(row[0]) {
		case "-1":
			fmt.Sscan(string(row[1]), &left)
		case "-2":
			fmt.Sscan(string(row[1]), &persons)
		}
	}
	return left, persons
}

// servedPatterns are those of the server, with the sums of labels apart.
func servedPatterns(server *twin, q *query.LabelledQuery) (found map[string]int, sums int) {
	sql, args := query.CellPatternsSQL([]*query.LabelledQuery{q}, 1000)
	found = map[string]int{}
	for _, row := range server.query(sql, args) {
		if strings.HasPrefix(string(row[0]), "-") {
			continue
		}
		if string(row[0]) != "0" {
			sums++
			continue
		}
		var n int
		fmt.Sscan(string(row[1]), &n)
		found[string(row[2])] += n
	}
	return found, sums
}

// Every type of column, as a label and in a cell, with half of its values declared: it fails if values of a type are compared otherwise
// than the type does, or are printed otherwise than they are declared.
func TestCellPatternsOfEveryType(t *testing.T) {
	server := newTwin(t)
	for _, c := range fixture().Tables[tableNamed("members")].Columns {
		if !c.Usable() || c.Name == "city" || c.Name == "plan" {
			continue
		}
		name := pgvalue.AlwaysQuoted(c.Name)
		for _, q := range []*query.LabelledQuery{labelled(t, "members", name, "city, plan"), labelled(t, "members", "plan", "city, "+name)} {
			key := slices.IndexFunc(q.Keys, func(k *expr.Column) bool { return k.Name == c.Name })
			var values []pgvalue.Value
			all, counts := groupsOf(server, q)
			for _, v := range all[key] {
				if !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
			slices.SortFunc(values, func(a, b pgvalue.Value) int { return strings.Compare(a.Text, b.Text) })
			values = values[:(len(values)+1)/2]
			q.Declared = []query.DeclaredKeys{{Group: &query.KeyGroup{Keys: []int{key}}, Values: [][]pgvalue.Value{values}}}
			want := patterns(server, q, map[int][]pgvalue.Value{key: values})
			got, _ := servedPatterns(server, q)
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("%s declared as %v (-in memory +in the server):\n%s", c.Name, values, diff)
			}
			var without int64
			for i, n := range counts {
				if !slices.Contains(values, all[key][i]) {
					without += n
				}
			}
			if left, persons := leftOut(server, q); left != without || persons != -1 {
				t.Errorf("%s declared as %v: %d rows are left out, want %d; %d persons", c.Name, values, left, without, persons)
			}
		}
	}
}

// Keys that are declared together, NULL among them, and the persons of a table in which one has several rows.
func TestCellPatternsOfGroupsAndPersons(t *testing.T) {
	server := newTwin(t)
	q := labelled(t, "members", "plan", "birth_year / 10, birth_year % 2")
	group := q.KeyGroups()[slices.IndexFunc(q.KeyGroups(), func(g *query.KeyGroup) bool { return len(g.Keys) == 2 })]
	keys, _ := groupsOf(server, q)
	values := make([][]pgvalue.Value, 2)
	for i := 0; i < len(keys[0]); i += 2 {
		values[0], values[1] = append(values[0], keys[group.Keys[0]][i]), append(values[1], keys[group.Keys[1]][i])
	}
	q.Declared = []query.DeclaredKeys{{Group: group, Values: values}}
	want := patternsOfPairs(server, q, group, values)
	got, sums := servedPatterns(server, q)
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 || sums == 0 {
		t.Errorf("pairs of keys, %d labels (-in memory +in the server):\n%s", sums, diff)
	}
	visits := labelled(t, "visits", "house", "stars")
	visits.Count = visits.Persons()
	persons := boundQuery(t, "SELECT count(DISTINCT member_id) FROM visits")
	sql, args := persons.CountSQL(persons.Counts)
	if left, n := leftOut(server, visits); left != 0 || fmt.Sprint(n) != string(server.query(sql, args)[0][0]) || n < 2 {
		t.Errorf("%d are left out, %d persons", left, n)
	}
	got, _ = servedPatterns(server, visits)
	if diff := cmp.Diff(patterns(server, visits, nil), got); diff != "" {
		t.Errorf("persons (-in memory +in the server):\n%s", diff)
	}
}

// patternsOfPairs is patterns, of the groups whose two keys are among the pairs.
func patternsOfPairs(server *twin, q *query.LabelledQuery, g *query.KeyGroup, values [][]pgvalue.Value) map[string]int {
	var declared []string
	for i := range values[0] {
		declared = append(declared, fmt.Sprintf("%+v|%+v", values[0][i], values[1][i]))
	}
	keys, counts := groupsOf(server, q)
	cells := map[string][]int64{}
	for i, n := range counts {
		pair := fmt.Sprintf("%+v|%+v", keys[g.Keys[0]][i], keys[g.Keys[1]][i])
		if slices.Contains(declared, pair) {
			cells[pair] = append(cells[pair], n)
		}
	}
	return collapsed(cells)
}

// No key is in the result: its rows are an integer, a number and arrays of numbers.
func TestCellPatternsShowNoKey(t *testing.T) {
	server := newTwin(t)
	one, other := labelled(t, "members", "plan", "city"), labelled(t, "members", "active", "city")
	sql, args := query.CellPatternsSQL([]*query.LabelledQuery{one, other}, 1000)
	rows := server.query(sql, args)
	for _, row := range rows {
		if len(row) != 4 {
			t.Fatalf("%d columns", len(row))
		}
		for _, field := range row {
			if strings.Trim(string(field), "-0123456789{},") != "" {
				t.Errorf("%q is no number", field)
			}
		}
	}
	if limited, args := query.CellPatternsSQL([]*query.LabelledQuery{one, other}, 1); len(server.query(limited, args)) != 5 {
		t.Errorf("%d rows of five sorts, at most one of each", len(server.query(limited, args)))
	}
}
