package terminal

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What is written in pieces is shown as the whole is, and a text that needs no escapes as it stands.
func TestWriter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "~", " ", "\n", "\t", "é", "漢", "😀", "\x1b[2J", "\x00", "\x7f", "\u202e", "\u200b", "\ufffd", "\xff", "\r"}
	for range 5_000 {
		plain := random.IntN(2) == 0
		var whole strings.Builder
		for range random.IntN(12) {
			if plain {
				whole.WriteString(alphabet[random.IntN(5)])
			} else {
				whole.WriteString(alphabet[random.IntN(len(alphabet))])
			}
		}
		text := whole.String()
		var out strings.Builder
		w := &Writer{Out: &out}
		for rest := text; rest != ""; {
			n := 1 + random.IntN(len(rest))
			if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatalf("of %d bytes %d were written, %v", n, got, err)
			}
			rest = rest[n:]
		}
		if got, want := out.String(), Text(text); got != want || plain && want != text {
			t.Fatalf("%q is shown as %q in pieces, and as %q", text, got, want)
		}
	}
	if got, want := Text("a\x1b[2J\u202e\xff\U000e0001"), `a\u001b[2J\u202e\xff\udb40\udc01`; got != want {
		t.Errorf("shown as %q, want %q", got, want)
	}
}
