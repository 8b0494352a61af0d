package assess

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// An inspecting is what the steward looks at protected rows with: proved separation, a snapshot, and a state without mechanisms.
type inspecting struct {
	curator    *curator.Curator
	inspection *curator.Inspection
	state      *live.State
}

// inspect proves that the roles are separate, and then looks.
func inspect(ctx context.Context, p *policy.Policy, look func(inspecting) error) error {
	c, err := curator.NewApart(ctx, p)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Prove(ctx, p, func(i *curator.Inspection, catalog *rewrite.Catalog) error {
		return look(inspecting{c, i, live.StewardState(p, catalog, rand.Reader)})
	})
}

// bind reads a statement with the names that the policy's tables have, whatever schema they are in.
func (w *inspecting) bind(ctx context.Context, sql string) ([]*query.BoundQuery, error) {
	verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: w.state.Catalog, Limits: w.state.Policy.Limits, Resolve: w.resolveByName})
	if err != nil {
		return nil, err
	}
	if refused, ok := verdict.(*rewrite.Refused); ok {
		return nil, stewardError(refused.Err)
	}
	answer, ok := verdict.(*rewrite.Answer)
	switch {
	case !ok || len(answer.Queries) == 0:
		return nil, requestErrorf("the statement counts no protected table")
	case answer.Params > 0:
		return nil, requestErrorf("the statement has parameters; write values in their place")
	}
	constants, err := w.constants(ctx, answer)
	if err != nil {
		return nil, err
	}
	queries := make([]*query.BoundQuery, len(answer.Queries))
	for i, q := range answer.Queries {
		var refusal *pgerror.Refusal
		if queries[i], refusal = q.Bind(nil, constants...); refusal != nil {
			return nil, stewardError(refusal)
		}
		if queries[i].HasOrdered() {
			return nil, requestErrorf("the statement has percentiles or modes, of which no mechanism of counts is assessed")
		}
	}
	return queries, nil
}

// bindCounts reads a statement that adds up no numbers.
func (w *inspecting) bindCounts(ctx context.Context, sql string) ([]*query.BoundQuery, error) {
	queries, err := w.bind(ctx, sql)
	if slices.ContainsFunc(queries, (*query.BoundQuery).Measured) {
		return nil, requestErrorf("the statement adds up numbers; take count(*) of the same groups in their place")
	}
	return queries, err
}

// resolveByName finds a table of the policy by its name alone.
func (w *inspecting) resolveByName(name string) (policy.TableName, bool, error) {
	names := slices.Clone(w.state.Policy.Public)
	for _, t := range w.state.Policy.Tables {
		names = append(names, t.Name)
	}
	for _, n := range names {
		if n.Name == name {
			return n, true, nil
		}
	}
	return policy.TableName{}, false, nil
}

// stewardError is a refusal as one line of text.
func stewardError(r *pgerror.Refusal) error {
	text := r.Message
	if r.Hint != "" {
		text += "; " + r.Hint
	}
	return &RequestError{text}
}

// refusalOf is what an analyst is told who asks a query under the table's own mechanism; "" if she is answered, for all that the policy says.
func (w *inspecting) refusalOf(ctx context.Context, q *query.BoundQuery) (string, error) {
	state, err := w.state.WithTerms(q.Table.Policy)
	if err != nil {
		return "", err
	}
	_, err = noisy.NewQueryPlan(ctx, w.curator, q, state)
	var refusal *pgerror.Refusal
	if errors.As(err, &refusal) {
		return stewardError(refusal).Error(), nil
	}
	return "", err
}

// declaredTogether are the values that the keys of a group have together, key by key; ok is false if they are not declared, or too many to list.
func (w *inspecting) declaredTogether(ctx context.Context, p *noisy.QueryPlan, g *query.KeyGroup) (values [][]query.Value, ok bool, err error) {
	if k := p.Query.Keys[g.Keys[0]]; len(g.Keys) == 1 && k.Stored() && k.Domain != nil {
		return [][]query.Value{k.DeclaredValues()}, true, nil
	}
	combinations, ok, err := p.Combinations(ctx, w.curator, w.state, g)
	if !ok || err != nil {
		return nil, false, err
	}
	values = make([][]query.Value, len(g.Keys))
	for _, combination := range combinations {
		for i, v := range combination {
			values[i] = append(values[i], v)
		}
	}
	return values, true, nil
}

// constants evaluates what depends on no column, in the curator's session.
func (w *inspecting) constants(ctx context.Context, a *rewrite.Answer) ([]query.Value, error) {
	sql, values := a.Constants(nil)
	if sql == "" {
		return nil, nil
	}
	args := make([]string, len(values))
	for i, v := range values {
		args[i] = v.Text
	}
	var constants []query.Value
	err := w.inspection.Query(ctx, sql, args, func(row [][]byte) error {
		for _, v := range row {
			constants = append(constants, query.Value{Text: string(v), Null: v == nil})
		}
		return nil
	})
	if err == nil && constants == nil {
		return nil, rewrite.RefuseConstants()
	}
	return constants, err
}
