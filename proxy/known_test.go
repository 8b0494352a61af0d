package proxy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"
)

// A session that asks the same again and again is not asked about; nor is the server asked anything else if it has replied to the same text
// before. What it replied then is what is shown: descriptions, values and tags to the byte.
func TestRepeatedAnswers(t *testing.T) {
	r, tapped := newTappedRig(t)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	p := connectAs(t, r.address.String(), "ana", r.database)
	for _, c := range []struct {
		sql  string
		sent string // of a third time, by a simple query
	}{
		{byRegion, ""},
		{"SELECT count(*), region AS place FROM patients GROUP BY 2 ORDER BY count(*) DESC LIMIT 1", ""},
		{"SELECT 'x' AS label, 1, 2.5, count(*) FROM patients", ""},
		{"SELECT count(*) FROM patients OFFSET 1", ""},
		{"SELECT region::varchar(2), count(*) FROM patients GROUP BY region", ""},
		{"SELECT timestamp '2020-01-01', count(*) FROM patients", "Q"},                            // which is shown by DateStyle
		{"SELECT region, count(*) FROM patients GROUP BY region HAVING count(*) > 10", "PBECCSQ"}, // an operator may be somebody's own
		{"SELECT region, count(*), now() < '2020-01-01' FROM patients GROUP BY region", "PBECCSQ"},
		{"SELECT region, sum(c) FROM (SELECT region, count(*) AS c FROM patients GROUP BY region) AS s GROUP BY region", "PBECCSQ"},
		{"SELECT region, count(*) FROM patients GROUP BY region FOR UPDATE", "PBECCSQ"},
	} {
		var replies [3][]string
		kinds := ""
		for i := range replies {
			tapped.seen()
			p.send(encode(simpleQuery(c.sql)))
			replies[i] = p.until('Z', 1)
			kinds, _ = tapped.seen()
		}
		if !slices.Equal(replies[0], replies[1]) || !slices.Equal(replies[1], replies[2]) {
			t.Errorf("%s: at first %v, then %v and %v", c.sql, replies[0], replies[1], replies[2])
		}
		if kinds != c.sent && !strings.HasPrefix(replies[0][len(replies[0])-2], "E") {
			t.Errorf("%s: the server was sent %q", c.sql, kinds)
		}
	}
}

// In the extended protocol the statement is the server's, and the session is not asked about again.
func TestRepeatedExecutions(t *testing.T) {
	r, tapped := newTappedRig(t)
	p := connectAs(t, r.address.String(), "ana", r.database)
	binary := &pgproto3.Bind{PreparedStatement: "s", ResultFormatCodes: []int16{0, 1}}
	p.talk(1, parse("s", byRegion), describe('S', "s"), sync_)
	for _, c := range []struct {
		asks messages
		sent string
	}{
		{messages{bind("", "s"), describe('P', ""), executeUpTo("", 0), sync_}, "BDES"},
		{messages{binary, executeUpTo("", 1), executeUpTo("", 0), sync_}, "BEES"},
		{messages{parse("", byRegion), describe('S', ""), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_}, "PDBDES"},
		{messages{bind("", "s"), executeUpTo("", 0), closing('S', "none"), sync_}, "BECS"},
	} {
		tapped.seen()
		p.send(encode(c.asks...))
		p.until('Z', 1)
		if kinds, _ := tapped.seen(); strings.ReplaceAll(kinds, "H", "") != c.sent {
			t.Errorf("the server was sent %q instead of %q", kinds, c.sent)
		}
	}
	// What it shows in a portal of a name may be anything by now.
	p.talk(1, bind("a", "s"), executeUpTo("a", 0), sync_)
	tapped.seen()
	p.talk(1, bind("", "s"), executeUpTo("", 0), sync_)
	if kinds, _ := tapped.seen(); !strings.HasPrefix(kinds, "PBECC") {
		t.Errorf("the server was sent %q", kinds)
	}
}

// What follows a Bind may be anything. A session whose Binds the server has replied to before is answered as one whose are new, to the byte.
func TestHeldBinds(t *testing.T) {
	known, tapped := newTappedRig(t)
	unknown := newRigAlone(t, nil)
	b, d, e := bind("", "s"), describe('P', ""), executeUpTo("", 0)
	binary := &pgproto3.Bind{PreparedStatement: "s", ResultFormatCodes: []int16{1, 1}}
	flush := &pgproto3.Flush{}
	var warm *peer
	for _, c := range []struct {
		asks  messages
		ready int
		// repeated says that the server need not see any of it.
		repeated bool
	}{
		{messages{b, e, sync_}, 1, true},
		{messages{b, d, e, sync_}, 1, true},
		{messages{binary, d, e, sync_}, 1, true},
		{messages{b, e, sync_, b, d, e, sync_, b, e, sync_}, 3, true},
		{messages{b, sync_}, 1, false},
		{messages{b, d, sync_}, 1, false},
		{messages{b, d, d, e, sync_}, 1, false},
		{messages{b, e, d, sync_}, 1, false},
		{messages{b, e, e, sync_}, 1, false},
		{messages{b, executeUpTo("", 1), sync_}, 1, false},
		{messages{b, flush, e, sync_}, 1, false},
		{messages{b, e, flush, sync_}, 1, false},
		{messages{b, describe('S', "s"), e, sync_}, 1, false},
		{messages{b, describe('P', "none"), e, sync_}, 1, false},
		{messages{b, executeUpTo("none", 0), sync_}, 1, false},
		{messages{b, &pgproto3.Describe{ObjectType: 'x'}, e, sync_}, 1, false},
		{messages{b, b, e, sync_}, 1, false},
		{messages{b, bind("p", "s"), e, executeUpTo("p", 0), sync_}, 1, false},
		{messages{b, parse("", "SELECT 1"), e, sync_}, 1, false},
		{messages{b, closing('P', ""), e, sync_}, 1, false},
		{messages{b, closing('S', "s"), e, sync_, parse("s", byRegion), sync_}, 2, false},
		{messages{b, e, simpleQuery("SELECT 2"), sync_}, 2, false},
		{messages{b, e, simpleQuery(byRegion), b, e, sync_}, 2, false},
		{messages{b, e, bind("", "none"), sync_}, 1, false},
		{messages{b, e, &pgproto3.FunctionCall{}, sync_}, 2, false},
		{messages{simpleQuery("BEGIN"), b, e, sync_, simpleQuery("COMMIT")}, 3, false},
		{messages{b, e, &pgproto3.CopyDone{}, sync_}, 1, false},
		{messages{b, e, &pgproto3.CopyData{}, sync_}, 1, false},
	} {
		var replies [][]string
		kinds := ""
		for i, r := range []*rig{known, unknown} {
			r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
			unknown.proxy.replies.forget()
			p := connectAs(t, r.address.String(), "ana", r.database)
			p.talk(1, parse("s", byRegion), sync_)
			if i == 0 && warm == nil {
				warm = p
				for range 2 {
					p.talk(3, b, e, sync_, b, d, e, sync_, binary, d, e, sync_)
				}
			}
			tapped.seen()
			p.send(encode(c.asks...))
			replies = append(replies, p.until('Z', c.ready))
			if i == 0 {
				kinds, _ = tapped.seen()
				kinds = strings.Trim(kinds, "X") // of a session before
			}
			p.send(encode(&pgproto3.Terminate{}))
		}
		if diff := cmp.Diff(replies[1], replies[0]); diff != "" {
			t.Errorf("%T: (-new +known)\n%s", c.asks, diff)
		}
		if kinds == "" != c.repeated {
			t.Errorf("%v: the server was sent %q", c.asks, kinds)
		}
	}
}

func (r *replies) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lru.Purge()
}

// A client that goes away while a Bind is kept back leaves nothing undone.
func TestHeldBindOfClientThatLeaves(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	p.talk(2, parse("s", byRegion), sync_, bind("", "s"), executeUpTo("", 0), sync_)
	p.send(encode(bind("", "s"), executeUpTo("", 0), &pgproto3.Terminate{}))
	for {
		if _, err := p.tryReceive(); err != nil {
			return
		}
	}
}

// A Query drops the unnamed statement, whether the server has seen it or not.
func TestRepeatedAnswersDropTheUnnamedStatement(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	for range 3 {
		p.talk(2, simpleQuery(byRegion), simpleQuery(byRegion))
		p.talk(1, parse("", "SELECT 1"), sync_)
		p.expect(2, messages{simpleQuery(byRegion), bind("", ""), executeUpTo("", 0), sync_}, notice, north, south, selected, idle,
			"E V=ERROR C=26000 M=unnamed prepared statement does not exist ", idle)
	}
}

// Replies come in the order of the requests, whoever makes them.
func TestRepeatedAnswersInOrder(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	p.talk(2, simpleQuery(byRegion), simpleQuery(byRegion))
	const rounds = 50
	var sent messages
	var want []string
	for range rounds {
		sent = append(sent, simpleQuery("SELECT repeat('x', 10000)"), simpleQuery(byRegion), simpleQuery(byRegion))
		want = append(want, `C "SELECT 1\x00"`, idle, notice, north, south, selected, idle, notice, north, south, selected, idle)
	}
	got := slices.DeleteFunc(p.talk(3*rounds, sent...), func(line string) bool {
		return strings.HasSuffix(line, "bytes, "+line[strings.LastIndex(line, " ")+1:])
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The analyst can put another statement in the place of a prepared one, unseen by the proxy. What that does to the session is not missed.
func TestReplacedStatementIsNotTrusted(t *testing.T) {
	p, r := newPeer(t)
	r.commit(`CREATE SCHEMA mine AUTHORIZATION ana; CREATE TABLE mine.patients (region text); GRANT SELECT ON mine.patients TO ana;
		CREATE FUNCTION replaces() RETURNS void LANGUAGE plpgsql AS $$BEGIN
			DEALLOCATE s;
			EXECUTE 'PREPARE s(text[], int8[]) AS SELECT set_config(''search_path'', ''mine'', false), $1::text, $2::text';
		END$$`)
	p.talk(1, parse("s", byRegion), sync_)
	p.talk(1, bind("", "s"), executeUpTo("", 0), sync_)
	p.talk(1, simpleQuery("SELECT replaces()"))
	p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
	if got := p.talk(1, bind("", "s"), executeUpTo("", 0), sync_); !strings.HasPrefix(got[2], `D "\x00\x03\x00\x00\x00\x04mine`) {
		t.Errorf("the statement was not replaced: %v", got)
	}
	if got := p.talk(1, simpleQuery(byRegion)); !strings.Contains(got[0], "has the name of a protected table") {
		t.Errorf("it is still that of the first search path: %v", got)
	}
}
