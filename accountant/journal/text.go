package journal

import (
	"strings"
	"unicode/utf8"
)

// maxText is how many bytes of a statement, or of a question's text, are kept.
const maxText = 2000

// Shorten is the beginning of a statement, as UTF-8 that every store can keep: without zero bytes. It ends between two characters.
func Shorten(sql string) string {
	// The bytes that replace an invalid one take more room: cut before as well, so that no megabyte is copied to keep 2,000 bytes.
	sql = strings.ToValidUTF8(sql[:min(len(sql), maxText+utf8.UTFMax)], string(utf8.RuneError))
	sql = strings.ReplaceAll(sql, "\x00", string(utf8.RuneError))
	if len(sql) <= maxText {
		return sql
	}
	end := maxText
	for !utf8.RuneStart(sql[end]) {
		end--
	}
	return sql[:end]
}
