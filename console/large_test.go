package console

import (
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
)

var (
	large     = flag.Int("large", 0, "how many entries the ledger of TestLargeLedger has")
	largeKept = flag.String("largedir", "", "keep the ledger of TestLargeLedger in this `directory`, and take that of the same day from there")
)

// A large installation has so many tables and analysts.
const (
	largeTables   = 200
	largeAnalysts = 500
)

// parseLarge is the policy of a large installation: the played one, and more of the same.
func parseLarge(t testing.TB, dir string) *policy.Policy {
	t.Helper()
	v := verifier()
	text := fmt.Sprintf(playedPolicy, filepath.Join(dir, "tacit.db"), v["ana"], v["bob"], v["olga"], v["stan"])
	var analysts, tables strings.Builder
	for i := range largeAnalysts {
		fmt.Fprintf(&analysts, "  analyst%d: {password: %q}\n", i, v["ana"])
	}
	for i := range largeTables - 3 {
		fmt.Fprintf(&tables, "  public.patients%d:\n    person: row\n    mechanism: {kind: geometric, epsilon: 0.1}\n    budget: {epsilon: 6, delta: 1e-6}\n    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}, region: {}}\n", i)
	}
	text = strings.Replace(text, "console:\n", analysts.String()+"console:\n", 1) + tables.String()
	file := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := policy.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// largePages are filters and forms besides, and who may see them: those that find nothing look at the most.
var largePages = map[string]bool{ // true: analysts, too
	"/questions?text=nothing+like+it": true, "/questions?verdict=charged&text=1999": true, "/questions?table=public.patients7&text=nothing": true, "/questions?before=500000": true,
	"/questions?analyst=analyst7": false, "/questions?analyst=analyst7&text=nothing": false, "/questions?verdict=granted": false,
	"/free?text=nothing+like+it": true, "/free?text=count+99": true, "/free?table=public.patients7": true, "/free?table=public.patients7&text=nothing": true,
	"/refused?sort=times": true, "/table/public/patients7": true, "/table/public/patients7?analysts=loss": true, "/table/public/patients7/curve.svg": false,
	"/report?month=" + now.AddDate(0, -1, 0).Format("2006-01"): false, "/acts?act=grant&table=public.patients7": false, "/acts?act=thaw": false, "/acts/entry/500000": false,
	"/assess?table=public.patients7&key=sex": false, "/whatif?table=public.patients7&key=sex": false, "/whatif": false,
}

// TestLargeLedger shows how long pages of a large ledger take, of ten times each, one after another.
func TestLargeLedger(t *testing.T) {
	if *large == 0 {
		t.Skip("-large is not given")
	}
	ctx, dir := context.Background(), cmp.Or(*largeKept, t.TempDir())
	p := parseLarge(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "tacit.db")); err != nil {
		fillLarge(t, p)
	}
	s := &played{t: t, policy: p, at: func() time.Time { return now }}
	s.serve()
	begun := time.Now()
	s.console.readAhead(ctx)
	t.Logf("the sums: %v, %d entries", time.Since(begun), s.console.sums.Position())
	all := maps.Clone(everyPage)
	maps.Copy(all, largePages)
	for _, name := range []string{"stan", "ana"} {
		b := s.as(name)
		for _, path := range slices.Sorted(maps.Keys(all)) {
			if name == "ana" && !all[path] || strings.Contains(path, ".csv") || strings.Contains(path, ".json") {
				continue // exports are streams of everything
			}
			var took, computed []time.Duration
			size := 0
			for range 10 {
				begun, before := time.Now(), processorTime(t)
				size = len(b.get(path).body)
				took, computed = append(took, time.Since(begun).Round(time.Millisecond)), append(computed, (processorTime(t)-before).Round(time.Millisecond))
			}
			slices.Sort(took)
			slices.Sort(computed)
			t.Logf("%s %s: %v to %v, the median %v, of processors %v, %d bytes", name, path, took[0], took[len(took)-1], took[len(took)/2], computed[len(computed)/2], size)
		}
	}
}

// processorTime is what this process has used of processors, the browser of the test with it: it is the same whatever else runs on the machine.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// fillLarge makes the ledger.
func fillLarge(t *testing.T, p *policy.Policy) {
	t.Helper()
	ctx := context.Background()
	at := now.AddDate(0, 0, -39)
	l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Serve, Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < *large; {
		at = now.Add(-time.Duration(39 * 24 * float64(time.Hour) * (1 - float64(i)/float64(*large))))
		var charges []accountant.Charge
		for n := range largeTables {
			table, text := p.Tables[n], fmt.Sprint("count ", i)
			a := release.Accounting(table)
			a.Budget.Epsilon = 1e15
			charges = append(charges, accountant.Charge{Analyst: fmt.Sprint("analyst", i/2%largeAnalysts), Accounting: a, SQL: "SELECT " + text, Items: []accountant.Item{{
				Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 1e3}, Mechanism: "geometric"}}})
			i += 2
		}
		l.Note(ledger.Event{Analyst: fmt.Sprint("analyst", i%largeAnalysts), Table: p.Tables[i/100%largeTables].Name, Verdict: ledger.Refused, SQL: fmt.Sprint("SELECT * FROM t", i),
			SQLState: "42501", Reason: fmt.Sprintf("rows of protected table %v cannot be read", p.Tables[i/100%largeTables].Name)})
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
}
