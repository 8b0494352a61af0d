package accountant

import (
	"context"
	"fmt"
	"time"

	"tacit/accountant/composition"
	"tacit/policy"
)

// Lookup returns the newest release of the question about the rows of the table's present epoch that is no older than maxAge, if there is
// one. A maxAge of 0 is any age.
func (l *Ledger) Lookup(ctx context.Context, q Question, maxAge time.Duration) (*Release, bool, error) {
	if err := l.usable(); err != nil {
		return nil, false, err
	}
	since := int64(0)
	if maxAge > 0 {
		since = l.now().Add(-maxAge).UnixNano()
	}
	key, newest, err := l.newest(q)
	if err != nil {
		return nil, false, err
	}
	release, kept := l.answers.Get(key)
	if !kept || release.ID < newest {
		if release, err = l.findRelease(ctx, key); err != nil || release == nil {
			return nil, false, err
		}
		l.keep(key, release)
	}
	if release.At.UnixNano() < since {
		return nil, false, nil
	}
	shown := *release
	return &shown, true, nil
}

// newest is the question in the present epoch, and its newest release, as far as that was made since the ledger was opened.
func (l *Ledger) newest(q Question) (key asked, release int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return asked{}, 0, l.rebuilding()
	}
	key = asked{table: q.Table, epoch: l.state.table(q.Table).epoch, key: q.Key}
	known, _ := l.recorded.Get(key) // what is pending may not be shown yet
	return key, known.release, nil
}

// keep keeps a release at hand, if it is small.
func (l *Ledger) keep(key asked, release *Release) {
	if len(release.Payload)+len(release.Text)+len(release.Shape) <= maxAnswerBytes {
		l.answers.Add(key, release)
	}
}

const releaseJoin = ` FROM release r JOIN charge c ON c.id = r.charge JOIN entry e ON e.id = c.entry `

// releaseFields are what releases are made of, but for their payloads.
const releaseFields = `r.id, r.at, e.table_schema, e.table_name, e.epoch, c.question_key, c.question, c.mechanism, c.term, c.shape, c.epsilon, c.delta, c.releases`

// findRelease reads the newest release of a question; nil if there is none.
func (r *Reader) findRelease(ctx context.Context, key asked) (*Release, error) {
	release, _, err := one(ctx, r.store, scanFullRelease, `SELECT `+releaseFields+`, r.payload`+releaseJoin+`
		WHERE c.question_key = $1 AND e.table_schema = $2 AND e.table_name = $3 AND e.epoch = $4 ORDER BY r.id DESC LIMIT 1`,
		key.key[:], key.table.Schema, key.table.Name, key.epoch)
	if err == nil && release != nil && (release.Key != key.key || release.Table != key.table) {
		// An index that was meddled with finds other rows than it is asked for.
		err = &contradiction{fmt.Errorf("release %d is found for a question that it does not answer", release.ID)}
	}
	return release, r.readError(ctx, err)
}

func scanFullRelease(rows scanner) (*Release, error) {
	var payload []byte
	release, err := scanReleaseFields(rows, &payload)
	if release != nil {
		release.Payload = payload
	}
	return release, err
}

func scanBareRelease(rows scanner) (*Release, error) { return scanReleaseFields(rows) }

func scanReleaseFields(rows scanner, more ...any) (*Release, error) {
	release := &Release{}
	var at int64
	var key []byte
	var term string
	fields := []any{
		&release.ID, &at, &release.Table.Schema, &release.Table.Name, &release.Epoch, &key, &release.Text, &release.Mechanism, &term, &release.Shape,
		&release.Loss.Epsilon, &release.Loss.Delta, &release.Loss.Releases,
	}
	if err := rows.Scan(append(fields, more...)...); err != nil {
		return nil, err
	}
	release.Key, release.At = digestOf(key), time.Unix(0, at).UTC()
	if term == "" {
		return release, nil
	}
	var err error
	release.Term, err = composition.Parse(term)
	return release, err
}

// Released calls visit with the releases, newest first and without their payloads, until it returns false.
func (r *Reader) Released(ctx context.Context, visit func(*Release) bool) error {
	err := each(ctx, r.store, scanBareRelease, visit, `SELECT `+releaseFields+releaseJoin+`ORDER BY r.id DESC`)
	return r.readError(ctx, err)
}

// Payload returns the answer of a release.
func (r *Reader) Payload(ctx context.Context, release int64) ([]byte, error) {
	payload, found, err := one(ctx, r.store, scanBytes, `SELECT payload FROM release WHERE id = $1`, release)
	if err == nil && !found {
		return nil, r.unavailable("it has no such release", nil)
	}
	return payload, r.readError(ctx, err)
}

// An answered is an answer that others have recorded.
type answered struct {
	asked
	recordedAnswer
}

// answeredSince finds the answers that were recorded behind entry $1.
const answeredSince = `SELECT r.id, r.at, e.table_schema, e.table_name, e.epoch, c.question_key` + releaseJoin + `WHERE r.entry > $1 ORDER BY r.id`

func scanAnswered(rows scanner) (a answered, err error) {
	var key []byte
	err = rows.Scan(&a.release, &a.at, &a.table.Schema, &a.table.Name, &a.epoch, &key)
	a.key = digestOf(key)
	return a, err
}

// A ChargedQuestion is a question that was charged for.
type ChargedQuestion struct {
	Release int64 // that answers it; 0 if it was not recorded
	At      time.Time
	Analyst string
	Question
	Mechanism string
	Loss      Loss
	Term      composition.Term
	Blocks    []string
	Shape     string
}

// Charges returns the questions that were charged for about the table's rows of the present epoch, oldest first.
func (r *Reader) Charges(ctx context.Context, table policy.TableName) ([]ChargedQuestion, error) {
	var epoch int64
	if err := r.look(ctx, func(s *state) { epoch = s.table(table).epoch }); err != nil {
		return nil, err
	}
	charges, err := collect(ctx, r.store, scanChargedQuestion, `SELECT coalesce(r.id, 0), e.at, e.analyst, e.table_schema, e.table_name, c.question_key, c.question,
		c.mechanism, c.epsilon, c.delta, c.releases, c.term, c.blocks, c.shape
		FROM charge c JOIN entry e ON e.id = c.entry LEFT JOIN release r ON r.charge = c.id
		WHERE e.table_schema = $1 AND e.table_name = $2 AND e.epoch = $3 ORDER BY c.id`, table.Schema, table.Name, epoch)
	return charges, r.readError(ctx, err)
}

func scanChargedQuestion(rows scanner) (q ChargedQuestion, err error) {
	var at int64
	var key []byte
	var term, blocks string
	if err := rows.Scan(&q.Release, &at, &q.Analyst, &q.Table.Schema, &q.Table.Name, &key, &q.Text,
		&q.Mechanism, &q.Loss.Epsilon, &q.Loss.Delta, &q.Loss.Releases, &term, &blocks, &q.Shape); err != nil {
		return q, err
	}
	q.At, q.Key = time.Unix(0, at).UTC(), digestOf(key)
	if q.Blocks, err = parseBlocks(blocks); err != nil || term == "" {
		return q, err
	}
	q.Term, err = composition.Parse(term)
	return q, err
}
