package instead

import (
	"strings"
	"testing"
)

// A refusal leads to its entry of the catalogue, and the more definite entry is taken.
func TestInsteadOf(t *testing.T) {
	text := func(code, reason string) string {
		var all []string
		for _, p := range Of(code, reason) {
			all = append(all, p.Text)
		}
		return strings.Join(all, "")
	}
	if got := text("42501", "rows of protected table public.visits cannot be read"); !strings.HasPrefix(got, "Only counts are answered, in total or by groups.") || !strings.HasSuffix(got, "SELECT region, count(*) FROM patients GROUP BY region") {
		t.Errorf("rows: %q", got)
	}
	if found := Of("42501", "rows of protected table public.visits cannot be read"); !found[len(found)-1].Code {
		t.Errorf("the example is no code: %+v", found)
	}
	for _, c := range [][2]string{{"0A000", "rows of protected table public.visits cannot be read"}, {"42501", "rows of protected table public.visits cannot be read, or so"}, {"XX000", ""}} {
		if got := text(c[0], c[1]); got != "" {
			t.Errorf("%v: %q", c, got)
		}
	}
	if n := len(kinds()); n < 250 {
		t.Errorf("the catalogue has %d entries", n)
	}
}
