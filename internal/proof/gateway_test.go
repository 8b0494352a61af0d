package proof

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/release"
	"tacit/rewrite/query"
)

// curatorURL logs in as package release does, with its settings.
const curatorURL = "postgres://tacit_curator@%s:%d/%s?sslmode=disable&application_name=tacit%%20curator&bytea_output=hex" +
	"&client_min_messages=error&datestyle=ISO,MDY&default_transaction_read_only=on&enable_bitmapscan=off&enable_indexonlyscan=off" +
	"&enable_indexscan=off&extra_float_digits=1&intervalstyle=postgres&jit=off&row_security=off&search_path=pg_catalog&timezone=UTC&timezone_abbreviations=Default"

// An exactGateway answers with the true counts of the groups that exist. It is reached by no policy and by no client: only these
// tests make one.
type exactGateway struct {
	*release.Gateway
	t    testing.TB
	mu   sync.Mutex // protects what follows
	conn *pgconn.PgConn
	asks int
}

func newExactGateway(s *site) *exactGateway {
	s.t.Helper()
	return &exactGateway{Gateway: s.gateway, t: s.t, conn: connectCurator(s)}
}

func connectCurator(s *site) *pgconn.PgConn {
	s.t.Helper()
	conn, err := pgconn.Connect(context.Background(), fmt.Sprintf(curatorURL, cluster.Host, cluster.Port, s.database))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func (d *exactGateway) Answer(ctx context.Context, ask release.Request) ([]*query.Cells, *release.Receipt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asks++
	cells := make([]*query.Cells, len(ask.Queries))
	for i, q := range ask.Queries {
		var err error
		if cells[i], err = count(ctx, d.conn, q); err != nil {
			sql, args := q.CountSQL(q.Counts)
			d.t.Errorf("%s\nis counted by %s %q\nwhich fails: %v", ask.SQL, sql, args, err)
			return nil, nil, err
		}
	}
	return cells, &release.Receipt{}, nil
}

func (d *exactGateway) asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asks
}

// count computes the true cells of a query.
func count(ctx context.Context, conn *pgconn.PgConn, q *query.BoundQuery) (*query.Cells, error) {
	sql, args := q.CountSQL(q.Counts)
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	r := conn.ExecParams(ctx, sql, params, nil, nil, nil).Read()
	if r.Err != nil {
		return nil, r.Err
	}
	cells := &query.Cells{Keys: make([][]query.Value, len(q.Keys)), Counts: make([][]int64, q.Columns())}
	for _, row := range r.Rows {
		for i := range q.Keys {
			cells.Keys[i] = append(cells.Keys[i], query.Value{Text: string(row[i]), Null: row[i] == nil})
		}
		numbers, err := query.ReadNumbers(q.Counts, row[len(q.Keys):])
		if err != nil {
			return nil, err
		}
		for i, n := range numbers {
			cells.Counts[i] = append(cells.Counts[i], n)
		}
	}
	if q.Beside != nil {
		if err := addEmpty(ctx, conn, q, cells); err != nil {
			return nil, err
		}
	}
	if err := addValues(ctx, conn, q, cells); err != nil {
		return nil, err
	}
	cells.Keys = q.Arrange(cells.Keys)
	return cells, nil
}

// addEmpty adds the cells that no row is in, as a release has them.
func addEmpty(ctx context.Context, conn *pgconn.PgConn, q *query.BoundQuery, c *query.Cells) error {
	all := [][]query.Value{make([]query.Value, len(q.Keys))}
	for _, g := range q.KeyGroups() {
		sql, args := q.CellsSQL(g, 10_000)
		params := make([][]byte, len(args))
		for i, a := range args {
			params[i] = []byte(a)
		}
		r := conn.ExecParams(ctx, sql, params, nil, nil, nil).Read()
		if r.Err != nil {
			return fmt.Errorf("%s %q: %w", sql, args, r.Err)
		}
		var product [][]query.Value
		for _, row := range r.Rows {
			for _, cell := range all {
				cell = slices.Clone(cell)
				for i, k := range g.Keys {
					cell[k] = query.Value{Text: string(row[i]), Null: row[i] == nil}
				}
				product = append(product, cell)
			}
		}
		all = product
	}
	there := make(map[string]bool)
	for i := range c.Counts[0] {
		there[fmt.Sprint(cellAt(c, i))] = true
	}
	for _, cell := range all {
		if there[fmt.Sprint(cell)] {
			continue
		}
		for i, v := range cell {
			c.Keys[i] = append(c.Keys[i], v)
		}
		for i := range c.Counts {
			c.Counts[i] = append(c.Counts[i], 0)
		}
	}
	return nil
}

func cellAt(c *query.Cells, i int) (cell []query.Value) {
	for _, column := range c.Keys {
		cell = append(cell, column[i])
	}
	return cell
}

// addValues computes the true values of the cells of a query, if it has any.
func addValues(ctx context.Context, conn *pgconn.PgConn, q *query.BoundQuery, cells *query.Cells) error {
	if !q.HasOrdered() {
		return nil
	}
	cells.Values = make([][]query.Value, q.Columns())
	for at, c := range q.Counts {
		if c.Ordered == nil {
			continue
		}
		i := query.ColumnsOf(q.Counts[:at])
		groups, err := sample(ctx, conn, q, c)
		if err != nil {
			return err
		}
		for cell := range cells.Counts[i] {
			cells.Values[i] = append(cells.Values[i], groups[fmt.Sprintf("%v", cellAt(cells, cell))].value(c))
		}
	}
	return nil
}

// A rowsByValue are how many rows of a group have which value.
type rowsByValue struct {
	values []query.Value
	counts map[query.Value]int64
}

// sample reads the rows by value of each group.
func sample(ctx context.Context, conn *pgconn.PgConn, q *query.BoundQuery, c query.Count) (map[string]*rowsByValue, error) {
	sql, args := q.SampleSQL(c)
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	r := conn.ExecParams(ctx, sql, params, nil, nil, nil).Read()
	if r.Err != nil {
		return nil, fmt.Errorf("%s %q: %w", sql, args, r.Err)
	}
	groups := make(map[string]*rowsByValue)
	for _, row := range r.Rows {
		var key []query.Value
		for _, text := range row[:len(q.Keys)] {
			key = append(key, query.Value{Text: string(text), Null: text == nil})
		}
		name := fmt.Sprintf("%v", key)
		if groups[name] == nil {
			groups[name] = &rowsByValue{counts: make(map[query.Value]int64)}
		}
		n, err := strconv.ParseInt(string(row[len(row)-1]), 10, 64)
		if err != nil {
			return nil, err
		}
		if v := row[len(q.Keys)]; v != nil && n > 0 {
			value := query.Value{Text: string(v)}
			groups[name].values = append(groups[name].values, value)
			groups[name].counts[value] = n
		}
	}
	for _, g := range groups {
		g.values, _ = query.SortValues(c.OrderedBy(), g.values)
	}
	return groups, nil
}

// value is what percentile_disc and mode return: of several most frequent values the first.
func (g *rowsByValue) value(c query.Count) query.Value {
	if g == nil || len(g.values) == 0 {
		return query.Value{Null: true}
	}
	var all, upTo int64
	most := g.values[0]
	for _, v := range g.values {
		all += g.counts[v]
		if g.counts[v] > g.counts[most] {
			most = v
		}
	}
	if c.Ordered.Fraction == (query.Fraction{}) {
		return most
	}
	for _, v := range g.values {
		if upTo += g.counts[v]; uint64(upTo)*c.Ordered.Fraction.All >= uint64(all)*c.Ordered.Fraction.Of {
			return v
		}
	}
	panic("a fraction that no row reaches")
}

// A constantGateway answers with cells that depend on the question and on nothing else. With a connection to count on it counts
// nevertheless, and fails if anything in the tables makes that fail.
type constantGateway struct {
	*release.Gateway
	mu   sync.Mutex // protects conn
	conn *pgconn.PgConn
}

func (d *constantGateway) Answer(ctx context.Context, ask release.Request) ([]*query.Cells, *release.Receipt, error) {
	cells := make([]*query.Cells, len(ask.Queries))
	for i, q := range ask.Queries {
		cells[i] = constantCells(q)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range ask.Queries {
		if d.conn == nil {
			break
		}
		if _, err := count(ctx, d.conn, q); err != nil {
			sql, args := q.CountSQL(q.Counts)
			err = fmt.Errorf("%s\nis counted by %s %q\nwhich fails: %w", ask.SQL, sql, args, err)
			fmt.Fprintln(os.Stderr, err) // the client is not told
			return nil, nil, err
		}
	}
	return cells, &release.Receipt{}, nil
}

// constantCells are a few cells of the declared domains, and of values of their types where none is declared.
func constantCells(q *query.BoundQuery) *query.Cells {
	const most = 3
	cells := &query.Cells{}
	n := 1
	if len(q.Keys) > 0 {
		n = most
	}
	for _, k := range q.Keys {
		var values []query.Value
		for i := range n {
			values = append(values, constantKey(k, i))
		}
		cells.Keys = append(cells.Keys, values)
	}
	for _, c := range q.Counts {
		if c.Ordered != nil {
			if cells.Values == nil {
				cells.Values = make([][]query.Value, q.Columns())
			}
			for j := range n {
				cells.Values[len(cells.Counts)] = append(cells.Values[len(cells.Counts)], constantKey(c.OrderedBy(), j))
			}
		}
		h := fnv.New32()
		h.Write([]byte(q.Question(c)))
		for column := range c.Columns() {
			var counts []int64
			for i := range n {
				counts = append(counts, int64(h.Sum32()%1000)*int64(i+column+1))
			}
			cells.Counts = append(cells.Counts, counts)
		}
	}
	cells.Keys = q.Arrange(cells.Keys)
	return cells
}

func constantKey(k *query.Column, i int) query.Value {
	switch {
	case i < len(k.Domain):
		return query.Value{Text: k.Domain[i]}
	case i == 2 && !k.NotNull:
		return query.Value{Null: true}
	}
	switch k.TypeName {
	case "pg_catalog.bool":
		return query.Value{Text: []string{"f", "t", "t"}[i]}
	case "pg_catalog.date", "pg_catalog.timestamp", "pg_catalog.timestamptz":
		return query.Value{Text: fmt.Sprintf("2024-01-0%d", i+1)}
	case "pg_catalog.uuid":
		return query.Value{Text: fmt.Sprintf("00000000-0000-0000-0000-00000000000%d", i)}
	case "pg_catalog.interval", "pg_catalog.time":
		return query.Value{Text: fmt.Sprintf("00:00:0%d", i)}
	}
	return query.Value{Text: strconv.Itoa(i)}
}
