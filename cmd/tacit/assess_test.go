package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/assess"
)

const titanicCells = "SELECT class, sex, age, survived, count(*) FROM titanic GROUP BY class, sex, age, survived"

// A parsedPage is what a browser would make of a page.
type parsedPage struct {
	elements map[string]int
	// attributes are all of them but namespaces, as name=value.
	attributes []string
	text       string
	style      string
}

// parsePage fails unless the page is well-formed XML, which every browser reads as this HTML.
func parsePage(t *testing.T, page string) parsedPage {
	t.Helper()
	parsed := parsedPage{elements: map[string]int{}}
	d := xml.NewDecoder(strings.NewReader(page))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return parsed
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
			parsed.elements[token.Name.Local]++
			for _, a := range token.Attr {
				if a.Name.Local != "xmlns" && a.Name.Space != "xmlns" {
					parsed.attributes = append(parsed.attributes, a.Name.Local+"="+a.Value)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && open[len(open)-1] == "style" {
				parsed.style += string(token)
			} else {
				parsed.text += string(token) + " "
			}
		}
	}
}

// requireSelfContained fails if a browser would fetch or run anything for the page.
func (p parsedPage) requireSelfContained(t *testing.T) {
	t.Helper()
	for _, element := range []string{"script", "link", "img", "image", "iframe", "object", "embed", "use", "a", "form", "base", "foreignObject", "animate"} {
		if p.elements[element] > 0 {
			t.Errorf("the page has an element %s", element)
		}
	}
	for _, a := range p.attributes {
		name, value, _ := strings.Cut(a, "=")
		if slices.Contains([]string{"src", "href", "srcset", "data", "action", "background", "poster"}, name) || strings.HasPrefix(name, "on") ||
			strings.Contains(value, "//") || strings.Contains(value, "url(") {
			t.Errorf("the page has an attribute %s", a)
		}
	}
	if strings.Contains(p.style, "url") || strings.Contains(p.style, "@import") {
		t.Errorf("the style refers to something: %s", p.style)
	}
	if !slices.Contains(p.attributes, "content=default-src 'none'; style-src 'unsafe-inline'") {
		t.Error("the page does not forbid what it does not have")
	}
}

// TestAssessPage fails if the page is not one file that a browser can open from disk, if it lacks the notice, a picture, a mechanism or a
// definition, or if others may read it.
func TestAssessPage(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	path := filepath.Join(s.dir, "page.html")
	out, stderr, status := run(t, "assess", "--policy", s.policy, "--query", titanicCells, "--epsilon", "0.5,2", "--html", path)
	if status != 0 || !strings.Contains(out, assess.Notice) {
		t.Fatalf("status %d: %s%s", status, out, stderr)
	}
	page := readText(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	parsed := parsePage(t, page)
	parsed.requireSelfContained(t)
	if parsed.elements["svg"] != 4 || parsed.elements["figcaption"] != 4 {
		t.Errorf("%d pictures with %d captions", parsed.elements["svg"], parsed.elements["figcaption"])
	}
	if rows := parsed.elements["tr"]; rows != 2*(1+2*len(policy.Kinds)-1) {
		t.Errorf("%d rows", rows)
	}
	if today := strings.Count(page, `<tr class="today">`); today != 2 {
		t.Errorf("%d rows of two tables are today's", today)
	}
	shows(t, parsed.text,
		assess.Notice, "today geometric, epsilon 0.5", "today: 0.5", "Risk that survived becomes known to who knows age, class, sex", "Figure 4.",
		"epsilon of one answer", "root mean squared error of a cell, persons", "persons squared", "Liu and Zhao", "Definition 1 of Zhu",
	)
	for _, kind := range policy.Kinds {
		if !strings.Contains(parsed.text, string(kind)) {
			t.Errorf("the page has no %s", kind)
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template withheld something")
	}
}

// TestAssessPageOfManyQuestions: counts without an attack, and too large for suppression, have the picture of bias alone; what the server's names hold is text.
func TestAssessPageOfManyQuestions(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	path := filepath.Join(s.dir, "page.html")
	out, stderr, status := run(t, "assess", "--policy", s.policy, "--html", path, "--json", "--query",
		"SELECT class, count(*), count(*) FILTER (WHERE sex <> '<b>&') FROM titanic GROUP BY class")
	if status != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("status %d: %s%s", status, out, stderr)
	}
	parsed := parsePage(t, readText(t, path))
	parsed.requireSelfContained(t)
	if parsed.elements["svg"] != 2 || parsed.elements["table"] != 4 || parsed.elements["b"] != 0 || strings.Count(parsed.text, "No risk: the question has one key") != 2 {
		t.Errorf("%v %s", parsed.elements, parsed.text)
	}
}

// TestAssessPageOfLittle: questions of which there is little or nothing to show have a page nevertheless.
func TestAssessPageOfLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	path := filepath.Join(s.dir, "page.html")
	for _, args := range [][]string{
		{"--query", "SELECT count(*) FROM titanic"},
		{"--query", "SELECT class, sex, count(*) FROM titanic WHERE class = 'none' GROUP BY class, sex"},
		{"--query", "SELECT class, age, count(*) FROM titanic WHERE class = 'Crew' AND age = 'Child' GROUP BY class, age"},
		{"--query", titanicCells, "--epsilon", "5000", "--k", "1"},
		{"--query", titanicCells, "--epsilon", "0.000000001", "--k", "1000000000"},
	} {
		_, stderr, status := run(t, append([]string{"assess", "--policy", s.policy, "--html", path}, args...)...)
		if status != 0 {
			t.Errorf("%q: status %d, %s", args, status, stderr)
			continue
		}
		parsePage(t, readText(t, path)).requireSelfContained(t)
	}
}

// TestAssessRisk reads the figures of the attack from JSON and from the table.
func TestAssessRisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	ask := []string{"assess", "--policy", s.policy, "--query", titanicCells, "--sensitive", "sex"}
	text := output(t, append(ask, "--json")...)
	var a jsonAssessment
	fromJSON(t, text, &a)
	k := a.Questions[0].Attack
	if k.Sensitive != "sex" || k.Default || !slices.Equal(k.Quasi, []string{"age", "class", "survived"}) || k.Labels != 2 || k.Cells.All.Records != 2201 || k.None != "" {
		t.Errorf("%+v", k)
	}
	for _, m := range a.Questions[0].Mechanisms {
		r, u := m.Risk, m.Uniques
		if r == nil || u == nil {
			t.Fatalf("%s: risk %v, uniques %v", m.Mechanism, r, u)
		}
		if !(r.Records.Unweighted <= r.Event.Unweighted && r.Records.Weighted <= r.Event.Weighted && r.Records.Weighted > 0 && r.Event.Unweighted <= 1) {
			t.Errorf("%s: %+v", m.Mechanism, r)
		}
		if !(u.AsOne <= u.OneOrMore && u.OneOrMore <= u.Uniques && m.Error*m.Error >= m.MeanVariance-1e-9) || m.Today != (m.Mechanism == "geometric") {
			t.Errorf("%s: %+v, %+v", m.Mechanism, m, u)
		}
		if m.Mechanism == "geometric" { // P(Z = 0) = (1-a)/(1+a), a = exp(-1/2)
			if share := u.AsOne / u.Uniques; math.Abs(share-math.Tanh(0.25)) > 1e-12 {
				t.Errorf("a unique is shown as one with probability %v", share)
			}
		}
	}
	table, _, _ := run(t, ask...)
	for _, want := range []string{
		"Risk that sex becomes known to who knows age, class, survived: 2 labels; ", `(?m)^ +geometric +\*0\.5 .* [0-9.]+% +24\.5% +6$`, "RISK is the expected share of records", `(?m)^ +suppression +- .*%† `, `(?m)^\* is today.s setting`,
	} {
		if !regexp.MustCompile(want).MatchString(table) {
			t.Errorf("%q does not match\n%s", want, table)
		}
	}
	if table, _, _ = run(t, "assess", "--policy", s.policy, "--query", titanicCells); !strings.Contains(table, "(the last key; --sensitive names another)") {
		t.Error(table)
	}
}

// TestAssessUndeclared: keys that pass a threshold are assessed as analysts see them, and kinds without one say why they have no figures.
func TestAssessUndeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{})
	text := output(t, "assess", "--policy", s.policy, "--query", "SELECT sex, illness, count(*) FROM people GROUP BY sex, illness", "--delta", "1e-6")
	for _, want := range []string{"cells with rows", "private threshold", "that occur", "(?m)^dp-swapping: analysts would be refused", `(?m)^ +dp-swapping +0\.5( +-)+$`, `(?m)^ +geometric +\S+ +1e-06 `} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%q does not match\n%s", want, text)
		}
	}
	refused := newSite(t, siteOptions{mechanism: "delta: 0"})
	text, _, status := run(t, "assess", "--policy", refused.policy, "--query", "SELECT sex, illness, count(*) FROM people GROUP BY sex, illness")
	if status != 0 || !strings.Contains(text, "Analysts are refused today: table public.people has no delta to release unknown keys with; ") || strings.Contains(text, "threshold\n") ||
		strings.Contains(text, "today's setting") || strings.Contains(text, "those that pass") {
		t.Errorf("status %d: %s", status, text)
	}
	for _, c := range []struct {
		of   *site
		by   string
		want bool
	}{{refused, "sex, illness", true}, {refused, "sex, region", false}, {s, "sex, illness", false}} {
		text, stderr, status := run(t, "assess", "--policy", c.of.policy, "--query", "SELECT "+c.by+", count(*) FROM people GROUP BY "+c.by, "--json")
		var a jsonAssessment
		if err := json.Unmarshal([]byte(text), &a); err != nil || status != 0 {
			t.Fatalf("status %d, %v: %s", status, err, stderr)
		}
		today := slices.ContainsFunc(a.Questions[0].Mechanisms, func(m jsonAssessedMechanism) bool { return m.Today })
		q := a.Questions[0]
		if q.Refused != c.want || today == c.want || strings.Contains(q.Refusal, "no delta to release unknown keys") != c.want || q.Threshold != (c.of == s) {
			t.Errorf("%s: refused %t (%s), today's setting among the rows %t, by threshold %t", c.by, q.Refused, q.Refusal, today, q.Threshold)
		}
	}
}

// TestAssessPageOfUndeclared: the page says what the threshold does and which kinds are refused, and counts rows where a person has several.
func TestAssessPageOfUndeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: `CREATE TABLE public.visits (patient int NOT NULL, ward text NOT NULL, cause text NOT NULL);
		INSERT INTO public.visits SELECT i / 3, 'ward ' || i % 4, (ARRAY['<flu>', 'cold'])[1 + i % 2] FROM pg_catalog.generate_series(1, 300) AS i`,
		tables: `
  public.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 100, delta: 1e-4}
    columns:
      patient: {}
      ward: {values: [ward 0, ward 1, ward 2, ward 3]}
      cause: {}
`})
	path := filepath.Join(s.dir, "page.html")
	for _, c := range []struct {
		sql         string
		says, never []string
	}{
		{"SELECT ward, cause, count(DISTINCT patient) FROM visits GROUP BY ward, cause",
			[]string{"private threshold", "analysts would be refused", "a cell, contributions", "is counted once in each", "2 labels that occur"}, []string{"a cell, rows", "a cell, persons"}},
		{"SELECT ward, count(*) FROM visits GROUP BY ward", []string{"No risk", "rows squared"}, []string{"persons squared", "private threshold"}},
	} {
		output(t, "assess", "--policy", s.policy, "--query", c.sql, "--html", path)
		parsed := parsePage(t, readText(t, path))
		parsed.requireSelfContained(t)
		shows(t, parsed.text, c.says...)
		for _, wrong := range c.never {
			if strings.Contains(parsed.text, wrong) {
				t.Errorf("%s: the page says %q", c.sql, wrong)
			}
		}
	}
}

// TestFiguresNeedSeparateRoles: the commands that a steward plays with before the first serve say what to run first.
func TestFiguresNeedSeparateRoles(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	page := filepath.Join(s.dir, "page")
	s.exec("GRANT SELECT ON titanic TO PUBLIC")
	for _, args := range [][]string{
		{"assess", "--query", titanicCells, "--html", page},
		{"risk", "--table", "titanic", "--qi", "class", "--sensitive", "survived", "--svg", page},
	} {
		out, stderr, status := run(t, append(args, "--policy", s.policy)...)
		if status != 1 || out != "" || !strings.Contains(stderr, "-- HIGH: ") || !strings.Contains(stderr, "nothing was counted: the roles of analysts and curator are not separate") ||
			!strings.Contains(stderr, "tacit check --policy "+s.policy+" --sql") {
			t.Errorf("%s: status %d, %s%s", args[0], status, out, stderr)
		}
	}
	if _, err := os.Lstat(page); err == nil {
		t.Error("a page was written")
	}
}

// TestAssessRefuses: what cannot be compared is said, with the exit status of its sort, and nothing is printed or written.
func TestAssessRefuses(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	page := filepath.Join(s.dir, "page.html")
	for i, c := range []struct {
		says   string
		status int
		args   []string
	}{
		{"not a key", 1, []string{"--query", titanicCells, "--sensitive", "port"}},
		{"which has none", 1, []string{"--query", "SELECT count(*) FROM titanic", "--sensitive", "sex"}},
		{"more than one protected table", 1, []string{"--query", "SELECT (SELECT count(*) FROM titanic), (SELECT count(*) FROM admissions)"}},
		{"exact or suppressed", 1, []string{"--query", "SELECT eye, count(*) FROM carriers GROUP BY eye"}},
		{"counts no protected table", 1, []string{"--query", "SELECT count(*) FROM classes"}},
		{"--query SQL is required", 2, nil},
		{"--epsilon", 2, []string{"--query", titanicCells, "--epsilon", "x"}},
		{"unknown flag", 2, []string{"--query", titanicCells, "--svg", "x"}},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		out, stderr, status := run(t, append([]string{"assess", "--policy", s.policy, "--html", page}, c.args...)...)
		if status != c.status || out != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: status %d, %s%s", c.args, status, out, stderr)
		}
		if _, err := os.Stat(page); err == nil {
			t.Errorf("%q: a page was written", c.args)
		}
	}
	for i, path := range []string{filepath.Join(s.dir, "missing", "page.html"), s.dir} {
		if testing.Short() && i > 0 {
			break
		}
		out, stderr, status := run(t, "assess", "--policy", s.policy, "--query", titanicCells, "--html", path)
		if status != 1 || out != "" || !strings.Contains(stderr, "--html") {
			t.Errorf("%s: status %d, %s%s", path, status, out, stderr)
		}
	}
}

// TestDocumentedAssessment prints what docs/mechanisms.md shows.
func TestDocumentedAssessment(t *testing.T) {
	t.Parallel()
	_, shown, ok := strings.Cut(readText(t, "../../docs/mechanisms.md"), "$ tacit assess --policy policy.yaml --epsilon 0.5,1 --quasi sex \\\n    --query \""+titanicCells+"\"\n")
	if !ok {
		t.Fatal("docs/mechanisms.md does not assess this question")
	}
	shown, _, _ = strings.Cut(shown, "```")
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10}")
	printed := output(t, "assess", "--policy", s.policy, "--epsilon", "0.5,1", "--quasi", "sex", "--query", titanicCells)
	if diff := cmp.Diff(shown, printed); diff != "" {
		t.Errorf("docs/mechanisms.md (-shows +is printed):\n%s", diff)
	}
}
