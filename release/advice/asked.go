package advice

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// askedBefore are the charged questions of a table, as a search for a finer release sees them.
type askedBefore struct {
	table  *policy.Table
	search finerSearch
	// derivable is how many charges there are that can follow from other releases.
	derivable int
	columns   []string // of the search, by number
	texts     []string // of its conditions, by number
	asked     []askedCount
	// tooNoisy says that releases were passed over for their noise.
	tooNoisy bool
	// numbers find the conditions by text, and the counts by all that they are made of.
	numbers map[string]int
	places  map[string]int
}

// An askedCount is a count of the search, which may have been charged several times.
type askedCount struct {
	shape   *query.Shape
	charges []int // by place
}

// newAskedBefore reads charges, the oldest first. Those of which a threshold decided about the cells are left out: they follow from
// releases of the very same keys alone.
func newAskedBefore(t *policy.Table, limit int, charged []ledger.ChargedQuestion) *askedBefore {
	w := &askedBefore{table: t, search: finerSearch{limit: limit}, numbers: make(map[string]int), places: make(map[string]int)}
	kept := make([]*sources.Parsed, len(charged))
	uses, values := make(map[string]int), make(map[string]int)
	for i := range charged {
		k := sources.Parse(charged[i].Shape)
		if k == nil || k.Threshold {
			continue
		}
		kept[i] = k
		for _, c := range k.Shape.Columns {
			uses[c.Name]++
		}
		maps.Copy(values, k.Values) // the newest counts
	}
	w.chooseColumns(uses, values)
	for i, k := range kept {
		if k != nil {
			w.take(i, k.Shape)
		}
	}
	return w
}

// chooseColumns numbers the columns that can be keys: those with declared values; of too many, those that most charges use.
func (w *askedBefore) chooseColumns(uses, values map[string]int) {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(values)), func(name string) bool { return values[name] < 1 })
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b)) })
	names = names[:min(len(names), maxAdvisedColumns)]
	slices.Sort(names)
	w.columns = names
	for _, name := range names {
		w.search.sizes = append(w.search.sizes, values[name])
	}
}

// take adds a charge, if its keys are columns that can be keys or are computed of such.
func (w *askedBefore) take(charge int, shape *query.Shape) {
	count := wantedCount{times: 1}
	for _, k := range shape.Keys {
		set, ok := w.columnsOf(shape, k.Inputs, k.Stored)
		if !ok {
			return
		}
		count.keys |= set
	}
	for _, c := range slices.Concat(shape.Where, shape.Filter) {
		count.conditions = append(count.conditions, w.condition(shape, c))
	}
	slices.Sort(count.conditions)
	count.conditions = slices.Compact(count.conditions)
	w.derivable++
	name := fmt.Sprintf("%v %#v", count.conditions, shape.Keys)
	if place, ok := w.places[name]; ok {
		w.search.counts[place].times++
		w.asked[place].charges = append(w.asked[place].charges, charge)
		return
	}
	w.places[name] = len(w.asked)
	w.search.counts = append(w.search.counts, count)
	w.asked = append(w.asked, askedCount{shape, []int{charge}})
}

// condition numbers a condition of a shape.
func (w *askedBefore) condition(shape *query.Shape, c query.ShapeCondition) int {
	number, ok := w.numbers[c.Text]
	if !ok {
		number = len(w.texts)
		w.numbers[c.Text] = number
		w.texts = append(w.texts, c.Text)
		set, ok := w.columnsOf(shape, c.Columns, c.Atom != nil)
		w.search.conditions = append(w.search.conditions, wantedCondition{columns: set, opaque: !ok})
	}
	return number
}

// ColumnsOf are columns that something is made of; ok is false if they cannot all be keys, or if cells of equal values of theirs may hold
// different ones, of which more than a comparison is computed.
func (w *askedBefore) columnsOf(shape *query.Shape, names []string, compared bool) (set columnSet, ok bool) {
	for _, name := range names {
		number, known := slices.BinarySearch(w.columns, name)
		if !known {
			return 0, false
		}
		i := slices.IndexFunc(shape.Columns, func(c query.ShapeColumn) bool { return c.Name == name })
		if i < 0 || !compared && !shape.Columns[i].Faithful() {
			return 0, false
		}
		set |= 1 << number
	}
	return set, true
}

// finer describes the release that the search has found, of counts that a mechanism would have sanitized.
func (w *askedBefore) finer(m *mechanisms.Mechanism) *FinerRelease {
	best := w.search.best
	_, added := w.search.answered(w.within)
	f := &FinerRelease{
		Cells: best.cells, Answers: best.answers, Cost: m.Loss(), Best: w.search.complete, HalfWidth95: m.HalfWidth95(),
		Added: median(added), MostAdded: slices.Max(added),
	}
	for _, c := range best.base {
		f.Where = append(f.Where, w.texts[c])
	}
	slices.Sort(f.Where)
	for i, name := range w.columns {
		if best.columns>>i&1 == 1 {
			f.Keys = append(f.Keys, name)
		}
	}
	middle, _ := m.SumError(f.Added)
	most, _ := m.SumError(f.MostAdded)
	f.AddedHalfWidth95, f.MostHalfWidth95 = middle.HalfWidth95, most.HalfWidth95
	f.Statement = w.statement(f)
	f.Recorded = slices.ContainsFunc(w.asked, func(a askedCount) bool { return f.is(a.shape) })
	return f
}

// statement asks for a release.
func (w *askedBefore) statement(f *FinerRelease) string {
	names := make([]string, len(f.Keys))
	for i, name := range f.Keys {
		names[i] = strings.TrimPrefix(policy.ColumnName{Table: w.table.Name, Column: name}.String(), w.table.Name.String()+".")
	}
	keys := strings.Join(names, ", ")
	text := "SELECT count(*) FROM " + w.table.Name.String()
	if keys != "" {
		text = "SELECT " + keys + ", count(*) FROM " + w.table.Name.String()
	}
	if len(f.Where) > 0 {
		text += " WHERE " + strings.Join(f.Where, " AND ")
	}
	if keys != "" {
		text += " GROUP BY " + keys
	}
	return text
}

// is says whether a shape is that of the release.
func (f *FinerRelease) is(shape *query.Shape) bool {
	var keys, where []string
	for _, k := range shape.Keys {
		if !k.Stored {
			return false
		}
		keys = append(keys, k.Inputs...)
	}
	for _, c := range shape.Where {
		where = append(where, c.Text)
	}
	slices.Sort(keys)
	slices.Sort(where)
	return len(shape.Filter) == 0 && slices.Equal(keys, f.Keys) && slices.Equal(where, f.Where)
}

// instead are the charges with the release in the place of those that it would have answered.
func (w *askedBefore) instead(m *mechanisms.Mechanism, charged []ledger.ChargedQuestion) []ledger.ChargedQuestion {
	answered := make(map[int]bool)
	counts, _ := w.search.answered(w.within)
	for _, i := range counts {
		for _, charge := range w.asked[i].charges {
			answered[charge] = true
		}
	}
	rest := []ledger.ChargedQuestion{{Loss: m.Loss(), Term: m.Term()}}
	for i, c := range charged {
		if !answered[i] {
			rest = append(rest, c)
		}
	}
	return rest
}
