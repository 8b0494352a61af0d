package pgerror

import "unicode/utf8"

// characters turns a byte offset into a 1-based character position.
func characters(sql string, offset int) int {
	return utf8.RuneCountInString(sql[:min(max(offset, 0), len(sql))]) + 1
}

// ByteOffset is the inverse of characters.
func ByteOffset(sql string, character int) int {
	for offset := range sql {
		if character--; character == 0 {
			return offset
		}
	}
	return len(sql)
}
