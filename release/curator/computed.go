package curator

import (
	"context"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// maxComputedOf bounds the combinations of declared values over which an expression is evaluated.
const maxComputedOf = 1_000_000

// loadComputed finds the values of expressions that the policy counts by: the server evaluates each over the declared values of the columns that it is made of.
// No protected row is read. Where that cannot be, there are none, and whoever needs them says why.
func loadComputed(ctx context.Context, s *Snapshot, p *policy.Policy, catalog *rewrite.Catalog) error {
	catalog.Computed = make(map[policy.TableName]map[string][]query.Value)
	for _, t := range p.Tables {
		if t.Workload == nil {
			continue
		}
		computed := make(map[string][]query.Value)
		for _, c := range t.Workload.Computed {
			q, err := rewrite.CountBy(catalog, p.Limits, t.Name, []string{c.Text})
			if err != nil || q.Keys[0].Stored() {
				continue
			}
			values, err := computedValues(ctx, s, q, p.Limits.Cells)
			if err != nil {
				return err
			}
			computed[q.Keys[0].Text()] = values
		}
		catalog.Computed[t.Name] = computed
	}
	return nil
}

// computedValues are those of the one key of a query; nil if they are not known, or more than limit.
func computedValues(ctx context.Context, s *Snapshot, q *query.BoundQuery, limit int) (values []query.Value, err error) {
	group := q.KeyGroups()[0]
	if !group.Declared() || group.ReadsPublic() || group.Combinations(maxComputedOf) > maxComputedOf {
		return nil, nil
	}
	sql, args := q.CellsSQL(group, limit+1)
	err = s.Query(ctx, sql, args, func(row [][]byte) error {
		values = append(values, query.Value{Text: string(row[0]), Null: row[0] == nil})
		return nil
	})
	if len(values) > limit {
		return nil, err
	}
	return values, err
}
