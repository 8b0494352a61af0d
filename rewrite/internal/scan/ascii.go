package scan

// Lower maps A to Z to a to z and every other byte to itself.
var Lower = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

func EqualLower(s, lowered string) bool {
	for i := range len(s) {
		if Lower[s[i]] != lowered[i] {
			return false
		}
	}
	return true
}

func LowerASCII(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = Lower[b[i]]
	}
	return string(b)
}

func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool {
	return 'a' <= Lower[c] && Lower[c] <= 'z' || c == '_' || c >= 0x80
}

func IsWordByte(c byte) bool { return isWordStart(c) || IsDigit(c) || c == '$' }
