package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Statements, reasons, names in findings and in policy files are written by others, and a terminal obeys what it reads: escape sequences move
// its cursor and clear its lines, and marks of direction and characters without width show another text than there is. So all that commands
// print goes through a Writer, and what must stand in one line through Printable.

// A Writer writes text with everything escaped that does not print. The escapes are those of JSON, so that JSON stays what it says.
type Writer struct {
	// Out is where the text goes. Required.
	Out  io.Writer
	rest []byte // the beginning of a character, whose end is in the next Write
}

func (t *Writer) Write(text []byte) (int, error) {
	if len(t.rest) == 0 && isPlain(text) {
		return t.Out.Write(text)
	}
	data := append(t.rest, text...)
	whole := len(data)
	for i := max(0, whole-utf8.UTFMax+1); i < whole; i++ {
		if utf8.RuneStart(data[i]) && !utf8.FullRune(data[i:]) {
			whole = i
			break
		}
	}
	t.rest = append([]byte(nil), data[whole:]...)
	if _, err := io.WriteString(t.Out, Text(string(data[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Raw is the terminal itself, for what a command means it to obey.
func Raw(w io.Writer) io.Writer {
	if t, ok := w.(*Writer); ok {
		return t.Out
	}
	return w
}

// isPlain says whether a text has ASCII characters that print, line feeds and tabs alone, as most have.
func isPlain[T []byte | string](text T) bool {
	for i := range len(text) {
		if c := text[i]; c != '\n' && c != '\t' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// Text is a text that a terminal shows as it is, and does not obey. It keeps line feeds and tabs.
func Text(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && strings.HasPrefix(text[i:], "\ufffd"):
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n' || r == '\t' || isVisible(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// isVisible says whether a character takes room, or changes the one before it, and does nothing else.
func isVisible(r rune) bool {
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Printable is a text in one line of a terminal: white space folded, what does not print escaped.
func Printable(text string) string {
	return Text(strings.Join(strings.Fields(text), " "))
}

// OneLine is Printable, cut at 120 characters.
func OneLine(text string) string {
	const most = 120
	shown := []rune(Printable(text))
	if len(shown) > most {
		shown = append(shown[:most-1], '…')
	}
	return string(shown)
}
