package proxy

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A way is how a client asks: what she prepares, then what she sends each time.
type way struct {
	name          string
	prepare, asks messages
}

func waysOf(sql string) []way {
	return []way{
		{"simple", nil, messages{simpleQuery(sql)}},
		{"several", nil, messages{simpleQuery("SELECT 1 WHERE false; " + sql)}},
		{"extended", nil, messages{parse("", sql), describe('S', ""), bind("", ""), describe('P', ""), executeUpTo("", 0), sync_}},
		{"prepared", messages{parse("s", sql), sync_}, messages{bind("", "s"), executeUpTo("", 0), sync_}},
		{"PREPARE", messages{simpleQuery("PREPARE s AS " + sql)}, messages{simpleQuery("EXECUTE s")}},
		{"EXECUTE by Parse", messages{simpleQuery("PREPARE s AS " + sql)}, messages{parse("", "EXECUTE s"), bind("", ""), executeUpTo("", 0), sync_}},
	}
}

// A change is something after which a statement means another thing, or is shown otherwise.
type change struct {
	name string
	// first is what the client sends before she asks for the first time, sends what she sends in between.
	first, sends []string
	policy       func(d *fakeReleaser)
	server       string
	// inBlock says that it can stand in a transaction block.
	inBlock bool
}

var changes = []change{
	{name: "search_path", sends: []string{"SET search_path = mine"}, inBlock: true},
	{name: "SET LOCAL", sends: []string{"BEGIN", "SET LOCAL search_path = mine"}},
	{name: "end of SET LOCAL", first: []string{"BEGIN", "SET LOCAL search_path = mine"}, sends: []string{"ROLLBACK"}},
	{name: "set_config", sends: []string{"SELECT set_config('search_path', 'mine', false)"}, inBlock: true},
	{name: "temporary table", sends: []string{"CREATE TEMP TABLE patients (region text, age int, at date)"}, inBlock: true},
	{name: "DISCARD ALL", sends: []string{"SET tacit.notices = off", "DISCARD ALL", "SET search_path = mine"}},
	{name: "DEALLOCATE ALL", sends: []string{"DEALLOCATE ALL", "SET search_path = mine"}, inBlock: true},
	{name: "time zone", sends: []string{"SET TimeZone = 'Asia/Tokyo'"}, inBlock: true},
	{name: "fresh", sends: []string{"SET tacit.fresh = on"}, inBlock: true},
	{name: "max_age", sends: []string{"SET tacit.max_age = '1 day'"}, inBlock: true},
	{name: "within", sends: []string{"SET tacit.within = 25"}, inBlock: true},
	{name: "notices", sends: []string{"SET tacit.notices = off"}, inBlock: true},
	{name: "SET by a function", sends: []string{"SELECT sets()"}, inBlock: true},
	{name: "SET beside counts", sends: []string{"SELECT set_config('search_path', 'mine', false), count(*) FROM public.patients"}, inBlock: true},
	{name: "temporary table of a function", sends: []string{"SELECT shadows()"}, inBlock: true},
	{name: "aborted block", sends: []string{"BEGIN", "SELECT 1/0"}, inBlock: true},
	{name: "ROLLBACK TO", first: []string{"BEGIN", "SAVEPOINT a", "SET search_path = mine"}, sends: []string{"ROLLBACK TO a"}},
	{name: "table before it in the search path", first: []string{"SET search_path = theirs, public"}, server: "CREATE TABLE theirs.patients (region text)"},
	{name: "privilege on the schema", server: "REVOKE USAGE ON SCHEMA public FROM ana, PUBLIC"},
	{name: "policy", policy: func(d *fakeReleaser) { d.catalog = testCatalog("2") }, inBlock: true},
	{name: "table of the server", server: "ALTER TABLE patients RENAME TO others"},
}

// TestNothingStale asks the same twice, and changes what it means in between. The second answer is that of a proxy which is asked for the
// first time.
func TestNothingStale(t *testing.T) {
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked, unasked := newStaleRig(t, c, true), newStaleRig(t, c, false)
			asked.change(c)
			unasked.change(c)
			for i, second := range asked.sessions {
				got, want := second.talk(1, second.asks...), unasked.sessions[i].talk(1, second.asks...)
				if slices.Equal(second.before, got) {
					t.Errorf("%s: the change has no effect: %v", second.name, got)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: (-asked for the first time +for the second)\n%s", second.name, diff)
				}
			}
		})
	}
}

// A staleRig is a proxy with a session for each way of asking, each outside of a transaction block and in one.
type staleRig struct {
	*rig
	sessions []*staleSession
}

type staleSession struct {
	*peer
	way
	before []string
}

// newStaleRig prepares what each way prepares, and asks if it is to be asked before the change.
func newStaleRig(t *testing.T, c change, asks bool) *staleRig {
	r := &staleRig{rig: newRigAlone(t, nil)}
	r.releaser.look(func(d *fakeReleaser) { d.remembers, d.telling, d.serves = asks, true, true })
	r.commit(`CREATE SCHEMA mine AUTHORIZATION ana; CREATE TABLE mine.patients (region text); GRANT SELECT ON mine.patients TO ana;
		CREATE SCHEMA theirs; GRANT USAGE ON SCHEMA theirs TO ana;
		CREATE FUNCTION sets() RETURNS void LANGUAGE plpgsql AS $$BEGIN SET search_path = mine; END$$;
		CREATE FUNCTION shadows() RETURNS void LANGUAGE plpgsql AS $$BEGIN CREATE TEMP TABLE patients (region text, age int, at date); END$$`)
	for _, inBlock := range []bool{false, true} {
		if inBlock && !c.inBlock {
			continue
		}
		for _, w := range waysOf(byRegion) {
			s := &staleSession{connectAs(t, r.address.String(), "ana", r.database), w, nil}
			if len(w.prepare) > 0 {
				s.talk(1, w.prepare...)
			}
			for _, text := range c.first {
				s.talk(1, simpleQuery(text))
			}
			if inBlock {
				s.name += " in a block"
				s.talk(1, simpleQuery("BEGIN"))
			}
			for range 3 {
				if asks {
					s.before = s.talk(1, w.asks...)
				}
			}
			r.sessions = append(r.sessions, s)
		}
	}
	return r
}

func (r *staleRig) change(c change) {
	r.t.Helper()
	for _, s := range r.sessions {
		for _, text := range c.sends {
			s.talk(1, simpleQuery(text))
		}
	}
	if c.policy != nil {
		r.releaser.look(c.policy)
	}
	if c.server != "" {
		r.commit(c.server)
	}
}
