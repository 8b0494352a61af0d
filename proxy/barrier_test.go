package proxy

import (
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite"
)

// What a look finds before a statement is refused at that statement, in a session that is older than the hole, and noted.
func TestBarrierRefusesTheFirstStatement(t *testing.T) {
	r := newRig(t, nil)
	if err := execute(r.database, "CREATE TABLE open_notes (note text); GRANT ALL ON open_notes TO ana"); err != nil {
		t.Fatal(err)
	}
	notes := map[policy.TableName]bool{{Schema: "public", Name: "open_notes"}: true}
	p := connectAs(t, r.address.String(), "ana", r.database)
	last := func(sent ...messages) string {
		t.Helper()
		var all messages
		for _, m := range sent {
			all = append(all, m...)
		}
		return strings.Join(p.talk(1, all...), "\n")
	}
	if got := last(messages{simpleQuery("SELECT * FROM open_notes")}); strings.Contains(got, "ERROR") {
		t.Fatalf("before the barrier: %s", got)
	}
	r.releaser.look(func(d *fakeReleaser) { d.finds = &rewrite.Barrier{Written: notes} })
	if got := last(messages{simpleQuery("INSERT INTO open_notes VALUES ('x')")}); !strings.Contains(got, "C=42501 M=open_notes is refused") {
		t.Errorf("a write: %s", got)
	}
	if got := last(messages{simpleQuery("SELECT * FROM open_notes")}); strings.Contains(got, "ERROR") {
		t.Errorf("a read where writes are refused: %s", got)
	}
	if got := last(messages{parse("s", "SELECT * FROM open_notes"), sync_}); strings.Contains(got, "ERROR") {
		t.Errorf("Parse: %s", got)
	}
	r.releaser.look(func(d *fakeReleaser) { d.finds = &rewrite.Barrier{Relations: notes} })
	if got := last(messages{bind("", "s"), executeUpTo("", 0), sync_}); !strings.Contains(got, "C=42501") {
		t.Errorf("Bind of what was prepared before: %s", got)
	}
	if got := last(messages{simpleQuery("SELECT note FROM open_notes")}); !strings.Contains(got, "C=42501 M=open_notes is refused") {
		t.Errorf("a read: %s", got)
	}
	r.releaser.look(func(d *fakeReleaser) {
		if len(d.refused) != 3 {
			t.Errorf("%d refusals noted", len(d.refused))
		}
	})
}
