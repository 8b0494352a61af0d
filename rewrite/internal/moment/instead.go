package moment

import (
	"fmt"
	"math/big"
	"strings"

	"tacit/rewrite/internal/pgvalue"
)

// Instead is what to ask for a sum or an average of a column without bounds: counts by groups of the value, weighed in an outer query. The groups must
// be so large that their counts stand out of the noise, and their values so near to those of the rows that the sum is right.
func Instead(name, column string, oid pgvalue.OID, table string) string {
	sum := "sum(rounded * n)"
	if name == "avg" {
		sum += " / nullif(sum(n), 0)"
	}
	return fmt.Sprintf("SELECT %s FROM (SELECT %s AS rounded, count(*) AS n FROM %s WHERE %s IS NOT NULL GROUP BY 1) AS c",
		sum, oneDigit(column, oid), table, column)
}

// plainNumber writes a number with few digits.
func plainNumber(n *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(n.FloatString(6), "0"), ".")
}

// oneDigit rounds a number to its first digit, by its magnitude.
func oneDigit(column string, oid pgvalue.OID) string {
	number := column
	if oid != pgvalue.Numeric {
		number += "::numeric"
	}
	first, last := -2, 6 // the powers of ten at which the number of digits changes
	if pgvalue.IsInteger(oid) {
		first = 1
	}
	var b strings.Builder
	b.WriteString("CASE")
	for power := first; power <= last; power++ {
		fmt.Fprintf(&b, " WHEN abs(%s) < %s THEN round(%s, %d)", number, plainNumber(powerOfTen(power)), number, 1-power)
	}
	fmt.Fprintf(&b, " ELSE round(%s, %d) END", number, -last)
	return b.String()
}

func powerOfTen(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}
