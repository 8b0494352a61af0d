package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/acts"
	"tacit/release/assess"
	"tacit/release/assessmentview"
)

// This file has two forms about questions that nobody asked yet: Assess puts mechanisms side by side, and What if draws a table as an analyst would see it.
// Both work on counts that are supposed or were released; Assess reads true ones if a steward asks for it, by the code of tacit assess. Start at
// assessForm.read.

func (c *Console) assessRoutes(mux *http.ServeMux) {
	for path, make := range map[string]maker{
		"GET /assess":                         onlyReaders((*visit).assessPage),
		"POST /assess":                        onlyReaders((*visit).assess),
		"GET /whatif":                         onlyReaders((*visit).whatIfPage),
		"POST /whatif":                        onlyReaders((*visit).whatIf),
		"POST /whatif/decide":                 onlyStewards((*visit).decide),
		"GET /assess/result":                  onlyReaders((*visit).resultPage),
		"GET /whatif/result":                  onlyReaders((*visit).resultPage),
		"GET /assess/result/picture/{number}": onlyReaders((*visit).resultPicture),
	} {
		mux.Handle(path, c.page(make))
	}
}

// Bounds of the forms.
const (
	mostFormKeys     = 4
	mostFormEpsilons = 5
	mostFormRows     = 1_000_000_000
	mostDrawnCells   = 200 // that are shown
	releasedChoices  = 25
	releasedReach    = 2000
)

// An assessForm is either form as it was filled in.
type assessForm struct {
	WhatIf                     bool
	Table                      string
	Keys, Kinds                []string
	Epsilons, Delta, K         string
	Rows, Values, Spread, Mean string
	Release                    string
	Persons, True              bool
	Reason                     string

	of       *policy.Table
	keys     []keyChoice
	kinds    []policy.Kind
	epsilons []policy.Epsilon
	delta    policy.Delta
	k        int64
	rows     int64
	values   int
	mean     float64
	release  int64
}

func (v *visit) formOf(whatIf bool) *assessForm {
	_ = v.r.ParseForm() // what cannot be read is not there
	f := v.r.Form
	return &assessForm{
		WhatIf: whatIf, Table: f.Get("table"), Keys: f["key"], Kinds: f["kind"], Epsilons: strings.TrimSpace(f.Get("epsilon")), Delta: strings.TrimSpace(f.Get("delta")),
		K: strings.TrimSpace(f.Get("k")), Rows: strings.TrimSpace(f.Get("rows")), Values: strings.TrimSpace(f.Get("values")), Spread: f.Get("spread"), Mean: strings.TrimSpace(f.Get("mean")),
		Release: f.Get("release"), Persons: f.Get("persons") != "", True: f.Get("true") != "", Reason: strings.TrimSpace(f.Get("reason")),
	}
}

// fieldError says what is wrong with a field.
func fieldError(field, problem string, args ...any) error {
	return &acts.FieldError{Field: field, Problem: fmt.Sprintf(problem, args...)}
}

// assessable are the tables whose counts have noise.
func assessable(p *policy.Policy) (tables []*policy.Table) {
	for _, t := range p.Tables {
		if t.Mechanism.Kind != policy.Audit {
			tables = append(tables, t)
		}
	}
	return tables
}

// choose finds the table that is named; the first one if none is.
func (f *assessForm) choose(p *policy.Policy) error {
	tables := assessable(p)
	if f.Table == "" && len(tables) > 0 {
		f.Table = tables[0].Name.String()
	}
	for _, t := range tables {
		if t.Name.String() == f.Table {
			f.of = t
		}
	}
	if f.of == nil {
		return fieldError("table", "there is no such table whose counts have noise")
	}
	return nil
}

// fill has empty fields say what the policy does.
func (f *assessForm) fill() {
	m := f.of.Mechanism
	or := func(field *string, text string) {
		if *field == "" {
			*field = text
		}
	}
	if epsilon := m.Epsilon; epsilon > 0 && f.Epsilons == "" {
		if f.Epsilons = epsilon.String(); !f.WhatIf {
			f.Epsilons = fmt.Sprintf("%v, %v, %v", epsilon/5, epsilon, 5*epsilon)
		}
	}
	or(&f.Epsilons, "1")
	or(&f.Rows, "10000")
	or(&f.Values, "10")
	or(&f.Spread, "skewed")
	or(&f.Mean, "2")
	if len(f.Kinds) == 0 {
		f.Kinds = []string{string(m.Kind)}
		if !f.WhatIf {
			f.Kinds = append(f.Kinds, string(policy.Geometric), string(policy.DiscreteGaussian), string(policy.Suppression))
		}
	}
}

// read checks all fields.
func (f *assessForm) read() (err error) {
	choices := keyChoices(f.of)
	for _, id := range f.Keys {
		i := slices.IndexFunc(choices, func(k keyChoice) bool { return k.ID == id })
		if i < 0 {
			return fieldError("keys", "%q is none of the table's", id)
		}
		f.keys = append(f.keys, choices[i])
	}
	if len(f.keys) > mostFormKeys {
		return fieldError("keys", "choose %d at most", mostFormKeys)
	}
	for _, kind := range f.Kinds {
		if !slices.Contains(policy.Kinds, policy.Kind(kind)) {
			return fieldError("mechanism", "%q is none", kind)
		}
		if !slices.Contains(f.kinds, policy.Kind(kind)) {
			f.kinds = append(f.kinds, policy.Kind(kind))
		}
	}
	if len(f.kinds) == 0 {
		return fieldError("mechanism", "choose one")
	}
	for _, text := range strings.FieldsFunc(f.Epsilons, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		e, err := policy.ParseEpsilon(text)
		if err != nil || e <= 0 || e > 1000e9 {
			return fieldError("epsilon", "%q is no amount between 0 and 1000", text)
		}
		f.epsilons = append(f.epsilons, e)
	}
	slices.Sort(f.epsilons)
	if f.epsilons = slices.Compact(f.epsilons); len(f.epsilons) == 0 || len(f.epsilons) > mostFormEpsilons || f.WhatIf && len(f.epsilons) > 1 {
		return fieldError("epsilon", "write %s", map[bool]string{true: "one amount", false: "one to five amounts, with commas between them"}[f.WhatIf])
	}
	if f.Delta != "" {
		if f.delta, err = policy.ParseDelta(f.Delta); err != nil || f.delta <= 0 || f.delta >= policy.OneDelta {
			return fieldError("delta", "%q is not between 0 and 1", f.Delta)
		}
	}
	if f.K != "" {
		if f.k, err = strconv.ParseInt(f.K, 10, 64); err != nil || f.k < 1 || f.k > 1_000_000 {
			return fieldError("k", "%q is no count from 1 to 1,000,000", f.K)
		}
	}
	return f.readCounts()
}

// readCounts checks what the counts are.
func (f *assessForm) readCounts() (err error) {
	if f.True {
		return acts.CheckReason(f.Reason)
	}
	if f.Release != "" {
		if f.release, err = strconv.ParseInt(f.Release, 10, 64); err != nil || f.release < 1 {
			return fieldError("answer", "there is no answer %q", f.Release)
		}
		return nil
	}
	if f.rows, err = strconv.ParseInt(f.Rows, 10, 64); err != nil || f.rows < 1 || f.rows > mostFormRows {
		return fieldError("rows", "write a number from 1 to %d", mostFormRows)
	}
	if f.values, err = strconv.Atoi(f.Values); err != nil || f.values < 1 || f.values > assess.MostSupposedCells {
		return fieldError("values", "write a number from 1 to %d", assess.MostSupposedCells)
	}
	if !f.WhatIf || f.of.Person == nil {
		return nil
	}
	if f.mean, err = strconv.ParseFloat(f.Mean, 64); err != nil || !(f.mean >= 1) || f.mean > 1e6 {
		return fieldError("rows of a person", "write a number from 1 to 1,000,000")
	}
	return nil
}

func (f *assessForm) request() assess.Request {
	return assess.Request{Epsilons: f.epsilons, Delta: f.delta, K: f.k, Kinds: f.kinds, MostCells: assess.MostSupposedCells, Curves: true}
}

// supposition is what the counts are, if they are not read.
func (v *visit) supposition(f *assessForm) (s assess.Supposition, err error) {
	s = assess.Supposition{Table: f.of, ByPersons: f.Persons}
	if f.release != 0 {
		return s, v.suppositionOf(f, &s)
	}
	cells := 1
	for _, k := range f.keys {
		key := k.supposed(f.values)
		s.Keys = append(s.Keys, key)
		if cells *= max(1, len(key.Labels)); cells > assess.MostSupposedCells {
			return s, fieldError("keys", "they have more than %d cells together; choose fewer or coarser ones", assess.MostSupposedCells)
		}
	}
	s.Counts = assess.SupposedCounts(f.rows, cells, f.Spread == "skewed")
	return s, nil
}

// suppositionOf takes the counts of a recorded answer about the table.
func (v *visit) suppositionOf(f *assessForm, s *assess.Supposition) error {
	released, err := v.releasedOf(f.of)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(released, func(r *accountant.Release) bool { return r.ID == f.release })
	if i < 0 {
		return fieldError("answer", "it is none of the newest answers about the table")
	}
	if s.Cells, s.Counts, err = assess.ReleasedCells(v.r.Context(), v.ledger, f.release); err != nil {
		var wrong *assess.RequestError
		if errors.As(err, &wrong) {
			return fieldError("answer", "%s", wrong.Error())
		}
		return err
	}
	if len(s.Cells) > 0 {
		for _, name := range keyNames(released[i].Text, len(s.Cells[0])) {
			s.Keys = append(s.Keys, assess.SupposedKey{Name: name, Declared: true})
		}
	}
	return nil
}

// keyNames are the keys of a question in the proxy's words, if they can be told apart there, and numbers otherwise.
func keyNames(question string, keys int) []string {
	_, list, _ := strings.Cut(question, " GROUP BY ")
	if names := strings.Split(list, ", "); len(names) == keys && !strings.ContainsAny(list, "()'\"") {
		return names
	}
	names := make([]string, keys)
	for k := range names {
		names[k] = fmt.Sprintf("key %d", k+1)
	}
	return names
}

// releasedOf are the newest recorded answers about a table.
func (v *visit) releasedOf(t *policy.Table) (found []*accountant.Release, err error) {
	looked := 0
	err = v.ledger.Released(v.r.Context(), func(r *accountant.Release) bool {
		looked++
		if r.Table == t.Name {
			found = append(found, r)
		}
		return looked < releasedReach && len(found) < releasedChoices
	})
	return found, err
}

type assessContent struct {
	*assessForm
	Path, Token    string
	Tables         []string
	Choices        []choice
	KindChoices    []choice
	Released       []*accountant.Release
	MaySeeTrue     bool
	HasPersons     bool
	Field, Problem string
}

// A choice is something that can be ticked.
type choice struct {
	Value, Name, Note string
	Chosen            bool
}

func (v *visit) assessPage() (*page, error) { return v.assessing(v.formOf(false), nil) }
func (v *visit) whatIfPage() (*page, error) { return v.assessing(v.formOf(true), nil) }

// assessing shows a form with what is wrong with it.
func (v *visit) assessing(f *assessForm, problem error) (*page, error) {
	title, path := "Assess", "/assess"
	if f.WhatIf {
		title, path = "What if", "/whatif"
	}
	content := assessContent{assessForm: f, Path: path, Token: v.token(v.r.Context()), MaySeeTrue: v.person.Role == steward}
	for _, t := range assessable(v.policy) {
		content.Tables = append(content.Tables, t.Name.String())
	}
	if f.of == nil && problem == nil {
		problem = f.choose(v.policy)
	}
	if problem != nil {
		v.status = http.StatusBadRequest
		content.Problem = problem.Error()
		if field := (*acts.FieldError)(nil); errors.As(problem, &field) {
			content.Field, content.Problem = field.Field, field.Problem
		}
	}
	if f.of != nil {
		f.fill()
		var err error
		if content.Released, err = v.releasedOf(f.of); err != nil {
			return nil, err
		}
		content.HasPersons = f.of.Person != nil
		for _, k := range keyChoices(f.of) {
			note := "too many values, or unknown: a threshold decides"
			switch {
			case !k.Unknown:
				note = fmt.Sprintf("%d values", len(k.labels))
			case k.declared:
				note = "values of a public table"
			}
			content.Choices = append(content.Choices, choice{k.ID, k.Name, note, slices.Contains(f.Keys, k.ID)})
		}
		for _, k := range policy.Kinds {
			note := ""
			if !k.Guaranteed() {
				note = "no guarantee"
			}
			if k == f.of.Mechanism.Kind {
				note = strings.TrimPrefix(note+", today's", ", ")
			}
			content.KindChoices = append(content.KindChoices, choice{string(k), string(k), note, slices.Contains(f.Kinds, string(k))})
		}
	}
	return &page{"assess", title, content}, nil
}

// failed shows a form again, or the error if it is not the form's.
func (v *visit) failed(f *assessForm, err error) (*page, error) {
	var field *acts.FieldError
	var request *assess.RequestError
	if errors.As(err, &field) || errors.As(err, &request) {
		return v.assessing(f, err)
	}
	return nil, err
}

// assess begins a comparison.
func (v *visit) assess() (*page, error) {
	f := v.formOf(false)
	if f.True && v.person.Role != steward {
		return nil, errNoAct
	}
	err := f.choose(v.policy)
	if err == nil {
		err = f.read()
	}
	if err != nil {
		return v.failed(f, err)
	}
	i := &inspection{Title: "Mechanisms compared on " + f.of.Name.String(), Back: "/assess", table: f.of.Name}
	request := f.request()
	if f.True {
		p := v.policy
		request.SQL = countStatement(f.of, f.keys, f.Persons)
		i.True, i.SQL, i.reason = true, request.SQL, f.Reason
		i.look = func(ctx context.Context) (*finding, error) {
			a, err := assess.Assess(ctx, p, request)
			return assessed(a, err)
		}
		return v.begin(i)
	}
	s, err := v.supposition(f)
	if err != nil {
		return v.failed(f, err)
	}
	i.look = func(ctx context.Context) (*finding, error) { return assessed(assess.Suppose(ctx, s, request)) }
	return v.begin(i)
}

// assessed is an assessment for a page.
func assessed(a *assess.Assessment, err error) (*finding, error) {
	if err != nil {
		return nil, err
	}
	found := &finding{Notice: a.Notice(), Sections: assessmentview.Sections(a)}
	for i := range found.Sections { // the form has no such field
		s := &found.Sections[i]
		s.Attack = strings.Replace(s.Attack, " (the last key; --sensitive names another)", "", 1)
	}
	for i := range a.Questions {
		found.Curves = append(found.Curves, newCurveTable(a.Questions[i].Curves))
	}
	return found, nil
}
