package audited

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tacit/auditor/posterior"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A membership says whom the counts of a question count: for each of its cells and counts, which values people of each combination of
// the public columns that it uses have to have. It follows from public facts alone.
type membership struct {
	projection *epoch.Projection
	keys       [][]query.Value // column by column, of each cell
	sets       []int64         // of each cell, if the question has margins
	cells      []cellMembers
}

// weight is about how much memory it takes.
func (m *membership) weight() int {
	weight := len(m.cells) * (2 + len(m.keys))
	for _, cell := range m.cells {
		for _, members := range cell {
			weight += 1 + len(members)
		}
	}
	return weight
}

// A membershipCache remembers memberships, which follow from a question and the facts of an epoch.
type membershipCache struct {
	known  map[[32]byte]*membership
	weight int
}

// maxCachedMembers bounds what a membershipCache holds; it is emptied when it is full.
const maxCachedMembers = 2_000_000

func (c *membershipCache) get(key [32]byte) *membership { return c.known[key] }

func (c *membershipCache) put(key [32]byte, m *membership) {
	if c.known == nil || c.weight+m.weight() > maxCachedMembers {
		c.known, c.weight = make(map[[32]byte]*membership), 0
	}
	c.known[key] = m
	c.weight += m.weight()
}

// cellMembers has for each count the members of a cell.
type cellMembers [][]factMembers

// factMembers are people of one combination.
type factMembers struct {
	fact   int
	values posterior.ValueSet
}

// A memberRow is a combination and a value that the question lets pass.
type memberRow struct {
	fact, value int
	keys        []query.Value
	counted     []bool
}

// A memberSearch is for whom a question counts among the people of an epoch.
type memberSearch struct {
	query      *query.BoundQuery
	projection *epoch.Projection
	values     []query.Value // of the private column
	cells      int           // the most that there may be
}

// newMemberSearch prepares a search among facts.
func newMemberSearch(q *query.BoundQuery, f *epoch.PublicFacts, cells int) (*memberSearch, error) {
	p, ok := f.Project(q.UsedColumns())
	if !ok {
		return nil, reply.RefuseChangedColumns.With(q.Table.Policy.Name)
	}
	return &memberSearch{query: q, projection: p, values: f.Values, cells: cells}, nil
}

// work is about how many values the search holds at once, if WHERE lets all people pass: the keys and counts of each combination and private
// value, and for each grouping set what a combination has in each count.
func (f *memberSearch) work() int {
	margins := max(1, len(f.query.Margins))
	return len(f.projection.Units) * (len(f.values)*(len(f.query.Keys)+len(f.query.Counts)) + margins*len(f.query.Counts))
}

// members has the server evaluate the question over the facts. The cells are in key order, those of each margin together.
func (f *memberSearch) members(ctx context.Context, s *curator.Snapshot) (*membership, error) {
	rows, err := f.rows(ctx, s)
	if err != nil {
		return nil, live.Unevaluated(ctx, err)
	}
	q := f.query
	m := &membership{projection: f.projection, keys: make([][]query.Value, len(q.Keys))}
	if q.Margins == nil {
		all := make([]int, len(q.Keys))
		for i := range all {
			all[i] = i
		}
		m.addMargin(q, rows, all)
		return m, m.check(q, f.cells)
	}
	for _, margin := range q.Margins {
		m.addMargin(q, rows, margin.Keys)
		for len(m.sets) < len(m.cells) {
			m.sets = append(m.sets, margin.Number)
		}
		if err := m.check(q, f.cells); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *membership) check(q *query.BoundQuery, limit int) error {
	if len(m.cells) > limit {
		return reply.RefuseTooManyCells(q, limit)
	}
	return nil
}

// rows runs MembershipSQL.
func (f *memberSearch) rows(ctx context.Context, s *curator.Snapshot) ([]memberRow, error) {
	if len(f.projection.Units) == 0 { // nobody
		return nil, nil
	}
	sql, args := f.query.MembershipSQL(f.projection.Values, f.values)
	var rows []memberRow
	err := s.Query(ctx, sql, args, func(row [][]byte) error {
		r, err := f.row(row)
		rows = append(rows, r)
		return err
	})
	return rows, err
}

func (f *memberSearch) row(row [][]byte) (r memberRow, err error) {
	keys := len(f.query.Keys)
	if len(row) != 2+keys+len(f.query.Counts) {
		return r, fmt.Errorf("release: internal error: %d columns of a membership", len(row))
	}
	if r.fact, err = ordinal(row[0], len(f.projection.Units)); err != nil {
		return r, err
	}
	if r.value, err = ordinal(row[1], len(f.values)); err != nil {
		return r, err
	}
	r.keys, r.counted = make([]query.Value, keys), make([]bool, len(f.query.Counts))
	for i, v := range row[2 : 2+keys] {
		r.keys[i] = query.Value{Text: string(v), Null: v == nil}
	}
	for i, v := range row[2+keys:] {
		r.counted[i] = string(v) == "t"
	}
	return r, nil
}

// ordinal reads a number from 1 to n as an index.
func ordinal(text []byte, n int) (int, error) {
	i, err := strconv.Atoi(string(text))
	if err != nil || i < 1 || i > n {
		return 0, fmt.Errorf("release: internal error: ordinal %q of %d", text, n)
	}
	return i - 1, nil
}

// addMargin adds the cells of one grouping set. A set without keys has one cell, whoever there is.
func (m *membership) addMargin(q *query.BoundQuery, rows []memberRow, keys []int) {
	g := memberGroups{query: q, keys: keys, index: make(map[string]*memberGroup)}
	if len(keys) == 0 {
		g.find(make([]query.Value, len(q.Keys)))
	}
	for _, r := range rows {
		group := g.find(r.keys)
		values := group.members[r.fact]
		if values == nil {
			values = make([]posterior.ValueSet, len(r.counted))
			group.members[r.fact] = values
		}
		for i, counted := range r.counted {
			if counted {
				values[i] |= 1 << r.value
			}
		}
	}
	slices.SortFunc(g.all, newKeyOrder(q).compare)
	for _, group := range g.all {
		for k, v := range group.keys {
			m.keys[k] = append(m.keys[k], v)
		}
		m.cells = append(m.cells, group.cell(len(q.Counts)))
	}
}

// memberGroups are the groups of one grouping set.
type memberGroups struct {
	query *query.BoundQuery
	keys  []int // of the set
	index map[string]*memberGroup
	all   []*memberGroup
}

// A memberGroup is one of them: its keys, NULL where the set has none, and of each fact the values that people must have for each
// count.
type memberGroup struct {
	keys    []query.Value
	members map[int][]posterior.ValueSet
}

// A keyOrder is the order in which cells are shown: by the keys as the statement has them, each in the order of its declared values if it
// has some, else numbers by value and all else by bytes; NULL last.
type keyOrder struct {
	query *query.BoundQuery
	keys  []int
	ranks []map[string]int // of the declared values of each key
}

func newKeyOrder(q *query.BoundQuery) keyOrder {
	o := keyOrder{query: q, keys: q.KeyOrder(), ranks: make([]map[string]int, len(q.Keys))}
	for i, k := range q.Keys {
		if k.Domain != nil {
			o.ranks[i] = make(map[string]int, len(k.Domain))
			for rank, text := range k.Domain {
				o.ranks[i][text] = rank - len(k.Domain) // before what was not declared
			}
		}
	}
	return o
}

func (o keyOrder) compare(a, b *memberGroup) int {
	for _, k := range o.keys {
		v, w := a.keys[k], b.keys[k]
		c := 0
		if !v.Null && !w.Null {
			c = o.ranks[k][v.Text] - o.ranks[k][w.Text]
		}
		if c == 0 {
			c = cells.CompareValues(o.query.Keys[k].TypeOID, v, w)
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// find returns the group that a row with these keys belongs to.
func (g *memberGroups) find(keys []query.Value) *memberGroup {
	kept := make([]query.Value, len(keys))
	for i := range kept {
		kept[i] = query.Value{Null: true}
	}
	for _, k := range g.keys {
		kept[k] = keys[k]
	}
	var b strings.Builder
	text := cells.CellKey(&b, kept)
	if group := g.index[text]; group != nil {
		return group
	}
	group := &memberGroup{keys: kept, members: make(map[int][]posterior.ValueSet)}
	g.index[text] = group
	g.all = append(g.all, group)
	return group
}

// cell has the members of so many counts, in the order of the facts.
func (g *memberGroup) cell(counts int) cellMembers {
	cell := make(cellMembers, counts)
	for _, fact := range slices.Sorted(maps.Keys(g.members)) {
		for i, values := range g.members[fact] {
			if values != 0 {
				cell[i] = append(cell[i], factMembers{fact, values})
			}
		}
	}
	return cell
}
