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
	"tacit/accountant/ledger"
	"tacit/release/internal/noisy"
	"tacit/release/internal/sources"
)

// A releaseList makes releases of statements that nobody was answered, and looks for sources among them one by one.
type releaseList struct {
	*ward
	door     *Gateway
	releases []*accountant.Release
}

func (l *releaseList) plan(sql string) (*noisy.QueryPlan, *noisy.Question) {
	l.T.Helper()
	p, err := noisy.NewQueryPlan(l.T.Context(), l.door.monitor.Curator, l.query(l.door, sql), l.door.monitor.Current())
	if err != nil {
		l.T.Fatalf("%s: %v", sql, err)
	}
	return p, p.Questions[len(p.Questions)-1]
}

func (l *releaseList) record(p *noisy.QueryPlan, q *noisy.Question) {
	r := &accountant.Release{ID: int64(len(l.releases) + 1), At: time.Now(), Question: q.Ledger, Shape: p.DerivableOf(q)}
	l.releases = append(l.releases, r)
}

// index has the releases in lots, as a busy table's are read.
func (l *releaseList) index() *sources.Index {
	x := sources.NewIndex(1)
	for n := range len(l.releases) {
		lot := &ledger.DerivableReleases{Releases: []*accountant.Release{l.releases[n]}, Epoch: 1, Through: int64(n + 1)}
		x.Take(lot)
	}
	return x
}

// linear is the search that the index is to replace: it compares a question with each of the newest releases.
func linear(p *noisy.QueryPlan, q *noisy.Question, recorded []*sources.Recorded) (origins []sources.Origin) {
	kind, asked, ok := p.Sought(q)
	if !ok {
		return nil
	}
	passing := sources.Passing(p.Terms, asked)
	for _, r := range recorded {
		if r.Kept.Kind() != kind {
			continue
		}
		if derivation, ok := p.Follows(q, r); ok {
			origins = append(origins, sources.Origin{Recorded: r, Derivation: derivation, Passing: passing(r)})
		}
	}
	slices.SortStableFunc(origins, func(a, b sources.Origin) int { return cmp.Compare(a.Passing, b.Passing) })
	return origins
}

func numbersOf(origins []sources.Origin) (ids []int64) {
	for _, s := range origins {
		ids = append(ids, s.ID)
	}
	return ids
}

func allOf(x *sources.Index) (all []*sources.Recorded) {
	for e := x.ByAge.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value.(*sources.Recorded))
	}
	return all
}

// The index finds what a comparison with each release finds, of statements that are made at random so that many follow from others.
func TestIndexFindsAll(t *testing.T) {
	w := derivingWard(t)
	l := &releaseList{ward: w, door: w.open()}
	m := statementMaker{rand.New(rand.NewPCG(6, 7))}
	keys := []string{"region", "sex", "age", "age / 10", "upper(region)", "coalesce(sex, '?')", "illness"}
	releases, questions := 600, 600
	if testing.Short() {
		releases, questions = 200, 120
	}
	for len(l.releases) < releases {
		sql := m.statement(m.some(keys, 3))
		if strings.Contains(sql, "FILTER (WHERE sex = 'M')") && strings.Contains(sql, "sex IS NOT NULL") {
			continue // of WHERE that follows from FILTER nothing is found
		}
		l.record(l.plan(sql))
	}
	x := l.index()
	found, several := 0, 0
	for range questions {
		sql := m.statement(m.some(keys, 2))
		p, q := l.plan(sql)
		want := numbersOf(linear(p, q, allOf(x)))
		if got := numbersOf(p.Sources(x, q)); !slices.Equal(got, want) {
			t.Errorf("%s: the index has %v, and %v are there", sql, got, want)
		}
		found += min(len(want), 1)
		several += len(want) / 2
	}
	if found < questions/3 || several < questions/3 {
		t.Errorf("%d questions follow from others: too few to tell anything", found)
	}
}

// However many questions are asked, the index holds no more than it may, and nothing is left in it of what it has forgotten.
func TestIndexIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := derivingWard(t)
	l := &releaseList{ward: w, door: w.open()}
	for i := range sources.MaxSources + 500 {
		l.record(l.plan(fmt.Sprintf("SELECT sex, count(*) FROM clinic.people WHERE age <> %d AND region = 'north' GROUP BY sex", i%(sources.MaxSources+400))))
	}
	x := l.index()
	checkIndex(t, x)
	if n := x.ByAge.Len(); n != sources.MaxSources {
		t.Errorf("%d releases are held", n)
	}
	if oldest := x.ByAge.Front().Value.(*sources.Recorded).ID; oldest != 501 { // the last 100 are in the place of the first
		t.Errorf("the oldest is release %d", oldest)
	}
	long := strings.Repeat("x", sources.MaxDerivableBytes/2)
	for i := range 3 * sources.MaxSourceBytes / sources.MaxDerivableBytes {
		l.record(l.plan(fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE illness = '%s%d'", long, i)))
	}
	x = l.index()
	checkIndex(t, x)
	if x.Bytes > sources.MaxSourceBytes || x.Bytes < sources.MaxSourceBytes-sources.MaxDerivableBytes {
		t.Errorf("shapes of %d bytes are held", x.Bytes)
	}
	for x.ByAge.Len() > 0 {
		x.Forget(x.ByAge.Front())
	}
	if len(x.Kinds) > 0 || len(x.Questions) > 0 || x.Bytes != 0 {
		t.Errorf("%d kinds, %d questions and %d bytes are left of nothing", len(x.Kinds), len(x.Questions), x.Bytes)
	}
}

// check compares the parts of an index.
func checkIndex(t *testing.T, x *sources.Index) {
	t.Helper()
	n, size := 0, 0
	for _, sets := range x.Kinds {
		for _, cells := range sets {
			for _, alike := range cells.Beyond {
				n += len(alike)
				if len(alike) == 0 || !slices.IsSortedFunc(alike, func(a, b *sources.Recorded) int { return cmp.Compare(a.ID, b.ID) }) {
					t.Error("releases are missing or out of order")
				}
			}
		}
	}
	for _, r := range allOf(x) {
		size += r.Bytes
	}
	if n != x.ByAge.Len() || n != len(x.Questions) || size != x.Bytes {
		t.Errorf("%d releases are found, of %d; %d bytes, said to be %d", n, x.ByAge.Len(), size, x.Bytes)
	}
}

// BenchmarkSources looks for the sources of questions of which none follows from another, among as many as are held; with the search that compares
// each with all, and with the index.
func BenchmarkSources(b *testing.B) {
	w := derivingWard(b)
	l := &releaseList{ward: w, door: w.open()}
	for i := range sources.MaxSources {
		l.record(l.plan(fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE age <> %d AND region = 'north'", i)))
	}
	x := l.index()
	p, q := l.plan("SELECT count(*) FROM clinic.people WHERE age <> 9999 AND region = 'north'")
	b.Run("linear", func(b *testing.B) {
		all := allOf(x)
		for b.Loop() {
			linear(p, q, all)
		}
	})
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			p.Sources(x, q)
		}
	})
}
