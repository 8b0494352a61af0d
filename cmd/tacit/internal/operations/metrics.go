package operations

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tacit/internal/stopwatch"
	"tacit/proxy"
	"tacit/release"
)

// A Subject is what is looked at when somebody asks. Its methods are called concurrently.
type Subject interface {
	Status(ctx context.Context) release.Status
	Reached(ctx context.Context) bool
	Connections() (byState map[string]int, most int)
	Draining() bool
	// CertificateEnds is when the proxy's certificate does; zero if it has none.
	CertificateEnds() time.Time
}

// Metrics count what becomes of statements. They are a proxy.Observer.
type Metrics struct {
	registry   *prometheus.Registry
	statements *prometheus.CounterVec
	refusals   *prometheus.CounterVec
	verdicts   *prometheus.CounterVec
	phases     *prometheus.HistogramVec
}

// The phases of a statement. Those of counts have the bounds of package stopwatch.
const (
	phaseVerdict = "verdict"
	phaseLedger  = "ledger"
	phaseCurator = "curator"
	phaseAnswer  = "answer"
)

// NewMetrics counts from 0.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		statements: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tacit_statements_total", Help: "Protected statements, by what became of them."}, []string{"verdict"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tacit_refusals_total", Help: "Protected statements that were not answered, by SQLSTATE."}, []string{"sqlstate"}),
		verdicts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tacit_verdicts_total", Help: "Texts that were looked at, by whether the verdict was remembered."}, []string{"remembered"}),
		phases: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tacit_phase_seconds", Help: "What the phases of protected statements take. Times of curator and answer are rounded up to the bounds.",
			Buckets: bounds()}, []string{"phase"}),
	}
	for _, outcome := range proxy.Outcomes {
		m.statements.WithLabelValues(string(outcome))
	}
	for _, phase := range []string{phaseVerdict, phaseLedger, phaseCurator, phaseAnswer} {
		m.phases.WithLabelValues(phase)
	}
	for _, remembered := range []string{"yes", "no"} {
		m.verdicts.WithLabelValues(remembered)
	}
	m.registry.MustRegister(m.statements, m.refusals, m.verdicts, m.phases)
	return m
}

// bounds are those of histograms: of times that are rounded up, and finer ones below them for the others.
func bounds() []float64 {
	seconds := []float64{0.0001, 0.0005, 0.001, 0.0025, 0.005}
	for _, bound := range stopwatch.Bounds {
		seconds = append(seconds, bound.Seconds())
	}
	return seconds
}

// Statement counts a statement.
func (m *Metrics) Statement(s proxy.Statement) {
	m.statements.WithLabelValues(string(s.Outcome)).Inc()
	if s.Code != "" {
		m.refusals.WithLabelValues(s.Code).Inc()
	}
	for phase, took := range map[string]time.Duration{phaseLedger: s.Ledger, phaseCurator: s.Curator, phaseAnswer: s.Whole} {
		if took > 0 {
			m.phases.WithLabelValues(phase).Observe(took.Seconds())
		}
	}
}

// Judged counts a text that was looked at.
func (m *Metrics) Judged(took time.Duration, remembered bool) {
	if remembered {
		m.verdicts.WithLabelValues("yes").Inc()
		return
	}
	m.verdicts.WithLabelValues("no").Inc()
	m.phases.WithLabelValues(phaseVerdict).Observe(took.Seconds())
}
