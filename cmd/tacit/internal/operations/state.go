package operations

import (
	"context"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"tacit/accountant"
	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/release"
)

// This file makes the metrics that are looked up when somebody asks. The invariant: what depends on how much a count reads is rounded up. Start at
// state.Collect.

// A state collects from a subject.
type state struct {
	subject Subject
	began   time.Time
}

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	connections    = gauge("tacit_connections", "Connections of analysts, by what they are doing.", "state")
	connectionsMax = gauge("tacit_connections_limit", "Most sessions that may be open (limits.connections).")
	draining       = gauge("tacit_draining", "1 while the proxy is about to end.")
	tablesOpen     = gauge("tacit_tables_open", "1 while protected tables are open.")
	ledgerUsable   = gauge("tacit_ledger_usable", "1 while the ledger can be used.")
	findings       = gauge("tacit_separation_findings", "Findings of the last check of roles, by severity.", "severity")
	ledgerQueue    = gauge("tacit_ledger_queue", "Changes of the ledger that wait for a commit.")
	ledgerAwaited  = gauge("tacit_ledger_awaited", "Statements that wait for an answer of another process.")
	ledgerDropped  = prometheus.NewDesc("tacit_ledger_notes_lost_total", "Notes of replays and refusals that did not get into the ledger's log.", nil, nil)
	commitTimes    = gauge("tacit_ledger_commit_seconds", "What commits of the ledger took, once it was locked.")
	queueTimes     = gauge("tacit_ledger_queued_seconds", "What changes of the ledger waited until their commit began: for others, and for the lock.")
	lookups        = gauge("tacit_recorded_answers_total", "Recorded answers that were looked up, by where they were found.", "found")
	recalled       = gauge("tacit_recalled_statements_total", "Protected statements whose whole answer was in memory.")
	budget         = gauge("tacit_budget", "What the policy and grants allow, by table and amount.", "table", "amount")
	spent          = gauge("tacit_budget_spent", "What counts against the budget now; of a table with blocks, in the one of which most was spent.", "table", "amount")
	left           = gauge("tacit_budget_left", "What is left of the budget; of a table with blocks, in the one of which most was spent.", "table", "amount")
	lifetime       = gauge("tacit_budget_charged", "What was charged since the table's epoch began, whatever its window.", "table", "amount")
	frozen         = gauge("tacit_table_frozen", "1 while charges for a table are stopped.", "table")
	memoryUsed     = gauge("tacit_memory_statements_bytes", "What the groups of statements take of limits.memory, rounded up to 16 MiB.")
	memoryLimit    = gauge("tacit_memory_limit_bytes", "What the proxy may use (limits.memory).")
	processMemory  = gauge("tacit_process_memory_bytes", "Memory that the proxy has from the system, rounded up to 16 MiB.")
	goroutines     = gauge("tacit_goroutines", "Goroutines of the proxy.")
	descriptors    = gauge("tacit_open_descriptors", "File descriptors that are open.")
	descriptorsMax = gauge("tacit_descriptors_limit", "Most file descriptors that may be open.")
	certificate    = gauge("tacit_certificate_expiry_timestamp_seconds", "When the proxy's certificate ends.")
	started        = gauge("tacit_start_timestamp_seconds", "When the proxy was started.")
)

// Describe sends nothing: which metrics there are depends on the policy.
func (s *state) Describe(chan<- *prometheus.Desc) {}

// collectTime bounds a look at all of it.
const collectTime = 5 * time.Second

// Collect looks at the subject.
func (s *state) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), collectTime)
	defer cancel()
	set := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	byState, most := s.subject.Connections()
	for name, n := range byState {
		set(connections, float64(n), name)
	}
	set(connectionsMax, float64(most))
	set(draining, yes(s.subject.Draining()))
	set(started, float64(s.began.Unix()))
	if ends := s.subject.CertificateEnds(); !ends.IsZero() {
		set(certificate, float64(ends.Unix()))
	}
	now := s.subject.Status(ctx)
	set(tablesOpen, yes(now.Separate && now.LedgerUsable))
	set(ledgerUsable, yes(now.LedgerUsable))
	for severity, n := range now.Findings {
		set(findings, float64(n), severity)
	}
	set(ledgerQueue, float64(now.Ledger.Writes))
	set(ledgerAwaited, float64(now.Ledger.Awaited))
	counted(now, out)
	set(memoryUsed, coarseBytes(now.MemoryUsed))
	set(memoryLimit, float64(now.MemoryMost))
	for i := range now.Balances {
		table(&now.Balances[i], set)
	}
	process(set)
}

// counted are the counters and histograms. They begin anew when the ledger is opened again.
func counted(now release.Status, out chan<- prometheus.Metric) {
	l := now.Ledger
	add := func(d *prometheus.Desc, n int64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	add(ledgerDropped, l.Dropped)
	add(recalled, now.Recalled)
	add(lookups, l.Kept, "in memory")
	add(lookups, l.Read, "in the ledger")
	add(lookups, l.Missing, "nowhere")
	for desc, times := range map[*prometheus.Desc]stopwatch.Counted{commitTimes: l.Commits, queueTimes: l.Queued} {
		out <- prometheus.MustNewConstHistogram(desc, times.All, times.Sum.Seconds(), times.Within)
	}
}

// amounts are those of a loss that a budget has.
func amounts(of policy.Budget, l accountant.Loss) map[string]float64 {
	found := make(map[string]float64)
	if of.Epsilon > 0 {
		found["epsilon"] = l.Epsilon.Float()
	}
	if of.Delta > 0 {
		found["delta"] = float64(l.Delta) / 1e18
	}
	if of.Releases > 0 {
		found["releases"] = float64(l.Releases)
	}
	if of.Risk > 0 {
		found["risk"] = l.Risk.Float()
	}
	return found
}

func table(b *release.TableBalance, set func(*prometheus.Desc, float64, ...string)) {
	name := b.Table.String()
	set(frozen, yes(b.Frozen != ""), name)
	whole := b.Balance.Budget
	for _, of := range []struct {
		desc *prometheus.Desc
		loss accountant.Loss
	}{{budget, accountant.Loss(whole)}, {spent, b.Spent}, {left, b.Left}, {lifetime, b.Lifetime}} {
		for amount, value := range amounts(whole, of.loss) {
			set(of.desc, value, name, amount)
		}
	}
}

func yes(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// coarseBytes rounds up what depends on how many groups a table has.
func coarseBytes(bytes int64) float64 {
	const unit = 16 << 20
	return float64((bytes + unit - 1) / unit * unit)
}

// process is about the process: the collectors of Prometheus's library tell all of it to the byte.
func process(set func(*prometheus.Desc, float64, ...string)) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	set(processMemory, coarseBytes(int64(memory.Sys-memory.HeapReleased)))
	set(goroutines, float64(runtime.NumGoroutine()))
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		set(descriptors, float64(len(open)))
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
		set(descriptorsMax, float64(limit.Cur))
	}
}
