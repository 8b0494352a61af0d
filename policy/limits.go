package policy

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tacit/policy/internal/document"
)

// limits decodes the section limits. The highest nesting is what PostgreSQL's parser, which recurses on the C stack, takes with
// room to spare; the longest statement bounds the memory of its tree.
func (d *decoder) limits(n *document.Node) Limits {
	o := d.Object(n, append(sessionKeys, "cells", "statement_bytes", "nesting", "count_timeout", "connections", "memory")...)
	return Limits{
		Cells:          d.Integer(o.Optional("cells"), 1, 10_000_000, 100_000),
		StatementBytes: d.Integer(o.Optional("statement_bytes"), 1024, 16<<20, 1<<20),
		Nesting:        d.Integer(o.Optional("nesting"), 10, 1000, 500),
		CountTimeout:   d.duration(o.Optional("count_timeout"), time.Millisecond, 24*time.Hour, 5*time.Minute),
		Connections:    d.Integer(o.Optional("connections"), 1, 10_000, 200),
		Memory:         d.bytes(o.Optional("memory"), 256<<20, 1<<40, 2<<30),
	}
}

// byteUnits are those of PostgreSQL's settings of memory, and their names by ISO.
var byteUnits = map[string]int64{"MB": 1 << 20, "MiB": 1 << 20, "GB": 1 << 30, "GiB": 1 << 30}

// bytes decodes an amount of memory with its unit, such as 2GiB.
func (d *decoder) bytes(n *document.Node, low, high, fallback int64) int64 {
	if n == nil {
		return fallback
	}
	text, ok := d.Text(n)
	if !ok {
		return fallback
	}
	digits := strings.TrimRight(text, "BGMi")
	amount, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
	unit, known := byteUnits[text[len(digits):]]
	if err != nil || !known || amount*unit < low || amount*unit > high {
		d.Report(n, fmt.Sprintf("%q is no amount of memory between %d and %d MiB", text, low>>20, high>>20), "write a number with a unit: 512MiB, 4GiB")
		return fallback
	}
	return amount * unit
}
