package console

import (
	"net/http"
	"strings"
	"testing"
)

// Tables are sorted by the column that the link names. One that is none leaves them as they are.
func TestSorted(t *testing.T) {
	s := newPlayed(t)
	b := s.as("olga")
	rows := func(path string) string {
		r := b.get(path)
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", path, r.StatusCode)
		}
		_, list, _ := strings.Cut(r.body, "<h2 id=\"analysts\">")
		list, _, _ = strings.Cut(list, "</table>")
		order := "ana, bob"
		if strings.Index(list, ">ana<") > strings.Index(list, ">bob<") {
			order = "bob, ana"
		}
		if strings.Contains(list, `aria-sort="descending"`) {
			order += ", descending"
		}
		return order
	}
	for path, want := range map[string]string{
		"/table/public/patients": "ana, bob", "/table/public/patients?analysts=free": "bob, ana, descending", "/table/public/patients?analysts=charged": "ana, bob, descending",
		"/table/public/patients?analysts=%22%3E%3Cscript%3E": "ana, bob", "/table/public/patients?analysts=": "ana, bob",
	} {
		if got := rows(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for _, sort := range []string{"times", "last", "table", "code"} {
		if body := b.get("/refused?sort=" + sort).body; strings.Count(body, "aria-sort=") != 1 {
			t.Errorf("refusals are not sorted by %s", sort)
		}
	}
}
