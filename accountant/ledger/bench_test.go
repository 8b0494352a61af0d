package ledger

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/policy"
)

const benchCallers = 64

// benchCharge is a question that nobody has asked, on a table with the default rule.
func benchCharge(n int64) accountant.Charge {
	c := charge("ana", fmt.Sprint("question ", n), accountant.Loss{Epsilon: 1e6})
	c.Composition, c.Budget = policy.PLDComposition, policy.Budget{Epsilon: 1e15, Delta: 1e12}
	c.Main = composition.Term{Noise: composition.GeometricNoise, Epsilon: 1e6, Moves: 1}
	c.Items[0].Term = c.Main
	return c
}

// BenchmarkFreshCharges measures what 64 callers charge and record together, each waiting until both are durable. Beside it stands one row
// inserted and committed at a time, with the same settings on the same disk: a bare SQLite program of one writer.
func BenchmarkFreshCharges(b *testing.B) {
	l := open(b, newPath(b))
	payload := make([]byte, 200)
	var asked atomic.Int64
	b.ResetTimer()
	var all sync.WaitGroup
	for range benchCallers {
		all.Go(func() {
			for n := asked.Add(1); n <= int64(b.N); n = asked.Add(1) {
				record(b, l, reserve(b, l, benchCharge(n)), payload)
			}
		})
	}
	all.Wait()
	b.StopTimer()
	each := float64(b.Elapsed()) / float64(b.N)
	b.ReportMetric(1e9/each, "charges/s")
	bare := bareInsert(b, payload)
	b.ReportMetric(1e9/bare, "bare-inserts/s")
	b.ReportMetric(bare/each, "x-bare-insert")
}

// BenchmarkOneCaller is a full turn of one caller, which shares the disk with nobody: two durable transactions.
func BenchmarkOneCaller(b *testing.B) {
	l := open(b, newPath(b))
	payload := make([]byte, 200)
	n := int64(0)
	for b.Loop() {
		n++
		record(b, l, reserve(b, l, benchCharge(n)), payload)
	}
	each := float64(b.Elapsed()) / float64(b.N)
	b.ReportMetric(1e9/each, "charges/s")
	b.ReportMetric(bareInsert(b, payload)/each, "x-bare-insert")
}

// bareInsert is the time, in nanoseconds, of a transaction that inserts one row and does nothing else.
func bareInsert(b *testing.B, payload []byte) float64 {
	db, err := sql.Open("sqlite", "file:"+newPath(b)+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	do(b, err)
	db.SetMaxOpenConns(1)
	defer db.Close()
	const rows = 2000
	_, err = db.Exec("CREATE TABLE bare (payload BLOB)")
	do(b, err)
	start := time.Now()
	for range rows {
		_, err := db.Exec("INSERT INTO bare VALUES (?)", payload)
		do(b, err)
	}
	return float64(time.Since(start)) / rows
}

// BenchmarkLookup replays answers that are at hand; beside it stands a bare query of a prepared statement, for a row by its key.
func BenchmarkLookup(b *testing.B) {
	ctx := context.Background()
	path := newPath(b)
	l := open(b, path)
	const questions = 1000
	for n := range int64(questions) {
		record(b, l, reserve(b, l, benchCharge(n)), make([]byte, 200))
	}
	for n := 0; b.Loop(); n++ {
		if _, ok, err := l.Lookup(ctx, question(patients, fmt.Sprint("question ", n%questions)), time.Hour); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
	each := float64(b.Elapsed()) / float64(b.N)
	b.ReportMetric(1e9/each, "lookups/s")
	db, err := sql.Open("sqlite", path)
	do(b, err)
	defer db.Close()
	statement, err := db.Prepare("SELECT payload FROM release WHERE id = ?")
	do(b, err)
	defer statement.Close()
	start := time.Now()
	for n := range questions {
		var payload []byte
		do(b, statement.QueryRow(n+1).Scan(&payload))
	}
	b.ReportMetric(float64(time.Since(start))/questions/each, "x-bare-query")
}

// largeEntries are how many entries the ledger of the benchmarks below has: a third of them charges, and a third their answers.
const largeEntries = 1_000_000

// large makes a ledger of so many entries, as a ledger would have written them in turns of a hundred.
func large(b *testing.B, path string, entries int64) {
	b.Helper()
	l, err := openAs(path, Serve)
	do(b, err)
	for n := int64(0); l.committed < entries; n += 100 {
		reservations := make([]*Reservation, 100)
		do(b, l.do(context.Background(), func(p *batch) error {
			for i := range reservations {
				charges := []accountant.Charge{benchCharge(n + int64(i))}
				charges[0].Analyst = fmt.Sprint("analyst ", i%10)
				pending, err := newPendingCharges(charges)
				if err == nil {
					err = p.examine(&pending[0])
				}
				if err != nil {
					return err
				}
				reservations[i] = p.reserve(&pending[0])
				p.Add(&journal.Entry{Kind: journal.KindRefused, Analyst: "eve", Statement: "SELECT * FROM patients", Sqlstate: "42501", Body: (&Event{}).body(journal.FormatVersion)})
				e := reservations[i].entry(journal.KindRecorded)
				e.Released = []journal.Release{{Charge: reservations[i].charges[0], Payload: binary.BigEndian.AppendUint64(make([]byte, 92), uint64(i))}}
				p.Add(e)
			}
			return nil
		}))
	}
	closeLedger(b, l)
}

// BenchmarkLargeLedger opens and verifies a ledger of a million entries. Beside them stands sqlite's own way through all its rows.
func BenchmarkLargeLedger(b *testing.B) {
	path := newPath(b)
	start := time.Now()
	large(b, path, largeEntries)
	b.Logf("made in %v", time.Since(start))
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			l, err := openAs(path, Serve)
			do(b, err)
			b.StopTimer()
			do(b, l.Close())
			b.StartTimer()
		}
	})
	b.Run("verify", func(b *testing.B) {
		r, err := look(path)
		do(b, err)
		defer r.Close()
		for b.Loop() {
			v, err := r.Verify(context.Background(), nil)
			if err != nil || len(v.Problems) > 0 || v.Entries < largeEntries {
				b.Fatal(v, err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N), "s/verify")
		db, err := sql.Open("sqlite", path)
		do(b, err)
		defer db.Close()
		start := time.Now()
		for _, table := range []string{"entry", "charge", "release"} {
			rows, err := db.Query("SELECT * FROM " + table)
			do(b, err)
			for rows.Next() {
			}
			do(b, rows.Close())
		}
		b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/time.Since(start).Seconds(), "x-bare-read")
	})
}
