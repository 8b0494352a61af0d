package proof

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tacit/internal/battery"
)

// What analysts of a hospital and of a shop ask, written as they write it who do not know the proxy. Each question is answered as PostgreSQL
// answers it, or it is refused with a reason, and the statement in the hint is answered. docs/questions.md is made of the same files.

const questionsPage = "../../docs/questions.md"

// longestNotice is what somebody may read.
const longestNotice = 2000

// An outcome is what became of a question.
type outcome struct {
	question *testCase
	refusal  message // kind 'E' if the question is refused
	prices   []string
	hinted   bool // the refusal's hint has a statement, which is answered
}

// TestQuestions asks all questions, and with -short every fourth. What these cost then differs from the page, since less was asked before.
func TestQuestions(t *testing.T) {
	s := &site{t: t, files: "testdata/questions", random: battery.Seeded(16)}
	s.fill("", "questions/schema.sql")
	s.establish()
	const settings = "SET TimeZone = 'UTC'; SET DateStyle = ISO"
	on := &hinted{connect(t, s.url(s.serve(s.gateway)), settings), connect(t, cluster.URL("postgres", s.database), settings)}
	var page strings.Builder
	page.WriteString(questionsHead)
	written, err := os.ReadFile(questionsPage)
	if err != nil {
		t.Fatal(err)
	}
	answered, n := 0, 0
	for _, part := range []struct{ file, title string }{{"hospital.sql", "A hospital"}, {"shop.sql", "A shop"}} {
		path := "testdata/questions/" + part.file
		cases := readCases(t, path)
		fmt.Fprintf(&page, "\n## %s\n", part.title)
		for i, c := range cases {
			if n++; testing.Short() && !*update && n%4 != 0 {
				continue
			}
			o := on.ask(t, c)
			if o.refusal.kind == 0 {
				answered++
			}
			if *update {
				c.setRefused(o.refusal)
			}
			from := page.Len()
			o.write(&page, i+1)
			section := withoutPrices(page.String()[from:])
			_, after, found := strings.Cut(withoutPrices(string(written)), section)
			if testing.Short() && !*update && (!found || after != "" && !strings.HasPrefix(after, "\n#")) {
				t.Errorf("docs/questions.md does not have, or has more than\n%s", section)
			}
		}
		if *update {
			writeCases(t, path, cases)
		}
	}
	t.Logf("%d of %d questions are answered", answered, n)
	if n < 100 {
		t.Errorf("only %d questions", n)
	}
	if *update {
		if err := os.WriteFile(questionsPage, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if page.String() != string(written) && !testing.Short() {
		t.Error("docs/questions.md is not what comes of the questions: go test ./internal/proof -run TestQuestions -update")
	}
}

var prices = regexp.MustCompile(`(?m)^Answered\. Price: .*$`)

func withoutPrices(page string) string { return prices.ReplaceAllString(page, "Answered.") }

// setRefused writes down that a question is refused, and why.
func (c *testCase) setRefused(e message) {
	c.comments = slices.DeleteFunc(c.comments, func(line string) bool { return strings.HasPrefix(line, "#: refused ") })
	if e.kind != 0 {
		c.comments = append(c.comments, "#: refused "+e.field('C')+" "+e.field('M'))
	}
}

// ask asks a question through the proxy, and PostgreSQL itself.
func (on *hinted) ask(t *testing.T, c *testCase) outcome {
	t.Helper()
	o := outcome{question: c}
	for _, step := range c.steps[:len(c.steps)-1] {
		on.proxied.query(step)
		on.direct.query(step)
	}
	replies := on.proxied.query(c.last())
	expected, _ := c.directive("refused")
	if e, failed := failure(replies); failed {
		o.refusal = e
		if got := e.field('C') + " " + e.field('M'); got != expected && !*update {
			t.Errorf("%v: refused: %s, where %q is expected\n%s", c, got, expected, c.last())
		}
		o.hinted = on.follow(t, c, e)
		return o
	}
	if expected != "" && !*update {
		t.Errorf("%v: is answered, where %q is expected\n%s", c, expected, c.last())
	}
	for _, m := range replies {
		if m.kind == 'N' {
			t.Logf("%v: %s", c, m.field('M'))
			o.prices = append(o.prices, price(m.field('M')))
			if len(m.field('M')) > longestNotice {
				t.Errorf("%v: %s\nhas a notice of %d bytes", c, c.last(), len(m.field('M')))
			}
		}
	}
	truth := c.last()
	if other, ok := c.directive("truth"); ok {
		truth = other
	}
	want := on.direct.query(truth)
	diff := differences(replies, want, c.ordered())
	zeros := diff != "" && differences(withoutZeros(replies, want), want, c.ordered()) == ""
	if *update {
		c.mark("zeros", zeros)
	}
	_, ofNobody := c.directive("zeros")
	_, differs := c.directive("differs")
	if zeros != ofNobody || !zeros && (diff != "") != differs {
		t.Errorf("%v: %s\n%s", c, c.last(), diff)
	}
	return o
}

// follow runs the statement in the hint of a refusal, if there is one.
func (on *hinted) follow(t *testing.T, c *testCase, e message) (hinted bool) {
	t.Helper()
	found := statementInHint.FindStringSubmatch(e.field('H'))
	if found == nil {
		t.Logf("%v: no statement in the hint: %s", c, e.fields())
		return false
	}
	replies := on.proxied.query(found[1])
	if e, failed := failure(replies); failed {
		t.Errorf("%v: %s\nhas the hint\n%s\nwhich is refused: %s", c, c.last(), found[1], e.fields())
	} else if want := on.direct.query(found[1]); differences(withoutZeros(replies, want), want, false) != "" {
		diff := differences(replies, want, false)
		t.Errorf("%v: %s\nhas the hint\n%s\n%s", c, c.last(), found[1], diff)
	}
	return true
}

// differences tells how an answer differs from PostgreSQL's own in columns and rows, but for the last digits of numbers.
func differences(got, want []message, ordered bool) string {
	if e, failed := failure(want); failed {
		return "PostgreSQL refuses it, too: " + e.fields()
	}
	a, b := shown(got), shown(want)
	if !ordered {
		slices.SortFunc(a[1:], slices.Compare[[]string])
		slices.SortFunc(b[1:], slices.Compare[[]string])
	}
	same := len(a) == len(b)
	for i := 0; same && i < len(a); i++ {
		same = slices.EqualFunc(a[i], b[i], alike)
	}
	if same {
		return ""
	}
	return fmt.Sprintf("is answered by\n%q\nand by PostgreSQL\n%q", a, b)
}

// withoutZeros leaves out the rows of an answer that the truth does not have, if they have a 0 or NULL: groups with nobody in them.
func withoutZeros(got, want []message) []message {
	truth := make(map[string]bool)
	for _, m := range want {
		truth[fmt.Sprintf("%q", m.row())] = m.kind == 'D'
	}
	return slices.DeleteFunc(slices.Clone(got), func(m message) bool {
		return m.kind == 'D' && !truth[fmt.Sprintf("%q", m.row())] &&
			slices.ContainsFunc(m.row(), func(field []byte) bool { return field == nil || number(field) == 0 })
	})
}

// shown are the columns of a result, and its rows.
func shown(replies []message) [][]string {
	table := [][]string{nil}
	for _, m := range replies {
		switch m.kind {
		case 'T':
			table[0] = []string{m.columns()}
		case 'D':
			var texts []string
			for _, field := range m.row() {
				if field == nil {
					texts = append(texts, "NULL")
				} else {
					texts = append(texts, string(field))
				}
			}
			table = append(table, texts)
		}
	}
	return table
}

// alike compares texts, as numbers if they are numbers: of a variance, PostgreSQL computes the last digits otherwise.
func alike(a, b string) bool {
	x, y := number([]byte(a)), number([]byte(b))
	return a == b || math.Abs(x-y) <= 1e-9*math.Abs(y)
}

var charged = regexp.MustCompile(`^public\.(\w+): .*charged epsilon ([\d.]+)`)

// price tells what a notice says that an answer cost, in the epsilon of one question: here ten millions.
func price(notice string) string {
	const one = 1e7
	if found := charged.FindStringSubmatch(notice); found != nil {
		return fmt.Sprintf("%v of %s", number([]byte(found[2]))/one, found[1])
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(notice, "public."), ":")
	return "nothing of " + name
}

func (o outcome) write(page *strings.Builder, place int) {
	c := o.question
	fmt.Fprintf(page, "\n### %d. %s\n\n```sql\n%s\n```\n\n", place, strings.TrimPrefix(c.comments[0], "# "), strings.Join(c.steps, "\n"))
	switch {
	case o.refusal.kind != 0:
		fmt.Fprintf(page, "**Refused**, `%s`: %s.\n", o.refusal.field('C'), o.refusal.field('M'))
		if hint := o.refusal.field('H'); hint != "" {
			fmt.Fprintf(page, "Hint: %s\n", strings.ReplaceAll(hint, "*", `\*`))
		}
	case len(o.prices) == 0:
		page.WriteString("Answered, free.\n")
	default:
		fmt.Fprintf(page, "Answered. Price: %s.\n", strings.Join(o.prices, ", "))
	}
	if _, zeros := c.directive("zeros"); zeros {
		page.WriteString("Groups with nobody are shown, too, as 0.\n")
	}
	if note, ok := c.directive("note"); ok {
		fmt.Fprintf(page, "%s.\n", note)
	}
	if why, differs := c.directive("differs"); differs {
		fmt.Fprintf(page, "PostgreSQL's own answer differs: %s.\n", why)
	}
}

const questionsHead = `# A hundred questions

What analysts of a hospital and of a shop ask, in the SQL that they write before they have read [analyst.md](analyst.md), and what comes of it. The
tables, the policy and the questions are files under ` + "`internal/proof/testdata/questions`" + `. A test asks all of them in this order, with so large an
epsilon that there is no noise, and compares each answer with PostgreSQL's own; where a refusal has a statement in its hint, it asks that, too, and
compares it. This page is written by the test.

A price of 1 is the epsilon of one count of the table; *nothing* is what was asked before, or what follows from that. In a fresh ledger the same question may
cost more.
`
