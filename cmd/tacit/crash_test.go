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

// TestKillNine kills the proxy at random moments under concurrent load and starts it again: every answer that was shown is
// charged and recorded, and is the same afterwards. It would fail if an answer were shown before its release is durable, or if
// a reservation were lost or refunded.
func TestKillNine(t *testing.T) {
	s := newSite(t, siteOptions{budget: "100000"})
	var mu sync.Mutex
	var shown []shownAnswer
	for round := range 5 {
		p := s.serve()
		ctx, cancel := context.WithCancel(context.Background())
		var clients sync.WaitGroup
		for client := range 4 {
			clients.Go(func() {
				conn, err := pgx.Connect(ctx, s.url("ana"))
				if err != nil {
					return
				}
				defer conn.Close(context.Background())
				for i := 0; ; i++ {
					question := fmt.Sprintf("SELECT sex, count(*) FROM people WHERE age <> %d GROUP BY sex", round*1_000_000+client*10_000+i+1000)
					rows, err := readRows(ctx, conn, question)
					if err != nil {
						return
					}
					mu.Lock()
					shown = append(shown, shownAnswer{question, rows})
					mu.Unlock()
				}
			})
		}
		time.Sleep(200*time.Millisecond + rand.N(400*time.Millisecond))
		p.stop(syscall.SIGKILL)
		cancel()
		clients.Wait()
		spent := s.charged()
		if least := policy.Epsilon(len(shown)) * 500_000_000; spent.Epsilon < least {
			t.Fatalf("round %d: %d answers were shown for epsilon %v, at least %v must be charged", round, len(shown), spent.Epsilon, least)
		}
	}
	if len(shown) < 50 {
		t.Fatalf("only %d answers were shown; the test says nothing", len(shown))
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
