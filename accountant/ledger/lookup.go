package ledger

import (
	"context"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// Lookup returns the newest release of the question about the rows of the table's present epoch that is no older than maxAge, if there is
// one. A maxAge of 0 is any age.
func (l *Ledger) Lookup(ctx context.Context, q accountant.Question, maxAge time.Duration) (*accountant.Release, bool, error) {
	if err := l.usable(); err != nil {
		return nil, false, err
	}
	since := int64(0)
	if maxAge > 0 {
		since = l.now().Add(-maxAge).UnixNano()
	}
	key, newest, through, err := l.newest(q)
	if err != nil {
		return nil, false, err
	}
	if newest == 0 && l.misses(key, through) {
		l.activity.missing.Add(1)
		return nil, false, nil
	}
	release, err := l.newestRelease(ctx, key, newest)
	if err != nil {
		return nil, false, err
	}
	if release == nil {
		l.missed.Add(key, through)
		return nil, false, nil
	}
	if release.At.UnixNano() < since {
		return nil, false, nil
	}
	shown := *release
	return &shown, true, nil
}

// newestRelease is the newest release of a question, one at least; nil if there is none. It is at hand, or is read.
func (l *Ledger) newestRelease(ctx context.Context, key journal.EpochQuestion, least int64) (*accountant.Release, error) {
	release, kept := l.answers.Get(key)
	if kept && release.ID >= least {
		l.activity.kept.Add(1)
		return release, nil
	}
	release, err := l.findRelease(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case release == nil:
		l.activity.missing.Add(1)
		return nil, nil
	}
	l.activity.read.Add(1)
	l.keep(key, release)
	return release, nil
}

// misses reports whether the store had no answer to a question when it was asked, and none was recorded since, by any process, up to a release. Of others'
// this process hears within followEvery; a charge is decided only when it has heard of all.
func (l *Ledger) misses(key journal.EpochQuestion, through int64) bool {
	asked, missed := l.missed.Get(key)
	return missed && through-asked < maxRecorded
}

// newest is the question in the present epoch, and its newest release, as far as that was made since the ledger was opened.
func (l *Ledger) newest(q accountant.Question) (key journal.EpochQuestion, release, through int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return journal.EpochQuestion{}, 0, 0, l.rebuilding()
	}
	key = journal.EpochQuestion{Table: q.Table, Epoch: l.state.Table(q.Table).Epoch, Key: q.Key}
	known, _ := l.recorded.Peek(key) // what is pending may not be shown yet
	return key, known.release, l.through, nil
}

// keep keeps a release at hand, if it is small.
func (l *Ledger) keep(key journal.EpochQuestion, release *accountant.Release) {
	if len(release.Payload)+len(release.Text)+len(release.Shape) <= maxAnswerBytes {
		l.answers.Add(key, release)
	}
}

const releaseJoin = ` FROM release r JOIN charge c ON c.id = r.charge JOIN entry e ON e.id = c.entry `

// releaseFields are what releases are made of, but for their payloads.
const releaseFields = `r.id, r.entry, r.at, e.table_schema, e.table_name, e.epoch, c.question_key, c.question, c.mechanism, c.term, c.shape, c.epsilon, c.delta, c.releases`

// findRelease reads the newest release of a question; nil if there is none. Most questions that come here were never charged for, which one index tells. The
// sums keep a server that knows nothing yet of how many rows there are from beginning with the entries of the table, or with the newest releases.
func (r *Reader) findRelease(ctx context.Context, key journal.EpochQuestion) (*accountant.Release, error) {
	charges, _, err := store.One(ctx, r.store, store.ScanNumber, `SELECT count(*) FROM charge WHERE question_key = $1`, key.Key[:])
	if err != nil || charges == 0 {
		return nil, r.readError(ctx, err)
	}
	release, _, err := store.One(ctx, r.store, scanFullRelease, `SELECT `+releaseFields+`, r.payload
		FROM charge c JOIN release r ON r.charge = c.id + 0 JOIN entry e ON e.id = c.entry + 0
		WHERE c.question_key = $1 AND e.table_schema = $2 AND e.table_name = $3 AND e.epoch = $4 ORDER BY r.id + 0 DESC LIMIT 1`,
		key.Key[:], key.Table.Schema, key.Table.Name, key.Epoch)
	if err == nil && release != nil && (release.Key != key.Key || release.Table != key.Table) {
		// An index that was meddled with finds other rows than it is asked for.
		err = &contradiction{fmt.Errorf("release %d is found for a question that it does not answer", release.ID)}
	}
	return release, r.readError(ctx, err)
}

func scanFullRelease(rows store.Scanner) (*accountant.Release, error) {
	var payload []byte
	release, err := scanReleaseFields(rows, &payload)
	if release != nil {
		release.Payload = payload
	}
	return release, err
}

func scanBareRelease(rows store.Scanner) (*accountant.Release, error) { return scanReleaseFields(rows) }

func scanReleaseFields(rows store.Scanner, more ...any) (*accountant.Release, error) {
	release := &accountant.Release{}
	var at int64
	var key []byte
	var term string
	fields := []any{
		&release.ID, &release.Entry, &at, &release.Table.Schema, &release.Table.Name, &release.Epoch, &key, &release.Text, &release.Mechanism, &term, &release.Shape,
		&release.Loss.Epsilon, &release.Loss.Delta, &release.Loss.Releases,
	}
	if err := rows.Scan(append(fields, more...)...); err != nil {
		return nil, err
	}
	release.Key, release.At = journal.DigestOf(key), time.Unix(0, at).UTC()
	if term == "" {
		return release, nil
	}
	var err error
	release.Term, err = composition.Parse(term)
	return release, err
}

// Released calls visit with the releases, newest first and without their payloads, until it returns false.
func (r *Reader) Released(ctx context.Context, visit func(*accountant.Release) bool) error {
	err := store.Each(ctx, r.store, scanBareRelease, visit, `SELECT `+releaseFields+releaseJoin+`ORDER BY r.id DESC`)
	return r.readError(ctx, err)
}

// ReleasedOf is Released of one table, of the releases after one.
func (r *Reader) ReleasedOf(ctx context.Context, table policy.TableName, after int64, visit func(*accountant.Release) bool) error {
	err := store.Each(ctx, r.store, scanBareRelease, visit, `SELECT `+releaseFields+releaseJoin+`WHERE r.id > $1 AND e.table_schema = $2 AND e.table_name = $3 ORDER BY r.id DESC`,
		after, table.Schema, table.Name)
	return r.readError(ctx, err)
}

// Payload returns the answer of a release.
func (r *Reader) Payload(ctx context.Context, release int64) ([]byte, error) {
	payload, found, err := store.One(ctx, r.store, store.ScanBytes, `SELECT payload FROM release WHERE id = $1`, release)
	if err == nil && !found {
		return nil, r.unavailable("it has no such release", nil)
	}
	return payload, r.readError(ctx, err)
}

// A ChargedQuestion is a question that was charged for.
type ChargedQuestion struct {
	Release int64 // that answers it; 0 if it was not recorded
	At      time.Time
	Analyst string
	accountant.Question
	Mechanism string
	Loss      accountant.Loss
	Term      composition.Term
	Blocks    []string
	Shape     string
}

// Charges returns the questions that were charged for about the table's rows of the present epoch, oldest first.
func (r *Reader) Charges(ctx context.Context, table policy.TableName) ([]ChargedQuestion, error) {
	var epoch int64
	if err := r.look(ctx, func(s *journal.State) { epoch = s.Table(table).Epoch }); err != nil {
		return nil, err
	}
	charges, err := store.Collect(ctx, r.store, scanChargedQuestion, `SELECT coalesce(r.id, 0), e.at, e.analyst, e.table_schema, e.table_name, c.question_key, c.question,
		c.mechanism, c.epsilon, c.delta, c.releases, c.term, c.blocks, c.shape
		FROM charge c JOIN entry e ON e.id = c.entry LEFT JOIN release r ON r.charge = c.id
		WHERE e.table_schema = $1 AND e.table_name = $2 AND e.epoch = $3 ORDER BY c.id`, table.Schema, table.Name, epoch)
	return charges, r.readError(ctx, err)
}

func scanChargedQuestion(rows store.Scanner) (q ChargedQuestion, err error) {
	var at int64
	var key []byte
	var term, blocks string
	if err := rows.Scan(&q.Release, &at, &q.Analyst, &q.Table.Schema, &q.Table.Name, &key, &q.Text,
		&q.Mechanism, &q.Loss.Epsilon, &q.Loss.Delta, &q.Loss.Releases, &term, &blocks, &q.Shape); err != nil {
		return q, err
	}
	q.At, q.Key = time.Unix(0, at).UTC(), journal.DigestOf(key)
	if q.Blocks, err = journal.ParseBlocks(blocks); err != nil || term == "" {
		return q, err
	}
	q.Term, err = composition.Parse(term)
	return q, err
}
