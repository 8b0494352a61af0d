package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release"
	"tacit/release/curator"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// A rig is a server with the table, and a directory for policies and ledgers.
type rig struct {
	cluster   *pgtest.Cluster
	dir       string
	marginals []shown
	ledgers   int
}

const policyHead = `listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/accuracy?sslmode=disable
  curator: postgres://tacit_curator@%[1]s:%[2]d/accuracy?sslmode=disable
ledger: sqlite:%[3]s
auth: trust
analysts: {ana: {}}
tables:
  public.adult:
    person: row
`

func start(ctx context.Context, cluster *pgtest.Cluster, rows []row, marginals []shown) (*rig, error) {
	dir, err := os.MkdirTemp("", "tacit-accuracy-")
	if err != nil {
		return nil, err
	}
	r := &rig{cluster: cluster, dir: dir, marginals: marginals}
	if err := r.fill(ctx, rows); err != nil {
		r.stop()
		return nil, err
	}
	return r, nil
}

func (r *rig) stop() { _ = os.RemoveAll(r.dir) }

// fill makes the database, and separates the roles in it as the policy demands.
func (r *rig) fill(ctx context.Context, rows []row) error {
	if err := r.as(ctx, "postgres", func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, "CREATE DATABASE accuracy")
		return err
	}); err != nil {
		return err
	}
	names := make([]string, len(columns))
	definitions := make([]string, len(columns))
	for i, c := range columns {
		names[i], definitions[i] = c.name, c.name+" text NOT NULL"
	}
	if err := r.as(ctx, "accuracy", func(c *pgx.Conn) error {
		schema := "CREATE TABLE public.adult (" + strings.Join(definitions, ", ") + "); CREATE ROLE ana LOGIN; CREATE ROLE tacit_curator LOGIN"
		if _, err := c.PgConn().Exec(ctx, schema).ReadAll(); err != nil {
			return err
		}
		_, err := c.CopyFrom(ctx, pgx.Identifier{"public", "adult"}, names, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			values := make([]any, len(columns))
			for j, c := range columns {
				values[j] = c.values[rows[i][j]]
			}
			return values, nil
		}))
		return err
	}); err != nil {
		return err
	}
	p, err := r.parse(ways[0], 1, nil)
	if err != nil {
		return err
	}
	return r.harden(ctx, curator.HardeningSQL(p))
}

func (r *rig) harden(ctx context.Context, sql string) error {
	psql, err := r.cluster.Psql()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", r.cluster.URL("postgres", "accuracy"))
	cmd.Stdin = strings.NewReader(sql)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("hardening: %w\n%s", err, out)
	}
	return nil
}

func (r *rig) as(ctx context.Context, database string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, r.cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return do(conn)
}

// parse reads the policy of a way, with a ledger that is new.
func (r *rig) parse(w way, each policy.Epsilon, marginals []shown) (*policy.Policy, error) {
	text := fmt.Sprintf(policyHead, r.cluster.Host, r.cluster.Port, fmt.Sprintf("ledger%d.db", r.ledgers)) + w.table(each, marginals) + "    columns:\n"
	for _, c := range columns {
		text += fmt.Sprintf("      %s: {values: ['%s']}\n", c.name, strings.Join(c.values, "', '"))
	}
	return policy.Parse(filepath.Join(r.dir, "policy.yaml"), []byte(text))
}

// An answer is what the gateway returned for a statement.
type answer struct {
	charged bool
	counts  map[string]int64 // by the values of the keys, with a line's end behind each
}

// ask has a new ledger, and asks each statement once.
func (r *rig) ask(ctx context.Context, w way, each policy.Epsilon, asked []statement) ([]answer, error) {
	r.ledgers++
	p, err := r.parse(w, each, r.marginals)
	if err != nil {
		return nil, err
	}
	gateway, err := release.Open(ctx, release.Config{Policy: p, Random: rand.NewChaCha8([32]byte{18})})
	if err != nil {
		return nil, err
	}
	defer gateway.Close()
	answers := make([]answer, len(asked))
	for i, s := range asked {
		if answers[i], err = askOne(ctx, gateway, s); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", w.name, s.SQL(), err)
		}
	}
	return answers, nil
}

func askOne(ctx context.Context, g *release.Gateway, s statement) (answer, error) {
	verdict, err := rewrite.Analyze(s.SQL(), &rewrite.Session{Catalog: g.Catalog(), Limits: g.Policy().Limits})
	if err != nil {
		return answer{}, err
	}
	analyzed, ok := verdict.(*rewrite.Answer)
	if !ok || len(analyzed.Queries) != 1 {
		return answer{}, fmt.Errorf("it is no count: %+v", verdict)
	}
	bound, refusal := analyzed.Queries[0].Bind(nil)
	if refusal != nil {
		return answer{}, refusal
	}
	cells, receipt, err := g.Answer(ctx, release.Request{Analyst: "ana", SQL: s.SQL(), Queries: []*query.BoundQuery{bound}})
	if err != nil {
		return answer{}, err
	}
	a := answer{counts: make(map[string]int64)}
	for _, line := range receipt.Lines {
		a.charged = a.charged || line.Charged != accountant.Loss{}
	}
	for cell, n := range cells[0].Counts[0] {
		key := ""
		for _, values := range cells[0].Keys {
			key += values[cell].Text + "\n"
		}
		a.counts[key] = n
	}
	return a, nil
}
