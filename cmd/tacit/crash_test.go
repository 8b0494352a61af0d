package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// shownAnswer is what an analyst saw of a question.
type shownAnswer struct {
	question, rows string
}

// loadAndKill serves the site to clients that ask until the proxy is killed, which is once they have seen so many answers, and returns
// those. ask is the number i question of a client.
func (s *site) loadAndKill(clients, answers int, ask func(client, i int) (analyst, question string)) (shown []shownAnswer) {
	s.t.Helper()
	p := s.serve()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var running sync.WaitGroup
	seen := make(chan shownAnswer)
	for client := range clients {
		running.Go(func() {
			analyst, _ := ask(client, 0)
			conn, err := pgx.Connect(ctx, s.url(analyst))
			if err != nil {
				return
			}
			defer conn.Close(context.Background())
			for i := 0; ; i++ {
				_, question := ask(client, i)
				rows, err := readRows(ctx, conn, question)
				if err != nil {
					return
				}
				seen <- shownAnswer{question, rows}
			}
		})
	}
	go func() {
		running.Wait()
		close(seen)
	}()
	for a := range seen {
		if shown = append(shown, a); len(shown) == answers {
			// Between two answers, at any point of the next one.
			time.AfterFunc(rand.N(20*time.Millisecond), func() { p.stop(syscall.SIGKILL) })
		}
	}
	p.stop(syscall.SIGKILL) // waits for its end
	if len(shown) < answers {
		s.t.Fatalf("only %d answers were shown", len(shown))
	}
	return shown
}

// TestKillNine kills the proxy at random moments under concurrent load and starts it again: every answer that was shown is
// charged and recorded, and is the same afterwards. It would fail if an answer were shown before its release is durable, or if
// a reservation were lost or refunded.
func TestKillNine(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "100000"})
	var shown []shownAnswer
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		shown = append(shown, s.loadAndKill(4, 20+rand.N(30), func(client, i int) (analyst, question string) {
			return "ana", fmt.Sprintf("SELECT sex, count(*) FROM people WHERE age <> %d GROUP BY sex", round*1_000_000+client*10_000+i+1000)
		})...)
		spent := s.charged()
		if least := policy.Epsilon(len(shown)) * 500_000_000; spent.Epsilon < least {
			t.Fatalf("round %d: %d answers were shown for epsilon %v, at least %v must be charged", round, len(shown), spent.Epsilon, least)
		}
	}
	s.serve()
	conn := s.connect("bob") // who could not pay for them
	for _, a := range shown {
		rows, err := readRows(context.Background(), conn, a.question)
		if err != nil {
			t.Fatal(err)
		}
		if rows != a.rows {
			t.Fatalf("%s\nbefore the crash: %s\nafter it:         %s", a.question, a.rows, rows)
		}
	}
}

// readRows returns the rows of a statement as text, by the simple protocol.
func readRows(ctx context.Context, conn *pgx.Conn, sql string) (string, error) {
	results, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		return "", err
	}
	var text string
	for _, r := range results {
		for _, row := range r.Rows {
			for _, v := range row {
				if v == nil {
					text += "NULL|"
				} else {
					text += string(v) + "|"
				}
			}
			text += "\n"
		}
	}
	return text, nil
}
