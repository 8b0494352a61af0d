package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// A charged is a row of the ledger's table charge, with the answer to it.
type charged struct {
	id int64
	paid
	epsilon  int64
	answered bool
	count    int64
}

// A paid is a question as one of its tables is charged for it.
type paid struct {
	table    string
	question question
}

// chargesQuery reads the ledger as a steward can, without this program.
const chargesQuery = `SELECT c.id, e.table_name, e.statement, c.epsilon, r.payload
	FROM tacit_ledger.charge c JOIN tacit_ledger.entry e ON e.id = c.entry LEFT JOIN tacit_ledger.release r ON r.charge = c.id
	WHERE e.table_name <> '` + ward + `' ORDER BY c.id`

var numbered = regexp.MustCompile(`/\* ([a-z]+)#([0-9]+) \*/`)

func (s *site) charges() (all []charged) {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.ledger.URL("postgres", "tacit"))
	must(s.t, err)
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, chargesQuery)
	must(s.t, err)
	defer rows.Close()
	for rows.Next() {
		var c charged
		var statement string
		var payload []byte
		must(s.t, rows.Scan(&c.id, &c.table, &statement, &c.epsilon, &payload))
		found := numbered.FindStringSubmatch(statement)
		if found == nil {
			s.t.Fatalf("charge %d is for %q", c.id, statement)
		}
		number, _ := strconv.Atoi(found[2])
		c.question, c.answered = question{found[1], number}, payload != nil
		if !slices.Contains(c.question.charged(), c.table) {
			s.t.Fatalf("charge %d of %s is for %q", c.id, c.table, statement)
		}
		if c.answered {
			c.count = countOf(s, payload)
		}
		all = append(all, c)
	}
	must(s.t, rows.Err())
	return all
}

// countOf reads the only count of an answer.
func countOf(s *site, payload []byte) int64 {
	s.t.Helper()
	var answer struct{ Counts []int64 }
	if err := json.Unmarshal(payload, &answer); err != nil || len(answer.Counts) != 1 {
		s.t.Fatalf("an answer is %s", payload)
	}
	return answer.Counts[0]
}

// reconcile compares what analysts have seen with what the ledger says.
func (l *load) reconcile() {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	answered := make(map[paid]int64)
	open := make(map[paid][]int64)
	charges := l.charges()
	spent := make(map[string]int64)
	for _, c := range charges {
		spent[c.table] += c.epsilon
		if c.epsilon != price*1e9 {
			l.t.Errorf("charge %d is of %d", c.id, c.epsilon)
		}
		if !c.answered {
			open[c.paid] = append(open[c.paid], c.id)
			continue
		}
		if _, twice := answered[c.paid]; twice {
			l.t.Errorf("question %v was charged and answered twice", c.paid)
		}
		answered[c.paid] = c.count
	}
	for q, count := range l.shown {
		for _, table := range q.charged() {
			if got, ok := answered[paid{table, q}]; !ok || got != count {
				l.t.Errorf("question %v was answered with %d; the ledger has of %s %d, %v", q, count, table, got, ok)
			}
		}
	}
	l.explain(answered, open)
	if limit := int64(price * 1e9 * scarceQuestions); spent["scarce"] != limit {
		l.t.Errorf("of the budget of scarce %d was spent of %d: it was fought for, and is not to be exceeded", spent["scarce"], limit)
	}
	l.t.Logf("%d answers shown, to %d questions; %d charges, %d answered; %d open; errors %v",
		l.answers, len(l.shown), len(charges), len(answered), len(open), l.failures)
}

// explain accounts for every charge that has no answer, one by one. An orphan would have been adopted when it was asked again, and so each
// was given up: its statement failed or was cut off after the charge.
func (l *load) explain(answered map[paid]int64, open map[paid][]int64) {
	l.t.Helper()
	abandoned := l.abandoned()
	for q, ids := range open {
		_, later := answered[q]
		for _, id := range ids {
			if !slices.Contains(abandoned, id) {
				l.t.Errorf("charge %d for question %v stays open, neither given up nor adopted (answered: %v)", id, q, later)
				continue
			}
			l.t.Logf("charge %d for question %v stays open: it was given up when its statement failed (answered later: %v)", id, q, later)
		}
	}
}

// askOrphans asks again what was charged and not answered, of which the proxies are gone: the others adopt these charges.
func (l *load) askOrphans() {
	l.t.Helper()
	abandoned := l.abandoned()
	for _, c := range l.charges() {
		if c.answered || slices.Contains(abandoned, c.id) {
			continue
		}
		l.t.Logf("charge %d for question %v was left by a proxy that is gone, and is asked again", c.id, c.question)
		l.askOnce(l.proxies[0], c.question)
	}
}

// abandoned lists the charges that were given up.
func (s *site) abandoned() (all []int64) {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.ledger.URL("postgres", "tacit"))
	must(s.t, err)
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT jsonb_array_elements_text(body::jsonb->'charges')::bigint FROM tacit_ledger.entry WHERE kind = 'abandoned'")
	must(s.t, err)
	all, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	must(s.t, err)
	return all
}

// askAgain asks every proxy every question that was answered: it is answered in the same way, and for nothing.
func (l *load) askAgain() {
	l.t.Helper()
	before := len(l.charges())
	for _, p := range l.proxies {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://ana@%s/data?sslmode=disable", p.address()))
		must(l.t, err)
		for q, want := range l.shown {
			var count int64
			err := conn.QueryRow(ctx, q.sql(0)).Scan(&count)
			if err != nil || count != want {
				l.t.Errorf("question %v was answered with %d; proxy %d says %d, error %v", q, want, p.number, count, err)
			}
		}
		conn.Close(ctx)
		cancel()
	}
	if after := len(l.charges()); after != before {
		l.t.Errorf("%d charges for questions that were answered before", after-before)
	}
}

// verify runs `tacit verify`.
func (s *site) verify() {
	s.t.Helper()
	p := s.proxies[0]
	out, err := exec.Command(p.binary, "verify", "--policy", p.policy).CombinedOutput()
	if err != nil {
		s.t.Errorf("tacit verify: %v\n%s", err, out)
		return
	}
	s.t.Logf("tacit verify: %s", strings.TrimSpace(string(out)))
}
