package proxy

import (
	"fmt"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

func TestVerdictsAreBounded(t *testing.T) {
	v := newVerdicts()
	session := &rewrite.Session{Catalog: testCatalog("1")}
	bytes := func() (n int) {
		for _, k := range v.lru.Keys() {
			n += k.bytes()
		}
		return n
	}
	for i := range 3 * maxVerdicts {
		text := fmt.Sprintf("%d%s", i%(2*maxVerdicts), strings.Repeat("x", i%3000))
		session.ParamOIDs = []uint32{uint32(i)}
		v.put(newVerdictKey(session, text), remembered{verdict: &rewrite.Relay{}})
		if v.bytes > maxVerdictBytes || v.lru.Len() > maxVerdicts {
			t.Fatalf("%d verdicts of %d bytes", v.lru.Len(), v.bytes)
		}
	}
	if v.bytes != bytes() || v.lru.Len() == 0 {
		t.Errorf("%d bytes accounted for, %d kept", v.bytes, bytes())
	}
	huge := newVerdictKey(session, strings.Repeat("x", maxVerdictBytes))
	v.put(huge, remembered{})
	if _, ok := v.get(huge); ok || v.lru.Len() < 2 {
		t.Error("one text displaced all others")
	}
	again := newVerdictKey(session, "again")
	v.put(again, remembered{})
	before := v.bytes
	v.put(again, remembered{})
	if v.bytes != before {
		t.Errorf("putting a verdict twice counts its bytes twice")
	}
}

func TestVerdictKey(t *testing.T) {
	key := func(version string, nesting int, text string, parsed bool, oids ...uint32) verdictKey {
		return newVerdictKey(&rewrite.Session{
			Catalog: testCatalog(version), Limits: policy.Limits{Nesting: nesting}, Prepared: parsed, ParamOIDs: oids,
		}, text)
	}
	one := key("1", 5, "SELECT $1", true, 23)
	for name, other := range map[string]verdictKey{
		"catalog":    key("2", 5, "SELECT $1", true, 23),
		"limits":     key("1", 6, "SELECT $1", true, 23),
		"text":       key("1", 5, "SELECT  $1", true, 23),
		"message":    key("1", 5, "SELECT $1", false, 23),
		"type":       key("1", 5, "SELECT $1", true, 25),
		"more types": key("1", 5, "SELECT $1", true, 23, 0),
		"no types":   key("1", 5, "SELECT $1", true),
	} {
		if one == other {
			t.Errorf("the key does not tell another %s", name)
		}
	}
}

func TestSilenced(t *testing.T) {
	for _, tt := range []struct {
		notices, level string
		want           bool
	}{
		{"on", "notice", false}, {"", "notice", false}, {"nonsense", "notice", false}, {"o", "notice", false}, {"true", "debug1", false},
		{"off", "notice", true}, {" OFF ", "notice", true}, {"of", "notice", true}, {"f", "notice", true}, {"no", "notice", true},
		{"0", "notice", true}, {"on", "warning", true}, {"on", "error", true}, {"on", "log", false},
	} {
		if got := silenced(tt.notices, tt.level); got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}

// The limits in force are those of the newest policy for all sessions alike, whoever asks first.
func TestLimitsAreReloaded(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Limits.Nesting = 5 })
	old := connectAs(t, r.address.String(), "ana", r.database)
	deep := "SELECT region, count(*) + 0" + strings.Repeat(" + 0", 10) + " FROM patients GROUP BY region"
	old.expectRefusal(1, messages{simpleQuery(deep)}, "refusal", idle)
	for _, version := range []string{"1", "2"} { // the catalog's, which covers the policy
		r.releaser.reload(version, func(p *policy.Policy) { p.Limits.Nesting = 500 })
		for _, p := range []*peer{old, connectAs(t, r.address.String(), "ana", r.database)} {
			p.expect(1, messages{simpleQuery(deep)}, notice, north, south, selected, idle)
		}
		r.releaser.reload(version+"'", func(p *policy.Policy) { p.Limits.Nesting = 5 })
		for _, p := range []*peer{connectAs(t, r.address.String(), "ana", r.database), old} {
			p.expectRefusal(1, messages{simpleQuery(deep)}, "refusal", idle)
		}
	}
	r.releaser.reload("3", func(p *policy.Policy) { p.Limits.StatementBytes = 20 })
	const long = "SELECT 1 WHERE false OR false"
	old.expectRefusal(2, messages{simpleQuery(long), parse("", long), sync_}, "refusal", idle, "refusal", idle)
}

// A session that may have prepared a statement about a table ends when that becomes protected; others go on.
func TestSessionsEndWhenMoreIsProtected(t *testing.T) {
	r := newRig(t, nil)
	p := connectAs(t, r.address.String(), "ana", r.database)
	p.expect(1, messages{simpleQuery("SELECT 1 WHERE false")}, one("SELECT 0"), idle)
	r.releaser.reload("2", func(*policy.Policy) {})
	p.expect(1, messages{simpleQuery("SELECT 1 WHERE false")}, one("SELECT 0"), idle)
	r.releaser.look(func(d *fakeReleaser) {
		more := testCatalog("3")
		more.Tables[policy.TableName{Schema: "public", Name: "other"}] = &query.Table{}
		d.catalog = more
	})
	p.send(encode(simpleQuery("SELECT 1 WHERE false")))
	if got := p.rest(); len(got) != 1 || !strings.HasPrefix(got[0], "E V=FATAL C=57P01 M=terminating connection because more tables") {
		t.Errorf("the session went on: %q", got)
	}
}
