package ledger

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// TestNeeds groups refusals by table, SQLSTATE and reason. It fails if others are among them, or if the most frequent are not first.
func TestNeeds(t *testing.T) {
	people, visits := policy.TableName{Schema: "clinic", Name: "people"}, policy.TableName{Schema: "clinic", Name: "visits"}
	at := func(minute int) time.Time { return time.Date(2026, 11, 1, 12, minute, 0, 0, time.UTC) }
	refused := func(minute int, analyst string, table policy.TableName, reason, sql string) Entry {
		return Entry{At: at(minute), Analyst: analyst, Table: table, Verdict: Refused, SQLState: "0A000", Reason: reason, SQL: sql}
	}
	got := Needs([]Entry{
		refused(5, "bob", people, "avg is not supported", "newest"),
		refused(4, "ana", visits, "avg is not supported", "of visits"),
		{At: at(3), Verdict: Replayed, Analyst: "ana", Table: people, SQL: "answered"},
		refused(2, "ana", people, "avg is not supported", "older"),
		refused(1, "bob", people, "avg is not supported", "oldest"),
		refused(0, "eve", policy.TableName{}, "", "of an earlier version"),
	})
	want := []Need{
		{Table: people, SQLState: "0A000", Reason: "avg is not supported", Times: 3, Analysts: []string{"ana", "bob"}, Last: at(5), Example: "newest"},
		{Table: visits, SQLState: "0A000", Reason: "avg is not supported", Times: 1, Analysts: []string{"ana"}, Last: at(4), Example: "of visits"},
		{SQLState: "0A000", Times: 1, Analysts: []string{"eve"}, Last: at(0), Example: "of an earlier version"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
