package store

import (
	"context"
	"fmt"

	"tacit/accountant/journal"
)

// Queries for entries from $1 to $2, and for the rows that belong to them.
const (
	EntriesQuery  = `SELECT ` + journal.EntryColumns + ` FROM entry WHERE id BETWEEN $1 AND $2 ORDER BY id`
	ChargesQuery  = `SELECT ` + journal.ChargeColumns + ` FROM charge WHERE entry BETWEEN $1 AND $2 ORDER BY entry, id`
	HeadQuery     = `SELECT entry, hash FROM head`
	HashQuery     = `SELECT hash FROM entry WHERE id = $1`
	ProxiesQuery  = `SELECT ` + journal.ProxyColumns + ` FROM proxy ORDER BY id`
	IdentityQuery = `SELECT id, created FROM ledger`
	// ThinNote is what an UPDATE sets in the row of a note to drop what it says, but for its body.
	ThinNote = `analyst = '', table_schema = '', table_name = '', epoch = 0, statement = '', sqlstate = '', refers = 0`
)

// ReadEntries reads entries from first on, with the rows that belong to them: those up to last, as many as there are, or fewer where their
// payloads are large, but one at least.
func ReadEntries(ctx context.Context, q Queryer, first, last int64) ([]*journal.Entry, error) {
	p, last, err := payloadsUpTo(ctx, q, first, last)
	if err != nil {
		return nil, err
	}
	entries, err := Collect(ctx, q, ScanEntry, EntriesQuery, first, last)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	charges, err := Collect(ctx, q, ScanCharge, ChargesQuery, first, last)
	if err != nil {
		return nil, err
	}
	JoinChildren(ByNumber(entries), charges, p)
	return entries, nil
}

// ByNumber finds entries by their numbers.
func ByNumber(entries []*journal.Entry) map[int64]*journal.Entry {
	byID := make(map[int64]*journal.Entry, len(entries))
	for _, e := range entries {
		byID[e.ID] = e
	}
	return byID
}

// JoinChildren gives rows to the entries that they belong to. A row that belongs to none is left out: Verify counts them.
func JoinChildren(byID map[int64]*journal.Entry, charges []journal.Charge, p Payloads) {
	for _, c := range charges {
		if e := byID[c.Entry]; e != nil {
			e.Charged = append(e.Charged, c)
		}
	}
	for _, r := range p.Releases {
		if e := byID[r.Entry]; e != nil {
			e.Released = append(e.Released, r)
		}
	}
	for _, v := range p.Events {
		if e := byID[v.Entry]; e != nil {
			e.Events = append(e.Events, v)
		}
	}
	for _, a := range p.Answers {
		if e := byID[a.Entry]; e != nil {
			e.Answers = append(e.Answers, a)
		}
	}
}

// A Scanner is a row of a result.
type Scanner interface{ Scan(dest ...any) error }

// Collect reads all rows of a query.
func Collect[Row any](ctx context.Context, q Queryer, scan func(Scanner) (Row, error), query string, args ...any) ([]Row, error) {
	var all []Row
	err := Each(ctx, q, scan, func(r Row) bool { all = append(all, r); return true }, query, args...)
	return all, err
}

// Each calls visit with the rows of a query until it returns false.
func Each[Row any](ctx context.Context, q Queryer, scan func(Scanner) (Row, error), visit func(Row) bool, query string, args ...any) error {
	rows, err := q.Query(ctx, query, args...)
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

// One reads the first row of a query, if there is one.
func One[Row any](ctx context.Context, q Queryer, scan func(Scanner) (Row, error), query string, args ...any) (row Row, found bool, err error) {
	err = Each(ctx, q, scan, func(r Row) bool { row, found = r, true; return false }, query, args...)
	return row, found, err
}

// ScanNumber reads the only column of a row.
func ScanNumber(rows Scanner) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func ScanText(rows Scanner) (s string, err error) {
	err = rows.Scan(&s)
	return s, err
}

func ScanBytes(rows Scanner) (b []byte, err error) {
	err = rows.Scan(&b)
	return b, err
}

// An integer is read of a row without reflection, by which package database/sql would convert it.
type integer int64

func number(n *int64) *integer { return (*integer)(n) }

func (n *integer) Scan(value any) error {
	i, ok := value.(int64)
	if !ok {
		return fmt.Errorf("%T instead of an integer", value)
	}
	*n = integer(i)
	return nil
}

func ScanEntry(rows Scanner) (*journal.Entry, error) {
	e := &journal.Entry{}
	var hash []byte
	err := rows.Scan(number(&e.ID), number(&e.At), (*string)(&e.Kind), &e.Operation, &e.Analyst, &e.Schema, &e.Name, number(&e.Epoch), &e.Statement,
		&e.Sqlstate, &e.Adjacency, number(&e.Epsilon), number(&e.Delta), number(&e.Releases), number(&e.Risk), number(&e.Refers), &e.Body, &hash)
	e.Hash = journal.DigestOf(hash)
	return e, err
}

func ScanCharge(rows Scanner) (c journal.Charge, err error) {
	var key []byte
	err = rows.Scan(number(&c.ID), number(&c.Entry), &key, &c.Question, &c.Mechanism, &c.Term, &c.Blocks, &c.Shape, number(&c.Epsilon), number(&c.Delta),
		number(&c.Releases))
	c.QuestionKey = journal.DigestOf(key)
	return c, err
}

func ScanRelease(rows Scanner) (r journal.Release, err error) {
	err = rows.Scan(&r.ID, &r.Entry, &r.Charge, &r.At, &r.Payload)
	return r, err
}

func ScanAuditEvent(rows Scanner) (v journal.Event, err error) {
	err = rows.Scan(&v.ID, &v.Entry, &v.Schema, &v.Name, &v.Sequence, &v.Kind, &v.Payload)
	return v, err
}

func ScanAuditAnswer(rows Scanner) (a journal.Answer, err error) {
	err = rows.Scan(&a.ID, &a.Entry, &a.Event, &a.At, &a.Payload)
	return a, err
}

func ScanHead(rows Scanner) (h journal.Head, err error) {
	var hash []byte
	err = rows.Scan(&h.Entry, &hash)
	h.Hash = journal.DigestOf(hash)
	return h, err
}

func ScanProxy(rows Scanner) (p journal.Proxy, err error) {
	var sum []byte
	err = rows.Scan(&p.ID, &p.Started, &p.Seen, &sum)
	p.Digest = journal.DigestOf(sum)
	return p, err
}

// ScanPage is how many entries are read at once.
const ScanPage = 2000

// ScanIdentity reads which ledger it is.
func ScanIdentity(rows Scanner) (id string, err error) {
	var created int64
	err = rows.Scan(&id, &created)
	return id, err
}

// HashAt is the hash of an entry; zero if there is none.
func HashAt(ctx context.Context, q Queryer, entry int64) (journal.Digest, error) {
	hash, _, err := One(ctx, q, ScanBytes, HashQuery, entry)
	return journal.DigestOf(hash), err
}
