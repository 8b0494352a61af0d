package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Times are in the zone that a session has chosen, and in no other session's. A name that is none is refused, be it a path or the machine's own zone.
func TestZone(t *testing.T) {
	s := newPlayed(t)
	ana, olga := s.as("ana"), s.as("olga")
	if r := ana.submit("/zone", url.Values{"zone": {"Asia/Tokyo"}}); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/zone" {
		t.Fatalf("status %d", r.StatusCode)
	}
	at := now.Truncate(24 * 3600e9).Add(9 * 3600e9).Format("2006-01-02") // of the newest entries: at nine in the morning, UTC
	if body := ana.get("/questions").body; !strings.Contains(body, `datetime="`+at+`T09:00:00Z">`+at+" 18:00:00<") || !strings.Contains(body, "Times are in Asia/Tokyo.") {
		t.Errorf("times are not those of Tokyo\n%.5000s", body)
	}
	if body := olga.get("/questions").body; !strings.Contains(body, at+" 09:00:00<") || !strings.Contains(body, "Times are in UTC.") {
		t.Errorf("times of another session are not in UTC\n%.5000s", body)
	}
	if body := ana.get("/questions.csv").body; !strings.Contains(body, at+" 09:00:00") {
		t.Errorf("times of an export are not in UTC\n%.1000s", body)
	}
	for _, name := range []string{"", "Local", "Nowhere", "../../etc/passwd", "/etc/localtime", `a\b`, "Europe/Berlin\r\nSet-Cookie: a=b", strings.Repeat("x", 1000), "<b>"} {
		if r := ana.submit("/zone", url.Values{"zone": {name}}); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: status %d", name, r.StatusCode)
		}
	}
	if body := ana.get("/zone").body; !strings.Contains(body, "<strong>Asia/Tokyo</strong>") {
		t.Error("a wrong name has changed the zone")
	}
}
