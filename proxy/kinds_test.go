package proxy

import (
	"strings"
	"testing"
)

// asked fails the test if the releaser was not asked n times since the last call.
func (r *rig) asked(t *testing.T, n int) {
	t.Helper()
	r.releaser.look(func(d *fakeReleaser) {
		if len(d.asks) != n {
			t.Errorf("the releaser was asked %d times instead of %d", len(d.asks), n)
		}
		d.asks = nil
	})
}

const (
	declared = "DECLARE CURSOR"
	copyOut  = `H "\x00\x00\x02\x00\x00\x00\x00"`
	copyEnd2 = `C "COPY 2\x00"`
)

// A cursor is answered when it is declared: what is fetched of it is the server's business.
func TestCursors(t *testing.T) {
	p, r := newPeer(t)
	p.expect(6, messages{simpleQuery("BEGIN"), simpleQuery("DECLARE c SCROLL CURSOR FOR " + byRegion), simpleQuery("FETCH 1 FROM c"), simpleQuery("FETCH ALL FROM c"),
		simpleQuery("MOVE ABSOLUTE 0 FROM c"), simpleQuery("FETCH RELATIVE 2 FROM c")},
		one("BEGIN"), inBlock, notice, one(declared), inBlock, north, one("FETCH 1"), inBlock, south, one("FETCH 1"), inBlock,
		one("MOVE 0"), inBlock, south, one("FETCH 1"), inBlock)
	r.asked(t, 1)
	// The name is taken: nothing is charged.
	p.expect(2, messages{simpleQuery("DECLARE c CURSOR FOR " + byRegion), simpleQuery("ROLLBACK")},
		`E V=ERROR C=42P03 M=cursor "c" already exists `, failed, one("ROLLBACK"), idle)
	// Outside of a block there is no cursor without HOLD.
	p.expect(1, messages{simpleQuery("DECLARE c CURSOR FOR " + byRegion)},
		`E V=ERROR C=25P01 M=DECLARE CURSOR can only be used in transaction blocks `, idle)
	p.expect(1, messages{simpleQuery("DECLARE c CURSOR FOR SELECT nosuch(count(*)) FROM patients")},
		`E V=ERROR C=42883 M=function nosuch(bigint) does not exist H=No function matches the given name and argument types. `+
			`You might need to add explicit type casts. `, idle)
	r.asked(t, 0)
	p.expect(3, messages{simpleQuery("DECLARE c CURSOR WITH HOLD FOR " + byRegion), simpleQuery("FETCH 2 FROM c"), simpleQuery("CLOSE c")},
		notice, one(declared), idle, north, south, one("FETCH 2"), idle, one("CLOSE CURSOR"), idle)
	r.asked(t, 1)
}

func TestCursorsInTheExtendedProtocol(t *testing.T) {
	p, r := newPeer(t)
	north51, south51 := regions("age >= 51")
	p.expect(1, messages{parse("d", "DECLARE c CURSOR FOR "+byRegionOlder), describe('S', "d"), sync_},
		`1 ""`, `t "\x00\x01\x00\x00\x00\x17"`, `n ""`, idle)
	// The block that it needs begins in the same pipeline.
	p.expect(1, messages{
		parse("", "BEGIN"), bind("", ""), executeUpTo("", 0),
		bind("", "d", "50"), executeUpTo("", 0),
		parse("", "FETCH 1 FROM c"), bind("", ""), executeUpTo("", 0), executeUpTo("", 0), sync_,
	}, `1 ""`, `2 ""`, one("BEGIN"), notice, `2 ""`, one(declared), `1 ""`, `2 ""`, north51, one("FETCH 1"), one("FETCH 0"), inBlock)
	r.asked(t, 1)
	// The cursor is a portal, too.
	p.expect(1, messages{describe('P', "c"), executeUpTo("c", 1), sync_}, south51, `s ""`, inBlock)
	p.talk(1, simpleQuery("MOVE BACKWARD 1 FROM c"))
	p.expect(2, messages{simpleQuery("FETCH 1 FROM c"), simpleQuery("COMMIT")}, south51, one("FETCH 1"), inBlock, one("COMMIT"), idle)
	// And without it, nothing is charged.
	p.expect(1, messages{bind("", "d", "50"), executeUpTo("", 0), sync_},
		`E V=ERROR C=25P01 M=DECLARE CURSOR can only be used in transaction blocks `, idle)
	r.asked(t, 0)
}

// COPY takes no parameters: in the extended protocol each Bind has a text of its own.
func TestCopyOfCounts(t *testing.T) {
	p, r := newPeer(t)
	const copied = "COPY (" + byRegion + ") TO STDOUT"
	rows := []string{`d "north\t10\n"`, `d "south\t20\n"`, `c ""`, copyEnd2}
	p.expect(1, messages{simpleQuery(copied)}, append([]string{notice, copyOut}, append(rows, idle)...)...)
	p.expect(1, messages{simpleQuery(copied + " (FORMAT csv, HEADER, DELIMITER ';', FORCE_QUOTE (region))")},
		notice, copyOut, `d "region;count\n"`, `d "\"north\";10\n"`, `d "\"south\";20\n"`, `c ""`, copyEnd2, idle)
	p.expect(1, messages{simpleQuery("COPY (SELECT count(*) FROM patients) TO STDOUT (FORMAT binary)")},
		notice, `H "\x01\x00\x01\x00\x01"`, `d "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\n"`, `d "\xff\xff"`, `c ""`, `C "COPY 1\x00"`, idle)
	r.asked(t, 3)
	p.expect(1, messages{parse("s", copied), describe('S', "s"), sync_}, `1 ""`, `t "\x00\x00"`, `n ""`, idle)
	r.asked(t, 0)
	for range 2 {
		p.expect(1, messages{bind("p", "s"), describe('P', "p"), executeUpTo("p", 0), closing('P', "p"), sync_},
			append([]string{notice, `2 ""`, `n ""`, copyOut}, append(rows, `3 ""`, idle)...)...)
	}
	r.asked(t, 2)
	// Two portals of one statement, made before either runs.
	p.expect(1, messages{bind("p", "s"), bind("q", "s"), executeUpTo("p", 0), executeUpTo("q", 0), sync_},
		append([]string{notice, `2 ""`, notice, `2 ""`, copyOut}, append(rows, append([]string{copyOut}, append(rows, idle)...)...)...)...)
	r.asked(t, 2)
	p.expect(1, messages{parse("", copied), bind("", ""), executeUpTo("", 0), sync_},
		append([]string{`1 ""`, notice, `2 ""`, copyOut}, append(rows, idle)...)...)
	r.asked(t, 1)
	p.expect(2, messages{closing('S', "s"), sync_, bind("", "s"), sync_}, `3 ""`, idle,
		`E V=ERROR C=26000 M=prepared statement "s" does not exist `, idle)
	// What is wrong around the counts is found before the charge.
	for _, wrong := range []string{
		copied + " (FORMAT nosuch)", copied + " (FORMAT binary, HEADER)", "COPY (SELECT nosuch(count(*)) FROM patients) TO STDOUT",
		"COPY (SELECT count(*) FROM patients WHERE age > $1) TO STDOUT", copied + " (FORMAT csv, DELIMITER 'ab')",
	} {
		for _, sent := range []messages{{simpleQuery(wrong)}, {parse("", wrong), bind("", ""), executeUpTo("", 0), sync_}} {
			got := p.talk(1, sent...)
			if line := got[len(got)-2]; line[0] != 'E' {
				t.Errorf("%s: %v", wrong, got)
			}
		}
	}
	r.asked(t, 0)
}

// An EXECUTE that was itself prepared by a Parse, of a statement that was prepared in either way.
func TestExecuteByParse(t *testing.T) {
	p, r := newPeer(t)
	north51, south51 := regions("age >= 51")
	p.talk(3, simpleQuery("PREPARE q(int) AS "+byRegionOlder), parse("w", byRegion), sync_, simpleQuery("SELECT 1"))
	p.talk(1, parse("e", "EXECUTE q(50)"), sync_)
	r.asked(t, 0)
	for range 2 {
		p.expect(1, messages{bind("", "e"), executeUpTo("", 0), sync_}, notice, `2 ""`, north51, south51, selected, idle)
	}
	p.expect(1, messages{parse("", "EXECUTE w"), describe('S', ""), bind("", ""), describe('P', ""), executeUpTo("", 1), executeUpTo("", 0), sync_},
		`1 ""`, `t "\x00\x00"`, notice, `2 ""`, north, `s ""`, south, one("SELECT 1"), idle)
	p.expect(1, messages{parse("", "CREATE TEMP TABLE t AS EXECUTE q(50)"), bind("", ""), executeUpTo("", 0), sync_},
		`1 ""`, notice, `2 ""`, one("SELECT 2"), idle)
	p.expect(1, messages{simpleQuery("TABLE t")}, north51, south51, selected, idle)
	p.expect(1, messages{simpleQuery("CREATE TEMP TABLE u AS EXECUTE w")}, notice, one("SELECT 2"), idle)
	r.asked(t, 5)
	p.expect(1, messages{simpleQuery("EXECUTE e")}, `E V=ERROR C=0A000 M=prepared statement "e" cannot be executed by EXECUTE, because it takes no `+
		`sanitized counts as parameters H=Bind to the prepared statement, or send its text. `, idle)
	p.expect(1, messages{parse("", "EXECUTE q"), bind("", ""), sync_}, `1 ""`,
		`E V=ERROR C=42601 M=wrong number of parameters for prepared statement "q" D=Expected 1 parameters but got 0. `, idle)
	// The name comes to mean another statement, then none.
	p.talk(2, simpleQuery("DEALLOCATE q"), simpleQuery("PREPARE q(int) AS SELECT 'plain' WHERE $1 = 50"))
	p.expect(1, messages{bind("", "e"), executeUpTo("", 0), sync_},
		`2 ""`, `D "\x00\x01\x00\x00\x00\x05plain"`, one("SELECT 1"), idle)
	p.talk(1, simpleQuery("DEALLOCATE ALL"))
	p.expect(1, messages{bind("", "e"), sync_}, `E V=ERROR C=26000 M=prepared statement "e" does not exist `, idle)
	r.asked(t, 0)
}

// EXPLAIN costs nothing, and what it explains never comes to the server.
func TestExplain(t *testing.T) {
	p, r := newPeer(t)
	lines := []string{`D "\x00\x01\x00\x00\x00\"Sanitized Count on public.patients"`}
	for _, sql := range []string{"EXPLAIN " + byRegion, "EXPLAIN (VERBOSE, COSTS off) " + byRegion, "EXPLAIN CREATE TABLE t AS " + byRegion} {
		got := p.talk(1, simpleQuery(sql))
		if len(got) < 4 || got[0] != lines[0] || got[len(got)-2] != one("EXPLAIN") || got[len(got)-1] != idle {
			t.Errorf("%s: %v", sql, got)
		}
	}
	p.send(encode(simpleQuery("EXPLAIN (FORMAT json) " + byRegion)))
	if got := p.until('Z', 1); got[0] != `T "\x00\x01QUERY PLAN\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00r\xff\xff\xff\xff\xff\xff\x00\x00"` || len(got) != 4 {
		t.Errorf("JSON: %v", got)
	}
	// The client's parameters are what they are in the statement itself.
	p.expect(1, messages{parse("s", "EXPLAIN "+byRegionOlder+" LIMIT $2"), describe('S', "s"), sync_},
		`1 ""`, `t "\x00\x02\x00\x00\x00\x17\x00\x00\x00\x14"`, idle)
	got := p.talk(1, bind("", "s", "50", "1"), executeUpTo("", 1), executeUpTo("", 0), sync_)
	if got[0] != `2 ""` || got[1] != lines[0] || got[2] != `s ""` || got[len(got)-2] != one("EXPLAIN") {
		t.Errorf("extended: %v", got)
	}
	p.talk(1, simpleQuery("PREPARE q(int) AS "+byRegionOlder))
	for _, sent := range []messages{
		{simpleQuery("EXPLAIN EXECUTE q(50)")}, {simpleQuery("EXECUTE s(50, 1)")}, {parse("", "EXPLAIN EXECUTE q(50)"), bind("", ""), executeUpTo("", 0), sync_},
		{parse("", "EXECUTE s(50, 1)"), bind("", ""), executeUpTo("", 0), sync_},
	} {
		got := p.talk(1, sent...)
		if got[len(got)-2] != one("EXPLAIN") {
			t.Errorf("EXECUTE: %v", got)
		}
	}
	p.expectRefusal(1, messages{simpleQuery("EXPLAIN ANALYZE " + byRegion)}, "refusal", idle)
	p.expectRefusal(1, messages{simpleQuery("EXPLAIN SELECT * FROM patients")}, "refusal", idle)
	// A slip is found as it would be in the statement itself.
	p.expect(1, messages{simpleQuery("EXPLAIN SELECT nosuch(count(*)) FROM patients")}, `E V=ERROR C=42883 M=function nosuch(bigint) does not exist `+
		`H=No function matches the given name and argument types. You might need to add explicit type casts. `, idle)
	r.asked(t, 0)
	r.releaser.look(func(d *fakeReleaser) {
		if len(d.explained) != 9 {
			t.Errorf("the releaser explained %d statements", len(d.explained))
		}
	})
}

func TestSeveralStatements(t *testing.T) {
	p, r := newPeer(t)
	p.expect(1, messages{simpleQuery("BEGIN; " + byRegion + "; COMMIT")}, notice, one("BEGIN"), north, south, selected, one("COMMIT"), idle)
	r.asked(t, 1)
	p.talk(1, simpleQuery("CREATE TEMP TABLE kept (r text, n int8)"))
	p.expect(1, messages{simpleQuery("TRUNCATE kept; INSERT INTO kept " + byRegion + "; SELECT n FROM kept WHERE r = 'north'")},
		notice, one("TRUNCATE TABLE"), one("INSERT 0 2"), `D "\x00\x01\x00\x00\x00\x0210"`, one("SELECT 1"), idle)
	r.asked(t, 1)
	// One charge for all of them.
	north51, south51 := regions("age >= 51")
	p.expect(1, messages{simpleQuery(byRegion + "; SELECT 1 WHERE false; SELECT region, count(*) FROM patients WHERE age > 50 GROUP BY region; ")},
		notice, north, south, selected, one("SELECT 0"), north51, south51, selected, idle)
	r.asked(t, 1)
	p.expect(1, messages{simpleQuery("SET extra_float_digits = 2; CREATE TEMP TABLE t AS " + byRegion + "; TABLE t; DROP TABLE t")},
		notice, one("SET"), one("SELECT 2"), north, south, selected, one("DROP TABLE"), idle)
	p.expect(1, messages{simpleQuery("BEGIN; DECLARE c CURSOR FOR " + byRegion + "; FETCH 1 FROM c; CLOSE c; END")},
		notice, one("BEGIN"), one(declared), north, one("FETCH 1"), one("CLOSE CURSOR"), one("COMMIT"), idle)
	p.expect(1, messages{simpleQuery("COPY (" + byRegion + ") TO STDOUT; SELECT 1 WHERE false")},
		notice, copyOut, `d "north\t10\n"`, `d "south\t20\n"`, `c ""`, copyEnd2, one("SELECT 0"), idle)
	r.asked(t, 3)
	// Prepared in one text, executed in another; a failure in between forgets nothing.
	p.expect(1, messages{simpleQuery("PREPARE q AS " + byRegion + "; SELECT 1/0; PREPARE never AS " + byRegion)},
		one("PREPARE"), `E V=ERROR C=22012 M=division by zero `, idle)
	if !r.remembers(t, "q") || r.remembers(t, "never") {
		t.Error("what was prepared before the failure is to be remembered, and nothing else")
	}
	p.expect(1, messages{simpleQuery("SELECT 1 WHERE false; EXECUTE q; EXECUTE q; DEALLOCATE q")},
		notice, one("SELECT 0"), north, south, selected, north, south, selected, one("DEALLOCATE"), idle)
	if r.remembers(t, "q") {
		t.Error("a statement that was deallocated in a text is remembered")
	}
	r.asked(t, 1)
	// A text drops the unnamed statement, too, and has its other effects nevertheless.
	p.talk(1, parse("", byRegion), sync_)
	p.talk(1, simpleQuery("SELECT 1 WHERE false; PREPARE after AS "+byRegion))
	if !r.remembers(t, "after") || r.remembers(t, "") {
		t.Error("what a text prepares is to be remembered, and the unnamed statement is not")
	}
	p.talk(1, simpleQuery("PREPARE plain AS SELECT 1 WHERE false"))
	p.expect(1, messages{simpleQuery("EXECUTE plain; SELECT 2 WHERE false")}, one("SELECT 0"), one("SELECT 0"), idle)
	// So large a batch is relayed if nothing in it is protected.
	got := p.talk(1, simpleQuery(strings.Repeat("EXECUTE plain; ", 1500)))
	if len(got) != 1501 || got[1499] != one("SELECT 0") {
		t.Errorf("%d replies to 1500 times EXECUTE", len(got))
	}
	p.talk(1, simpleQuery("PREPARE q AS "+byRegion))
	p.expectRefusal(1, messages{simpleQuery(strings.Repeat("EXECUTE q; ", 1500))}, "refusal", idle)
	p.expectRefusal(1, messages{simpleQuery("BEGIN; EXECUTE q(1); COMMIT")}, one("BEGIN"), "refusal", failed)
	p.expectRefusal(1, messages{simpleQuery("ROLLBACK")}, one("ROLLBACK"), idle)
	// The tag of an EXPLAIN among others.
	got = p.talk(1, simpleQuery("SELECT 1 WHERE false; EXPLAIN "+byRegion+"; SELECT 1 WHERE false"))
	if got[0] != one("SELECT 0") || got[len(got)-3] != one("EXPLAIN") || got[len(got)-2] != one("SELECT 0") {
		t.Errorf("%v", got)
	}
	r.asked(t, 0)
	p.expect(1, messages{parse("", "SELECT 1; "+byRegion), sync_},
		`E V=ERROR C=42601 M=cannot insert multiple commands into a prepared statement `, idle)
}

// What an earlier statement of a text does, when a later one is refused or fails, is as without the proxy.
func TestFailureAmongSeveral(t *testing.T) {
	p, r := newPeer(t)
	const mended = "H=The counts are recorded: the corrected statement is free. "
	// psqlODBC: a savepoint around each statement.
	wrap := func(sql string) messages { return messages{simpleQuery("SAVEPOINT s;" + sql + ";RELEASE s")} }
	p.talk(1, simpleQuery("BEGIN"))
	p.expect(1, wrap(byRegion), notice, one("SAVEPOINT"), north, south, selected, one("RELEASE"), inBlock)
	r.asked(t, 1)
	for _, refused := range []string{rowRead, "SELECT nosuch, count(*) FROM patients GROUP BY nosuch", "SELECT nosuch(count(*)) FROM patients"} {
		got := p.talk(1, wrap(refused)...)
		if len(got) != 3 || got[0] != one("SAVEPOINT") || !isRefusal(got[1]) || got[2] != failed {
			t.Errorf("%s: %v", refused, got)
		}
		p.expect(2, messages{simpleQuery("ROLLBACK TO s"), simpleQuery("RELEASE s")}, one("ROLLBACK"), inBlock, one("RELEASE"), inBlock)
	}
	r.releaser.look(func(d *fakeReleaser) { d.fail = errInternal })
	p.expectRefusal(2, messages{simpleQuery("SAVEPOINT s;" + byRegion + ";RELEASE s"), simpleQuery("ROLLBACK TO s")},
		one("SAVEPOINT"), "refusal", failed, one("ROLLBACK"), inBlock)
	r.releaser.look(func(d *fakeReleaser) { d.fail = nil })
	p.expect(2, messages{simpleQuery("RELEASE nosuch; " + byRegion), simpleQuery("ROLLBACK")},
		notice, `E V=ERROR C=3B001 M=savepoint "nosuch" does not exist `+mended, failed, one("ROLLBACK"), idle)
	p.expectRefusal(2, messages{simpleQuery("RELEASE nosuch; " + rowRead), simpleQuery("BEGIN; " + rowRead)},
		`E V=ERROR C=25P01 M=RELEASE SAVEPOINT can only be used in transaction blocks `, idle, one("BEGIN"), "refusal", failed)
	p.expect(2, messages{simpleQuery("ROLLBACK"), simpleQuery("SELECT 1/0; " + byRegion)},
		one("ROLLBACK"), idle, notice, `E V=ERROR C=22012 M=division by zero `+mended, idle)
	r.asked(t, 3)
	// Names must not change on the way.
	for _, sql := range []string{"SET search_path = pg_temp; ", "RESET ALL; ", "SELECT set_config('search_path', '', false); ",
		"CREATE TEMP TABLE patients (); ", "ALTER TABLE x RENAME TO y; ", "SET LOCAL search_path = x; SELECT 1; "} {
		p.expectRefusal(1, messages{simpleQuery(sql + byRegion)}, "refusal", idle)
	}
	p.expectRefusal(2, messages{simpleQuery("BEGIN"), simpleQuery("COMMIT; " + byRegion)}, one("BEGIN"), inBlock, one("COMMIT"), "refusal", idle)
	p.expect(1, messages{simpleQuery("BEGIN; COMMIT; " + byRegion)}, notice, one("BEGIN"), one("COMMIT"), north, south, selected, idle)
	r.asked(t, 1)
}

// A text that ends a failed block and goes on never comes to the server with a protected name in it.
func TestSeveralStatementsInFailedBlock(t *testing.T) {
	p, r := newPeer(t)
	p.talk(2, simpleQuery("BEGIN"), simpleQuery("SELECT 1/0"))
	const hinted = `E V=ERROR C=25P02 M=current transaction is aborted, commands ignored until end of transaction block ` +
		`H=End the transaction block by a ROLLBACK of its own, then send the other statements. `
	for _, sql := range []string{"ROLLBACK; " + byRegion, "ROLLBACK; EXPLAIN " + rowRead, "ROLLBACK; SET ROLE bob", "COMMIT; DO 'BEGIN END'",
		"ROLLBACK; EXECUTE q"} {
		p.expect(1, messages{simpleQuery(sql)}, hinted, failed)
	}
	p.expect(2, messages{simpleQuery("ROLLBACK; SELECT 1 WHERE false"), simpleQuery("SELECT 1 WHERE false")},
		one("ROLLBACK"), one("SELECT 0"), idle, one("SELECT 0"), idle)
	r.asked(t, 0)
}

// Savepoints around protected statements; a pipeline with several of them; an error in its middle; Flush.
func TestTransactionsAndPipelines(t *testing.T) {
	p, r := newPeer(t)
	p.expectRefusal(7, messages{simpleQuery("BEGIN"), simpleQuery(byRegion), simpleQuery("SAVEPOINT a"), simpleQuery(rowRead), simpleQuery(byRegion), simpleQuery("ROLLBACK TO a"), simpleQuery(byRegion)},
		one("BEGIN"), inBlock, notice, north, south, selected, inBlock, one("SAVEPOINT"), inBlock, "refusal", failed, aborted, failed,
		one("ROLLBACK"), inBlock, notice, north, south, selected, inBlock)
	p.talk(1, simpleQuery("ROLLBACK"))
	r.asked(t, 2)
	p.talk(1, parse("s", byRegion), sync_)
	p.expectRefusal(1, messages{bind("", "s"), executeUpTo("", 0), bind("", "s"), executeUpTo("", 0), parse("", rowRead), bind("", "s"), executeUpTo("", 0), sync_},
		notice, `2 ""`, north, south, selected, notice, `2 ""`, north, south, selected, "refusal", idle)
	r.asked(t, 2)
	p.send(encode(bind("", "s"), executeUpTo("", 0), flush))
	p.until('C', 1)
	p.expect(1, messages{parse("", "DECLARE c CURSOR WITH HOLD FOR "+byRegion), bind("", ""), executeUpTo("", 0), parse("", "FETCH 1 FROM c"), bind("", ""),
		executeUpTo("", 0), sync_}, `1 ""`, notice, `2 ""`, one(declared), `1 ""`, `2 ""`, north, one("FETCH 1"), idle)
	r.asked(t, 2)
}

// A policy that has changed makes statements of every kind stale.
func TestKindsGoStale(t *testing.T) {
	p, r := newPeer(t)
	p.talk(1, simpleQuery("PREPARE q AS "+byRegion))
	for name, sql := range map[string]string{"copy": "COPY (" + byRegion + ") TO STDOUT", "cursor": "DECLARE c CURSOR WITH HOLD FOR " + byRegion,
		"execute": "EXECUTE q", "explain": "EXPLAIN " + byRegion} {
		p.talk(1, parse(name, sql), sync_)
	}
	p.talk(1, simpleQuery("CREATE TEMP TABLE patients (region text)"))
	for _, name := range []string{"copy", "cursor", "execute", "explain"} {
		p.expect(1, messages{bind("", name), executeUpTo("", 0), sync_}, `E V=ERROR C=0A000 M=the prepared statement can no longer be answered `+
			`D=A table name in it means another table now than when it was prepared. Nothing was charged. H=Prepare the statement again. `, idle)
	}
	r.asked(t, 0)
}

// Tools ask for the columns of a query by statements without rows, which need no counts.
func TestNothingIsAskedForNothing(t *testing.T) {
	p, r := newPeer(t)
	p.talk(2, simpleQuery("PREPARE q AS "+byRegion), simpleQuery("PREPARE none AS "+byRegion+" LIMIT 0"))
	for sql, tag := range map[string]string{
		"SELECT * FROM (" + byRegion + ") AS t LIMIT 0":           "SELECT 0",
		"SELECT count(*) FROM patients LIMIT 0":                   "SELECT 0",
		"CREATE TEMP TABLE a AS " + byRegion + " WITH NO DATA":    "CREATE TABLE AS",
		"CREATE TEMP TABLE b AS EXECUTE q WITH NO DATA":           "SELECT 0",
		"COPY (" + byRegion + " LIMIT 0) TO STDOUT (FORMAT csv)":  "COPY 0",
		"DECLARE c CURSOR WITH HOLD FOR " + byRegion + " LIMIT 0": declared,
		"EXECUTE none": "SELECT 0",
	} {
		for _, sent := range []messages{{simpleQuery(sql)}, {parse("", sql), bind("", ""), executeUpTo("", 0), sync_}} {
			got := p.talk(1, sent...)
			if len(got) < 2 || got[len(got)-2] != one(tag) {
				t.Errorf("%s: %v", sql, got)
			}
			p.talk(1, simpleQuery("CLOSE ALL; DROP TABLE IF EXISTS a; DROP TABLE IF EXISTS b"))
		}
	}
	p.expect(1, messages{simpleQuery("SELECT 1 WHERE false; " + byRegion + " LIMIT 0; CREATE TEMP TABLE b AS EXECUTE q WITH NO DATA")},
		one("SELECT 0"), one("SELECT 0"), one("SELECT 0"), idle)
	p.expect(1, messages{simpleQuery("EXPLAIN SELECT * FROM (" + byRegion + ") AS t LIMIT 0")},
		`D "\x00\x01\x00\x00\x00\x1fNothing was counted or charged."`, one("EXPLAIN"), idle)
	r.asked(t, 0)
	// What a WITH query writes does not depend on the rows that are shown.
	p.talk(2, simpleQuery("CREATE TEMP TABLE t (r text, n int8)"), simpleQuery("WITH w AS (INSERT INTO t "+byRegion+" RETURNING r) SELECT * FROM w LIMIT 0"))
	p.expect(1, messages{simpleQuery("TABLE t")}, north, south, selected, idle)
	r.asked(t, 1)
}
