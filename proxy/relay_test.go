package proxy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/relay"
)

const (
	makeTable = "CREATE TEMP TABLE t (a int PRIMARY KEY, b text)"
	fillTable = "INSERT INTO t SELECT i, repeat('x', i) FROM generate_series(1, 10) AS i"
)

// conversations are sent to the server directly and through the proxy. The replies must be the same, message by message and byte by
// byte.
var conversations = map[string][]pgproto3.FrontendMessage{
	"simple":                  {simpleQuery("SELECT 1 AS one, 'two'::text, NULL")},
	"several in one query":    {simpleQuery("SELECT 1; SELECT 2 WHERE false; SELECT 3")},
	"empty query":             {simpleQuery(""), simpleQuery(" ; ")},
	"error in the middle":     {simpleQuery("SELECT 1; SELECT 1/0; SELECT 3"), simpleQuery("SELECT 4")},
	"block":                   {simpleQuery("BEGIN"), simpleQuery("SELECT 1"), simpleQuery("COMMIT")},
	"failed block":            {simpleQuery("BEGIN"), simpleQuery("SELECT 1/0"), simpleQuery("SELECT 1"), simpleQuery("ROLLBACK"), simpleQuery("SELECT 2")},
	"queries without waiting": {simpleQuery("SELECT 1"), simpleQuery("SELECT 1/0"), simpleQuery("SELECT pg_sleep(0.01)"), simpleQuery("SELECT 2")},
	"syntax error":            {simpleQuery("SELEKT 1"), simpleQuery("SELECT 2")},

	"extended": {parse("", "SELECT $1::int + 1"), bind("", "", "41"), describe('P', ""), executeUpTo("", 0), sync_},
	"pipeline": {
		parse("s1", "SELECT $1::int"), bind("", "s1", "1"), executeUpTo("", 0), sync_,
		bind("", "s1", "2"), executeUpTo("", 0), bind("", "s1", "3"), executeUpTo("", 0), sync_,
		describe('S', "s1"), closing('S', "s1"), sync_, bind("", "s1", "4"), executeUpTo("", 0), sync_,
	},
	"error until Sync": {
		parse("", "SELECT 1/$1::int"), bind("", "", "0"), executeUpTo("", 0), bind("", "", "1"), executeUpTo("", 0), flush,
		simpleQuery("SELECT 'swallowed'"), parse("", "SELECT 1"), sync_, simpleQuery("SELECT 'seen'"),
	},
	"errors in many batches": {
		parse("", "SELEKT"), sync_, parse("", "SELECT 1"), bind("", "", "too", "many"), executeUpTo("", 0), sync_,
		bind("", "nowhere"), sync_, executeUpTo("nowhere", 0), sync_, describe('S', "nowhere"), sync_,
		describe('P', "nowhere"), sync_, closing('S', "nowhere"), closing('P', "nowhere"), sync_, sync_, sync_,
	},
	"query after extended messages": {parse("s", "SELECT 1"), closing('S', "s"), simpleQuery("BEGIN"), simpleQuery("COMMIT"), sync_},
	"flush":                         {parse("", "SELECT 1"), flush, bind("", ""), flush, flush, executeUpTo("", 0), flush, sync_},
	"portal in steps": {
		simpleQuery("BEGIN"), parse("", "SELECT generate_series(1, 5)"), bind("p", ""), executeUpTo("p", 2), executeUpTo("p", 2),
		executeUpTo("p", 2), executeUpTo("p", 2), sync_, closing('P', "p"), sync_, simpleQuery("COMMIT"),
	},
	"two portals": {
		parse("", "SELECT generate_series(1, 3)"), bind("p", ""), bind("q", ""), executeUpTo("p", 1), executeUpTo("q", 1),
		executeUpTo("p", 1), executeUpTo("q", 0), executeUpTo("p", 0), sync_,
	},
	"duplicate name":       {parse("s", "SELECT 1"), parse("s", "SELECT 2"), sync_, bind("", "s"), executeUpTo("", 0), sync_},
	"no data and empty":    {parse("", "SET work_mem = '4MB'"), describe('S', ""), bind("", ""), describe('P', ""), executeUpTo("", 0), parse("", ""), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_},
	"error at Sync":        {simpleQuery("CREATE TEMP TABLE d (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)"), parse("", "INSERT INTO d VALUES (1), (1)"), bind("", ""), executeUpTo("", 0), sync_, simpleQuery("SELECT 1")},
	"prepared by SQL":      {simpleQuery("PREPARE p AS SELECT $1::int"), simpleQuery("EXECUTE p(1)"), bind("", "p", "2"), executeUpTo("", 0), sync_, simpleQuery("DEALLOCATE p"), simpleQuery("EXECUTE p(3)")},
	"discard":              {parse("s", "SELECT 1"), sync_, simpleQuery("DISCARD ALL"), bind("", "s"), sync_},
	"statement timeout":    {simpleQuery("SET statement_timeout = 200"), simpleQuery("SELECT pg_sleep(10)"), simpleQuery("RESET statement_timeout")},
	"unknown subtype":      {describe('X', "s"), sync_, closing('X', "s"), sync_},
	"cursor":               {simpleQuery("BEGIN; DECLARE c CURSOR FOR SELECT generate_series(1, 5)"), simpleQuery("FETCH 2 FROM c"), parse("", "FETCH 2 FROM c"), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_, simpleQuery("CLOSE c; COMMIT")},
	"returning":            {simpleQuery(makeTable), parse("", "INSERT INTO t VALUES ($1, $2) RETURNING a + 0"), bind("", "", "1", "x"), executeUpTo("", 0), bind("", "", "1", "y"), executeUpTo("", 0), sync_, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"savepoint per query":  {simpleQuery("BEGIN"), simpleQuery("SAVEPOINT s;SELECT 1/0;RELEASE s"), simpleQuery("ROLLBACK TO s"), simpleQuery("COMMIT")},
	"setting is reported":  {simpleQuery("SET application_name = 'x'"), simpleQuery("SET TimeZone = 'UTC'; SELECT 1; RESET TimeZone")},
	"notices":              {simpleQuery("SELECT speak()"), simpleQuery("DROP TABLE IF EXISTS nowhere")},
	"notifications":        {simpleQuery("LISTEN c"), simpleQuery("NOTIFY c, 'payload'; SELECT 1"), simpleQuery("BEGIN; NOTIFY c, 'late'"), simpleQuery("SELECT 2"), simpleQuery("COMMIT")},
	"many rows":            {simpleQuery("SELECT i, repeat('x', i % 100) FROM generate_series(1, 20000) AS i")},
	"large rows":           {simpleQuery("SELECT repeat('x', 300000) FROM generate_series(1, 5)"), simpleQuery("SELECT repeat('y', 2000000)")},
	"large error":          {simpleQuery("SELECT cry(100000)"), simpleQuery("SELECT 1")},
	"large parameter":      {parse("", "SELECT length($1::text)"), bind("", "", strings.Repeat("x", 500000)), executeUpTo("", 0), sync_},
	"large query":          {simpleQuery("SELECT length('" + strings.Repeat("x", 500000) + "')"), simpleQuery("SELECT 1")},
	"many parameters seen": {parse("", "SELECT "+manyParams(2000)), describe('S', ""), sync_},

	"copy out":               {simpleQuery(makeTable), simpleQuery(fillTable), simpleQuery("COPY t TO STDOUT"), simpleQuery("COPY (SELECT 1/0) TO STDOUT"), simpleQuery("SELECT 1")},
	"copy out extended":      {simpleQuery(makeTable), simpleQuery(fillTable), parse("", "COPY t TO STDOUT"), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_},
	"copy in":                {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyData("1\tx\n2\t"), copyData("y\n"), copyDone, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in of nothing":     {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyDone, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in gives up":       {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyData("1\tx\n"), copyFail, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in fails":          {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyData("x\tx\n"), copyData("1\tx\n"), copyDone, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in fails at once":  {simpleQuery("COPY nowhere FROM STDIN"), copyData("1\n"), copyDone, simpleQuery("SELECT 1")},
	"copy in fails in block": {simpleQuery("BEGIN"), simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyData("x\n"), copyDone, simpleQuery("SELECT 1"), simpleQuery("ROLLBACK")},
	"copy in with Sync":      {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), sync_, copyData("1\tx\n"), flush, sync_, copyDone, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in twice":          {simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN; COPY t FROM STDIN; SELECT 7"), copyData("1\tx\n"), copyDone, copyData("2\tx\n"), copyDone, simpleQuery("SELECT a + 0, b || '' FROM t")},
	"copy in extended": {
		simpleQuery(makeTable), parse("", "COPY t FROM STDIN"), bind("", ""), describe('P', ""), executeUpTo("", 0),
		copyData("1\tx\n"), copyDone, sync_, simpleQuery("SELECT a + 0, b || '' FROM t"),
	},
	"copy in extended with Sync": {
		simpleQuery(makeTable), parse("", "COPY t FROM STDIN"), bind("", ""), executeUpTo("", 0), sync_,
		copyData("1\tx\n"), copyData("2\tx\n"), copyDone, sync_, simpleQuery("SELECT a + 0, b || '' FROM t"),
	},
	"copy in extended with Sync gives up": {
		simpleQuery(makeTable), parse("", "COPY t FROM STDIN"), bind("", ""), executeUpTo("", 0), sync_,
		copyData("1\tx\n"), copyFail, sync_, simpleQuery("SELECT a + 0, b || '' FROM t"),
	},
	"copy in extended with Sync fails": {
		simpleQuery(makeTable), parse("", "COPY t FROM STDIN"), bind("", ""), executeUpTo("", 0), sync_,
		copyData("x\tx\n"), copyData("2\tx\n"), copyDone, sync_, simpleQuery("SELECT a + 0, b || '' FROM t"),
	},
	"copy in extended fails": {
		simpleQuery(makeTable), parse("", "COPY t FROM STDIN"), bind("", ""), executeUpTo("", 0),
		copyData("x\tx\n"), copyDone, parse("", "SELECT 1"), sync_, simpleQuery("SELECT a + 0, b || '' FROM t"),
	},
	"copy messages outside of a copy": {copyData("x"), copyDone, copyFail, simpleQuery("SELECT 1"), copyDone, parse("", "SELECT 1"), copyData("y"), bind("", ""), executeUpTo("", 0), copyFail, sync_},
	"copy in much":                    append(append([]pgproto3.FrontendMessage{simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN")}, manyLines(5000)...), copyDone, simpleQuery("SELECT count(*), sum(a) FROM t")),
}

func manyParams(n int) string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("$%d::int", i+1))
	}
	return strings.Join(names, ", ")
}

func manyLines(n int) (lines []pgproto3.FrontendMessage) {
	for i := range n {
		lines = append(lines, copyData(fmt.Sprintf("%d\t%s\n", i, strings.Repeat("x", i%50))))
	}
	return lines
}

// converse sends bytes in pieces and returns the replies up to the end of the connection.
func converse(t testing.TB, address, database string, pieces [][]byte) []string {
	t.Helper()
	return connectAs(t, address, "ana", database).converse(pieces)
}

func (p *peer) converse(pieces [][]byte) []string {
	p.t.Helper()
	go func() {
		for _, b := range pieces {
			if _, err := p.conn.Write(b); err != nil {
				return
			}
		}
	}()
	return p.rest()
}

// cut cuts bytes into pieces at random places.
func cut(b []byte, random *rand.Rand) (pieces [][]byte) {
	longest := 1 + random.IntN(200)
	if random.IntN(3) == 0 {
		longest = 1 + random.IntN(20000)
	}
	for len(b) > 0 && len(pieces) < 2000 {
		n := min(len(b), 1+random.IntN(longest))
		pieces = append(pieces, b[:n])
		b = b[n:]
	}
	return append(pieces, b)
}

func TestRelayIsInvisible(t *testing.T) {
	r := newRig(t, nil)
	for name, messages := range conversations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := encode(append(append([]pgproto3.FrontendMessage{}, messages...), sync_, goodbye)...)
			want := converse(t, r.direct(), r.database, [][]byte{sent})
			for seed := range uint64(4) {
				pieces := [][]byte{sent}
				if seed > 0 {
					pieces = cut(sent, rand.New(rand.NewPCG(seed, uint64(len(name)))))
				}
				got := converse(t, r.address.String(), r.database, pieces)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("cut with seed %d (-direct +proxy):\n%s", seed, diff)
				}
			}
		})
	}
}

// Conversations in which client and server take turns, so that every reply is read before the next message is sent.
func TestRelayInTurns(t *testing.T) {
	r := newRig(t, nil)
	turns := []struct {
		send  []byte
		until byte
	}{
		{encode(simpleQuery(makeTable)), 'Z'},
		{encode(parse("s", "SELECT $1::int"), flush), '1'},
		{encode(bind("", "s", "7"), flush), '2'},
		{encode(executeUpTo("", 0), flush), 'C'},
		{encode(sync_), 'Z'},
		{encode(simpleQuery("COPY t FROM STDIN")), 'G'},
		{encode(copyData("1\tx\n"), flush, sync_, copyDone), 'Z'},
		{encode(parse("", "COPY t FROM STDIN"), bind("", ""), executeUpTo("", 0), sync_), 'G'},
		{encode(copyData("no number\tx\n"), copyDone), 'E'},
		{encode(sync_), 'Z'},
		{encode(simpleQuery("SELECT a + 0, b || '' FROM t")), 'Z'},
		{encode(parse("", "SELEKT"), flush), 'E'},
		{encode(simpleQuery("SELECT 'swallowed'"), sync_), 'Z'},
	}
	direct, proxied := connectAs(t, r.direct(), "ana", r.database), connectAs(t, r.address.String(), "ana", r.database)
	for i, turn := range turns {
		direct.send(turn.send)
		proxied.send(turn.send)
		want, got := direct.until(turn.until, 1), proxied.until(turn.until, 1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("turn %d (-direct +proxy):\n%s", i, diff)
		}
	}
}

// More requests than the proxy is ready to remember must make the client wait, not the proxy fail.
func TestLongPipeline(t *testing.T) {
	r := newRig(t, nil)
	var sent []byte
	const n = 2 * relay.MaxOutstanding
	one := encode(closing('P', "nowhere"))
	sent = append(sent, bytes.Repeat(one, n)...)
	sent = append(sent, encode(sync_, parse("", "SELEKT"))...)
	sent = append(sent, bytes.Repeat(one, n)...)
	sent = append(sent, encode(sync_, goodbye)...)
	got := converse(t, r.address.String(), r.database, [][]byte{sent})
	if len(got) != n+3 {
		t.Errorf("%d replies, want %d", len(got), n+3)
	}
}

// A client that sends much before it reads anything must not lock the proxy up.
func TestBothSidesAreRead(t *testing.T) {
	r := newRig(t, nil)
	p := connectAs(t, r.address.String(), "ana", r.database)
	one := encode(simpleQuery("SELECT repeat('x', 10000)"))
	const n = 2000
	go p.send(append(bytes.Repeat(one, n), encode(goodbye)...))
	if got := p.rest(); len(got) != 4*n {
		t.Errorf("%d replies, want %d", len(got), 4*n)
	}
}
