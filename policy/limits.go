package policy

import "time"

// limits decodes the section limits. The highest nesting is what PostgreSQL's parser, which recurses on the C stack, takes with
// room to spare; the longest statement bounds the memory of its tree.
func (d *decoder) limits(n *node) Limits {
	o := d.object(n, "cells", "statement_bytes", "nesting", "count_timeout", "connections")
	return Limits{
		Cells:          d.integer(o.optional("cells"), 1, 10_000_000, 100_000),
		StatementBytes: d.integer(o.optional("statement_bytes"), 1024, 16<<20, 1<<20),
		Nesting:        d.integer(o.optional("nesting"), 10, 1000, 500),
		CountTimeout:   d.duration(o.optional("count_timeout"), time.Millisecond, 24*time.Hour, 5*time.Minute),
		Connections:    d.integer(o.optional("connections"), 1, 10_000, 200),
	}
}
