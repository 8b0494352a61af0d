package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant/journal"
)

// A flight is what is sent of a transaction, by prepared statements, before anything is heard of it: the server inserts the first rows of a batch while
// others are decided.
type flight struct {
	pipeline *pgconn.Pipeline
	cancel   context.CancelFunc
}

// takeOff begins a flight, if none has begun.
func (s *Store) takeOff() {
	if s.flight == nil {
		ctx, cancel := context.WithTimeout(context.Background(), ExchangePatience)
		s.flight = &flight{pipeline: s.conn.PgConn().StartPipeline(ctx), cancel: cancel}
	}
}

// Ahead sends the rows of a batch so far, and waits for nothing. What goes wrong is noticed by Write.
func (s *Store) Ahead(b *journal.Batch) {
	if len(b.Entries) == s.sent || b.Upgrade || len(b.Thinned) > 0 {
		return // there is nothing, or something else is to be done first
	}
	s.takeOff()
	s.sendRows(b.Entries)
	_ = s.flight.pipeline.Flush() // a pipeline that has failed goes on failing
}

// send sends a statement with its values.
func (s *Store) send(text string, values ...any) {
	parameters := make([][]byte, len(values))
	for i, value := range values {
		parameters[i] = binaryOf(value)
	}
	s.sendBinary(text, parameters)
}

func (s *Store) sendBinary(text string, parameters [][]byte) {
	s.flight.pipeline.SendQueryPrepared(s.prepared[text], parameters, []int16{1}, nil)
}

// sendRows sends the rows of the entries that were not sent yet.
func (s *Store) sendRows(all []*journal.Entry) {
	all, s.sent = all[s.sent:], len(all)
	entries := make([]journal.Entry, 0, len(all))
	var charges []journal.Charge
	var releases []journal.Release
	var events []journal.Event
	var answers []journal.Answer
	for _, e := range all {
		entries = append(entries, *e)
		charges, releases = append(charges, e.Charged...), append(releases, e.Released...)
		events, answers = append(events, e.Events...), append(answers, e.Answers...)
	}
	sendInsertion(s, insertEntries, entries)
	sendInsertion(s, insertCharges, charges)
	sendInsertion(s, insertReleases, releases)
	sendInsertion(s, insertEvents, events)
	sendInsertion(s, insertAnswers, answers)
}

// rowsAtOnce is how many rows one statement inserts at most: to find an element the server passes over all before it.
const rowsAtOnce = 64

// sendInsertion sends rows, if there are any.
func sendInsertion[R any, P interface {
	*R
	storable
}](s *Store, text string, rows []R) {
	for chunk := range slices.Chunk(rows, rowsAtOnce) {
		s.sendBinary(text, arraysOf[R, P](chunk))
	}
}

// land waits for the end of the flight. It returns the tag of its last statement, or the first error.
func (s *Store) land() (last pgconn.CommandTag, err error) {
	f := s.flight
	s.flight = nil
	defer f.cancel()
	err = f.pipeline.Sync()
	for err == nil || refused(err) {
		found, problem := f.pipeline.GetResults()
		if result, ok := found.(*pgconn.ResultReader); ok {
			last, problem = result.Close()
		} else if problem == nil {
			break // behind the last result
		}
		if problem != nil && (err == nil || !refused(problem)) {
			err = problem
		}
	}
	if problem := f.pipeline.Close(); err == nil {
		err = problem
	}
	return last, err
}
