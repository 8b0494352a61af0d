package sources

import (
	"cmp"
	"container/list"
	"maps"
	"slices"
	"sort"
	"sync"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A Index finds the releases of one table's epoch that a question may follow from, without comparing it with all of them: by what
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
// It holds the newest release of each question, and at most MaxSources of them, with shapes of MaxSourceBytes together: the oldest are
// forgotten, however many questions are asked.
type Index struct {
	epoch int64

	mu      sync.RWMutex // protects what follows
	through int64        // the newest release that was looked at
	Kinds   map[Kind]map[string]*alikeCells
	// ByAge has the *Recorded, the oldest first, and questions finds them by the key of what was asked.
	ByAge     *list.List
	Questions map[[32]byte]*list.Element
	Bytes     int // of the shapes
	// losses are those that releases had which analysts chose by how exact they asked them to be.
	losses map[policy.Epsilon]bool
	// shared are the parts of releases with sums that there are, some time or other.
	shared map[SharedPart]bool
	joint  []*JointRelease // the oldest first
}

const (
	MaxSources     = 1 << 12
	MaxSourceBytes = 1 << 23
	maxCompared    = 1 << 7
)

// A Kind is what a release and the questions that follow from it have in common.
type Kind struct {
	Aggregate string
	// mechanism identifies the distribution of the noise. Sums of cells are as exact as they are said to be only while it is the policy's.
	Mechanism          string
	Threshold, Selects bool
}

// alikeCells are the releases of one kind whose cells are told apart by the same columns.
type alikeCells struct {
	columns []string
	// beyond has them by their conditions on other columns, the oldest first.
	Beyond map[string][]*Recorded
}

// A Recorded is a release, without its payload, with what is kept with it.
type Recorded struct {
	ID       int64
	at       time.Time
	Counted  time.Time           // before the count began; zero if it is not known
	Question accountant.Question // without its text
	Kept     *Parsed
	Bytes    int // of the shape
}

func NewIndex(epoch int64) *Index {
	return &Index{
		epoch: epoch, Kinds: make(map[Kind]map[string]*alikeCells), ByAge: list.New(), Questions: make(map[[32]byte]*list.Element),
		shared: make(map[SharedPart]bool), losses: make(map[policy.Epsilon]bool),
	}
}

// Losses are those that releases had which analysts chose.
func (x *Index) Losses() (losses []policy.Epsilon) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for loss := range x.losses {
		losses = append(losses, loss)
	}
	return losses
}

// seen is the newest release that was looked at.
func (x *Index) seen() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.through
}

// Take adds what another statement has not added meanwhile.
func (x *Index) Take(newer *ledger.DerivableReleases) {
	if newer.Epoch != x.epoch || newer.Through <= x.seen() {
		return
	}
	var read []*Recorded
	var joint []*JointRelease
	shared, losses := make(map[SharedPart]bool), make(map[policy.Epsilon]bool)
	for _, r := range slices.Backward(newer.Releases) {
		if part, ok := sharedPartOf(r.Shape); ok {
			shared[part] = true
		}
		if loss, ok := cells.ChosenLoss(r.Shape); ok {
			losses[loss] = true
		}
		if kept := Parse(r.Shape); kept != nil {
			question := accountant.Question{Table: r.Table, Key: r.Key}
			read = append(read, &Recorded{r.ID, r.At, cells.CountedSince(r.Shape), question, kept, len(r.Shape)})
		} else if j := jointReleaseOf(r); j != nil {
			joint = append(joint, j)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range read {
		if r.ID > x.through {
			x.add(r)
		}
	}
	for _, r := range joint {
		if r.ID > x.through {
			x.addJoint(r)
		}
	}
	if len(x.shared)+len(shared) > MaxSources { // what was longest ago is as likely to be asked again as what is kept of it
		clear(x.shared)
	}
	if len(shared) <= MaxSources {
		maps.Copy(x.shared, shared)
	}
	maps.Copy(x.losses, losses)
	x.through = max(x.through, newer.Through)
}

// add adds a release that is newer than all others. An older one of the same question is no longer to be had from the ledger.
func (x *Index) add(r *Recorded) {
	if before := x.Questions[r.Question.Key]; before != nil {
		x.Forget(before)
	}
	kind := r.Kept.Kind()
	if x.Kinds[kind] == nil {
		x.Kinds[kind] = make(map[string]*alikeCells)
	}
	name := cells.SetText(r.Kept.inputs)
	alike := x.Kinds[kind][name]
	if alike == nil {
		alike = &alikeCells{r.Kept.inputs, make(map[string][]*Recorded)}
		x.Kinds[kind][name] = alike
	}
	beyond := cells.ConditionsBeyond(alike.columns, r.Kept.Shape)
	alike.Beyond[beyond] = append(alike.Beyond[beyond], r)
	x.Questions[r.Question.Key] = x.ByAge.PushBack(r)
	x.Bytes += r.Bytes
	for x.ByAge.Len() > MaxSources || x.Bytes > MaxSourceBytes {
		x.Forget(x.ByAge.Front())
	}
}

func (x *Index) Forget(e *list.Element) {
	r := x.ByAge.Remove(e).(*Recorded)
	x.Bytes -= r.Bytes
	delete(x.Questions, r.Question.Key)
	kind, name := r.Kept.Kind(), cells.SetText(r.Kept.inputs)
	alike := x.Kinds[kind][name]
	beyond := cells.ConditionsBeyond(alike.columns, r.Kept.Shape)
	rest := slices.DeleteFunc(alike.Beyond[beyond], func(other *Recorded) bool { return other == r })
	if alike.Beyond[beyond] = rest; len(rest) > 0 {
		return
	}
	if delete(alike.Beyond, beyond); len(alike.Beyond) > 0 {
		return
	}
	if delete(x.Kinds[kind], name); len(x.Kinds[kind]) == 0 {
		delete(x.Kinds, kind)
	}
}

// Find returns releases since some time that a question of some kind may follow from: those first of which the fewest cells would be added up, as far as
// that is known, and of equally many the oldest.
func (x *Index) Find(kind Kind, asked *query.Shape, since time.Time, added func(*Recorded) int) []*Recorded {
	found := x.candidates(kind, asked, since, func(alike []*Recorded) []*Recorded { return alike[:min(maxCompared, len(alike))] })
	cells := make(map[*Recorded]int, len(found))
	for _, r := range found {
		cells[r] = added(r)
	}
	slices.SortFunc(found, func(a, b *Recorded) int { return cmp.Or(cmp.Compare(cells[a], cells[b]), cmp.Compare(a.ID, b.ID)) })
	return found[:min(len(found), maxCompared)]
}

// Newest returns releases since some time of which some cells of a question of some kind may follow, the newest first.
func (x *Index) Newest(kind Kind, asked *query.Shape, since time.Time) []*Recorded {
	found := x.candidates(kind, asked, since, func(alike []*Recorded) []*Recorded { return alike[max(0, len(alike)-maxCompared):] })
	slices.SortFunc(found, func(a, b *Recorded) int { return cmp.Compare(b.ID, a.ID) })
	return found[:min(len(found), maxCompared)]
}

// candidates are releases since some time whose cells are told apart by columns that the question's keys are made of, and whose conditions on
// others are the question's: some of those that are alike.
func (x *Index) candidates(kind Kind, asked *query.Shape, since time.Time, some func([]*Recorded) []*Recorded) (found []*Recorded) {
	needed := cells.KeyInputs(asked)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, of := range x.Kinds[kind] {
		if slices.ContainsFunc(needed, func(name string) bool { return !slices.Contains(of.columns, name) }) {
			continue
		}
		alike := of.Beyond[cells.ConditionsBeyond(of.columns, asked)]
		first := sort.Search(len(alike), func(i int) bool { return !alike[i].at.Before(since) })
		found = append(found, some(alike[first:])...)
	}
	return found
}
