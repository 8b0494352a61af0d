package release

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"tacit/accountant"
	"tacit/rewrite"
)

// A sourceIndex finds the releases of one table's epoch that a question may follow from, without comparing it with all of them: by what
// must be the same of both.
//
// That is, first, what was counted and how it was sanitized, the kind. Then, let C be the columns that the cells of a release are told
// apart by. The keys of a question that follows from it are made of columns in C; and the conditions of the question that are made of
// others, its conditions beyond C, are those of the release beyond C. For a condition beyond C cannot be told from the cells, so that
// each of the question's is one of the release's. Conversely, one of the release's must hold wherever the question's do, so that it is one
// of these, or follows from some that are about its column, which are beyond C, too, and thus the release's own. But conditions of a shape do
// not follow from its others, save one of WHERE that follows from FILTER, or if it has very many; of such releases nothing is found.
//
// So there is one look for each set of columns by which releases of a kind tell cells apart, and what it finds differs in conditions on these
// alone. Of that, a question is compared with the oldest maxCompared at most: what follows from a release is seldom charged after it.
//
// It holds the newest release of each question, and at most maxSources of them, with shapes of maxSourceBytes together: the oldest are
// forgotten, however many questions are asked.
type sourceIndex struct {
	epoch int64

	mu      sync.RWMutex // protects what follows
	through int64        // the newest release that was looked at
	kinds   map[sourceKind]map[string]*alikeCells
	// byAge has the *recordedCells, the oldest first, and questions finds them by the key of what was asked.
	byAge     *list.List
	questions map[[32]byte]*list.Element
	bytes     int // of the shapes
}

const (
	maxSources     = 1 << 12
	maxSourceBytes = 1 << 23
	maxCompared    = 1 << 7
)

// A sourceKind is what a release and the questions that follow from it have in common.
type sourceKind struct {
	aggregate string
	// mechanism identifies the distribution of the noise. Sums of cells are as exact as they are said to be only while it is the policy's.
	mechanism          string
	threshold, selects bool
}

// alikeCells are the releases of one kind whose cells are told apart by the same columns.
type alikeCells struct {
	columns []string
	// beyond has them by their conditions on other columns, the oldest first.
	beyond map[string][]*recordedCells
}

// A recordedCells is a release, without its payload, with what is kept with it.
type recordedCells struct {
	id       int64
	at       time.Time
	question accountant.Question // without its text
	kept     *parsedDerivable
	bytes    int // of the shape
}

func newSourceIndex(epoch int64) *sourceIndex {
	return &sourceIndex{
		epoch: epoch, kinds: make(map[sourceKind]map[string]*alikeCells), byAge: list.New(), questions: make(map[[32]byte]*list.Element),
	}
}

// seen is the newest release that was looked at.
func (x *sourceIndex) seen() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.through
}

// take adds what another statement has not added meanwhile.
func (x *sourceIndex) take(newer *accountant.DerivableReleases) {
	if newer.Epoch != x.epoch || newer.Through <= x.seen() {
		return
	}
	var read []*recordedCells
	for _, r := range slices.Backward(newer.Releases) {
		if kept := parseDerivable(r.Shape); kept != nil {
			question := accountant.Question{Table: r.Table, Key: r.Key}
			read = append(read, &recordedCells{r.ID, r.At, question, kept, len(r.Shape)})
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range read {
		if r.id > x.through {
			x.add(r)
		}
	}
	x.through = max(x.through, newer.Through)
}

// add adds a release that is newer than all others. An older one of the same question is no longer to be had from the ledger.
func (x *sourceIndex) add(r *recordedCells) {
	if before := x.questions[r.question.Key]; before != nil {
		x.forget(before)
	}
	kind := r.kept.kind()
	if x.kinds[kind] == nil {
		x.kinds[kind] = make(map[string]*alikeCells)
	}
	name := setText(r.kept.inputs)
	cells := x.kinds[kind][name]
	if cells == nil {
		cells = &alikeCells{r.kept.inputs, make(map[string][]*recordedCells)}
		x.kinds[kind][name] = cells
	}
	beyond := conditionsBeyond(cells.columns, r.kept.shape)
	cells.beyond[beyond] = append(cells.beyond[beyond], r)
	x.questions[r.question.Key] = x.byAge.PushBack(r)
	x.bytes += r.bytes
	for x.byAge.Len() > maxSources || x.bytes > maxSourceBytes {
		x.forget(x.byAge.Front())
	}
}

func (x *sourceIndex) forget(e *list.Element) {
	r := x.byAge.Remove(e).(*recordedCells)
	x.bytes -= r.bytes
	delete(x.questions, r.question.Key)
	kind, name := r.kept.kind(), setText(r.kept.inputs)
	cells := x.kinds[kind][name]
	beyond := conditionsBeyond(cells.columns, r.kept.shape)
	rest := slices.DeleteFunc(cells.beyond[beyond], func(other *recordedCells) bool { return other == r })
	if cells.beyond[beyond] = rest; len(rest) > 0 {
		return
	}
	if delete(cells.beyond, beyond); len(cells.beyond) > 0 {
		return
	}
	if delete(x.kinds[kind], name); len(x.kinds[kind]) == 0 {
		delete(x.kinds, kind)
	}
}

// find returns releases since some time that a question of some kind may follow from: those with the fewest cells first, and of equally many
// the oldest.
func (x *sourceIndex) find(kind sourceKind, asked *rewrite.Shape, since time.Time) []*recordedCells {
	needed := keyInputs(asked)
	var found []*recordedCells
	x.mu.RLock()
	for _, cells := range x.kinds[kind] {
		if slices.ContainsFunc(needed, func(name string) bool { return !slices.Contains(cells.columns, name) }) {
			continue
		}
		alike := cells.beyond[conditionsBeyond(cells.columns, asked)]
		first := sort.Search(len(alike), func(i int) bool { return !alike[i].at.Before(since) })
		found = append(found, alike[first:min(first+maxCompared, len(alike))]...)
	}
	x.mu.RUnlock()
	slices.SortFunc(found, func(a, b *recordedCells) int {
		return cmp.Or(cmp.Compare(a.kept.Cells, b.kept.Cells), cmp.Compare(a.id, b.id))
	})
	return found[:min(len(found), maxCompared)]
}

// keyInputs are the columns that the keys of a shape are made of, sorted.
func keyInputs(s *rewrite.Shape) []string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Inputs...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// conditionsBeyond are the conditions of a shape that are made of other columns than the given ones, too, as one text.
func conditionsBeyond(columns []string, s *rewrite.Shape) string {
	var texts []string
	for _, conditions := range [][]rewrite.ShapeCondition{s.Where, s.Filter} {
		for _, c := range conditions {
			if slices.ContainsFunc(c.Columns, func(name string) bool { return !slices.Contains(columns, name) }) {
				texts = append(texts, c.Text)
			}
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(setText(texts)))
	return string(sum[:])
}

// setText names a sorted list of texts.
func setText(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(strconv.Itoa(len(t)))
		b.WriteByte(':')
		b.WriteString(t)
	}
	return b.String()
}
