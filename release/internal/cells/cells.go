package cells

import (
	"cmp"
	"strconv"
	"strings"

	"tacit/rewrite/query"
)

func CompareValues(typeOID uint32, a, b query.Value) int {
	switch {
	case a.Null || b.Null:
		return cmp.Compare(BoolInt(a.Null), BoolInt(b.Null))
	case query.IsInteger(typeOID):
		x, _ := strconv.ParseInt(a.Text, 10, 64)
		y, _ := strconv.ParseInt(b.Text, 10, 64)
		return cmp.Compare(x, y)
	}
	return strings.Compare(a.Text, b.Text)
}

func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// DomainSize counts NULL, where the column is nullable.
func DomainSize(k *query.Column) int {
	if k.NotNull {
		return len(k.Domain)
	}
	return len(k.Domain) + 1
}

// CellKey joins the values of a cell into a map key that no two cells share.
func CellKey(b *strings.Builder, values []query.Value) string {
	b.Reset()
	for _, v := range values {
		if v.Null {
			b.WriteString("n;")
			continue
		}
		b.WriteString(strconv.Itoa(len(v.Text)))
		b.WriteByte(':')
		b.WriteString(v.Text)
	}
	return b.String()
}
