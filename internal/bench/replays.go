package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// A replayed is a statement whose answer is in the ledger, beside a statement that is relayed and has a result of the same form.
type replayed struct {
	name             string
	question, relays string
	// of are asked anew before, so that the answer follows from them.
	of []string
}

var answeredBefore = []replayed{
	{
		name: "replayed, 8 cells", question: "SELECT region, sex, count(*) FROM people GROUP BY region, sex",
		relays: "SELECT * FROM (VALUES ('east', 'F', 1::bigint), ('east', 'M', 2), ('north', 'F', 3), ('north', 'M', 4), ('south', 'F', 5), ('south', 'M', 6), ('west', 'F', 7), ('west', 'M', 8)) AS v (region, sex, count)",
	},
	{name: "derived, 2 cells", question: "SELECT sex, count(*) FROM people GROUP BY sex", relays: twoCells},
	{name: "derived by a filter", question: "SELECT sex, count(*) FROM people WHERE region IN ('east', 'west') GROUP BY sex", relays: twoCells},
	{
		name: "mean of two", question: "SELECT sex, count(*) FROM people WHERE age < 5 GROUP BY sex", relays: twoCells,
		of: []string{
			"SELECT region, sex, count(*) FROM people WHERE age < 5 GROUP BY region, sex", "SELECT age, sex, count(*) FROM people WHERE age < 5 GROUP BY age, sex",
		},
	},
	{name: "of a workload", question: "SELECT sex, count(*) FROM measured GROUP BY sex", relays: twoCells},
}

const twoCells = "SELECT * FROM (VALUES ('F', 1::bigint), ('M', 2)) AS v (sex, count)"

// replays prints how many answers that cost nothing are given in a second, beside statements that are relayed.
func (r *rig) replays(ctx context.Context, o options) error {
	conn, err := pgx.Connect(ctx, "postgres://ana@"+r.addr+"/bench?sslmode=disable")
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	fmt.Printf("\nanswers that cost nothing: pgbench, %d s a run, median of %d runs, transactions per second\n", o.seconds, o.rounds)
	fmt.Printf("%-20s %-9s %7s %10s %10s %16s %12s\n", "", "mode", "clients", "relayed", "answered", "answered/relayed", "more ms")
	for _, a := range answeredBefore {
		for _, sql := range a.of {
			for _, statement := range []string{"SET tacit.fresh = on", sql, "SET tacit.fresh = off"} {
				if _, err := conn.PgConn().Exec(ctx, statement).ReadAll(); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
		}
		if _, err := conn.PgConn().Exec(ctx, a.question).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", a.question, err)
		}
		for _, l := range []load{{"simple", 1}, {"prepared", 1}, {"simple", 16}, {"prepared", 16}} {
			var rates [2][]float64
			for range o.rounds {
				for i, sql := range []string{a.relays, a.question} {
					rate, err := r.measureScript(ctx, sql, l, o.seconds)
					if err != nil {
						return err
					}
					rates[i] = append(rates[i], rate)
				}
			}
			relayed, replayed := median(rates[0]), median(rates[1])
			milliseconds := 1000 * float64(l.clients)
			fmt.Printf("%-20s %-9s %7d %10.0f %10.0f %16.2f %12.2f\n", a.name, l.mode, l.clients, relayed, replayed, replayed/relayed,
				milliseconds/replayed-milliseconds/relayed)
		}
	}
	return nil
}

func (r *rig) measureScript(ctx context.Context, sql string, l load, seconds int) (float64, error) {
	script := filepath.Join(r.dir, "script.sql")
	if err := os.WriteFile(script, []byte(sql+";\n"), 0o600); err != nil {
		return 0, err
	}
	return r.measure(ctx, r.addr, l, seconds, "-f", script)
}
