package store

import (
	"context"

	"tacit/accountant/journal"
)

// Payloads are the rows that may be large. They are read in pages of so many bytes, whatever the number of entries: an answer may have a
// hundred thousand cells.
type Payloads struct {
	Releases []journal.Release
	Events   []journal.Event
	Answers  []journal.Answer
}

// payloadBytes is how much of a table is read at once, give or take one row.
const payloadBytes = 16 << 20

// Queries for releases, audit events and audit answers that belong to entries from $1 to $2: of a page, and all of them.
var (
	PayloadPages   = [...]string{payloadPage("release", journal.ReleaseColumns), payloadPage("audit_event", journal.EventColumns), payloadPage("audit_answer", journal.AnswerColumns)}
	payloadQueries = [...]string{payloadQuery("release", journal.ReleaseColumns), payloadQuery("audit_event", journal.EventColumns), payloadQuery("audit_answer", journal.AnswerColumns)}
)

const ofEntries = ` WHERE entry BETWEEN $1 AND $2`

func payloadQuery(table, columns string) string {
	return `SELECT ` + columns + ` FROM ` + table + ofEntries + ` ORDER BY entry, id`
}

// payloadPage ends with the row that makes the page full. Lengths are found without reading what they are of.
func payloadPage(table, columns string) string {
	sizes := `SELECT id, sum(length(payload)) OVER (ORDER BY id) - length(payload) AS before FROM ` + table + ofEntries
	return `SELECT ` + columns + ` FROM ` + table + ofEntries +
		` AND id <= (SELECT max(id) FROM (` + sizes + `) AS sizes WHERE before < 16777216) ORDER BY id`
}

// payloadSizes are how many bytes the payloads of the entries have, by table.
var payloadSizes = `SELECT ` + payloadSize("release") + `, ` + payloadSize("audit_event") + `, ` + payloadSize("audit_answer")

func payloadSize(table string) string {
	return `(SELECT coalesce(sum(length(payload)), 0) FROM ` + table + ofEntries + `)`
}

// payloadsUpTo are those of entries from first to last, or to an earlier one if they are large, but to first at least. To look first how large they are
// is cheaper than to look for the row that makes a page full, which few pages have.
func payloadsUpTo(ctx context.Context, q Queryer, first, last int64) (p Payloads, whole int64, err error) {
	if last > first {
		fits, _, err := One(ctx, q, scanFits, payloadSizes, first, last)
		if err != nil {
			return p, 0, err
		}
		if !fits {
			if p, err = readPayloads(ctx, q, PayloadPages, first, last); err != nil {
				return p, 0, err
			}
			if whole = p.Whole(last); whole >= first {
				return p, whole, nil
			}
			last = first
		}
	}
	p, err = readPayloads(ctx, q, payloadQueries, first, last)
	return p, last, err
}

// scanFits reports whether the payloads of each table are smaller than a page.
func scanFits(rows Scanner) (bool, error) {
	var sizes [3]int64
	err := rows.Scan(&sizes[0], &sizes[1], &sizes[2])
	return max(sizes[0], sizes[1], sizes[2]) < payloadBytes, err
}

func readPayloads(ctx context.Context, q Queryer, queries [3]string, first, last int64) (p Payloads, err error) {
	if p.Releases, err = Collect(ctx, q, ScanRelease, queries[0], first, last); err != nil {
		return p, err
	}
	if p.Events, err = Collect(ctx, q, ScanAuditEvent, queries[1], first, last); err != nil {
		return p, err
	}
	p.Answers, err = Collect(ctx, q, ScanAuditAnswer, queries[2], first, last)
	return p, err
}

// Whole is the last entry, of those up to last, all of whose payloads are surely in the page.
func (p Payloads) Whole(last int64) int64 {
	last = wholeOf(p.Releases, last, func(r journal.Release) (int64, []byte) { return r.Entry, r.Payload })
	last = wholeOf(p.Events, last, func(v journal.Event) (int64, []byte) { return v.Entry, v.Payload })
	return wholeOf(p.Answers, last, func(a journal.Answer) (int64, []byte) { return a.Entry, a.Payload })
}

func wholeOf[Row any](rows []Row, last int64, of func(Row) (entry int64, payload []byte)) int64 {
	size := 0
	for _, row := range rows {
		entry, payload := of(row)
		if size += len(payload); size >= payloadBytes {
			return min(last, entry-1)
		}
	}
	return last
}
