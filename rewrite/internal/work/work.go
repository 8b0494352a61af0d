package work

import (
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pattern"
)

// An Argument of a function, or its result.
type Argument struct {
	Bytes    int    // the most that a text can have
	Digits   int    // the most that a decimal can have
	Constant string // a text that is the same for all rows
	Document bool   // a document or an array
	Stored   bool   // a column of a table, which may have to be unpacked
}

// The bytes of a text for one atom.
const (
	copiedBytes = 1024 // passed on as they are
	joinedBytes = 2048 // the same, when both texts are at hand
	soughtBytes = 256  // gone through by a fast loop
	readBytes   = 64   // taken character by character
)

// A document or an array of 8 kB, as it is stored, can be one of 2 MB. That of an array is unpacked to see how many elements there are, too.
const (
	unpackedAtoms = 1000
	copiedAtoms   = 250 // one that is at hand
)

// Copy is what it takes to hand on a text, or to compare it with another.
func Copy(bytes int) int { return bytes / copiedBytes }

// OfCall is what a function or an operator takes, for the longest texts that it can have. One that is not named here reads its texts a few times.
func OfCall(name string, args []Argument, result Argument) int {
	atoms := Copy(result.Bytes)
	for _, a := range args {
		switch {
		case a.Document && a.Stored:
			atoms += unpackedAtoms
		case a.Document:
			atoms += copiedAtoms
		}
	}
	if len(args) > 0 && args[0].Digits > 0 {
		return atoms + ofDecimals(name, args)
	}
	if len(args) == 0 || args[0].Bytes == 0 && (len(args) == 1 || args[1].Bytes == 0) {
		return atoms
	}
	return atoms + ofTexts(name, args, result)
}

// ofTexts is what a function of texts takes besides to write its result. Many look at each place of a text for another text.
func ofTexts(name string, args []Argument, result Argument) int {
	n, second := args[0].Bytes, Argument{}
	if len(args) > 1 {
		second = args[1]
	}
	m := second.Bytes
	switch name {
	case "||":
		return result.Bytes / joinedBytes
	case "octet_length", "bit_length", "ascii", "starts_with":
		return Copy(n + m)
	case "left":
		return Copy(n) + result.Bytes/readBytes
	case "strpos", "position":
		return n * (2 + min(n, m)) / copiedBytes
	case "split_part":
		return n/soughtBytes*2 + n*(2+m)/copiedBytes
	case "replace":
		return n/(readBytes/2)/max(m, 1) + n*(2+m)/copiedBytes
	case "translate":
		return n * (2 + m) / 112
	case "btrim", "ltrim", "rtrim":
		return n/readBytes/2 + n*m/200
	case "LIKE", "NOT LIKE":
		return like(n, second.Constant)
	case "ILIKE", "NOT ILIKE": // both become lower case first
		return n/readBytes + like(n*3/2, second.Constant)
	case "~", "!~", "~*", "!~*":
		return pattern.Atoms(second.Constant, n)
	case "regexp_replace":
		return pattern.AtomsToFind(second.Constant, min(n, bounds.ShortBytes))
	case "substring":
		if second.Bytes > 0 {
			return pattern.AtomsToFind(second.Constant, min(n, bounds.ShortBytes))
		}
	}
	if strings.HasPrefix(name, "::") {
		return Copy(n)
	}
	return (n + m) / readBytes
}

// like is what LIKE takes: it looks at each place of a text for what stands after a percent sign. It comes back to none before, see MatchText in
// like_match.c.
func like(bytes int, pattern string) int {
	longest := 0
	for _, part := range strings.Split(strings.ReplaceAll(pattern, `\%`, `\x`), "%")[1:] {
		longest = max(longest, len(part)+strings.Count(part, "_"))
	}
	if longest == 0 {
		return Copy(bytes + len(pattern))
	}
	return bytes * (5 + longest) / (9 * readBytes)
}
