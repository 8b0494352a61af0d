package rewrite

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// hard are values that an array's text form or a string constant could garble.
var hard = []Value{{Text: ""}, {Text: "NULL"}, {Text: "null"}, {Null: true}, {Text: `"`}, {Text: `\`}, {Text: `\"`}, {Text: "'"}, {Text: "''"}, {Text: "{}"}, {Text: "{a,b}"},
	{Text: ","}, {Text: " "}, {Text: " a "}, {Text: "\t\n"}, {Text: "$1"}, {Text: "E'x'"}, {Text: "ö\U0001F600"}, {Text: `\\x41`}, {Text: "tacit"}, {Text: "--"}, {Text: "/*"}}

// TestArrays has the server read arrays as parameters and as constants, whatever standard_conforming_strings is.
func TestArrays(t *testing.T) {
	server := newTwin(t)
	literal := arrayOfValues(hard)
	if parsed, refusal := parseArray(literal); refusal != nil || !cmp.Equal(parsed, hard) {
		t.Errorf("%s: %v", cmp.Diff(hard, parsed), refusal)
	}
	check := func(rows [][][]byte) {
		t.Helper()
		var got []Value
		for _, r := range rows {
			got = append(got, Value{Text: string(r[0]), Null: r[0] == nil})
		}
		if diff := cmp.Diff(hard, got); diff != "" {
			t.Error(diff)
		}
	}
	check(server.query("SELECT * FROM unnest($1::text[])", []string{literal}))
	check(server.query("SELECT * FROM unnest("+quoteConstant(literal)+"::text[])", nil))
	server.exec("SET standard_conforming_strings = off; SET escape_string_warning = off")
	check(server.query("SELECT * FROM unnest("+quoteConstant(literal)+"::text[])", nil))
}

// TestParseArray compares the reading of arrays with the server's.
func TestParseArray(t *testing.T) {
	server := newTwin(t)
	for _, text := range []string{"{}", " { } ", "{a}", "{ a , b }", `{"a"}`, `{ "a b" , NULL }`, `{"NULL",null}`, `{a\,b}`, `{\ a}`, `{a\ }`, "{a,}", "{,}", "{", "}", "a", "{a}b", `{"a"b}`, `{a"b"}`, "{a b}", "{{a}}", `{"}`, `{\}`, `{"a\"b"}`, "{a}}", `{N\ULL}`, "{\"\"}", "{a,,b}", ""} {
		rows, err := server.run("SELECT * FROM unnest($1::text[]) WITH ORDINALITY", nil, []Value{{Text: text}})
		got, refusal := parseArray(text)
		nested := strings.HasPrefix(text, "{{")
		if (err != nil || nested) != (refusal != nil) {
			t.Errorf("%s: %v, the server says %v", text, refusal, err)
		} else if refusal == nil && len(got) != len(rows.Rows) {
			t.Errorf("%s: %v, the server reads %v", text, got, rows.Rows)
		} else if refusal == nil {
			again, err := server.run("SELECT $1::text[] = $2::text[]", nil, []Value{{Text: text}, {Text: arrayOfValues(got)}})
			if err != nil || again.Rows[0] != `"t"` {
				t.Errorf("%s: %v, the server reads %v", text, got, rows.Rows)
			}
		}
	}
}

// TestHardKeys sends hard values through a whole statement as keys, in both protocols.
func TestHardKeys(t *testing.T) {
	server := newTwin(t)
	a := analyze(t, `SELECT city, plan, count(*), count(salary) AS s FROM members GROUP BY plan, city`).(*Answer)
	counts := make([]int64, len(hard))
	plans := make([]Value, len(hard))
	for i := range counts {
		counts[i] = int64(i) - 3
		plans[i] = Value{Text: "gold"}
	}
	literals := a.Rest.Literals([]*Cells{{Keys: [][]Value{hard, plans}, Counts: [][]int64{counts, counts}}})
	values := make([]Value, len(literals))
	for i, l := range literals {
		values[i] = Value{Text: l}
	}
	extended, err := server.run(a.Rest.WithParameters(1), nil, values)
	if err != nil {
		t.Fatal(err)
	}
	simple, err := server.run(a.Rest.WithLiterals(literals), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(extended, simple); diff != "" || len(simple.Rows) != len(hard) {
		t.Errorf("%d rows of %d; (-extended +simple):\n%s", len(simple.Rows), len(hard), diff)
	}
}

// TestPrepareAndExecute runs the statements that stand in for PREPARE and EXECUTE.
func TestPrepareAndExecute(t *testing.T) {
	server := newTwin(t)
	prepare := analyze(t, "PREPARE q AS SELECT city, count(*) FROM members WHERE birth_year > $1 AND code = $2 GROUP BY city HAVING count(*) > $3").(*Answer)
	server.exec(prepare.Rest.WithParameters(prepare.Params + 1))
	execute := analyze(t, "EXECUTE q(1980, 'a', - 1)").(*Execute)
	if execute.Err != nil {
		t.Fatal(execute.Err)
	}
	bound, refusal := prepare.Queries[0].Bind(execute.Args)
	if refusal != nil {
		t.Fatal(refusal)
	}
	literals := prepare.Rest.Literals([]*Cells{server.cells(bound)})
	got := server.query2(execute.WithLiterals(literals))
	want := server.query2("SELECT city, count(*) FROM members WHERE birth_year > 1980 AND code = 'a' GROUP BY city")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	server.exec("PREPARE none AS SELECT 1")
	none := analyze(t, "PREPARE p AS SELECT count(*) FROM members").(*Answer)
	server.exec(none.Rest.WithParameters(1))
	if got := server.query2(analyze(t, "EXECUTE p").(*Execute).WithLiterals([]string{"{42}"})); got.Rows[0] != `"42"` {
		t.Errorf("%v", got)
	}
}

// query2 runs a simple query.
func (t *twin) query2(sql string) result {
	t.tb.Helper()
	r, err := t.run(sql, nil, nil)
	if err != nil {
		t.tb.Fatalf("%s: %v", sql, err)
	}
	return r
}

// TestBindRefuses gives parameters that PostgreSQL would not read as their types.
func TestBindRefuses(t *testing.T) {
	for _, c := range []struct {
		condition string
		params    []Value
		code      string
	}{
		{"birth_year = $1", []Value{{Text: "x"}}, "22P02"},
		{"birth_year = $1", []Value{{Text: "99999999999"}}, "22003"},
		{"birth_year = $1", nil, "42P02"},
		{"birth_year = ANY ($1)", []Value{{Text: "{1,x}"}}, "22P02"},
		{"birth_year = ANY ($1)", []Value{{Text: "1"}}, "22P02"},
		{"joined = $1", []Value{{Text: "yesterday"}}, "0A000"},
		{"birth_year = 1 AND active = $1", []Value{{Text: "maybe"}}, "22P02"},
		{"city = $1 AND birth_year = $2", []Value{{Text: "x"}, {Text: ""}}, "22P02"},
	} {
		a := analyze(t, "SELECT count(*) FROM members WHERE "+c.condition).(*Answer)
		if _, refusal := a.Queries[0].Bind(c.params); refusal == nil || refusal.Code != c.code {
			t.Errorf("%s %v: %v", c.condition, c.params, refusal)
		}
	}
}

// TestDeclaredTypes gives parameters types as drivers do.
func TestDeclaredTypes(t *testing.T) {
	s := testSession()
	for _, c := range []struct {
		condition string
		oids      []uint32
		code      string // empty: answered
	}{
		{"birth_year = $1", []uint32{oidInt8}, ""},
		{"birth_year = $1", []uint32{oidNumeric}, ""},
		{"birth_year = $1", []uint32{oidFloat8}, ""},
		{"birth_year = $1", []uint32{oidUnknown}, ""},
		{"birth_year = $1", []uint32{0}, ""},
		{"birth_year = $1", []uint32{oidText}, "42883"},
		{"birth_year = $1", []uint32{17}, "42883"},
		{"city = $1", []uint32{oidVarchar}, ""},
		{"plan = $1", []uint32{oidVarchar}, ""},
		{"plan IN ($1, $2)", []uint32{oidText, oidVarchar}, ""},
		{"city = $1", []uint32{oidInt4}, "42883"},
		{"code = $1", []uint32{oidVarchar}, ""},
		{"salary = $1", []uint32{oidFloat8}, "0A000"},
		{"salary = $1::numeric", []uint32{oidFloat8}, "0A000"},
		{"birth_year = $1::int", []uint32{oidText}, ""},
		{"seen > $1", []uint32{oidTimestamptz}, "0A000"},
		{"joined > $1", []uint32{oidTimestamp}, ""},
		{"birth_year = ANY ($1)", []uint32{1016}, ""},
		{"birth_year = ANY ($1)", []uint32{1009}, "42883"},
		{"birth_year = ANY ($1)", []uint32{oidInt4}, "42883"},
		{"plan = ANY ($1)", []uint32{1015}, ""},
	} {
		s.ParamOIDs = c.oids
		v, err := Analyze("SELECT count(*) FROM members WHERE "+c.condition, s)
		if err != nil {
			t.Fatal(err)
		}
		refusal, _ := v.(*Refusal)
		if refusal == nil && c.code != "" || refusal != nil && refusal.Code != c.code {
			t.Errorf("%s %v: %s", c.condition, c.oids, describe(v))
		}
	}
}

// TestNames shows which names the session is asked about, and that its answer counts.
func TestNames(t *testing.T) {
	s := testSession()
	temp := policy.TableName{Schema: "pg_temp_3", Name: "members"}
	asked := 0
	s.Resolve = func(name string) (policy.TableName, bool, error) {
		asked++
		if name != "members" {
			t.Errorf("asked about %s", name)
		}
		return temp, true, nil
	}
	v, err := Analyze("SELECT * FROM members JOIN members AS m USING (a) JOIN other USING (b)", s)
	if _, ok := v.(*Relay); !ok || err != nil || asked != 1 {
		t.Errorf("a temporary table: %v, %v, asked %d times", v, err, asked)
	}
	if v, _ := Analyze("SELECT * FROM public.members", s); asked != 1 || v.(*Refusal).Code != codePrivilege {
		t.Errorf("a qualified name: %v", v)
	}
	s = testSession()
	v, _ = Analyze("SELECT count(*) FROM members, (SELECT count(*) FROM logins) x", s)
	if _, ok := v.(*Refusal); !ok {
		t.Errorf("%v", v)
	}
	v, _ = Analyze("SELECT (SELECT count(*) FROM members), (SELECT count(*) FROM logins), (SELECT count(*) FROM members WHERE active)", s)
	want := []Resolution{{"members", tableNamed("members")}, {"logins", tableNamed("logins")}}
	if diff := cmp.Diff(want, v.(*Answer).Names); diff != "" {
		t.Error(diff)
	}
	s.Resolve = func(string) (policy.TableName, bool, error) { return policy.TableName{}, false, nil }
	if v, _ := Analyze("SELECT * FROM members", s); describe(v) != "relay\n" {
		t.Errorf("a name that means nothing: %v", v)
	}
	broken := errors.New("broken")
	s.Resolve = func(string) (policy.TableName, bool, error) { return policy.TableName{}, false, broken }
	if v, err := Analyze("SELECT * FROM members", s); !errors.Is(err, broken) || v != nil {
		t.Errorf("%v, %v", v, err)
	}
}
