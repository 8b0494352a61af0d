package rewrite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/expr"
)

// personConditions ask for what the guest of a stay has elsewhere; the last ones ask for other stays.
var personConditions = []string{
	"EXISTS (SELECT FROM meals m WHERE m.eater = s.guest AND dish = 'soup')",
	"NOT EXISTS (SELECT 1 FROM meals WHERE guest = eater AND floor = 1)",
	"s.guest IN (SELECT eater FROM meals WHERE day >= '2020-01-01' AND eater IS NOT NULL)",
	"s.guest NOT IN (SELECT eater FROM meals WHERE eater IS NOT NULL AND dish <> 'soup')",
	"s.guest IN (SELECT eater FROM meals WHERE eater IS NOT NULL GROUP BY eater HAVING count(*) >= 4 OR max(floor) < 2)",
	"NOT EXISTS (SELECT FROM (SELECT eater, count(DISTINCT dish) AS n FROM meals GROUP BY eater) AS g WHERE g.eater = s.guest AND n > 1)",
	"(SELECT count(*) FROM meals m WHERE m.eater = s.guest AND dish = 'soup') >= 2",
	"coalesce((SELECT bool_or(day = 'infinity') FROM meals WHERE guest = eater), false)",
	"guest IN (SELECT o.guest FROM stays o WHERE o.guest IS NOT NULL AND o.floor = 3)",
	"NOT EXISTS (SELECT FROM stays o WHERE o.guest = s.guest AND house = 'z')",
}

// ofMeals is how many of the conditions are about meals.
const ofMeals = 8

// A personQuestion asks for counts of stays by what their guests have. moves says that the cell of a stay, or which of a guest's stays are counted, can
// depend on meals.
type personQuestion struct {
	sql   string
	moves bool
}

func randomPersonQuestion(r *rand.Rand) (q personQuestion) {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	condition := func() (string, bool) {
		i := r.IntN(len(personConditions))
		return personConditions[i], i < ofMeals
	}
	keys, where, filter := []string{}, []string{}, "floor > 1"
	for range r.IntN(3) {
		keys = append(keys, pick("house", "floor", "class"))
	}
	switch c, meals := condition(); r.IntN(4) {
	case 0:
		keys, q.moves = append(keys, c), meals
	case 1:
		keys, q.moves = append(keys, "CASE WHEN floor = 1 AND "+c+" THEN floor END"), meals
	case 2:
		where, q.moves = append(where, "(floor = 2 OR "+c+")"), meals
	default:
		where = append(where, c, pick("floor < 3", "rate IS NOT NULL"))
	}
	switch c, meals := condition(); r.IntN(3) {
	case 0:
		where = append(where, c)
	case 1:
		filter = c
	default:
		filter, q.moves = "floor = 2 IS NOT DISTINCT FROM "+c, q.moves || meals
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	q.sql = fmt.Sprintf("SELECT count(*) FILTER (WHERE %[1]s), count(DISTINCT s.guest) FILTER (WHERE %[1]s), count(DISTINCT rate) FILTER (WHERE %[1]s) FROM stays s", filter)
	if len(where) > 0 {
		q.sql += " WHERE " + strings.Join(where, " AND ")
	}
	if len(keys) > 0 {
		q.sql += " GROUP BY " + strings.Join(keys, ", ")
	}
	return q
}

// TestSensitivityOfPersonConditions takes one person with all her rows out of both tables, or out of either, and asks random questions before and after:
// no count may change by more than its sensitivity, and some must change by as much. It fails if her rows that move from cell to cell, when her rows
// of the other table alone go, are counted once; and if they are counted twice where they only come or go.
func TestSensitivityOfPersonConditions(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(19, 19))
	reached := make(map[string]bool)
	rounds := 10
	if testing.Short() {
		rounds = 7
	}
	for range rounds {
		server.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", ") +
			"; INSERT INTO meals VALUES " + strings.Join(randomMeals(r), ", "))
		for range 30 {
			groups := 1 + r.IntN(3)
			stays, meals := expr.Person{Rows: groups + r.IntN(3), Groups: groups}, expr.Person{Rows: 7, Groups: 5}
			question := randomPersonQuestion(r)
			q := dinnerQuery(t, question.sql, stays, meals)
			plain := dinnerQuery(t, "SELECT count(*), count(DISTINCT guest), count(DISTINCT rate) FROM stays GROUP BY floor", stays, meals)
			with := server.counts(q)
			for _, guest := range []string{"a", "b"} {
				fromStays, fromMeals := "DELETE FROM stays WHERE guest = '"+guest+"';", "DELETE FROM meals WHERE eater = '"+guest+"';"
				for _, removed := range []string{fromStays + fromMeals, fromMeals, fromStays} {
					server.exec("BEGIN; " + removed)
					without := server.counts(q)
					server.exec("ROLLBACK")
					total, most := distances(with, without, len(q.Counts))
					for i, c := range q.Counts {
						sensitivity, perCell := int64(q.Sensitivity(c)), int64(q.PerCell(c))
						if once := int64(q.Sensitivity(plain.Counts[i])); !question.moves && sensitivity > once {
							t.Errorf("%s\nthe sensitivity of count %d is %d, want %d", question.sql, i+1, sensitivity, once)
						}
						if total[i] > sensitivity || most[i] > perCell {
							t.Errorf("%s\n%s\n%v: count %d changes by %d, in one cell by %d, its sensitivity is %d, in one cell %d", question.sql, removed, stays, i+1, total[i], most[i], sensitivity, perCell)
						}
						if total[i] == sensitivity {
							reached[fmt.Sprint(i, question.moves, sensitivity)] = true
						}
					}
				}
			}
		}
	}
	for _, want := range []string{"0 true 2", "0 true 4", "0 true 6", "1 true 2", "0 false 1", "0 false 3", "1 false 1", "1 false 2"} {
		if !reached[want] {
			t.Errorf("no count (of rows or persons, moving, sensitivity) %s ever changed by its sensitivity", want)
		}
	}
}

// TestPersonConditionsAreServers compares random questions, of tables whose bounds leave nothing out, with the same statement run as it is.
func TestPersonConditionsAreServers(t *testing.T) {
	server := newTwin(t)
	server.exec(staysTable + ";" + mealsTable)
	r := rand.New(rand.NewPCG(20, 20))
	all := expr.Person{Rows: 500, Groups: 500}
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		server.exec("TRUNCATE stays, meals; INSERT INTO stays VALUES " + strings.Join(randomStays(r), ", ") +
			"; INSERT INTO meals VALUES " + strings.Join(randomMeals(r), ", "))
		server.exec("DELETE FROM stays WHERE guest IS NULL") // who are nobody
		for range 25 {
			sql := randomPersonQuestion(r).sql
			q := dinnerQuery(t, sql, all, all)
			sum := make([]int64, 2)
			for _, counts := range server.counts(q) {
				sum[0] += counts[0]
				sum[1] += counts[1]
			}
			row := server.query("SELECT coalesce(sum(a), 0), coalesce(sum(b), 0) FROM ("+sql+") AS x(a, b, c)", nil)[0]
			if got, want := fmt.Sprint(sum[0], " ", sum[1]), string(row[0])+" "+string(row[1]); got != want {
				t.Errorf("%s\nis %s, want %s", sql, got, want)
			}
		}
	}
}
