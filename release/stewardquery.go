package release

import (
	"context"
	"errors"
	"slices"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// bindForSteward reads a statement with the names that the policy's tables have, whatever schema they are in.
func bindForSteward(ctx context.Context, s *snapshot, r *regime, sql string) ([]*rewrite.BoundQuery, error) {
	verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: r.catalog, Limits: r.policy.Limits, Resolve: r.resolveByName})
	if err != nil {
		return nil, err
	}
	if refusal, ok := verdict.(*rewrite.Refusal); ok {
		return nil, stewardError(refusal)
	}
	answer, ok := verdict.(*rewrite.Answer)
	switch {
	case !ok || len(answer.Queries) == 0:
		return nil, requestErrorf("the statement counts no protected table")
	case answer.Params > 0:
		return nil, requestErrorf("the statement has parameters; write values in their place")
	}
	constants, err := s.constants(ctx, answer)
	if err != nil {
		return nil, err
	}
	queries := make([]*rewrite.BoundQuery, len(answer.Queries))
	for i, q := range answer.Queries {
		var refusal *rewrite.Refusal
		if queries[i], refusal = q.Bind(nil, constants...); refusal != nil {
			return nil, stewardError(refusal)
		}
	}
	return queries, nil
}

// resolveByName finds a table of the policy by its name alone.
func (r *regime) resolveByName(name string) (policy.TableName, bool, error) {
	names := slices.Clone(r.policy.Public)
	for _, t := range r.policy.Tables {
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
func stewardError(r *rewrite.Refusal) error {
	text := r.Message
	if r.Hint != "" {
		text += "; " + r.Hint
	}
	return &RequestError{text}
}

// refusalOf is what an analyst is told who asks a query under the table's own mechanism; "" if she is answered, for all that the policy says.
func (d *Door) refusalOf(ctx context.Context, q *rewrite.BoundQuery, r *regime) (string, error) {
	t := q.Table.Policy
	made, err := newMechanisms(t, d.random)
	if err != nil {
		return "", err
	}
	r.mechanisms = map[policy.TableName]map[sensitivity]*mechanisms.Mechanism{t.Name: made}
	_, err = d.newPlan(ctx, q, r)
	var refusal *rewrite.Refusal
	if errors.As(err, &refusal) {
		return stewardError(refusal).Error(), nil
	}
	return "", err
}

// constants evaluates what depends on no column, in the curator's session.
func (s *snapshot) constants(ctx context.Context, a *rewrite.Answer) ([]rewrite.Value, error) {
	sql, values := a.Constants(nil)
	if sql == "" {
		return nil, nil
	}
	args := make([]string, len(values))
	for i, v := range values {
		args[i] = v.Text
	}
	var constants []rewrite.Value
	err := s.query(ctx, sql, args, func(row [][]byte) error {
		for _, v := range row {
			constants = append(constants, rewrite.Value{Text: string(v), Null: v == nil})
		}
		return nil
	})
	if err == nil && constants == nil {
		return nil, rewrite.RefuseConstants()
	}
	return constants, err
}
