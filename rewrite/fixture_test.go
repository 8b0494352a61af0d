package rewrite

import (
	"fmt"
	"strings"

	"tacit/policy"
)

// fixture is a catalog as the golden files and the unit tests use it. testTable is SQL for the same table.
func fixture() *Catalog {
	members, logins := tableNamed("members"), tableNamed("logins")
	return &Catalog{Version: "1", Related: map[policy.TableName]bool{tableNamed("adults"): true}, Tables: map[policy.TableName]*Table{
		members: {
			Policy: &policy.Table{Name: members}, OID: 16385,
			Columns: []Column{
				{Name: "id", TypeOID: oidInt4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", NotNull: true},
				{Name: "city", TypeOID: oidText, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Domain: []string{"Bern", "Oslo", "Rome"}},
				{Name: "plan", TypeOID: oidVarchar, TypeName: "pg_catalog.varchar", Typmod: 14, Formatted: "character varying(10)", NotNull: true, Domain: []string{"free", "gold"}},
				{Name: "birth_year", TypeOID: oidInt4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"},
				{Name: "level", TypeOID: oidInt2, TypeName: "pg_catalog.int2", Typmod: -1, Formatted: "smallint"},
				{Name: "points", TypeOID: oidInt8, TypeName: "pg_catalog.int8", Typmod: -1, Formatted: "bigint"},
				{Name: "salary", TypeOID: oidNumeric, TypeName: "pg_catalog.numeric", Typmod: 10<<16 + 2 + 4, Formatted: "numeric(10,2)"},
				{Name: "ratio", TypeOID: oidNumeric, TypeName: "pg_catalog.numeric", Typmod: -1, Formatted: "numeric"},
				{Name: "score", TypeOID: oidFloat8, TypeName: "pg_catalog.float8", Typmod: -1, Formatted: "double precision"},
				{Name: "weight", TypeOID: oidFloat4, TypeName: "pg_catalog.float4", Typmod: -1, Formatted: "real"},
				{Name: "active", TypeOID: oidBool, TypeName: "pg_catalog.bool", Typmod: -1, Formatted: "boolean"},
				{Name: "code", TypeOID: oidBpchar, TypeName: "pg_catalog.bpchar", Typmod: 7, Formatted: "character(3)"},
				{Name: "joined", TypeOID: oidDate, TypeName: "pg_catalog.date", Typmod: -1, Formatted: "date"},
				{Name: "seen", TypeOID: oidTimestamp, TypeName: "pg_catalog.timestamp", Typmod: -1, Formatted: "timestamp without time zone"},
				{Name: "paid", TypeOID: oidTimestamptz, TypeName: "pg_catalog.timestamptz", Typmod: -1, Formatted: "timestamp with time zone"},
				{Name: "token", TypeOID: oidUUID, TypeName: "pg_catalog.uuid", Typmod: -1, Formatted: "uuid"},
				{Name: "tags", TypeOID: 1009, TypeName: "pg_catalog._text", Typmod: -1, Formatted: "text[]"},
				{Name: "Odd Name", TypeOID: oidText, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", Collation: `pg_catalog."C"`},
			},
			Unlisted: []string{"full_name"},
		},
		logins: {
			Policy: &policy.Table{Name: logins}, OID: 16390,
			Columns: []Column{
				{Name: "device", TypeOID: oidText, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
				{Name: "city", TypeOID: oidText, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text"},
			},
			Unlisted: []string{"login_id", "member_id"},
		},
	}}
}

func tableNamed(name string) policy.TableName { return policy.TableName{Schema: "public", Name: name} }

// testTable creates the tables of the fixture, and some of the analyst's own.
const testTable = `
CREATE TABLE members (
	id int NOT NULL, full_name text, city text, plan varchar(10) NOT NULL, birth_year int, level int2, points int8,
	salary numeric(10,2), ratio numeric, score float8, weight float4, active bool, code char(3), joined date,
	seen timestamp, paid timestamptz, token uuid, tags text[], "Odd Name" text COLLATE "C");
CREATE TABLE logins (login_id int, member_id int, device text, city text);
CREATE TABLE cities (city text, country text);
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
			t := policy.TableName{Schema: "public", Name: name}
			return t, c.Tables[t] != nil, nil
		},
	}
}

// describe prints a verdict in full.
func describe(v Verdict) string {
	var b strings.Builder
	switch v := v.(type) {
	case *Relay:
		return "relay\n"
	case *Forget:
		return fmt.Sprintf("forget %q\n", v.Name)
	case *Refusal:
		fmt.Fprintf(&b, "refuse %s at %d: %s\n", v.Code, v.Position, v.Message)
		if v.Detail != "" {
			fmt.Fprintf(&b, "detail: %s\n", v.Detail)
		}
		if v.Hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", v.Hint)
		}
	case *Execute:
		fmt.Fprintf(&b, "execute %q %v\n", v.Name, v.Args)
		if v.Err != nil {
			b.WriteString(describe(v.Err))
		} else {
			fmt.Fprintf(&b, "rest: %s\n", v.WithLiterals([]string{"{1}"}))
		}
	case *Answer:
		describeAnswer(&b, v)
	}
	return b.String()
}

func describeAnswer(b *strings.Builder, a *Answer) {
	b.WriteString("answer")
	if a.Prepare != "" {
		fmt.Fprintf(b, " prepare %q", a.Prepare)
	}
	b.WriteByte('\n')
	if a.Params > 0 {
		fmt.Fprintf(b, "params: %v\n", a.ParamOIDs)
	}
	for _, q := range a.Queries {
		bound, refusal := q.Bind(sampleValues(a.ParamOIDs))
		if refusal != nil {
			fmt.Fprintf(b, "bind: %s", describe(refusal))
			continue
		}
		for _, c := range bound.Counts {
			fmt.Fprintf(b, "question: %s\n", bound.Question(c))
		}
		sql, args := bound.CountSQL(bound.Counts)
		fmt.Fprintf(b, "count: %s\nargs: %q\n", sql, args)
		if sql, args, ok := bound.DomainSQL(make([][]Value, len(bound.Keys))); ok {
			fmt.Fprintf(b, "domain: %s\nargs: %q\n", sql, args)
		}
	}
	fmt.Fprintf(b, "rest: %s\n", a.Rest.WithParameters(a.Params+1))
}

// sampleValues are values for parameters of the given types.
func sampleValues(oids []uint32) []Value {
	values := make([]Value, len(oids))
	for i, oid := range oids {
		text := map[family]string{numbers: fmt.Sprint(i + 1), booleans: "t", dates: "2020-01-01", instants: "2020-01-01 00:00:00+00",
			uuids: "00000000-0000-0000-0000-000000000001"}[familyOf(oid)]
		if _, array := elementType(oid); array {
			text = "{1,2}"
		}
		if text == "" {
			text = fmt.Sprintf("v%d", i+1)
		}
		values[i] = Value{Text: text}
	}
	return values
}
