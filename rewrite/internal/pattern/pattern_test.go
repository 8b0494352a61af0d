package pattern

import "testing"

// TestIsQuickToCapture fails if a pattern is let pass whose groups PostgreSQL finds by trying all ways to divide a text, or if a common one is not.
func TestIsQuickToCapture(t *testing.T) {
	for pattern, want := range map[string]bool{
		"^(b|ba|aa|aaaa)*$": false, "^(HI|HIV|[^H][^H])*$": false, "(?:(a)|aa)+": false, "((a|aa){2,5}b)": false, "(a*)+": false, `\((a)\)*`: false,
		"^(?:b|ba|aa|aaaa)*$": true, "^([A-Z][0-9]+)": true, "(a)(b|c)?d": true, "[0-9]+": true, "^(a|b)[0-9]*(?:x)": true, "(a)(?:b)?": true, "a{2}(b)": true,
	} {
		if got := IsQuickToCapture(pattern); got != want {
			t.Errorf("%s: %t", pattern, got)
		}
	}
}
