package console

import (
	"net/http"
	"testing"
)

func TestEveryPage(t *testing.T) {
	s := newPlayed(t)
	for _, name := range []string{"olga", "stan", "ana", "bob"} {
		b := s.as(name)
		for path, forAll := range everyPage {
			want := http.StatusOK
			if !forAll && (name == "ana" || name == "bob") {
				want = http.StatusForbidden
			}
			if r := b.get(path); r.StatusCode != want {
				t.Errorf("%s as %s: status %d, want %d\n%.2000s", path, name, r.StatusCode, want, r.body)
			}
		}
	}
}
