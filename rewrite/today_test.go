package rewrite

import (
	"slices"
	"testing"

	"tacit/rewrite/query"
)

// TestQuestionsNameToday gives columns of dates and times a range that ends today, on two days. It fails if a question whose cells depend on the
// day does not name it, or if another one does: that would be asked anew every day.
func TestQuestionsNameToday(t *testing.T) {
	ask := func(sql, today string, domain []string) *query.BoundQuery {
		session := testSession()
		session.Catalog = fixture()
		table := session.Catalog.Tables[tableNamed("members")]
		for i, c := range table.Columns {
			if slices.Contains([]string{"joined", "seen", "paid"}, c.Name) {
				table.Columns[i].Until, table.Columns[i].Domain = today, domain
			}
		}
		v, err := Analyze(sql, session)
		if err != nil {
			t.Fatal(err)
		}
		a, ok := v.(*Answer)
		if !ok {
			t.Fatalf("%s: %+v", sql, v)
		}
		q, refusal := a.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		return q
	}
	for _, c := range []struct{ sql, question string }{
		{"SELECT joined, count(*) FROM members GROUP BY joined",
			"count(*) FROM public.members WHERE (joined <= date '2020-01-02' OR joined IS NULL) GROUP BY joined"},
		{"SELECT joined, count(*) FROM members WHERE joined >= '2020-01-01' GROUP BY joined",
			"count(*) FROM public.members WHERE (joined <= date '2020-01-02' AND joined >= date '2020-01-01') GROUP BY joined"},
		{"SELECT joined, count(*) FROM members WHERE joined BETWEEN '2020-01-01' AND '2020-01-31' GROUP BY joined",
			"count(*) FROM public.members WHERE (joined <= date '2020-01-02' AND joined >= date '2020-01-01') GROUP BY joined"},
		{"SELECT extract(year FROM seen), count(*) FROM members WHERE seen IS NOT NULL GROUP BY 1",
			"count(*) FROM public.members WHERE seen < timestamp '2020-01-03 00:00:00' GROUP BY extract('year', seen)"},
		{"SELECT paid, count(*) FROM members WHERE paid > '2019-01-01 00:00:00+00' GROUP BY paid",
			"count(*) FROM public.members WHERE (paid < timestamptz '2020-01-03 00:00:00+00' AND paid > timestamptz '2019-01-01 00:00:00+00') GROUP BY paid"},
		{"SELECT joined, count(*) FROM members WHERE joined = '2019-12-31' GROUP BY joined", ""},
		{"SELECT joined, count(*) FROM members WHERE joined < '2020-01-02' GROUP BY joined", ""},
		{"SELECT count(*) FROM members WHERE joined >= '2020-01-01'", ""},
		{"SELECT plan, count(*) FROM members WHERE extract(dow FROM joined) = 1 GROUP BY plan", ""},
	} {
		today := ask(c.sql, "2020-01-02", []string{"2020-01-01", "2020-01-02"})
		next := ask(c.sql, "2020-01-05", []string{"2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05"})
		question := today.Question(today.Counts[0])
		if c.question != "" && question != c.question {
			t.Errorf("%s: %s, want %s", c.sql, question, c.question)
		}
		if same := question == next.Question(next.Counts[0]); same != (c.question == "") {
			t.Errorf("%s: %s; three days later %s", c.sql, question, next.Question(next.Counts[0]))
		}
		if was, _ := today.Shape(today.Counts[0]); c.question == "" {
			if now, _ := next.Shape(next.Counts[0]); now != was {
				t.Errorf("%s: the shape is %s, and three days later %s", c.sql, was, now)
			}
		}
		before, args := today.CountSQL(today.Counts)
		if after, others := next.CountSQL(next.Counts); c.question == "" && (before != after || !slices.Equal(args, others)) {
			t.Errorf("%s: counted by %s %v, and three days later by %s %v", c.sql, before, args, after, others)
		}
	}
}
