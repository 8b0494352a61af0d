package rewrite

import (
	"fmt"
	"strings"
	"sync"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/mask"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// fixture is a catalog as the golden files and the unit tests use it. testTable is SQL for the same table.
func fixture() *Catalog {
	members, logins, visits, payments := tableNamed("members"), tableNamed("logins"), tableNamed("visits"), tableNamed("payments")
	carriers, surveys := tableNamed("carriers"), tableNamed("surveys")
	return &Catalog{Version: "1", Related: map[policy.TableName]bool{tableNamed("adults"): true}, Masks: testMasks(), Tables: map[policy.TableName]*expr.Table{
		members: {
			Policy: &policy.Table{Name: members, Mechanism: policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e12}}, OID: 16385,
			Columns: []expr.Column{
				{Name: "id", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", NotNull: true},
				{Name: "city", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Domain: []string{"Bern", "Oslo", "Rome"}},
				{Name: "plan", TypeOID: pgvalue.Varchar, TypeName: "pg_catalog.varchar", Typmod: 14, Formatted: "character varying(10)", NotNull: true, Domain: []string{"free", "gold"}},
				{Name: "birth_year", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"},
				{Name: "level", TypeOID: pgvalue.Int2, TypeName: "pg_catalog.int2", Typmod: -1, Formatted: "smallint"},
				{Name: "points", TypeOID: pgvalue.Int8, TypeName: "pg_catalog.int8", Typmod: -1, Formatted: "bigint"},
				{Name: "salary", TypeOID: pgvalue.Numeric, TypeName: "pg_catalog.numeric", Typmod: 10<<16 + 2 + 4, Formatted: "numeric(10,2)"},
				{Name: "ratio", TypeOID: pgvalue.Numeric, TypeName: "pg_catalog.numeric", Typmod: -1, Formatted: "numeric"},
				{Name: "score", TypeOID: pgvalue.Float8, TypeName: "pg_catalog.float8", Typmod: -1, Formatted: "double precision"},
				{Name: "weight", TypeOID: pgvalue.Float4, TypeName: "pg_catalog.float4", Typmod: -1, Formatted: "real"},
				{Name: "active", TypeOID: pgvalue.Bool, TypeName: "pg_catalog.bool", Typmod: -1, Formatted: "boolean"},
				{Name: "code", TypeOID: pgvalue.Bpchar, TypeName: "pg_catalog.bpchar", Typmod: 7, Formatted: "character(3)"},
				{Name: "joined", TypeOID: pgvalue.Date, TypeName: "pg_catalog.date", Typmod: -1, Formatted: "date"},
				{Name: "seen", TypeOID: pgvalue.Timestamp, TypeName: "pg_catalog.timestamp", Typmod: -1, Formatted: "timestamp without time zone"},
				{Name: "paid", TypeOID: pgvalue.Timestamptz, TypeName: "pg_catalog.timestamptz", Typmod: -1, Formatted: "timestamp with time zone"},
				{Name: "token", TypeOID: pgvalue.UUID, TypeName: "pg_catalog.uuid", Typmod: -1, Formatted: "uuid"},
				{Name: "tags", TypeOID: 1009, TypeName: "pg_catalog._text", Typmod: -1, Formatted: "text[]"},
				{Name: "Odd Name", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Collation: `pg_catalog."C"`},
			},
			Unlisted: []string{"full_name"},
		},
		logins: {
			Policy: &policy.Table{Name: logins}, OID: 16390,
			Columns: []expr.Column{
				{Name: "device", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
				{Name: "city", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
			},
			Unlisted: []string{"login_id", "member_id"}, Present: []string{"login_id"},
		},
		visits: { // the bounds are more than any member reaches, so that counts are those of the server
			Policy: &policy.Table{Name: visits, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 16397,
			Person: &expr.Person{
				Column: expr.Column{Name: "member_id", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"},
				Rows:   500, Groups: 400,
			},
			Columns: []expr.Column{
				{Name: "house", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Domain: []string{"east", "west"}},
				{Name: "stars", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"},
			},
			Unlisted: []string{"member_id"},
		},
		payments: { // of the same persons as visits, who are listed here
			Policy: &policy.Table{Name: payments, Mechanism: policy.Mechanism{Kind: policy.Geometric}}, OID: 16398,
			Person: &expr.Person{
				Column: expr.Column{Name: "payer", TypeOID: pgvalue.Int8, TypeName: "pg_catalog.int8", Typmod: -1, Formatted: "bigint"},
				Rows:   300, Groups: 450,
			},
			Columns: []expr.Column{
				{Name: "payer", TypeOID: pgvalue.Int8, TypeName: "pg_catalog.int8", Typmod: -1, Formatted: "bigint"},
				{Name: "method", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Domain: []string{"card", "cash"}},
				{Name: "stars", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"},
			},
		},
		carriers: { // audited, with a Boolean attribute that is private
			Policy: &policy.Table{Name: carriers}, OID: 16399, Private: "gene",
			Columns: []expr.Column{
				{Name: "hair", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", NotNull: true},
				{Name: "eye", TypeOID: pgvalue.Varchar, TypeName: "pg_catalog.varchar", Typmod: 14, Formatted: "character varying(10)", Collation: `pg_catalog."C"`},
				{Name: "age", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", NotNull: true},
				{Name: "city", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
				{Name: "gene", TypeOID: pgvalue.Bool, TypeName: "pg_catalog.bool", Typmod: -1, Formatted: "boolean", NotNull: true, Domain: []string{"f", "t"}},
			},
			Unlisted: []string{"name"},
		},
		surveys: { // audited, with a private attribute of three values or NULL, which is all that is listed
			Policy: &policy.Table{Name: surveys}, OID: 16400, Private: "answer",
			Columns: []expr.Column{
				{Name: "answer", TypeOID: pgvalue.Bpchar, TypeName: "pg_catalog.bpchar", Typmod: 9, Formatted: "character(5)", Domain: []string{"maybe", "no", "yes"}},
			},
		},
	}, Public: map[policy.TableName]*expr.PublicTable{
		tableNamed("cities"): {
			Name: tableNamed("cities"), OID: 16395, Unique: [][]string{{"city"}},
			Columns: []expr.Column{
				{Name: "city", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", NotNull: true},
				{Name: "country", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
			},
		},
		tableNamed("countries"): {
			Name: tableNamed("countries"), OID: 16396, Unique: [][]string{{"country"}, {"name", "since"}},
			Columns: []expr.Column{
				{Name: "country", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", NotNull: true},
				{Name: "name", TypeOID: pgvalue.Text, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", NotNull: true},
				{Name: "since", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", NotNull: true},
			},
		},
	}}
}

// testMasks withhold some of what the hardening withholds. The real server's are tested in cmd/tacit.
var testMasks = sync.OnceValue(func() *mask.Masks {
	return mask.New(&mask.Withheld{
		Functions: []mask.Function{
			{Name: "pg_relation_size", Type: "int8", Argument: "regclass"},
			{Name: "pg_stat_get_numscans", Type: "int8", Argument: "oid"},
			{Name: "pg_stat_get_mod_time", Type: "timestamptz"},
			{Name: "pg_lock_status", Type: "record", Set: true, Columns: []mask.Column{{Name: "locktype", Type: "text"}, {Name: "pid", Type: "int4"}}},
			{Name: "pg_stat_get_wal", Type: "record", Columns: []mask.Column{{Name: "wal_bytes", Type: "numeric"}}},
		},
		Columns: []mask.Column{{Name: "oid", Type: "oid"}, {Name: "relname", Type: "name"},
			{Name: "relpages", Type: "int4", Withheld: true}, {Name: "reltuples", Type: "float4", Withheld: true}},
		Views: map[string]string{
			"pg_stat_all_tables":  "SELECT c.oid AS relid, pg_stat_get_numscans(c.oid) AS seq_scan FROM pg_class c WHERE c.relkind = ANY (ARRAY['r'::\"char\"]);",
			"pg_stat_user_tables": "SELECT pg_stat_all_tables.relid, pg_stat_all_tables.seq_scan FROM pg_stat_all_tables WHERE pg_stat_all_tables.relid > '16383'::oid;",
			"pg_locks":            "SELECT l.locktype, l.pid FROM pg_lock_status() l(locktype, pid);",
			"pg_tables":           "SELECT c.relname AS tablename FROM pg_class c;",
		},
	})
})

func tableNamed(name string) policy.TableName { return policy.TableName{Schema: "public", Name: name} }

// testTable creates the tables of the fixture, and some of the analyst's own.
const testTable = `
CREATE TABLE members (
	id int NOT NULL, full_name text, city text, plan varchar(10) NOT NULL, birth_year int, level int2, points int8,
	salary numeric(10,2), ratio numeric, score float8, weight float4, active bool, code char(3), joined date,
	seen timestamp, paid timestamptz, token uuid, tags text[], "Odd Name" text COLLATE "C");
CREATE TABLE visits (member_id int, house text, stars int);
CREATE TABLE payments (payer int8, method text, stars int);
CREATE TABLE logins (login_id int NOT NULL, member_id int, device text, city text);
CREATE TABLE carriers (name text, hair text NOT NULL, eye varchar(10) COLLATE "C", age int NOT NULL, city text, gene bool NOT NULL);
CREATE TABLE surveys (answer char(5));
CREATE TABLE cities (city text PRIMARY KEY, country text);
CREATE TABLE countries (country text PRIMARY KEY, name text NOT NULL, since int NOT NULL, UNIQUE (name, since));
CREATE TABLE mine (city text, n int8);
`

// testLimits are the defaults of a policy.
var testLimits = policy.Limits{StatementBytes: 1 << 20, Nesting: 500}

// testSession resolves names as a session with search_path = public does, in which nothing is hidden.
func testSession() *Session {
	c := fixture()
	return &Session{
		Catalog: c,
		Limits:  testLimits,
		Resolve: func(name string) (policy.TableName, bool, error) {
			if strings.HasPrefix(name, "pg_") {
				return policy.TableName{Schema: "pg_catalog", Name: name}, true, nil
			}
			t := policy.TableName{Schema: "public", Name: name}
			return t, c.Tables[t] != nil || c.Public[t] != nil, nil
		},
	}
}

// describe prints a verdict in full.
func describe(v Verdict) string {
	var b strings.Builder
	switch v := v.(type) {
	case *Relay:
		return "relay\n"
	case *Masked:
		return fmt.Sprintf("masked: %s\n", v.Text)
	case *Forget:
		return fmt.Sprintf("forget %q\n", v.Name)
	case *Refused:
		return describeRefusal(v.Err)
	case *Execute:
		fmt.Fprintf(&b, "execute %q %v\n", v.Name, v.Args)
		switch {
		case v.Err != nil:
			b.WriteString(describeRefusal(v.Err))
		case v.Explain != nil:
			fmt.Fprintf(&b, "explain json=%t\n", v.Explain.JSON)
		default:
			fmt.Fprintf(&b, "rest: %s\n", v.WithLiterals([]string{"{1}"}))
		}
	case *Answer:
		describeAnswer(&b, v)
	case *Script:
		describeScript(&b, v)
	}
	return b.String()
}

func describeRefusal(r *pgerror.Refusal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "refuse %s at %d: %s\n", r.Code, r.Position, r.Message)
	if r.Detail != "" {
		fmt.Fprintf(&b, "detail: %s\n", r.Detail)
	}
	if r.Hint != "" {
		fmt.Fprintf(&b, "hint: %s\n", r.Hint)
	}
	return b.String()
}

// refusalOf is why a statement was refused, nil if it was not.
func refusalOf(v Verdict) *pgerror.Refusal {
	if r, ok := v.(*Refused); ok {
		return r.Err
	}
	return nil
}

func describeScript(b *strings.Builder, s *Script) {
	if s.Sketch {
		b.WriteString("sketch of a script\n")
		for _, step := range s.Steps {
			if step.Execute != nil {
				fmt.Fprintf(b, "execute %q\n", step.Execute.Name)
			}
		}
		return
	}
	fmt.Fprintf(b, "script, %d of prologue: %s\n", s.Prologue.Statements, s.Prologue.Text)
	if s.Refused != nil {
		b.WriteString(describeRefusal(s.Refused))
	}
	if s.Reverts != nil {
		fmt.Fprintf(b, "in a block: %s", describeRefusal(s.Reverts))
	}
	for _, step := range s.Steps {
		fmt.Fprintf(b, "step settled=%t: %s\n", step.Settled, step.Text)
		if step.Answer != nil {
			describeAnswer(b, step.Answer)
		}
		if step.Execute != nil {
			b.WriteString(describe(step.Execute))
		}
		if step.Forget != nil {
			b.WriteString(describe(step.Forget))
		}
		if step.Err != nil {
			b.WriteString(describeRefusal(step.Err))
		}
	}
}

func describeAnswer(b *strings.Builder, a *Answer) {
	b.WriteString("answer")
	if a.Prepare != "" {
		fmt.Fprintf(b, " prepare %q", a.Prepare)
	}
	if a.Explain != nil {
		fmt.Fprintf(b, " explain json=%t", a.Explain.JSON)
	}
	if a.Nothing {
		b.WriteString(" nothing")
	}
	if len(a.Probes) > 0 {
		fmt.Fprintf(b, " cursor=%t inline=%t trial=%q", a.Cursor, a.Inline, a.Probes)
	}
	b.WriteByte('\n')
	for _, read := range a.Reads {
		fmt.Fprintf(b, "reads: %s\n", read)
	}
	if a.Params > 0 {
		fmt.Fprintf(b, "params: %v\n", a.ParamOIDs)
	}
	for _, r := range a.Reports {
		fmt.Fprintf(b, "report: %s\n", r.Name)
	}
	values := sampleValues(a.ParamOIDs)
	if sql, args := a.Constants(values); sql != "" {
		fmt.Fprintf(b, "constants: %s\nargs: %v\n", sql, args)
	}
	charge := &charges{questions: make(map[string]bool)}
	for _, q := range a.Queries {
		bound, refusal := q.Bind(values, sampleConstants(a)...)
		if refusal != nil {
			fmt.Fprintf(b, "bind: %s", describeRefusal(refusal))
			continue
		}
		for _, c := range bound.Counts {
			fmt.Fprintf(b, "question: %s\n", bound.Question(c))
		}
		if bound.Table.Audited() {
			describeMembership(b, bound)
			continue
		}
		charge.add(bound)
		sql, args := bound.CountSQL(bound.Counts)
		fmt.Fprintf(b, "count: %s\nargs: %q\n", sql, args)
		for _, c := range bound.Counts {
			if c.Ordered != nil {
				sql, args := bound.SampleSQL(c)
				fmt.Fprintf(b, "sample: %s\nargs: %q\n", sql, args)
			}
		}
		if sql, args, ok := bound.DomainSQL(make([][]pgvalue.Value, len(bound.Keys))); ok {
			fmt.Fprintf(b, "domain: %s\nargs: %q\n", sql, args)
		}
	}
	if len(a.Queries) > 0 && !a.Queries[0].Table.Audited() && !a.Nothing && a.Explain == nil {
		fmt.Fprintf(b, "charge: %s\n", charge)
	}
	fmt.Fprintf(b, "rest: %s\n", a.Outer.WithParameters(a.Params+1))
	if a.Inline {
		fmt.Fprintf(b, "rehearsal: %s\n", a.Preflight.WithParameters(a.Params+1))
	}
}

// describeMembership prints how a question about an audited table is evaluated over two facts.
func describeMembership(b *strings.Builder, q *query.BoundQuery) {
	facts := make([][]pgvalue.Value, len(q.UsedColumns()))
	for i := range facts {
		facts[i] = []pgvalue.Value{{Text: "1"}, {Null: true}}
	}
	private := q.Table.PrivateColumn()
	var values []pgvalue.Value
	for _, text := range private.Domain {
		values = append(values, pgvalue.Value{Text: text})
	}
	if !private.NotNull {
		values = append(values, pgvalue.Value{Null: true})
	}
	sql, args := q.MembershipSQL(facts, values)
	fmt.Fprintf(b, "membership: %s\nargs: %q\n", sql, args)
	for _, m := range q.Margins {
		fmt.Fprintf(b, "margin %d of keys %v\n", m.Number, m.Keys)
	}
}

// charges are what an answer costs: each question once, and a threshold for keys whose values are not declared, which is a question
// of its own unless it is asked anyway.
type charges struct {
	questions  map[string]bool
	thresholds int
}

func (c *charges) add(q *query.BoundQuery) {
	for _, g := range q.KeyGroups() {
		if !g.Declared() {
			c.questions[q.Question(q.Persons())] = true
			c.thresholds++
			break
		}
	}
	for _, count := range q.Counts {
		c.questions[q.Question(count)] = true
	}
}

func (c *charges) String() string {
	return fmt.Sprintf("%d counts, %d thresholds", len(c.questions), c.thresholds)
}

// sampleConstants are values for expressions without columns.
func sampleConstants(a *Answer) []pgvalue.Value {
	oids := make([]uint32, len(a.fixed))
	for i, f := range a.fixed {
		oids[i] = f.Call.TypeOf()
	}
	values := sampleValues(oids)
	for i, oid := range oids {
		switch {
		case a.fixed[i].Call.Function.Name == "sub-select" && oid == pgvalue.Text:
			values[i].Text = "1009 {a,NULL}"
			if strings.Contains(a.fixed[i].Call.Function.Plain, " n ") {
				values[i].Text = "1016 {3,40}"
			}
		}
		switch oid {
		case pgvalue.Interval:
			values[i].Text = "30 days"
		case pgvalue.Text:
			if a.fixed[i].Call.Function.Name != "sub-select" {
				values[i].Text = "UTC"
			}
		}
	}
	return values
}

// sampleValues are values for parameters of the given types.
func sampleValues(oids []uint32) []pgvalue.Value {
	values := make([]pgvalue.Value, len(oids))
	for i, oid := range oids {
		text := map[pgvalue.Family]string{pgvalue.Numbers: fmt.Sprint(i + 1), pgvalue.Booleans: "t", pgvalue.Dates: "2020-01-01", pgvalue.Instants: "2020-01-01 00:00:00+00",
			pgvalue.UUIDs: "00000000-0000-0000-0000-000000000001"}[pgvalue.FamilyOf(oid)]
		if _, array := pgvalue.ElementType(oid); array {
			text = "{1,2}"
		}
		if text == "" {
			text = fmt.Sprintf("v%d", i+1)
		}
		values[i] = pgvalue.Value{Text: text}
	}
	return values
}
