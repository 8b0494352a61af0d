package curator

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// Bounds on the combinations of declared values over which expressions are evaluated: of one expression, and of all of a policy together, so that
// reading a catalog does not come near establishTimeout.
const (
	maxComputedOf = 1_000_000
	maxComputed   = 4_000_000
)

// evaluated are the values of expressions that the last load of a catalog needed, so that the server does not evaluate them again each minute. The
// zero value is ready.
type evaluated struct {
	mu   sync.Mutex // protects last, which is replaced and never changed
	last map[evaluation]rewrite.Computed
}

// An evaluation is a digest of all that its values depend on: the server since it was started, and the statement, which has the expression, the
// declared values and their types.
type evaluation [sha256.Size]byte

// load finds the values of expressions that the policy counts by: the server evaluates each over the declared values of the columns that it is made of.
// No protected row is read. Where that cannot be, there are none, and whoever needs them says why.
func (e *evaluated) load(ctx context.Context, s *Snapshot, p *policy.Policy, catalog *rewrite.Catalog) error {
	e.mu.Lock()
	l := &computedLoad{snapshot: s, limit: p.Limits.Cells, earlier: e.last, used: make(map[evaluation]rewrite.Computed)}
	e.mu.Unlock()
	defer func() { // after a failure too, so that the next load goes on from there
		e.mu.Lock()
		defer e.mu.Unlock()
		e.last = l.used
	}()
	catalog.Computed = make(map[policy.TableName]map[string]rewrite.Computed)
	for _, t := range p.Tables {
		if t.Workload == nil {
			continue
		}
		computed := make(map[string]rewrite.Computed)
		for _, c := range t.Workload.Computed {
			q, err := rewrite.CountBy(catalog, p.Limits, t.Name, []string{c.Text})
			if err != nil || q.Keys[0].Stored() {
				continue
			}
			text := q.Keys[0].Text()
			if _, twice := computed[text]; twice {
				continue
			}
			if computed[text], err = l.values(ctx, q); err != nil {
				return err
			}
		}
		catalog.Computed[t.Name] = computed
	}
	return nil
}

// A computedLoad is one load.
type computedLoad struct {
	snapshot      *Snapshot
	limit         int    // of the values of one expression
	server        string // "" until it is asked
	combinations  int    // of all expressions so far
	earlier, used map[evaluation]rewrite.Computed
}

// values are those of the one key of a query.
func (l *computedLoad) values(ctx context.Context, q *query.BoundQuery) (values rewrite.Computed, err error) {
	group := q.KeyGroups()[0]
	if !group.Declared() || group.ReadsPublic() {
		return rewrite.Computed{}, nil
	}
	switch n := group.Combinations(maxComputedOf); {
	case n > maxComputedOf:
		return rewrite.Computed{Unknown: fmt.Sprintf("its columns have more than %d combinations of declared values", maxComputedOf)}, nil
	case l.combinations+n > maxComputed:
		return rewrite.Computed{Unknown: fmt.Sprintf("its columns have %d combinations of declared values, and those of the policy's expressions before it %d; all together have at most %d",
			n, l.combinations, maxComputed)}, nil
	default:
		l.combinations += n
	}
	sql, args := q.CellsSQL(group, l.limit+1)
	key, err := l.evaluation(ctx, sql, args)
	if err != nil {
		return rewrite.Computed{}, err
	}
	values, known := l.earlier[key]
	if !known {
		if values, err = l.evaluate(ctx, sql, args); err != nil {
			return rewrite.Computed{}, err
		}
	}
	l.used[key] = values
	return values, nil
}

// startedQuery tells one start of a server from another: what an expression comes to may change with its version, and with libraries that it reads then.
const startedQuery = "SELECT pg_catalog.version() || ' ' || pg_catalog.pg_postmaster_start_time()"

func (l *computedLoad) evaluation(ctx context.Context, sql string, args []string) (key evaluation, err error) {
	if l.server == "" {
		if err := l.snapshot.QueryRow(ctx, startedQuery).Scan(&l.server); err != nil {
			return key, err
		}
	}
	h := sha256.New()
	for _, part := range append([]string{l.server, sql}, args...) {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	h.Sum(key[:0])
	return key, nil
}

func (l *computedLoad) evaluate(ctx context.Context, sql string, args []string) (values rewrite.Computed, err error) {
	err = l.snapshot.Query(ctx, sql, args, func(row [][]byte) error {
		values.Values = append(values.Values, query.Value{Text: string(row[0]), Null: row[0] == nil})
		return nil
	})
	if len(values.Values) > l.limit {
		values = rewrite.Computed{Unknown: fmt.Sprintf("it has more than limits.cells = %d values", l.limit)}
	}
	return values, err
}
