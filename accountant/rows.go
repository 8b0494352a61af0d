package accountant

import (
	"context"
	"math"
)

// The columns of the tables, in the order in which rows are read and written.
const (
	entryColumns = `id, at, kind, operation, analyst, table_schema, table_name, epoch, statement, sqlstate, adjacency,
		epsilon, delta, releases, risk, refers, body, hash`
	chargeColumns  = `id, entry, question_key, question, mechanism, term, blocks, shape, epsilon, delta, releases`
	releaseColumns = `id, entry, charge, at, payload`
	eventColumns   = `id, entry, table_schema, table_name, sequence, kind, payload`
	answerColumns  = `id, entry, event, at, payload`
	proxyColumns   = `id, started, seen, digest`
)

// Queries for entries from $1 to $2, and for the rows that belong to them.
const (
	entriesQuery  = `SELECT ` + entryColumns + ` FROM entry WHERE id BETWEEN $1 AND $2 ORDER BY id`
	chargesQuery  = `SELECT ` + chargeColumns + ` FROM charge WHERE entry BETWEEN $1 AND $2 ORDER BY id`
	headQuery     = `SELECT entry, hash FROM head`
	hashQuery     = `SELECT hash FROM entry WHERE id = $1`
	proxiesQuery  = `SELECT ` + proxyColumns + ` FROM proxy ORDER BY id`
	identityQuery = `SELECT id, created FROM ledger`
)

// lastEntry is behind all entries.
const lastEntry = math.MaxInt64

// readEntries reads entries from first on, with the rows that belong to them: those up to last, as many as there are, or fewer where their
// payloads are large, but one at least.
func readEntries(ctx context.Context, q queryer, first, last int64) ([]*entryRow, error) {
	p, err := readPayloads(ctx, q, payloadPages, first, last)
	if err != nil {
		return nil, err
	}
	if last = p.whole(last); last < first {
		last = first
		if p, err = readPayloads(ctx, q, payloadQueries, first, last); err != nil {
			return nil, err
		}
	}
	entries, err := collect(ctx, q, scanEntry, entriesQuery, first, last)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	charges, err := collect(ctx, q, scanCharge, chargesQuery, first, last)
	if err != nil {
		return nil, err
	}
	joinChildren(byNumber(entries), charges, p)
	return entries, nil
}

// byNumber finds entries by their numbers.
func byNumber(entries []*entryRow) map[int64]*entryRow {
	byID := make(map[int64]*entryRow, len(entries))
	for _, e := range entries {
		byID[e.id] = e
	}
	return byID
}

// joinChildren gives rows to the entries that they belong to. A row that belongs to none is left out: Verify counts them.
func joinChildren(byID map[int64]*entryRow, charges []chargeRow, p payloads) {
	for _, c := range charges {
		if e := byID[c.entry]; e != nil {
			e.charged = append(e.charged, c)
		}
	}
	for _, r := range p.releases {
		if e := byID[r.entry]; e != nil {
			e.released = append(e.released, r)
		}
	}
	for _, v := range p.events {
		if e := byID[v.entry]; e != nil {
			e.events = append(e.events, v)
		}
	}
	for _, a := range p.answers {
		if e := byID[a.entry]; e != nil {
			e.answers = append(e.answers, a)
		}
	}
}

// A scanner is a row of a result.
type scanner interface{ Scan(dest ...any) error }

// collect reads all rows of a query.
func collect[Row any](ctx context.Context, q queryer, scan func(scanner) (Row, error), query string, args ...any) ([]Row, error) {
	var all []Row
	err := each(ctx, q, scan, func(r Row) bool { all = append(all, r); return true }, query, args...)
	return all, err
}

// each calls visit with the rows of a query until it returns false.
func each[Row any](ctx context.Context, q queryer, scan func(scanner) (Row, error), visit func(Row) bool, query string, args ...any) error {
	rows, err := q.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			return err
		}
		if !visit(row) {
			return nil
		}
	}
	return rows.Err()
}

// one reads the first row of a query, if there is one.
func one[Row any](ctx context.Context, q queryer, scan func(scanner) (Row, error), query string, args ...any) (row Row, found bool, err error) {
	err = each(ctx, q, scan, func(r Row) bool { row, found = r, true; return false }, query, args...)
	return row, found, err
}

// scanNumber reads the only column of a row.
func scanNumber(rows scanner) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func scanText(rows scanner) (s string, err error) {
	err = rows.Scan(&s)
	return s, err
}

func scanBytes(rows scanner) (b []byte, err error) {
	err = rows.Scan(&b)
	return b, err
}

func scanEntry(rows scanner) (*entryRow, error) {
	e := &entryRow{}
	var hash []byte
	err := rows.Scan(&e.id, &e.at, &e.kind, &e.operation, &e.analyst, &e.schema, &e.name, &e.epoch, &e.statement, &e.sqlstate, &e.adjacency,
		&e.epsilon, &e.delta, &e.releases, &e.risk, &e.refers, &e.body, &hash)
	e.hash = digestOf(hash)
	return e, err
}

// values are the columns of the row.
func (e *entryRow) values() []any {
	return []any{
		e.id, e.at, string(e.kind), e.operation, e.analyst, e.schema, e.name, e.epoch, e.statement, e.sqlstate, e.adjacency,
		e.epsilon, e.delta, e.releases, e.risk, e.refers, e.body, e.hash[:],
	}
}

func scanCharge(rows scanner) (c chargeRow, err error) {
	var key []byte
	err = rows.Scan(&c.id, &c.entry, &key, &c.question, &c.mechanism, &c.term, &c.blocks, &c.shape, &c.epsilon, &c.delta, &c.releases)
	c.questionKey = digestOf(key)
	return c, err
}

func (c *chargeRow) values() []any {
	return []any{c.id, c.entry, c.questionKey[:], c.question, c.mechanism, c.term, c.blocks, c.shape, c.epsilon, c.delta, c.releases}
}

func scanRelease(rows scanner) (r releaseRow, err error) {
	err = rows.Scan(&r.id, &r.entry, &r.charge, &r.at, &r.payload)
	return r, err
}

func (r *releaseRow) values() []any { return []any{r.id, r.entry, r.charge, r.at, r.payload} }

func scanAuditEvent(rows scanner) (v eventRow, err error) {
	err = rows.Scan(&v.id, &v.entry, &v.schema, &v.name, &v.sequence, &v.kind, &v.payload)
	return v, err
}

func (v *eventRow) values() []any {
	return []any{v.id, v.entry, v.schema, v.name, v.sequence, v.kind, v.payload}
}

func scanAuditAnswer(rows scanner) (a answerRow, err error) {
	err = rows.Scan(&a.id, &a.entry, &a.event, &a.at, &a.payload)
	return a, err
}

func (a *answerRow) values() []any { return []any{a.id, a.entry, a.event, a.at, a.payload} }

func scanHead(rows scanner) (h head, err error) {
	var hash []byte
	err = rows.Scan(&h.entry, &hash)
	h.hash = digestOf(hash)
	return h, err
}

func scanProxy(rows scanner) (p proxyRow, err error) {
	var sum []byte
	err = rows.Scan(&p.id, &p.started, &p.seen, &sum)
	p.digest = digestOf(sum)
	return p, err
}

func (p *proxyRow) values() []any { return []any{p.id, p.started, p.seen, p.digest[:]} }

// digestOf reads a digest. Bytes of another length are none, which fits nothing.
func digestOf(b []byte) (d digest) {
	if len(b) == len(d) {
		copy(d[:], b)
	}
	return d
}
