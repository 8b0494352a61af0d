package accountant

import "context"

// Payloads are the rows that may be large. They are read in pages of so many bytes, whatever the number of entries: an answer may have a
// hundred thousand cells.
type payloads struct {
	releases []releaseRow
	events   []eventRow
	answers  []answerRow
}

// payloadBytes is how much of a table is read at once, give or take one row.
const payloadBytes = 16 << 20

// Queries for releases, audit events and audit answers that belong to entries from $1 to $2: of a page, and all of them.
var (
	payloadPages   = [...]string{payloadPage("release", releaseColumns), payloadPage("audit_event", eventColumns), payloadPage("audit_answer", answerColumns)}
	payloadQueries = [...]string{payloadQuery("release", releaseColumns), payloadQuery("audit_event", eventColumns), payloadQuery("audit_answer", answerColumns)}
)

const ofEntries = ` WHERE entry BETWEEN $1 AND $2`

func payloadQuery(table, columns string) string {
	return `SELECT ` + columns + ` FROM ` + table + ofEntries + ` ORDER BY id`
}

// payloadPage ends with the row that makes the page full. Lengths are found without reading what they are of.
func payloadPage(table, columns string) string {
	sizes := `SELECT id, sum(length(payload)) OVER (ORDER BY id) - length(payload) AS before FROM ` + table + ofEntries
	return `SELECT ` + columns + ` FROM ` + table + ofEntries +
		` AND id <= (SELECT max(id) FROM (` + sizes + `) AS sizes WHERE before < 16777216) ORDER BY id`
}

func readPayloads(ctx context.Context, q queryer, queries [3]string, first, last int64) (p payloads, err error) {
	if p.releases, err = collect(ctx, q, scanRelease, queries[0], first, last); err != nil {
		return p, err
	}
	if p.events, err = collect(ctx, q, scanAuditEvent, queries[1], first, last); err != nil {
		return p, err
	}
	p.answers, err = collect(ctx, q, scanAuditAnswer, queries[2], first, last)
	return p, err
}

// whole is the last entry, of those up to last, all of whose payloads are surely in the page.
func (p payloads) whole(last int64) int64 {
	size := 0
	for _, r := range p.releases {
		if size += len(r.payload); size >= payloadBytes {
			last = min(last, r.entry-1)
			break
		}
	}
	size = 0
	for _, v := range p.events {
		if size += len(v.payload); size >= payloadBytes {
			last = min(last, v.entry-1)
			break
		}
	}
	size = 0
	for _, a := range p.answers {
		if size += len(a.payload); size >= payloadBytes {
			last = min(last, a.entry-1)
			break
		}
	}
	return last
}
