package rewrite

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// hard are values that an array's text form or a string constant could garble.
var hard = []pgvalue.Value{{Text: ""}, {Text: "NULL"}, {Text: "null"}, {Null: true}, {Text: `"`}, {Text: `\`}, {Text: `\"`}, {Text: "'"}, {Text: "''"}, {Text: "{}"}, {Text: "{a,b}"},
	{Text: ","}, {Text: " "}, {Text: " a "}, {Text: "\t\n"}, {Text: "$1"}, {Text: "E'x'"}, {Text: "ö\U0001F600"}, {Text: `\\x41`}, {Text: "tacit"}, {Text: "--"}, {Text: "/*"}}

// TestArrays has the server read arrays as parameters and as constants, whatever standard_conforming_strings is.
func TestArrays(t *testing.T) {
	server := newTwin(t)
	literal := pgvalue.ArrayOfValues(hard)
	if parsed, refusal := pgvalue.ParseArray(literal); refusal != nil || !cmp.Equal(parsed, hard) {
		t.Errorf("%s: %v", cmp.Diff(hard, parsed), refusal)
	}
	check := func(rows [][][]byte) {
		t.Helper()
		var got []pgvalue.Value
		for _, r := range rows {
			got = append(got, pgvalue.Value{Text: string(r[0]), Null: r[0] == nil})
		}
		if diff := cmp.Diff(hard, got); diff != "" {
			t.Error(diff)
		}
	}
	check(server.query("SELECT * FROM unnest($1::text[])", []string{literal}))
	check(server.query("SELECT * FROM unnest("+pgvalue.QuoteConstant(literal)+"::text[])", nil))
	server.exec("SET standard_conforming_strings = off; SET escape_string_warning = off")
	check(server.query("SELECT * FROM unnest("+pgvalue.QuoteConstant(literal)+"::text[])", nil))
}

// TestParseArray compares the reading of arrays with the server's.
func TestParseArray(t *testing.T) {
	server := newTwin(t)
	for _, text := range []string{"{}", " { } ", "{a}", "{ a , b }", `{"a"}`, `{ "a b" , NULL }`, `{"NULL",null}`, `{a\,b}`, `{\ a}`, `{a\ }`, "{a,}", "{,}", "{", "}", "a", "{a}b", `{"a"b}`, `{a"b"}`, "{a b}", "{{a}}", `{"}`, `{\}`, `{"a\"b"}`, "{a}}", `{N\ULL}`, "{\"\"}", "{a,,b}", ""} {
		rows, err := server.run("SELECT * FROM unnest($1::text[]) WITH ORDINALITY", nil, []pgvalue.Value{{Text: text}})
		got, refusal := pgvalue.ParseArray(text)
		nested := strings.HasPrefix(text, "{{")
		if (err != nil || nested) != (refusal != nil) {
			t.Errorf("%s: %v, the server says %v", text, refusal, err)
		} else if refusal == nil && len(got) != len(rows.Rows) {
			t.Errorf("%s: %v, the server reads %v", text, got, rows.Rows)
		} else if refusal == nil {
			again, err := server.run("SELECT $1::text[] = $2::text[]", nil, []pgvalue.Value{{Text: text}, {Text: pgvalue.ArrayOfValues(got)}})
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
	plans := make([]pgvalue.Value, len(hard))
	for i := range counts {
		counts[i] = int64(i) - 3
		plans[i] = pgvalue.Value{Text: "gold"}
	}
	literals := a.Outer.Literals([]*query.Cells{{Keys: [][]pgvalue.Value{hard, plans}, Counts: [][]int64{counts, counts}}})
	values := make([]pgvalue.Value, len(literals))
	for i, l := range literals {
		values[i] = pgvalue.Value{Text: l}
	}
	extended, err := server.run(a.Outer.WithParameters(1), nil, values)
	if err != nil {
		t.Fatal(err)
	}
	simple, err := server.run(a.Outer.WithLiterals(literals), nil, nil)
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
	server.exec(prepare.Outer.WithParameters(prepare.Params + 1))
	execute := analyze(t, "EXECUTE q(1980, 'a', - 1)").(*Execute)
	if execute.Err != nil {
		t.Fatal(execute.Err)
	}
	bound, refusal := prepare.Queries[0].Bind(execute.Args)
	if refusal != nil {
		t.Fatal(refusal)
	}
	literals := prepare.Outer.Literals([]*query.Cells{server.cells(bound)})
	got := server.query2(execute.WithLiterals(literals))
	want := server.query2("SELECT city, count(*) FROM members WHERE birth_year > 1980 AND code = 'a' GROUP BY city")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	server.exec("PREPARE none AS SELECT 1")
	none := analyze(t, "PREPARE p AS SELECT count(*) FROM members").(*Answer)
	server.exec(none.Outer.WithParameters(1))
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
		params    []pgvalue.Value
		code      string
	}{
		{"birth_year = $1", []pgvalue.Value{{Text: "x"}}, "22P02"},
		{"birth_year = $1", []pgvalue.Value{{Text: "99999999999"}}, "22003"},
		{"birth_year = $1", nil, "42P02"},
		{"birth_year = ANY ($1)", []pgvalue.Value{{Text: "{1,x}"}}, "22P02"},
		{"birth_year = ANY ($1)", []pgvalue.Value{{Text: "1"}}, "22P02"},
		{"joined = $1", []pgvalue.Value{{Text: "yesterday"}}, "0A000"},
		{"birth_year = 1 AND active = $1", []pgvalue.Value{{Text: "maybe"}}, "22P02"},
		{"city = $1 AND birth_year = $2", []pgvalue.Value{{Text: "x"}, {Text: ""}}, "22P02"},
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
		{"birth_year = $1", []uint32{pgvalue.Int8}, ""},
		{"birth_year = $1", []uint32{pgvalue.Numeric}, ""},
		{"birth_year = $1", []uint32{pgvalue.Float8}, ""},
		{"birth_year = $1", []uint32{pgvalue.Unknown}, ""},
		{"birth_year = $1", []uint32{0}, ""},
		{"birth_year = $1", []uint32{pgvalue.Text}, "42883"},
		{"birth_year = $1", []uint32{17}, "42883"},
		{"city = $1", []uint32{pgvalue.Varchar}, ""},
		{"plan = $1", []uint32{pgvalue.Varchar}, ""},
		{"plan IN ($1, $2)", []uint32{pgvalue.Text, pgvalue.Varchar}, ""},
		{"city = $1", []uint32{pgvalue.Int4}, "42883"},
		{"code = $1", []uint32{pgvalue.Varchar}, ""},
		{"salary = $1", []uint32{pgvalue.Float8}, "0A000"},
		{"salary = $1::numeric", []uint32{pgvalue.Float8}, "0A000"},
		{"birth_year = $1::int", []uint32{pgvalue.Text}, ""},
		{"seen > $1", []uint32{pgvalue.Timestamptz}, ""},
		{"joined > $1", []uint32{pgvalue.Timestamp}, ""},
		{"birth_year = ANY ($1)", []uint32{1016}, ""},
		{"birth_year = ANY ($1)", []uint32{1009}, "42883"},
		{"birth_year = ANY ($1)", []uint32{pgvalue.Int4}, "42883"},
		{"plan = ANY ($1)", []uint32{1015}, ""},
	} {
		s.ParamOIDs = c.oids
		v, err := Analyze("SELECT count(*) FROM members WHERE "+c.condition, s)
		if err != nil {
			t.Fatal(err)
		}
		refusal := refusalOf(v)
		if refusal == nil && c.code != "" || refusal != nil && refusal.Code != c.code {
			t.Errorf("%s %v: %s", c.condition, c.oids, describe(v))
		}
	}
}

// TestNames shows which names the session is asked about, and that its answer counts.
func TestNames(t *testing.T) {
	s := testSession()
	asked := 0
	s.Resolve = func(name string) (policy.TableName, bool, error) {
		asked++
		if name != "members" {
			t.Errorf("asked about %s", name)
		}
		return policy.TableName{}, false, nil
	}
	v, err := Analyze("SELECT * FROM members JOIN members AS m USING (a) JOIN other USING (b)", s)
	if _, ok := v.(*Relay); !ok || err != nil || asked != 1 {
		t.Errorf("a name without a meaning: %v, %v, asked %d times", v, err, asked)
	}
	if v, _ := Analyze("SELECT * FROM public.members", s); asked != 1 || refusalOf(v).Code != pgerror.CodePrivilege {
		t.Errorf("a qualified name: %v", v)
	}
	s.Resolve = func(name string) (policy.TableName, bool, error) {
		return policy.TableName{Schema: "pg_temp_3", Name: name}, name == "logins", nil
	}
	if v, _ := Analyze("SELECT * FROM members, logins", s); describe(v) == "relay\n" {
		t.Error("the second of two names hides a protected table, and is relayed")
	}
	for _, schema := range []string{"pg_temp_3", "ana"} { // another session can drop either before the server has looked the name up
		s.Resolve = func(name string) (policy.TableName, bool, error) {
			return policy.TableName{Schema: schema, Name: name}, true, nil
		}
		for _, sql := range []string{"SELECT * FROM members", "INSERT INTO members VALUES (1)", "CREATE VIEW v AS TABLE members", "EXPLAIN SELECT 1 FROM members"} {
			if v, _ := Analyze(sql, s); describe(v) == "relay\n" {
				t.Errorf("%s in %s is relayed", sql, schema)
			}
		}
		if v, _ := Analyze("SELECT * FROM pg_temp.members", s); describe(v) != "relay\n" {
			t.Errorf("a name with its schema: %v", v)
		}
	}
	s = testSession()
	v, _ = Analyze("SELECT count(*) FROM members, (SELECT count(*) FROM logins) x", s)
	if _, ok := v.(*Refused); !ok {
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

// TestExecuteArgumentsLikeTheServer compares what a parameter of each type becomes of each spelling of an argument of EXECUTE.
func TestExecuteArgumentsLikeTheServer(t *testing.T) {
	server := newTwin(t)
	spellings := strings.Split(`1|0017|-5|+5|- 5|32768|2147483648|-2147483648|9007199254740993|99999999999999999999|1e3|.5|1.5|-1.5|2.5|-2.5|0.4999|1.50|1e400|`+
		`true|false|NULL|''|'a'|'a '|'1'|'1e3'|' 5 '|'t'|'2020-01-31'|'2020-01-31 10:11:12.5+02'|'2020-01-31 +02'|'NaN'|`+
		`1000000::float8|0.1::float4|16777217::int4|1.5::float8|'NaN'::numeric|'Infinity'::float8|'1.50'::numeric|1::numeric|1::int8|70000::int4|5::int2|99999999999::int8|NULL::int4|NULL::text|NULL::date|`+
		`'a '::bpchar|'a '::text|'a '::varchar|bpchar 'b  '|true::bool|'yes'::bool|'2020-01-31'::date|'infinity'::date|'2020-01-31 10:00:00'::timestamp|'2020-01-31 10:00:00+00'::timestamptz|`+
		`'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'|'{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}'::uuid|'{1,2}'`, "|")
	accepted := make(map[string]bool)
	for _, b := range pgvalue.Builtins {
		for _, oid := range []pgvalue.OID{b.OID, b.Array} {
			name := pgvalue.ShownType(oid)
			q := "SELECT $1"
			if oid == pgvalue.Numeric {
				q = "SELECT trim_scale($1)" // the scale makes no difference to a comparison
			}
			server.exec("DEALLOCATE ALL; PREPARE q(" + name + ") AS " + q)
			for _, spelling := range spellings {
				e := analyze(t, "EXECUTE q("+spelling+")").(*Execute)
				if e.Err != nil {
					continue
				}
				v, refusal := query.Assign(1, e.Args[0], oid)
				if refusal != nil {
					continue
				}
				want, err := server.run("EXECUTE q("+spelling+")", nil, nil)
				got, readErr := server.run(q, []uint32{oid}, []pgvalue.Value{v})
				switch {
				case readErr != nil && err != nil: // what cannot be read is refused when the condition is bound
				case err != nil || readErr != nil || want.Rows[0] != got.Rows[0]:
					t.Errorf("%s for %s: %v (%v), the server says %v (%v)", spelling, name, got.Rows, readErr, want.Rows, err)
				default:
					accepted[spelling+" "+name] = true
				}
			}
		}
	}
	for _, c := range []string{"1 integer", "1 smallint", "-5 bigint", "1 numeric", "9007199254740993 double precision", "1e3 numeric", "1e3 double precision", "1.5 integer",
		"-2.5 integer", "true boolean", "true text", "1 text", "0017 text", "NULL date", "NULL integer[]", "'a ' text", "'1e3' text", "'a '::bpchar text", "'a '::text character", "' 5 ' integer",
		"'2020-01-31'::date timestamp without time zone", "0.1::float4 double precision", "1::int8 integer", "'{1,2}' integer[]", "'a' character varying", "NULL::int4 text"} {
		if !accepted[c] {
			t.Errorf("%s is refused", c)
		}
	}
	for _, c := range []string{"1e3 text", ".5 text", "1000000::float8 text", "1.5::float8 integer", "1.50 text", "'a'::text integer", "true integer", "1 boolean", "NULL::date integer"} {
		if accepted[c] {
			t.Errorf("%s is accepted", c)
		}
	}
}

// TestExecuteBindsByType binds the arguments of an EXECUTE to a whole statement.
func TestExecuteBindsByType(t *testing.T) {
	a := analyze(t, "PREPARE q(text, int) AS SELECT count(*) FROM members WHERE city = $1 AND birth_year = $2").(*Answer)
	bind := func(args string) (*query.BoundQuery, *pgerror.Refusal) {
		return a.Queries[0].Bind(analyze(t, "EXECUTE q("+args+")").(*Execute).Args)
	}
	bound, refusal := bind("'a '::bpchar, 1.5")
	if refusal != nil {
		t.Fatal(refusal)
	}
	if got, want := bound.Question(query.Count{}), "count(*) FROM public.members WHERE (birth_year = 2 AND city = 'a')"; got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	for args, code := range map[string]string{"1e3, 1": "0A000", "1e0::float8, 1": "0A000", "'a', true": "0A000", "'a', 3e9": "22003", "'a', 'x'": "22P02"} {
		if _, refusal := bind(args); refusal == nil || refusal.Code != code || refusal.Position != 0 || code == "0A000" && refusal.Hint == "" {
			t.Errorf("%s: %+v", args, refusal)
		}
	}
}

// TestBindHasNoPosition shows that a refusal of a parameter's value does not point into the text of the query, while that of a
// constant in the query does.
func TestBindHasNoPosition(t *testing.T) {
	a := analyze(t, "SELECT count(*) FROM members WHERE birth_year = $1").(*Answer)
	if _, refusal := a.Queries[0].Bind([]pgvalue.Value{{Text: "x"}}); refusal == nil || refusal.Position != 0 {
		t.Errorf("%+v", refusal)
	}
	if r := refusalOf(analyze(t, "SELECT count(*) FROM members WHERE birth_year = 'x'")); r == nil || r.Position != 49 {
		t.Errorf("%+v", r)
	}
}

// TestConstantParameters uses parameters that no column is compared with.
func TestConstantParameters(t *testing.T) {
	s := testSession()
	s.ParamOIDs = []uint32{pgvalue.Int4, pgvalue.Text}
	v, err := Analyze("SELECT count(*) FROM members WHERE $1 = 1 AND $2 IS NULL", s)
	if err != nil {
		t.Fatal(err)
	}
	q := v.(*Answer).Queries[0]
	if _, refusal := q.Bind(nil); refusal == nil || refusal.Code != "42P02" {
		t.Errorf("%v", refusal)
	}
	for text, want := range map[string]string{"1": "count(*) FROM public.members", "2": "count(*) FROM public.members WHERE false"} {
		bound, refusal := q.Bind([]pgvalue.Value{{Text: text}, {Null: true}})
		if refusal != nil {
			t.Fatal(refusal)
		}
		if got := bound.Question(query.Count{}); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
