package journal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzShorten(f *testing.F) {
	f.Add("SELECT 1", 1)
	f.Add("\xff\xfe", 1500)
	f.Add("ä", 1300)
	f.Add("x😀", 500)
	f.Fuzz(func(t *testing.T, part string, times int) {
		sql := strings.Repeat(part, max(0, min(times, 3000)))
		got := Shorten(sql)
		if len(got) > maxText || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		kept := strings.ReplaceAll(sql, "\x00", string(utf8.RuneError)) // for no store keeps zero bytes
		if utf8.ValidString(sql) && (!strings.HasPrefix(kept, got) || len(got) < min(len(sql), maxText-utf8.UTFMax+1)) {
			t.Errorf("%d bytes of %d were kept", len(got), len(sql))
		}
	})
}
