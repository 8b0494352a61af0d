package policy

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/policy/internal/document"
	"tacit/policy/internal/name"
)

// Blocks are parts of a table, by the value of a column, each of which has the table's budget: a row is in exactly one of them, so that
// a release which only rows of one block can change costs the others nothing (parallel composition; McSherry 2009, Theorem 4).
//
// There is a block of NULL, and one of all values that are not declared: these, too, are rows of somebody. Names of blocks are kept in the
// ledger. They say the same for as long as Partition does. Of a range that ends at the present day, what lies behind that is in no block of
// its own today, and will be tomorrow: a question that may count it is charged to all blocks.
//
// That a row stays in its block is assumed, as it is assumed of a table that its rows stay what they are while an epoch lasts: if the value
// of a row's column is changed, the row has lost what both of its blocks have.
type Blocks struct {
	Column string
	By     BlockUnit
	// Width is how many whole numbers are in a block; 0 unless By is ByWidth.
	Width int64
	// Domain is that of the column: values, or a range.
	Domain Domain
}

// A BlockUnit says how values make blocks.
type BlockUnit string

const (
	ByDay   BlockUnit = "day"
	ByMonth BlockUnit = "month"
	ByYear  BlockUnit = "year"
	ByValue BlockUnit = "value"
	ByWidth BlockUnit = "width"
)

// The names of the blocks that no declared value is in. Names of others begin with a digit, a sign or a quotation mark.
const (
	NullBlock    = "NULL"
	OutsideBlock = "outside"
)

// MaxBlocks bounds the blocks of declared values: each has a sum of its own in the ledger.
const MaxBlocks = 10_000

// Partition says by what the table is divided, as one text. A charge that names blocks of another partition is one for all blocks.
func (b *Blocks) Partition() string {
	by := string(b.By)
	if b.By == ByWidth {
		by = strconv.FormatInt(b.Width, 10)
	}
	if r := b.Domain.Range; r != nil {
		last := b.end(r.Last)
		if r.Today {
			last = todayEnd
		}
		return fmt.Sprintf("%s by %s from %s to %s", name.Quote(b.Column), by, b.end(r.First), last)
	}
	values := slices.Sorted(slices.Values(b.Domain.Values))
	return fmt.Sprintf("%s by %s of %d values %x", name.Quote(b.Column), by, len(values), sha256.Sum256(fmt.Appendf(nil, "%q", values)))
}

func (b *Blocks) end(n int64) string {
	if b.Domain.Range.Dates {
		return dayTime(n).Format(time.DateOnly)
	}
	return strconv.FormatInt(n, 10)
}

// Value is the block of a value in a list.
func (b *Blocks) Value(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Of is the block of a number, or of a day since 1970-01-01, that is in the range; OutsideBlock of others.
func (b *Blocks) Of(n int64) string {
	if r := b.Domain.Range; r == nil || n < r.First || n > r.Last {
		return OutsideBlock
	}
	switch b.By {
	case ByDay:
		return dayTime(n).Format(time.DateOnly)
	case ByMonth:
		return dayTime(n).Format("2006-01")
	case ByYear:
		return dayTime(n).Format("2006")
	case ByWidth:
		first := floorTo(n, b.Width)
		return fmt.Sprintf("%d..%d", first, first+b.Width-1)
	default:
		return strconv.FormatInt(n, 10)
	}
}

// Between are the blocks of the numbers, or days, from one to another, in their order, as far as these are in the range.
func (b *Blocks) Between(first, last int64) []string {
	r := b.Domain.Range
	if r == nil {
		return nil
	}
	var names []string
	last = min(last, r.Last)
	for n := max(first, r.First); n <= last; n = b.next(n) {
		names = append(names, b.Of(n))
	}
	return names
}

// All are all blocks of declared values, and then those of NULL and of all others.
func (b *Blocks) All() []string {
	var names []string
	if r := b.Domain.Range; r != nil {
		names = b.Between(r.First, r.Last)
	}
	for _, v := range b.Domain.Values {
		names = append(names, b.Value(v))
	}
	return append(names, NullBlock, OutsideBlock)
}

// next is the first number, or day, of the block behind that of another.
func (b *Blocks) next(n int64) int64 {
	t := dayTime(n)
	switch b.By {
	case ByMonth:
		return daysOf(time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC))
	case ByYear:
		return daysOf(time.Date(t.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC))
	case ByWidth:
		return floorTo(n, b.Width) + b.Width
	default:
		return n + 1
	}
}

// floorTo is the largest multiple of a width that is not above n.
func floorTo(n, width int64) int64 {
	rest := n % width
	if rest < 0 {
		rest += width
	}
	return n - rest
}

func dayTime(days int64) time.Time { return time.Unix(days*secondsPerDay, 0).UTC() }

func daysOf(midnight time.Time) int64 { return midnight.Unix() / secondsPerDay }

const secondsPerDay = 24 * 60 * 60

const blocksRemedy = "write blocks: {column: admitted, by: month}"

// blocks decodes the parts of a table, of which everything else is known; nil if it has none.
func (d *decoder) blocks(n *document.Node, t *Table) *Blocks {
	if n == nil {
		return nil
	}
	o := d.Object(n, "column", "by")
	columnNode := o.Required("column", blocksRemedy)
	byNode := o.Required("by", blocksRemedy)
	name, ok := d.Text(columnNode)
	if !ok || byNode == nil || !d.blocksMakeSense(n, t) {
		return nil
	}
	column, known := t.column(name)
	if !known {
		d.Report(columnNode, fmt.Sprintf("%q is not among the columns of the table", name), "list it under columns, or name another")
		return nil
	}
	if column.Domain.Bounds != nil {
		d.Report(columnNode, fmt.Sprintf("the range of column %q has no parts that could be blocks", name),
			"declare whole days, [2020-01-01, 2026-12-31], or no more whole numbers than limits.cells, or name another")
		return nil
	}
	if column.Domain.Values == nil && column.Domain.Range == nil {
		d.Report(columnNode, fmt.Sprintf("what values column %q has is not declared in this file", name),
			"write a range or values for it under columns, or name another")
		return nil
	}
	b := &Blocks{Column: name, Domain: column.Domain}
	if d.blockUnit(byNode, b) && d.fewBlocks(byNode, b) {
		return b
	}
	return nil
}

// blocksMakeSense reports why a table cannot be divided. What one row's blocks cost says what a person's do only if she has one row; and
// a row that is replaced may be in one block before and in another afterwards, so that it could cost both.
func (d *decoder) blocksMakeSense(n *document.Node, t *Table) bool {
	before := len(d.Errors)
	at := n.AtKey()
	switch {
	case t.Person != nil: // with rows: 1, too: which row stands for a person, and so her block, may change with any of her rows
		d.Report(at, "a person may have rows in several blocks, each of which would cost her", "remove the blocks, or protect a table of person: row")
	case t.Adjacency != AddRemove:
		d.Report(at, "a row that is replaced by another may be in two blocks, each of which would cost it", "remove the blocks, or use adjacency: add-remove")
	case !t.Mechanism.Kind.Guaranteed() && slices.Contains(Kinds, t.Mechanism.Kind):
		d.Report(at, fmt.Sprintf("releases of kind %s have no loss that could be that of a block", t.Mechanism.Kind), "remove the blocks, or use kind: geometric")
	}
	return len(d.Errors) == before
}

// blockUnit decodes how values make blocks.
func (d *decoder) blockUnit(n *document.Node, b *Blocks) bool {
	text, ok := d.Text(n)
	if !ok {
		return false
	}
	dates, values := b.Domain.Range != nil && b.Domain.Range.Dates, b.Domain.Range == nil
	switch b.By = BlockUnit(text); {
	case dates && (b.By == ByDay || b.By == ByMonth || b.By == ByYear), !dates && b.By == ByValue:
		return true
	case dates:
		d.Report(n, fmt.Sprintf("%q is no part of time that blocks of dates are made by", text), "use day, month or year")
		return false
	case values:
		d.Report(n, fmt.Sprintf("%q does not divide a list of values", text), "use value")
		return false
	}
	b.By = ByWidth
	before := len(d.Errors)
	b.Width = int64(d.Integer(n, 2, maxWidth, 10))
	return len(d.Errors) == before
}

const (
	maxWidth       = 1_000_000_000
	maxBlockNumber = 1_000_000_000_000_000_000
)

// fewBlocks reports a column of too many blocks, or of numbers so large that sums of them and of a width could overflow.
func (d *decoder) fewBlocks(n *document.Node, b *Blocks) bool {
	blocks := len(b.Domain.Values)
	if r := b.Domain.Range; r != nil {
		if r.First < -maxBlockNumber || r.Last > maxBlockNumber {
			d.Report(n, fmt.Sprintf("the numbers of column %q are beyond %d, and make no blocks", b.Column, maxBlockNumber), "name another column")
			return false
		}
		for at := r.First; at <= r.Last && blocks <= MaxBlocks; at = b.next(at) {
			blocks++
		}
	}
	if blocks <= MaxBlocks {
		return true
	}
	d.Report(n, fmt.Sprintf("column %q would have more than %d blocks", b.Column, MaxBlocks), "make larger blocks, such as by: month")
	return false
}
