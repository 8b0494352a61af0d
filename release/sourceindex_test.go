package release

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
)

// A releaseList makes releases of statements that nobody was answered, and looks for sources among them one by one.
type releaseList struct {
	*ward
	door     *Door
	releases []*accountant.Release
}

func (l *releaseList) plan(sql string) (*plan, *question) {
	l.t.Helper()
	p, err := l.door.newPlan(l.t.Context(), l.query(l.door, sql), l.door.regime)
	if err != nil {
		l.t.Fatalf("%s: %v", sql, err)
	}
	return p, p.questions[len(p.questions)-1]
}

func (l *releaseList) record(p *plan, q *question) {
	r := &accountant.Release{ID: int64(len(l.releases) + 1), At: time.Now(), Question: q.ledger, Shape: p.derivableOf(q)}
	l.releases = append(l.releases, r)
}

// index has the releases in lots, as a busy table's are read.
func (l *releaseList) index() *sourceIndex {
	x := newSourceIndex(1)
	for n := range len(l.releases) {
		lot := &accountant.DerivableReleases{Releases: []*accountant.Release{l.releases[n]}, Epoch: 1, Through: int64(n + 1)}
		x.take(lot)
	}
	return x
}

// linear is the search that the index is to replace: it compares a question with each of the newest releases.
func linear(p *plan, q *question, recorded []*recordedCells) (sources []source) {
	kind, _, ok := p.sought(q)
	if !ok {
		return nil
	}
	for _, r := range recorded {
		if r.kept.kind() != kind {
			continue
		}
		if derivation, ok := p.follows(q, r); ok {
			sources = append(sources, source{r, derivation})
		}
	}
	slices.SortStableFunc(sources, func(a, b source) int { return cmp.Compare(a.kept.Cells, b.kept.Cells) })
	return sources[:min(len(sources), maxMapped)]
}

func numbersOf(sources []source) (ids []int64) {
	for _, s := range sources {
		ids = append(ids, s.id)
	}
	return ids
}

func (x *sourceIndex) all() (all []*recordedCells) {
	for e := x.byAge.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*recordedCells))
	}
	return all
}

// The index finds what a comparison with each release finds, of statements that are made at random so that many follow from others.
func TestIndexFindsAll(t *testing.T) {
	w := derivingWard(t)
	l := &releaseList{ward: w, door: w.open()}
	m := statementMaker{rand.New(rand.NewPCG(6, 7))}
	keys := []string{"region", "sex", "age", "age / 10", "upper(region)", "coalesce(sex, '?')", "illness"}
	for len(l.releases) < 600 {
		sql := m.statement(m.some(keys, 3))
		if strings.Contains(sql, "FILTER (WHERE sex = 'M')") && strings.Contains(sql, "sex IS NOT NULL") {
			continue // of WHERE that follows from FILTER nothing is found
		}
		l.record(l.plan(sql))
	}
	x := l.index()
	found, several := 0, 0
	for range 600 {
		sql := m.statement(m.some(keys, 2))
		p, q := l.plan(sql)
		want := numbersOf(linear(p, q, x.all()))
		if got := numbersOf(x.sources(p, q)); !slices.Equal(got, want) {
			t.Errorf("%s: the index has %v, and %v are there", sql, got, want)
		}
		found += min(len(want), 1)
		several += len(want) / 2
	}
	if found < 200 || several < 200 {
		t.Errorf("%d questions follow from others: too few to tell anything", found)
	}
}

// However many questions are asked, the index holds no more than it may, and nothing is left in it of what it has forgotten.
func TestIndexIsBounded(t *testing.T) {
	w := derivingWard(t)
	l := &releaseList{ward: w, door: w.open()}
	for i := range maxSources + 500 {
		l.record(l.plan(fmt.Sprintf("SELECT sex, count(*) FROM clinic.people WHERE age <> %d AND region = 'north' GROUP BY sex", i%(maxSources+400))))
	}
	x := l.index()
	x.check(t)
	if n := x.byAge.Len(); n != maxSources {
		t.Errorf("%d releases are held", n)
	}
	if oldest := x.byAge.Front().Value.(*recordedCells).id; oldest != 501 { // the last 100 are in the place of the first
		t.Errorf("the oldest is release %d", oldest)
	}
	long := strings.Repeat("x", maxDerivableBytes/2)
	for i := range 3 * maxSourceBytes / maxDerivableBytes {
		l.record(l.plan(fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE region = '%s%d'", long, i)))
	}
	x = l.index()
	x.check(t)
	if x.bytes > maxSourceBytes || x.bytes < maxSourceBytes-maxDerivableBytes {
		t.Errorf("shapes of %d bytes are held", x.bytes)
	}
	for x.byAge.Len() > 0 {
		x.forget(x.byAge.Front())
	}
	if len(x.kinds) > 0 || len(x.questions) > 0 || x.bytes != 0 {
		t.Errorf("%d kinds, %d questions and %d bytes are left of nothing", len(x.kinds), len(x.questions), x.bytes)
	}
}

// check compares the parts of an index.
func (x *sourceIndex) check(t *testing.T) {
	t.Helper()
	n, size := 0, 0
	for _, sets := range x.kinds {
		for _, cells := range sets {
			for _, alike := range cells.beyond {
				n += len(alike)
				if len(alike) == 0 || !slices.IsSortedFunc(alike, func(a, b *recordedCells) int { return cmp.Compare(a.id, b.id) }) {
					t.Error("releases are missing or out of order")
				}
			}
		}
	}
	for _, r := range x.all() {
		size += r.bytes
	}
	if n != x.byAge.Len() || n != len(x.questions) || size != x.bytes {
		t.Errorf("%d releases are found, of %d; %d bytes, said to be %d", n, x.byAge.Len(), size, x.bytes)
	}
}

// BenchmarkSources looks for the sources of questions of which none follows from another, among as many as are held; with the search that compares
// each with all, and with the index.
func BenchmarkSources(b *testing.B) {
	w := derivingWard(b)
	l := &releaseList{ward: w, door: w.open()}
	for i := range maxSources {
		l.record(l.plan(fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE age <> %d AND region = 'north'", i)))
	}
	x := l.index()
	p, q := l.plan("SELECT count(*) FROM clinic.people WHERE age <> 9999 AND region = 'north'")
	b.Run("linear", func(b *testing.B) {
		all := x.all()
		for b.Loop() {
			linear(p, q, all)
		}
	})
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			x.sources(p, q)
		}
	})
}
