package proxy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/policy"
	"tacit/proxy/internal/wire"
	"tacit/release"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
)

const (
	byRegion      = "SELECT region, count(*) FROM patients GROUP BY region"
	byRegionOlder = "SELECT region, count(*) FROM patients WHERE age > $1 GROUP BY region"
	rowRead       = "SELECT * FROM patients"
)

// talk sends messages through the proxy and returns the replies up to the n-th ReadyForQuery, without row descriptions.
func (p *peer) talk(ready int, messages ...pgproto3.FrontendMessage) []string {
	p.t.Helper()
	p.send(encode(messages...))
	got := slices.DeleteFunc(p.until('Z', ready), func(s string) bool { return s[0] == 'T' })
	for i, line := range got {
		if strings.HasPrefix(line, "N V=NOTICE C=00000") {
			got[i] = notice
		}
	}
	return got
}

func (p *peer) expect(ready int, messages []pgproto3.FrontendMessage, want ...string) {
	p.t.Helper()
	if diff := cmp.Diff(want, p.talk(ready, messages...)); diff != "" {
		p.t.Errorf("(-want +got):\n%s", diff)
	}
}

type messages = []pgproto3.FrontendMessage

const (
	notice   = "a notice"
	north    = `D "\x00\x02\x00\x00\x00\x05north\x00\x00\x00\x0210"`
	south    = `D "\x00\x02\x00\x00\x00\x05south\x00\x00\x00\x0220"`
	selected = `C "SELECT 2\x00"`
	idle     = `Z "I"`
	inBlock  = `Z "T"`
	failed   = `Z "E"`
	aborted  = `E V=ERROR C=25P02 M=current transaction is aborted, commands ignored until end of transaction block `
)

// regions are the rows of the fake releaser's answer to a count of the patients of a condition by region.
func regions(condition string) (north, south string) {
	row := func(region string, cell int) string {
		count := fmt.Sprint(fakeCount("count(*) FROM public.patients WHERE "+condition+" GROUP BY region", cell))
		m := wire.Append(nil, &pgproto3.DataRow{Values: [][]byte{[]byte(region), []byte(count)}})
		return reply{'D', m[wire.HeaderBytes:]}.String()
	}
	return row("north", 0), row("south", 1)
}

func one(code string) string { return `C "` + code + `\x00"` }

// isRefusal says whether a line is a refusal of the analysis, and not an error of the server's.
func isRefusal(line string) bool {
	return strings.HasPrefix(line, "E V=ERROR") && !strings.Contains(line, "refused by tacit") && !strings.Contains(line, "permission denied")
}

func (p *peer) expectRefusal(ready int, sent messages, want ...string) {
	p.t.Helper()
	got := p.talk(ready, sent...)
	for i, line := range got {
		if i < len(want) && want[i] == "refusal" && isRefusal(line) {
			got[i] = "refusal"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("(-want +got):\n%s", diff)
	}
}

func newPeer(t *testing.T) (*peer, *rig) {
	r := newRig(t, nil)
	return connectAs(t, r.address.String(), "ana", r.database), r
}

func TestSimpleQueryIsAnswered(t *testing.T) {
	p, r := newPeer(t)
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	if n := r.releaser.answered(); n != 1 {
		t.Errorf("the releaser was asked %d times", n)
	}
	var ask release.Request
	r.releaser.look(func(d *fakeReleaser) { ask = d.asks[0] })
	if ask.Analyst != "ana" || ask.SQL != byRegion || len(ask.Queries) != 1 {
		t.Errorf("asked %+v", ask)
	}
	// In a block, between other statements, all sent at once.
	p.expect(4, messages{simpleQuery("BEGIN"), simpleQuery(byRegion), simpleQuery("SELECT 1 WHERE false"), simpleQuery("COMMIT")},
		one("BEGIN"), inBlock, notice, north, south, selected, inBlock, one("SELECT 0"), inBlock, one("COMMIT"), idle)
	// As part of a larger statement, which the server computes.
	p.expect(1, messages{simpleQuery("CREATE TEMP TABLE mine AS " + byRegion)}, notice, one("SELECT 2"), idle)
	p.expect(1, messages{simpleQuery("SELECT region, count FROM mine ORDER BY count")}, north, south, selected, idle)
}

func TestNoticesCanBeSilenced(t *testing.T) {
	p, _ := newPeer(t)
	for _, silence := range []string{"SET tacit.notices = off", "SET tacit.notices = 'No'", "SET tacit.notices = 0",
		"SET tacit.notices = fals", "SET client_min_messages = warning"} {
		p.talk(1, simpleQuery(silence))
		p.expect(1, messages{simpleQuery(byRegion)}, north, south, selected, idle)
		p.talk(2, simpleQuery("RESET tacit.notices"), simpleQuery("RESET client_min_messages"))
		p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	}
	p.expect(4, messages{simpleQuery("BEGIN"), simpleQuery("SET LOCAL tacit.notices = off"), simpleQuery(byRegion), simpleQuery("ROLLBACK")},
		one("BEGIN"), inBlock, one("SET"), inBlock, north, south, selected, inBlock, one("ROLLBACK"), idle)
	p.expect(1, messages{simpleQuery("SHOW tacit.notices")}, `D "\x00\x01\x00\x00\x00\x02on"`, one("SHOW"), idle)
}

// What the session says of tacit.within comes to the releaser, with its transactions and in both protocols.
func TestExactnessIsAskedFor(t *testing.T) {
	p, r := newPeer(t)
	for _, c := range []struct {
		before []string
		want   string
	}{
		{nil, "off"},
		{[]string{"SET tacit.within = 25"}, "25"},
		{[]string{"SET tacit.within = '1000%'"}, "25"}, // refused
		{[]string{"SET tacit.within = '2%'"}, "2%"},
		{[]string{"BEGIN", "SET LOCAL tacit.within TO '0.5 %'"}, "0.5%"},
		{[]string{"ROLLBACK", "SET tacit.within = 25"}, "25"},
		{[]string{"BEGIN", "SET LOCAL tacit.within TO '7'"}, "7"},
		{[]string{"COMMIT"}, "25"},
		{[]string{"BEGIN", "SET tacit.within = 9", "ROLLBACK"}, "25"},
		{[]string{"BEGIN", "SAVEPOINT a", "SET tacit.within = 9", "ROLLBACK TO a"}, "25"},
		{[]string{"COMMIT", "SET tacit.within = off"}, "off"},
		{[]string{"SELECT set_config('tacit.within', '12', false)"}, "12"},
		{[]string{"RESET tacit.within"}, "off"},
		{[]string{"SET tacit.within = 3", "DISCARD ALL"}, "off"},
	} {
		for _, sql := range c.before {
			p.talk(1, simpleQuery(sql))
		}
		p.talk(1, simpleQuery(byRegion))
		p.talk(1, simpleQuery("EXPLAIN "+byRegion))
		p.talk(1, parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_)
		r.releaser.look(func(d *fakeReleaser) {
			for _, ask := range append(d.asks[len(d.asks)-2:], d.explained[len(d.explained)-1]) {
				if ask.Within.String() != c.want {
					t.Errorf("after %q: within %v", c.before, ask.Within)
				}
			}
		})
	}
	p.expect(1, messages{simpleQuery("SHOW tacit.within")}, `D "\x00\x01\x00\x00\x00\x03off"`, one("SHOW"), idle)
}

// What the session says of tacit.fresh and tacit.max_age comes to the releaser, with its transactions and in both protocols; what is no spelling
// of true does not.
func TestFreshAnswersAreAskedFor(t *testing.T) {
	p, r := newPeer(t)
	for _, c := range []struct {
		before []string
		want   bool
		age    time.Duration
	}{
		{nil, false, 0},
		{[]string{"SET tacit.fresh = on"}, true, 0},
		{[]string{"RESET tacit.fresh"}, false, 0},
		{[]string{"SET tacit.fresh = 'Yes'"}, true, 0},
		{[]string{"SET tacit.fresh = off"}, false, 0},
		{[]string{"BEGIN", "SET LOCAL tacit.fresh = 1"}, true, 0},
		{[]string{"ROLLBACK"}, false, 0},
		{[]string{"SET tacit.fresh TO true"}, true, 0},
		{[]string{"DISCARD ALL"}, false, 0},
		{[]string{"SET tacit.max_age = '1 day'"}, false, 24 * time.Hour},
		{[]string{"SET tacit.max_age = often"}, false, 24 * time.Hour}, // refused
		{[]string{"BEGIN", "SET LOCAL tacit.max_age TO '01:30'"}, false, 90 * time.Minute},
		{[]string{"COMMIT"}, false, 24 * time.Hour},
		{[]string{"SET tacit.max_age = forever"}, false, 0},
		{[]string{"SELECT set_config('tacit.max_age', '2 mons', false)"}, false, 60 * 24 * time.Hour},
		{[]string{"RESET tacit.max_age"}, false, 0},
		{[]string{"SET tacit.max_age = '1 YEAR 1 hour'"}, false, 360*24*time.Hour + time.Hour},
		{[]string{"DISCARD ALL"}, false, 0},
	} {
		for _, sql := range c.before {
			p.talk(1, simpleQuery(sql))
		}
		p.talk(1, simpleQuery(byRegion))
		p.talk(1, simpleQuery("EXPLAIN "+byRegion))
		p.talk(1, parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_)
		r.releaser.look(func(d *fakeReleaser) {
			for _, ask := range append(d.asks[len(d.asks)-2:], d.explained[len(d.explained)-1]) {
				if ask.Fresh != c.want || ask.MaxAge != c.age {
					t.Errorf("after %q: fresh %v, maximal age %v", c.before, ask.Fresh, ask.MaxAge)
				}
			}
		})
	}
	p.expect(1, messages{simpleQuery("SHOW tacit.max_age")}, `D "\x00\x01\x00\x00\x00\aforever"`, one("SHOW"), idle)
}

// The session's time zone comes to the releaser, as far as the proxy knows it.
func TestTimesAreReadInTheSessionsZone(t *testing.T) {
	p, r := newPeer(t)
	for setting, want := range map[string]string{"'Asia/Tokyo'": "Asia/Tokyo", "'asia/tokyo'": "Asia/Tokyo", "UTC": "UTC", "'<+03>-03'": "", "-5": ""} {
		p.talk(1, simpleQuery("SET timezone = "+setting))
		p.talk(1, simpleQuery(byRegion))
		r.releaser.look(func(d *fakeReleaser) {
			got := ""
			if zone := d.asks[len(d.asks)-1].Zone; zone != nil {
				got = zone.String()
			}
			if got != want {
				t.Errorf("with %s: zone %q", setting, got)
			}
		})
	}
}

func TestRefusalInSequence(t *testing.T) {
	p, r := newPeer(t)
	p.expectRefusal(3, messages{simpleQuery("SELECT 1 WHERE false"), simpleQuery(rowRead), simpleQuery("SELECT 1 WHERE false")},
		one("SELECT 0"), idle, "refusal", idle, one("SELECT 0"), idle)
	// A refusal in a block leaves it failed, and is the server's own business from then on.
	p.expectRefusal(5, messages{simpleQuery("BEGIN"), simpleQuery(rowRead), simpleQuery("SELECT 1"), simpleQuery(rowRead), simpleQuery("ROLLBACK")},
		one("BEGIN"), inBlock, "refusal", failed, aborted, failed, aborted, failed, one("ROLLBACK"), idle)
	// In a pipeline everything up to Sync is skipped.
	p.expectRefusal(2, messages{
		parse("", "SELECT 1 WHERE false"), bind("", ""), executeUpTo("", 0),
		parse("", rowRead), bind("", ""), describe('P', ""), executeUpTo("", 0), simpleQuery("SELECT 2"), sync_,
		simpleQuery("SELECT 1 WHERE false"),
	}, `1 ""`, `2 ""`, one("SELECT 0"), "refusal", idle, one("SELECT 0"), idle)
	// What the pipeline did before the refusal is rolled back with it.
	p.talk(1, simpleQuery("CREATE TEMP TABLE t (a int)"))
	p.expectRefusal(2, messages{parse("", "INSERT INTO t VALUES (1)"), bind("", ""), executeUpTo("", 0), parse("", rowRead), sync_,
		simpleQuery("SELECT * FROM t")}, `1 ""`, `2 ""`, one("INSERT 0 1"), "refusal", idle, one("SELECT 0"), idle)
	if n := r.releaser.answered(); n != 0 {
		t.Errorf("the releaser was asked %d times", n)
	}
	var n int
	r.releaser.look(func(d *fakeReleaser) { n = len(d.refused) })
	if n != 4 {
		t.Errorf("%d refusals were noted", n)
	}
}

// In a block that failed, a statement about a protected table gets the server's own answer, even when the proxy cannot know yet.
func TestFailedBlock(t *testing.T) {
	p, r := newPeer(t)
	p.expect(3, messages{simpleQuery("BEGIN"), simpleQuery("SELECT 1/0"), simpleQuery(byRegion)},
		one("BEGIN"), inBlock, `E V=ERROR C=22012 M=division by zero `, failed, aborted, failed)
	p.expect(1, messages{parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_}, aborted, failed)
	p.talk(1, simpleQuery("ROLLBACK"))
	p.talk(3, parse("s", byRegion), sync_, simpleQuery("BEGIN"), simpleQuery("SELECT 1/0"))
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, aborted, failed)
	p.expect(1, messages{
		parse("", "ROLLBACK"), bind("", ""), executeUpTo("", 0), parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_,
	}, `1 ""`, `2 ""`, one("ROLLBACK"), `1 ""`, notice, `2 ""`, north, south, selected, idle)
	if n := r.releaser.answered(); n != 1 {
		t.Errorf("the releaser was asked %d times", n)
	}
}

func TestExtendedProtocolIsAnswered(t *testing.T) {
	p, r := newPeer(t)
	p.expect(1, messages{parse("s", byRegionOlder), describe('S', "s"), sync_}, `1 ""`, `t "\x00\x01\x00\x00\x00\x17"`, idle)
	if n := r.releaser.answered(); n != 0 {
		t.Errorf("Parse and Describe asked the releaser %d times", n)
	}
	// Each Bind is an answer of its own, executing its portal again is not.
	north51, south51 := regions("age >= 51")
	north61, south61 := regions("age >= 61")
	north62, south62 := regions("age >= 62")
	p.expect(1, messages{bind("p", "s", "50"), describe('P', "p"), executeUpTo("p", 1), executeUpTo("p", 1), executeUpTo("p", 1), sync_},
		notice, `2 ""`, north51, `s ""`, south51, `s ""`, one("SELECT 0"), idle)
	p.expect(1, messages{bind("", "s", "60"), executeUpTo("", 0), bind("", "s", "61"), executeUpTo("", 0), sync_},
		notice, `2 ""`, north61, south61, selected, notice, `2 ""`, north62, south62, selected, idle)
	if n := r.releaser.answered(); n != 3 {
		t.Errorf("three Binds asked the releaser %d times", n)
	}
	// In the middle of a pipeline, which stays one transaction.
	p.expect(1, messages{
		parse("", "CREATE TEMP TABLE t (a int)"), bind("", ""), executeUpTo("", 0),
		bind("", "s", "50"), executeUpTo("", 0),
		parse("", "SELECT 1/0"), bind("", ""), executeUpTo("", 0), sync_,
	}, `1 ""`, `2 ""`, one("CREATE TABLE"), notice, `2 ""`, north51, south51, selected, `1 ""`,
		`E V=ERROR C=22012 M=division by zero `, idle)
	p.expect(1, messages{simpleQuery("SELECT * FROM t")}, `E V=ERROR C=42P01 M=relation "t" does not exist P=15 `, idle)
}

func TestBindParameters(t *testing.T) {
	p, r := newPeer(t)
	p.talk(1, parse("s", byRegionOlder), sync_)
	inBinary := &pgproto3.Bind{PreparedStatement: "s", ParameterFormatCodes: []int16{1}, Parameters: [][]byte{{0, 0, 0, 2}}}
	north3, south3 := regions("age >= 3")
	p.expect(1, messages{inBinary, executeUpTo("", 0), sync_}, notice, `2 ""`, north3, south3, selected, idle)
	p.talk(1, parse("all", byRegion), sync_)
	results := &pgproto3.Bind{PreparedStatement: "all", ResultFormatCodes: []int16{0, 1}}
	p.expect(1, messages{results, executeUpTo("", 0), sync_}, notice, `2 ""`,
		`D "\x00\x02\x00\x00\x00\x05north\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\n"`,
		`D "\x00\x02\x00\x00\x00\x05south\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\x14"`, selected, idle)
	before := r.releaser.answered()
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_},
		`E V=ERROR C=08P01 M=bind message supplies 0 parameters, but prepared statement "s" requires 1 `, idle)
	p.expect(1, messages{bind("", "s", "1", "{}", "{}"), executeUpTo("", 0), sync_},
		`E V=ERROR C=08P01 M=bind message supplies 3 parameters, but prepared statement "s" requires 1 `, idle)
	if r.releaser.answered() != before {
		t.Error("a Bind with a wrong number of parameters asked the releaser")
	}
	p.expect(1, messages{simpleQuery(byRegionOlder)}, `E V=ERROR C=42P02 M=there is no parameter $1 `, idle)
}

// Values come to the conditions that they were meant for, and cells to the sub-selects that asked for them.
func TestNothingIsMixedUp(t *testing.T) {
	p, r := newPeer(t)
	const sql = "SELECT $2::int, (SELECT count(*) FROM patients WHERE age > $1), (SELECT count(*) FILTER (WHERE age < $3) FROM patients WHERE age > $2)"
	count := func(question string) string {
		n := fmt.Sprint(fakeCount(question, 0))
		return string(append(binary.BigEndian.AppendUint32(nil, uint32(len(n))), n...))
	}
	row := reply{'D', []byte("\x00\x03\x00\x00\x00\x0220" + count("count(*) FROM public.patients WHERE age >= 11") +
		count("count(*) FROM public.patients WHERE (age <= 29 AND age >= 21)"))}.String()
	p.expect(1, messages{parse("s", sql), bind("", "s", "10", "20", "30"), executeUpTo("", 0), sync_},
		`1 ""`, notice, `2 ""`, row, one("SELECT 1"), idle)
	p.expect(2, messages{simpleQuery("PREPARE q(int, int, int) AS " + sql), simpleQuery("EXECUTE q(10, 20, 30)")},
		one("PREPARE"), idle, notice, row, one("SELECT 1"), idle)
	var asks []release.Request
	r.releaser.look(func(d *fakeReleaser) { asks = slices.Clone(d.asks) })
	for _, ask := range asks {
		if len(ask.Queries) != 2 || ask.Analyst != "ana" {
			t.Errorf("asked %+v", ask)
		}
	}
}

func TestNamesOfStatements(t *testing.T) {
	p, r := newPeer(t)
	notPrepared := func(name string) string {
		return fmt.Sprintf(`E V=ERROR C=26000 M=prepared statement %q does not exist `, name)
	}
	// Closed.
	p.talk(1, parse("s", byRegion), sync_)
	p.expect(1, messages{closing('S', "s"), bind("", "s"), sync_}, `3 ""`, notPrepared("s"), idle)
	p.expect(1, messages{parse("s", "SELECT 1 WHERE $1"), describe('S', "s"), sync_}, `1 ""`, `t "\x00\x01\x00\x00\x00\x10"`, idle)
	p.talk(1, closing('S', "s"), sync_)
	// Parsed twice: the second is an error, the first stays.
	p.talk(1, parse("s", byRegion), sync_)
	p.expect(1, messages{parse("s", "SELECT 1"), sync_}, `E V=ERROR C=42P05 M=prepared statement "s" already exists `, idle)
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
	// Deallocated, in every way.
	for name, how := range map[string]messages{
		"DEALLOCATE": {simpleQuery("DEALLOCATE s")}, "DEALLOCATE ALL": {simpleQuery("DEALLOCATE ALL")}, "DISCARD ALL": {simpleQuery("DISCARD ALL")},
		"extended": {parse("", "DEALLOCATE s"), bind("", ""), executeUpTo("", 0), sync_},
		"by name":  {parse("d", "DEALLOCATE s"), bind("p", "d"), executeUpTo("p", 0), closing('S', "d"), sync_},
	} {
		p.talk(1, how...)
		if r.remembers(t, "s") {
			t.Errorf("%s: the statement is still remembered", name)
		}
		p.expect(1, messages{bind("", "s"), sync_}, notPrepared("s"), idle)
		p.talk(1, parse("s", byRegion), sync_)
		if !r.remembers(t, "s") {
			t.Errorf("after %s: the statement is not remembered", name)
		}
	}
	// A DEALLOCATE that fails changes nothing.
	p.talk(3, simpleQuery("BEGIN"), simpleQuery("SELECT 1/0; DEALLOCATE s"), simpleQuery("ROLLBACK"))
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
	// A DEALLOCATE that took place has, whatever follows it or hides it, and nothing is charged for what is gone.
	if err := execute(r.database, `CREATE FUNCTION forget(name text) RETURNS void LANGUAGE plpgsql AS
		$$BEGIN EXECUTE 'DEALLOCATE ' || name; END$$`); err != nil {
		t.Fatal(err)
	}
	before := r.releaser.answered()
	for name, how := range map[string]messages{
		"before an error":           {simpleQuery("DEALLOCATE s; SELECT 1/0")},
		"in a block that failed":    {simpleQuery("BEGIN; DEALLOCATE s; SELECT 1/0"), simpleQuery("ROLLBACK")},
		"in a block rolled back":    {simpleQuery("BEGIN; DEALLOCATE s"), simpleQuery("ROLLBACK")},
		"inside the server":         {simpleQuery("SELECT forget('s')")},
		"all of them, inside of it": {simpleQuery("SELECT forget('ALL')")},
	} {
		p.talk(len(how), how...)
		p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, notPrepared("s"), idle)
		if r.remembers(t, "s") {
			t.Errorf("%s: the statement is still remembered", name)
		}
		p.expect(1, messages{simpleQuery("EXECUTE s")}, notPrepared("s"), idle)
		p.talk(1, parse("s", byRegion), sync_)
		p.talk(len(how), how...)
		p.expect(1, messages{simpleQuery("EXECUTE s")}, notPrepared("s"), idle)
		p.talk(1, parse("s", byRegion), sync_)
		p.talk(len(how), how...)
		p.expect(1, messages{parse("", "SELECT 1"), bind("", "s"), executeUpTo("", 0), sync_}, `1 ""`, notPrepared("s"), idle)
		p.talk(1, parse("s", byRegion), sync_)
	}
	if n := r.releaser.answered(); n != before {
		t.Errorf("the releaser was asked %d times about statements that are gone", n-before)
	}
	// One in a block that failed before has not taken place.
	p.talk(4, simpleQuery("BEGIN"), simpleQuery("SELECT 1/0"), simpleQuery("DEALLOCATE s"), simpleQuery("ROLLBACK"))
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
	// The unnamed statement is replaced by any Parse, and dropped by any Query.
	p.expect(1, messages{parse("", byRegion), parse("", "SELECT 1 WHERE false"), bind("", ""), executeUpTo("", 0), sync_},
		`1 ""`, `1 ""`, `2 ""`, one("SELECT 0"), idle)
	p.talk(2, parse("", byRegion), sync_, simpleQuery("SELECT 1"))
	p.expect(1, messages{bind("", ""), sync_}, `E V=ERROR C=26000 M=unnamed prepared statement does not exist `, idle)
	// What the server skips after an error drops nothing.
	for name, skipped := range map[string]pgproto3.FrontendMessage{"Query": simpleQuery("SELECT 1"), "Parse": parse("", "SELECT 1")} {
		p.talk(1, parse("", byRegion), sync_)
		p.talk(1, bind("", "not there"), skipped, sync_)
		if !r.remembers(t, "") {
			t.Errorf("a skipped %s has the unnamed statement forgotten, which the server keeps", name)
		}
		p.expect(1, messages{bind("", ""), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
	}
	// Names that the server does not distinguish.
	long := strings.Repeat("n", 70)
	p.talk(1, parse(long, byRegion), sync_)
	p.expect(1, messages{bind("", long[:65]), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
}

// remembers says whether the only session of the rig remembers a statement.
func (r *rig) remembers(t *testing.T, name string) bool {
	t.Helper()
	r.proxy.keys.mu.Lock()
	defer r.proxy.keys.mu.Unlock()
	for _, k := range r.proxy.keys.sessions {
		st, _ := k.session.interceptor.statements.get(name)
		return st != nil
	}
	t.Fatal("no session")
	return false
}

func TestSQLPrepare(t *testing.T) {
	p, r := newPeer(t)
	p.expect(1, messages{simpleQuery("PREPARE q(int) AS " + byRegionOlder)}, one("PREPARE"), idle)
	north51, south51 := regions("age >= 51")
	p.expect(1, messages{simpleQuery("EXECUTE q(50)")}, notice, north51, south51, selected, idle)
	p.expect(1, messages{simpleQuery("EXECUTE q")},
		`E V=ERROR C=42601 M=wrong number of parameters for prepared statement "q" D=Expected 1 parameters but got 0. `, idle)
	// The wire and SQL share their names.
	p.expect(1, messages{describe('S', "q"), bind("", "q", "50"), executeUpTo("", 0), sync_},
		`t "\x00\x01\x00\x00\x00\x17"`, notice, `2 ""`, north51, south51, selected, idle)
	p.talk(1, parse("w", byRegion), sync_)
	p.expect(1, messages{simpleQuery("EXECUTE w")}, notice, north, south, selected, idle)
	if n := r.releaser.answered(); n != 3 {
		t.Errorf("the releaser was asked %d times", n)
	}
	// A PREPARE that fails on the server is not remembered.
	p.talk(1, simpleQuery("PREPARE q AS "+byRegion))
	p.expect(1, messages{simpleQuery("EXECUTE q(50)")}, notice, north51, south51, selected, idle)
	p.talk(1, simpleQuery("DEALLOCATE q"))
	p.expect(1, messages{simpleQuery("EXECUTE q(50)")}, `E V=ERROR C=26000 M=prepared statement "q" does not exist `, idle)
	// PREPARE by the extended protocol happens when it is executed.
	p.talk(1, parse("", "PREPARE e AS "+byRegion), sync_)
	if r.remembers(t, "e") {
		t.Error("remembered before it was executed")
	}
	p.expect(1, messages{bind("", ""), executeUpTo("", 0), sync_}, `2 ""`, one("PREPARE"), idle)
	p.expect(1, messages{simpleQuery("EXECUTE e")}, notice, north, south, selected, idle)
	p.expect(1, messages{simpleQuery("EXECUTE other")}, `E V=ERROR C=26000 M=prepared statement "other" does not exist `, idle)
}

// A temporary table hides the protected one, in the session that has it and as long as it has it.
func TestNamesMeanWhatTheServerSays(t *testing.T) {
	p, r := newPeer(t)
	other := connectAs(t, r.address.String(), "bob", r.database)
	if err := execute(r.database, `CREATE FUNCTION hide() RETURNS void LANGUAGE plpgsql AS
		$$BEGIN CREATE TEMP TABLE patients AS SELECT 'mine'::text AS region, 1 AS age; END$$;
		CREATE FUNCTION show() RETURNS void LANGUAGE plpgsql AS $$BEGIN DROP TABLE pg_temp.patients; END$$;
		CREATE FUNCTION public.current_setting(text, bool) RETURNS text LANGUAGE sql AS 'SELECT ''off''';
		CREATE FUNCTION public.to_regclass(text) RETURNS regclass LANGUAGE sql AS 'SELECT NULL::regclass'`); err != nil {
		t.Fatal(err)
	}
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	p.talk(1, parse("s", byRegion), sync_)
	p.talk(1, simpleQuery("SELECT hide()"))
	mine := `D "\x00\x02\x00\x00\x00\x04mine\x00\x00\x00\x011"`
	p.expect(1, messages{simpleQuery("SELECT region, count(*) FROM pg_temp.patients GROUP BY region")}, mine, one("SELECT 1"), idle)
	p.expectRefusal(1, messages{simpleQuery(byRegion)}, "refusal", idle)
	p.expectRefusal(1, messages{bind("", "s"), sync_}, "refusal", idle)
	other.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	p.talk(1, simpleQuery("SELECT show()"))
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	p.expect(1, messages{bind("", "s"), executeUpTo("", 0), sync_}, notice, `2 ""`, north, south, selected, idle)
	// Objects of hers in the search path do not stand in the way of the proxy's question.
	p.talk(1, simpleQuery("SET search_path = public, pg_catalog"))
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	p.talk(1, simpleQuery("SET search_path = pg_catalog"))
	p.expect(1, messages{simpleQuery("SELECT region, count(*) FROM public.patients GROUP BY region")}, notice, north, south, selected, idle)
}

// A temporary relation goes with what it depends on, which another session of the analyst's can drop. The server waits for that
// session, then looks the name up again, and would plan for the protected table.
func TestHiddenTableDoesNotComeToLight(t *testing.T) {
	p, r := newPeer(t)
	other := connectAs(t, r.address.String(), "ana", r.database)
	p.talk(3, simpleQuery("CREATE TABLE base (region text)"), simpleQuery("CREATE TEMP VIEW patients AS TABLE base"), simpleQuery("TABLE pg_temp.patients"))
	other.talk(2, simpleQuery("BEGIN"), simpleQuery("DROP TABLE base CASCADE"))
	p.send(encode(simpleQuery("SELECT * FROM patients")))
	replied := make(chan reply, 1)
	go func() {
		m, _ := p.tryReceive()
		replied <- m
	}()
	r.await("wait_event_type = 'Lock'", func() bool { return len(replied) > 0 }) // the server waits for the other session, if it is sent there
	other.talk(1, simpleQuery("COMMIT"))
	if m := <-replied; !isRefusal(m.String()) {
		t.Errorf("the server saw the protected table: %s", m)
	}
}

func TestChangedPolicy(t *testing.T) {
	p, r := newPeer(t)
	p.talk(1, parse("s", byRegion), sync_)
	r.releaser.look(func(d *fakeReleaser) { d.catalog = testCatalog("2") })
	p.expectRefusal(1, messages{bind("", "s"), sync_}, "refusal", idle)
	p.expectRefusal(1, messages{simpleQuery("EXECUTE s")}, "refusal", idle)
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	if n := r.releaser.answered(); n != 1 {
		t.Errorf("the releaser was asked %d times", n)
	}
}

func TestErrorsOfTheReleaser(t *testing.T) {
	p, r := newPeer(t)
	over := &pgerror.Refusal{Code: "53400", Message: "over budget", Detail: "d", Hint: "h"}
	r.releaser.look(func(d *fakeReleaser) { d.fail = over })
	want := `E V=ERROR C=53400 M=over budget D=d H=h `
	p.expect(1, messages{simpleQuery(byRegion)}, want, idle)
	p.expect(1, messages{parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_}, `1 ""`, want, idle)
	p.expect(3, messages{simpleQuery("BEGIN"), simpleQuery(byRegion), simpleQuery("COMMIT")}, one("BEGIN"), inBlock, want, failed, one("ROLLBACK"), idle)
}

func TestInternalErrorsStayInside(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.fail = errors.New("row 17 of patients is odd") })
	got := strings.Join(p.talk(1, simpleQuery(byRegion)), "")
	if strings.Contains(got, "17") || !strings.Contains(got, "C=XX000") {
		t.Errorf("got %s", got)
	}
	if s := r.log.String(); !strings.Contains(s, "row 17") {
		t.Errorf("the log does not tell: %s", s)
	}
	r.log.reset() // what is there was expected
}

// A statement that the analysis cannot cope with ends neither the proxy nor the session. No release makes a catalog of tables without a policy.
func TestPanicOfTheAnalysis(t *testing.T) {
	p, r := newPeer(t)
	broken := testCatalog("broken")
	for name := range broken.Tables {
		broken.Tables[name].Policy = nil
	}
	r.releaser.look(func(d *fakeReleaser) { d.catalog = broken })
	internal := `E V=ERROR C=XX000 M=the protected statement could not be answered H=Ask the steward to look at the proxy's log. `
	p.expect(2, messages{simpleQuery("SELECT count(*) FROM public.patients"), simpleQuery("BEGIN")}, internal, idle, one("BEGIN"), inBlock)
	if s := r.log.String(); !strings.Contains(s, "panic in the analysis") || strings.Contains(s, "FROM public") {
		t.Errorf("the log says: %s", s)
	}
	r.log.reset() // what is there was expected
}

// An error of the server in a statement that was rewritten points nowhere in the client's text.
func TestErrorsHaveNoForeignPosition(t *testing.T) {
	p, _ := newPeer(t)
	got := p.talk(1, simpleQuery("SELECT (r.count::text || 'x')::int FROM ("+byRegion+") AS r"))
	if line := got[len(got)-2]; !strings.HasPrefix(line, "E V=ERROR C=22P02") || strings.Contains(line, " P=") {
		t.Errorf("got %q", got)
	}
}

// The proxy's own question can fail like a statement of the client's.
func TestRoundTripFails(t *testing.T) {
	p, r := newPeer(t)
	p.talk(1, parse("before", byRegion), sync_)
	const function = "FUNCTION pg_catalog.current_setting(text, bool)"
	r.commit("REVOKE EXECUTE ON " + function + " FROM PUBLIC")
	denied := `E V=ERROR C=42501 M=permission denied for function current_setting `
	p.expect(1, messages{simpleQuery(byRegion)}, denied, idle)
	p.expect(1, messages{parse("", byRegion), bind("", ""), executeUpTo("", 0), sync_}, denied, idle)
	p.expect(1, messages{parse("s", "SELECT 1"), simpleQuery(byRegion)}, `1 ""`, denied, idle)
	p.expect(1, messages{bind("", "before"), executeUpTo("", 0), simpleQuery("SELECT 'swallowed'"), sync_}, denied, idle)
	p.expect(1, messages{simpleQuery("EXECUTE before")}, denied, idle)
	p.expect(3, messages{simpleQuery("BEGIN"), simpleQuery(byRegion), simpleQuery("ROLLBACK")},
		one("BEGIN"), inBlock, denied, failed, one("ROLLBACK"), idle)
	p.expect(2, messages{simpleQuery("BEGIN"), parse("", byRegion), bind("", ""), sync_}, one("BEGIN"), inBlock, denied, failed)
	p.expect(5, messages{simpleQuery("ROLLBACK"), simpleQuery("BEGIN; SAVEPOINT a"), simpleQuery(byRegion), simpleQuery("ROLLBACK TO a"), simpleQuery("COMMIT")},
		one("ROLLBACK"), idle, one("BEGIN"), one("SAVEPOINT"), inBlock, denied, failed, one("ROLLBACK"), inBlock, one("COMMIT"), idle)
	if n := r.releaser.answered(); n != 0 {
		t.Errorf("the releaser was asked %d times", n)
	}
	if err := execute(r.database, "GRANT EXECUTE ON "+function+" TO PUBLIC"); err != nil {
		t.Fatal(err)
	}
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
}

// An error in a preflight is the statement's own, with what follows from it, and costs nothing.
func TestPreflight(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Limits.StatementBytes = 2 * (rewrite.MaxConstants + 1<<16) })
	p := connectAs(t, r.address.String(), "ana", r.database)
	const longestError = rewrite.MaxConstants + 1<<16 // that is not cut off
	const slip = "SELECT nosuch(r.count) FROM (" + byRegion + ") AS r"
	const missing = "E V=ERROR C=42883 M=function nosuch(bigint) does not exist H=No function matches the given name and argument types. " +
		"You might need to add explicit type casts. "
	p.expect(2, messages{simpleQuery(slip), simpleQuery("SELECT 1 WHERE false")}, missing, idle, one("SELECT 0"), idle)
	p.expect(3, messages{simpleQuery("BEGIN"), simpleQuery(slip), simpleQuery("COMMIT")}, one("BEGIN"), inBlock, missing, failed, one("ROLLBACK"), idle)
	p.expect(5, messages{simpleQuery("BEGIN"), simpleQuery("SAVEPOINT a"), simpleQuery(slip), simpleQuery("ROLLBACK TO a"), simpleQuery("COMMIT")},
		one("BEGIN"), inBlock, one("SAVEPOINT"), inBlock, missing, failed, one("ROLLBACK"), inBlock, one("COMMIT"), idle)
	p.expect(1, messages{parse("x", "SELECT 1"), simpleQuery(slip)}, `1 ""`, missing, idle)
	p.expect(1, messages{simpleQuery("SELECT '" + strings.Repeat("x", longestError) + "'::int FROM (" + byRegion + ") AS r")},
		"E V=ERROR C=22P02 M=the server's error is too long to be shown ", idle)
	if n := r.releaser.answered(); n != 0 {
		t.Errorf("the releaser was asked %d times", n)
	}
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
}

// After un-synced extended messages a Query is legal.
func TestQueryInPipelineIsAnswered(t *testing.T) {
	p, _ := newPeer(t)
	p.expect(1, messages{parse("x", "SELECT 1"), closing('S', "x"), simpleQuery(byRegion)},
		`1 ""`, `3 ""`, notice, north, south, selected, idle)
	p.expectRefusal(1, messages{parse("x", "SELECT 1"), closing('S', "x"), simpleQuery(rowRead)}, `1 ""`, `3 ""`, "refusal", idle)
	p.expect(1, messages{parse("", "SELEKT"), simpleQuery(byRegion), sync_},
		`E V=ERROR C=42601 M=syntax error at or near "SELEKT" P=1 `, idle)
}

func TestLongStatementsAreRefused(t *testing.T) {
	p, r := newPeer(t)
	long := "SELECT '" + strings.Repeat("x", r.releaser.Policy().Limits.StatementBytes) + "'"
	p.expectRefusal(2, messages{simpleQuery(long), simpleQuery("SELECT 1 WHERE false")}, "refusal", idle, one("SELECT 0"), idle)
	p.expectRefusal(2, messages{parse("", long), bind("", ""), sync_, simpleQuery("SELECT 1 WHERE false")},
		"refusal", idle, one("SELECT 0"), idle)
	p.expectRefusal(1, messages{parse("", strings.Repeat(long, 3)), bind("", ""), sync_}, "refusal", idle)
}

func TestFunctionCallIsRefused(t *testing.T) {
	p, _ := newPeer(t)
	p.expectRefusal(2, messages{&pgproto3.FunctionCall{Function: 1598}, simpleQuery("SELECT 1 WHERE false")},
		"refusal", idle, one("SELECT 0"), idle)
}

// pgx in each of its modes.
func TestPgx(t *testing.T) {
	r := newRig(t, nil)
	ctx := context.Background()
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		t.Run(mode.String(), func(t *testing.T) {
			config, err := pgx.ParseConfig(r.url("ana"))
			if err != nil {
				t.Fatal(err)
			}
			config.DefaultQueryExecMode = mode
			var notices []string
			config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Message) }
			conn, err := pgx.ConnectConfig(ctx, config)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(ctx)
			for range 2 {
				rows, err := conn.Query(ctx, byRegionOlder, 1)
				if err != nil {
					t.Fatal(err)
				}
				type row struct {
					Region string
					Count  int64
				}
				got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
				if err != nil {
					t.Fatal(err)
				}
				const question = "count(*) FROM public.patients WHERE age >= 2 GROUP BY region"
				want := []row{{"north", fakeCount(question, 0)}, {"south", fakeCount(question, 1)}}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
			if len(notices) != 2 {
				t.Errorf("notices %q", notices)
			}
			var pg *pgconn.PgError
			if _, err := conn.Exec(ctx, rowRead); !errors.As(err, &pg) {
				t.Errorf("reading rows: %v", err)
			}
			if mode == pgx.QueryExecModeSimpleProtocol {
				return // it would send the batch as one text
			}
			batch := &pgx.Batch{}
			batch.Queue("SELECT 1")
			batch.Queue(byRegionOlder, 2)
			batch.Queue("SELECT 2")
			if err := conn.SendBatch(ctx, batch).Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
