package curator

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/rewrite"
)

// This file says what a running proxy refuses while findings stand. The invariant: what depends on a refused object is refused, too. Start
// at loadBarrier.

//go:embed barrier.sql
var barrierSQL string

// loadBarrier returns nil if nobody can read anything by the findings through the proxy.
func loadBarrier(ctx context.Context, conn *pgx.Conn, p *policy.Policy, findings []Finding) (*rewrite.Barrier, error) {
	objects, high := []Object{}, false
	for _, f := range findings {
		objects = append(objects, f.Objects...)
		high = high || f.Severity == "HIGH"
	}
	closed := high && p.WhenNotSeparate == policy.Close
	if len(objects) == 0 && !closed {
		return nil, nil
	}
	input, err := json.Marshal(objects)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, barrierSQL, pgx.QueryExecModeExec, string(input), analystNames(p))
	if err != nil {
		return nil, err
	}
	b := &rewrite.Barrier{
		Closed: closed, Relations: make(map[policy.TableName]bool), Written: make(map[policy.TableName]bool), Words: make(map[string]bool),
	}
	var kind string
	var name policy.TableName
	_, err = pgx.ForEachRow(rows, []any{&kind, &name.Schema, &name.Name}, func() error {
		switch kind {
		case "relation":
			b.Relations[name] = true
		case "written":
			b.Written[name] = true
		case "word":
			b.Words[name.Name] = true
		case "closed":
			b.Closed = true
		case "computing":
			b.Computing = true
		}
		return nil
	})
	return b, err
}
