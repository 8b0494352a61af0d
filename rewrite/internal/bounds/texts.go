package bounds

import "math/big"

// The bounds of a text are those of its length in bytes, encoded in UTF-8.

const (
	// MaxCharacterBytes is the length of the longest character.
	MaxCharacterBytes = 4
	// MaxTextArgument bounds constants by which a function could make a text much longer.
	MaxTextArgument = 100
	// ShortBytes is the length of the longest text for which functions are computed whose time is quadratic in it.
	ShortBytes = 4096
)

// Recoded is a text of which each byte becomes at most the four of one other character: upper cases are up to three times as long.
func Recoded(v []Bounds) Bounds { return v[0].Times(Integers(0, MaxCharacterBytes)) }

// Found is the place of a text in another. To look for it can take time in proportion to both lengths.
func Found(v []Bounds) Bounds {
	if !v[0].Known() || !v[1].Known() || new(big.Rat).Mul(v[0].Greatest, v[1].Greatest).Cmp(big.NewRat(MaxTextArgument*MaxTextBytes, 1)) > 0 {
		return Bounds{}
	}
	return Integers(0, MaxTextBytes)
}

// Padded is a text, filled up to MaxTextArgument characters.
func Padded(v []Bounds) Bounds {
	return v[0].Union(Integers(0, MaxTextArgument*MaxCharacterBytes), false)
}

// Replaced is a text of which, at worst, each byte is replaced.
func Replaced(v []Bounds) Bounds { return v[0].Times(v[2].Union(Integers(0, 1), false)) }

// Rematched is a text of n bytes of which parts are replaced by r bytes each: at most n + 1 parts, one of them at the end, which share
// no byte, and in each replacement at most r/2 times the part itself (\&).
func Rematched(v []Bounds) Bounds {
	one := Integers(1, 1)
	return Extracted(v).Plus(one).Times(v[2].Plus(v[2]).Plus(one)).Union(Integers(0, 0), false)
}

// Extracted is what a regular expression finds in a text.
func Extracted(v []Bounds) Bounds { return v[0].AtMost(ShortBytes) }

// AtMost are those of a text that is cut.
func (v Bounds) AtMost(bytes int64) Bounds {
	limit := big.NewRat(bytes, 1)
	if v.Known() {
		limit = Min(v.Greatest, limit)
	}
	return Between(new(big.Rat), limit)
}

// Bytes is the greatest length; 0 if nothing is known.
func (v Bounds) Bytes() int {
	if !v.Known() {
		return 0
	}
	return int(new(big.Int).Quo(v.Greatest.Num(), v.Greatest.Denom()).Int64())
}
