package console

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/release"
)

var large = flag.Int("large", 0, "how many entries the ledger of TestLargeLedger has")

// TestLargeLedger shows how long pages of a large ledger take.
func TestLargeLedger(t *testing.T) {
	if *large == 0 {
		t.Skip("-large is not given")
	}
	ctx := context.Background()
	p := parsePlayed(t, t.TempDir())
	at := now.AddDate(0, 0, -39)
	l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Serve, Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	table := p.Tables[0]
	a := release.Accounting(table)
	a.Budget.Epsilon = 1e15
	for i := 0; i < *large; {
		at = now.Add(-time.Duration(39 * 24 * float64(time.Hour) * (1 - float64(i)/float64(*large))))
		var charges []accountant.Charge
		for range 200 {
			text := fmt.Sprint("count ", i)
			charges = append(charges, accountant.Charge{Analyst: fmt.Sprint("analyst", i%500), Accounting: a, SQL: "SELECT " + text, Items: []accountant.Item{{
				Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 1e3}, Mechanism: "geometric"}}})
			i += 2
		}
		done := make(chan error, len(charges))
		for _, c := range charges {
			go func() {
				r, err := l.Reserve(ctx, c)
				if err == nil {
					_, err = l.Record(ctx, r, [][]byte{nil})
				}
				done <- err
			}()
		}
		for range charges {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := &played{t: t, policy: p, at: func() time.Time { return now }}
	s.serve()
	begun := time.Now()
	s.console.readAhead(ctx)
	t.Logf("the sums: %v, %d entries", time.Since(begun), s.console.sums.Position())
	b := s.as("olga")
	for path := range everyPage {
		for range 2 {
			begun := time.Now()
			r := b.get(path)
			t.Logf("%6d ms %8d bytes %s", time.Since(begun).Milliseconds(), len(r.body), path)
		}
	}
}
