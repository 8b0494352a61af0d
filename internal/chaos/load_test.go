package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A question is a count of one of the tables, or of two that are joined; its number is written into the statement, by which the ledger's entries are
// told apart.
type question struct {
	table  string
	number int
}

// sql asks it, in one of two ways that mean the same.
func (q question) sql(variant int) string {
	name, from := "", q.table+" AS t"
	if variant == 1 {
		name = " AS n"
	}
	if q.table == joined {
		from = "members AS t JOIN stays AS s ON s.id = t.id"
	}
	return fmt.Sprintf("SELECT count(*)%s FROM %s WHERE t.age >= %d AND t.age <= %d AND t.sex = '%s' /* %s#%d */",
		name, from, q.number%60, 60+q.number/60%60, []string{"F", "M"}[q.number/3600%2], q.table, q.number)
}

// charged are the tables that it is charged to.
func (q question) charged() []string {
	if q.table == joined {
		return []string{"members", "stays"}
	}
	return []string{q.table}
}

// A load is analysts who ask until they are stopped.
type load struct {
	*site
	stopped  chan struct{}
	running  sync.WaitGroup
	asked    [len(tables)]atomic.Int64 // how many questions of each table have been begun
	mu       sync.Mutex                // protects what follows
	shown    map[question]int64
	failures map[string]int
	answers  int
	answered map[string]int // by what it is about
	stages   map[int64]bool // numbers of faults that had begun when somebody was answered
}

// What is asked about. Of ward stewards open epochs, and freeze it: the same question has other answers then.
const (
	joined = "joined"
	ward   = "ward"
)

var tables = [...]string{"people", "scarce", joined, ward}

// Questions that are asked for the first time are so many in a second, about, for each analyst.
const (
	analystsPerProxy = 3
	askPatience      = 40 * time.Second
)

// startLoad has analysts ask, whose choices follow from the seed.
func (s *site) startLoad(seed uint64) *load {
	l := &load{
		site: s, stopped: make(chan struct{}), shown: make(map[question]int64), failures: make(map[string]int),
		answered: make(map[string]int), stages: make(map[int64]bool),
	}
	for i := range analystsPerProxy * len(s.proxies) {
		random := rand.New(rand.NewPCG(seed, uint64(i)+1))
		l.running.Go(func() {
			for {
				select {
				case <-l.stopped:
					return
				default:
					l.ask(random, s.proxies[random.IntN(len(s.proxies))], analysts[random.IntN(len(analysts))])
				}
			}
		})
	}
	return l
}

// stop waits for the answers to what was asked.
func (l *load) stop() {
	close(l.stopped)
	l.running.Wait()
}

// choose is most often a question that others ask at the same moment, or have asked.
func (l *load) choose(random *rand.Rand) question {
	table := 0
	if n := random.IntN(16); n < 5 {
		table = []int{1, 1, 2, 2, 3}[n]
	}
	begun := &l.asked[table]
	n := begun.Load()
	switch random.IntN(5) {
	case 0:
		n = begun.Add(1)
	case 1:
		if n > 0 {
			n = random.Int64N(n)
		}
	}
	return question{tables[table], int(n % 7200)}
}

// ask asks one proxy some questions in one session.
func (l *load) ask(random *rand.Rand, p *proxy, analyst string) {
	ctx, cancel := context.WithTimeout(context.Background(), askPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://%s@%s/data?sslmode=disable", analyst, p.address()))
	if err != nil {
		l.fail(err)
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer conn.Close(ctx)
	for range 1 + random.IntN(10) {
		q := l.choose(random)
		var count int64
		if err := conn.QueryRow(ctx, q.sql(random.IntN(2))).Scan(&count); err != nil {
			if l.fail(err); conn.IsClosed() {
				return
			}
			continue
		}
		l.show(p, q, count)
	}
}

// awaitOpen waits until every proxy has found the ledger again, which it looks for every few seconds.
func (l *load) awaitOpen() {
	l.t.Helper()
	for _, p := range l.proxies {
		deadline := time.Now().Add(askPatience)
		for {
			count, err := l.count(p, question{tables[0], 0})
			if err == nil {
				l.show(p, question{tables[0], 0}, count)
				break
			}
			if time.Now().After(deadline) {
				l.t.Fatalf("proxy %d stays closed: %v", p.number, err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// count asks a proxy one question in a session of its own.
func (l *load) count(p *proxy, q question) (count int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://ana@%s/data?sslmode=disable", p.address()))
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, q.sql(0)).Scan(&count)
	return count, err
}

// askOnce asks one question while nothing is broken, and returns the SQLSTATE if it is refused.
func (l *load) askOnce(p *proxy, q question) (refusal string) {
	l.t.Helper()
	count, err := l.count(p, q)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "53400" {
		return refused.Code
	}
	must(l.t, err)
	l.show(p, q, count)
	return ""
}

// exhaust asks for what is left of the budget of scarce, until it is refused.
func (l *load) exhaust() {
	l.t.Helper()
	for range 2 * scarceQuestions {
		if l.askOnce(l.proxies[0], question{tables[1], int(l.asked[1].Add(1))}) != "" {
			return
		}
	}
	l.t.Error("the budget of scarce pays for more than it holds")
}

// show compares an answer with those to the same question before.
func (l *load) show(p *proxy, q question, count int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answers++
	l.answered[q.table]++
	l.stages[l.broken.Load()] = true
	if q.table == ward {
		return
	}
	if before, ok := l.shown[q]; ok && before != count {
		l.t.Errorf("question %v has the answers %d and, of proxy %d, %d", q, before, p.number, count)
	}
	l.shown[q] = count
}

// fail counts an error by its kind. An error that nothing here explains fails the test.
func (l *load) fail(err error) {
	kind := "connection"
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		kind = refused.Code
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !explained[kind] {
		l.t.Errorf("an analyst has seen: %v", err)
	}
	l.failures[kind]++
}

// served says whether the ledger was of use while things were broken: answers came at a good part of its stages, from one fault to the
// next, and not far fewer than refusals because the ledger was away, which are quick; and there were some to every kind of question.
func (l *load) served() {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	stages := int(l.broken.Load()) + 1
	away := l.failures["58000"] + l.failures["58030"]
	l.t.Logf("%d answers, at %d of %d stages, and %d refusals because the ledger was away", l.answers, len(l.stages), stages, away)
	if len(l.stages) < stages/4 || 3*l.answers < away {
		l.t.Errorf("too few answers: errors %v", l.failures)
	}
	for _, table := range tables {
		if l.answered[table] == 0 && table != ward { // which may have been frozen at once
			l.t.Errorf("no question about %s was answered", table)
		}
	}
}

// explained are the errors that analysts may see.
var explained = map[string]bool{
	"connection": true, // to a proxy that was killed
	"53400":      true, // the budget of scarce is spent
	"58000":      true, // the ledger cannot be used
	"58030":      true, // the ledger cannot be written
	"57P01":      true, // the proxy ends
	"57014":      true, // waited too long
	"55000":      true, // ward is frozen
}
