package assess_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/release/assess"
	"tacit/release/curator"
)

// BenchmarkHomogeneity counts the patterns of 2,000,000 rows, beside the database's own GROUP BY of the same columns on the same
// connection settings:
//
//	go test ./release -run '^$' -bench Homogeneity -benchtime 3x
func BenchmarkHomogeneity(b *testing.B) {
	w := newWardOf(b, staysTableSchema, `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {}}
tables:
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: 1, delta: 0}
    budget: {epsilon: 1000}
    columns: {sex: {values: [F, M]}, town: {values: [Oslo, Bern, Rome]}, age: {range: [0, 99]}, plan: {values: [a, b]}, ill: {values: [flu, cold, gout]}, outcome: {values: [f, t]}}
`)
	w.Exec(`INSERT INTO clinic.stays SELECT (ARRAY['F', 'M'])[1 + i % 2], (ARRAY['Oslo', 'Bern', 'Rome'])[1 + i % 3], i % 97, (ARRAY['a', 'b'])[1 + i / 7 % 2],
		(ARRAY['flu', 'flu', 'cold', 'gout'])[1 + i % 1009 * 7919 % 4], i % 11 = 0 FROM generate_series(1, 2000000) AS i; VACUUM ANALYZE clinic.stays`)
	ctx := context.Background()
	curator, err := curator.New(ctx, w.Policy)
	if err != nil {
		b.Fatal(err)
	}
	defer curator.Close()
	b.Run("plain", func(b *testing.B) {
		s, err := curator.Inspect(ctx)
		if err != nil {
			b.Fatal(err)
		}
		defer s.End()
		for b.Loop() {
			rows, err := s.Conn.Query(ctx, "SELECT sex, town, age, plan, outcome, ill, count(*) FROM clinic.stays GROUP BY 1, 2, 3, 4, 5, 6", pgx.QueryExecModeExec)
			if err != nil {
				b.Fatal(err)
			}
			rows.Close()
			if rows.Err() != nil {
				b.Fatal(rows.Err())
			}
		}
	})
	b.Run("patterns", func(b *testing.B) {
		for b.Loop() {
			report, err := w.homogeneity(assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex", "town", "age", "plan", "outcome"}, Sensitive: []string{"ill"}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(report.Attributes[0].Cells.Describe().All.Cells), "cells")
		}
	})
}
