package journal

import (
	"strings"
	"testing"
)

func TestMarksAreReadBack(t *testing.T) {
	for _, m := range []Mark{{Entry: 1}, {Entry: 12345, Hash: Digest{1, 31: 255}}, {Entry: 1<<63 - 1, Hash: Digest{171}}} {
		if got, err := ParseMark(m.String()); err != nil || got != m {
			t.Errorf("%v is read back as %v, %v", m, got, err)
		}
	}
	good := Mark{Entry: 7, Hash: Digest{171}}.String()
	for name, text := range map[string]string{
		"nothing":        "",
		"no hash":        "7",
		"no number":      good[1:],
		"no such entry":  "0" + good[1:],
		"negative":       "-" + good,
		"leading zero":   "0" + good,
		"beyond int64":   "9223372036854775808" + good[1:],
		"a short hash":   good[:len(good)-2],
		"a rest":         good + "00",
		"capitals":       strings.ToUpper(good),
		"not in hex":     strings.Replace(good, "ab", "gb", 1),
		"space":          " " + good,
		"a further part": good + ":",
	} {
		if m, err := ParseMark(text); err == nil {
			t.Errorf("%s: %q is read as %v", name, text, m)
		}
	}
}
