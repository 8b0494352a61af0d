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

// DistinctValues are the different values of a column, in the order in which they come first.
func DistinctValues(column []query.Value) (values []query.Value) {
	seen := make(map[query.Value]bool)
	for _, v := range column {
		if !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// ProductOf tells how many values each key has, if the cells are all combinations of them in row-major order.
func ProductOf(keys [][]query.Value, cells int) (sizes []int, ok bool) {
	sizes = make([]int, len(keys))
	values := make([][]query.Value, len(keys))
	product := 1
	for i, column := range keys {
		seen := make(map[query.Value]bool)
		for _, v := range column {
			if !seen[v] {
				seen[v] = true
				values[i] = append(values[i], v)
			}
		}
		sizes[i] = len(values[i])
		if sizes[i] == 0 || product > cells/sizes[i] {
			return nil, false
		}
		product *= sizes[i]
	}
	if product != cells {
		return nil, false
	}
	repeat := cells
	for i, column := range keys {
		repeat /= sizes[i]
		for j, v := range column {
			if v != values[i][j/repeat%sizes[i]] {
				return nil, false
			}
		}
	}
	return sizes, true
}

// Index finds cells by their keys.
func Index(keys [][]query.Value, cellCount int) map[string]int {
	index := make(map[string]int, cellCount)
	var b strings.Builder
	cell := make([]query.Value, len(keys))
	for i := range cellCount {
		for k := range keys {
			cell[k] = keys[k][i]
		}
		index[CellKey(&b, cell)] = i
	}
	return index
}

// SetText names a sorted list of texts.
func SetText(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(strconv.Itoa(len(t)))
		b.WriteByte(':')
		b.WriteString(t)
	}
	return b.String()
}
