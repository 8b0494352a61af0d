package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/acts"
	"tacit/release/books"
)

// This file is what stewards do at the console, by the code of the commands (release/acts). Three steps: a form is checked, a page shows what would change,
// and a second form has it done. What that page showed goes with its form, and nothing is done if another act came between, here or by a command, that
// changed something: the page is shown again. Start at preview.

// actRoutes are the pages about acts. Officers see what was done; stewards act.
func (c *Console) actRoutes(mux *http.ServeMux) {
	for path, make := range map[string]maker{
		"GET /acts":                 onlyReaders((*visit).actsPage),
		"GET /acts/entry/{entry}":   onlyReaders((*visit).entryPage),
		"POST /acts":                onlyStewards((*visit).preview),
		"GET /acts/confirm/{act}":   onlyStewards((*visit).confirmPage),
		"POST /acts/confirm/{act}":  onlyStewards((*visit).confirm),
		"POST /acts/withdraw/{act}": onlyStewards((*visit).withdraw),
		"GET /acts/job/{entry}":     onlyStewards((*visit).jobPage),
		"GET /requests":             onlyAnalysts((*visit).requestsPage),
		"POST /requests":            onlyAnalysts((*visit).ask),
	} {
		mux.Handle(path, c.page(make))
	}
}

var errNoAct = &refusal{http.StatusForbidden, "Only stewards act."}

// onlyStewards keeps out who may not act.
func onlyStewards(make maker) maker {
	return func(v *visit) (*page, error) {
		if v.person.Role != steward {
			return nil, errNoAct
		}
		return make(v)
	}
}

// A pendingAct was checked, and waits for its steward's word. It is that of one session, or waits for another steward's.
type pendingAct struct {
	id, by, session string
	request         acts.Request
	made            time.Time
	asked           string // what the steward saw who asks others to approve; empty: it is the one session's

	mu    sync.Mutex   // protects over, and is held while the act is done
	over  bool         // it was withdrawn, refused, or left to other stewards
	entry atomic.Int64 // which it made; 0 while there is none
}

const (
	maxPending = 1000
	// actTime bounds the writing of an act. It goes on if the browser goes away.
	actTime = 20 * time.Second
	// shownActs are listed, among so many of the newest entries of the ledger.
	shownActs = 20
	actsReach = 50_000
)

// An actForm is the form of an act as it was filled in.
type actForm struct {
	Kind                             acts.Kind
	Table, Analyst                   string
	Epsilon, Delta, Releases, Reason string
	Asked                            string // the entry of the request that is answered
	acts.Data                               // of an act that reads rows
}

func actFormOf(value func(string) string) actForm {
	return actForm{
		Kind: acts.Kind(cmp.Or(value("act"), string(acts.Grant))), Table: value("table"), Analyst: value("analyst"),
		Epsilon: strings.TrimSpace(value("epsilon")), Delta: strings.TrimSpace(value("delta")), Releases: strings.TrimSpace(value("releases")), Reason: value("reason"),
		Asked: value("asked"), Data: acts.Data{
			Publication: value("publication"), Replace: value("replace") != "", Distinct: value("distinct") != "", Misfit: value("misfit") != "", Small: value("small") != "", Alarm: value("alarm") != "",
		},
	}
}

func (f actForm) request() (acts.Request, error) {
	r := acts.Request{Kind: f.Kind, Table: f.Table, Analyst: f.Analyst, Reason: f.Reason, Data: f.Data}
	if f.Asked != "" {
		n, err := strconv.ParseInt(f.Asked, 10, 64)
		if err != nil || n < 1 {
			return r, errNotFound
		}
		r.Asked = n
	}
	if f.Kind != acts.Grant {
		return r, nil
	}
	r.Epsilon, r.Delta = f.Epsilon, f.Delta
	if f.Releases != "" {
		n, err := strconv.ParseInt(f.Releases, 10, 64)
		if err != nil {
			return r, &acts.FieldError{Field: "releases", Problem: "write a whole number"}
		}
		r.Releases = n
	}
	return r, nil
}

type actsContent struct {
	actForm
	MayAct         bool
	Kinds          []kindLink
	Tables         []policy.TableName
	Analysts       []string
	Field, Problem string
	Token          string
	Recent         []ledger.Entry
	Requests       []ledger.Request // that are open
	Answers        *ledger.Request  // the one that the form answers
	Waiting        []waitingAct
	Publications   []policy.TableName
	Audited        []policy.TableName
	Jobs           []job
}

type kindLink struct {
	Kind acts.Kind
	Name string
	Here bool
}

var kindNames = []kindLink{{acts.Grant, "Grant", false}, {acts.Freeze, "Freeze", false}, {acts.Thaw, "Thaw", false}, {acts.Epoch, "Open an epoch", false}, {acts.Publish, "Publish", false}, {acts.Seal, "Seal", false}}

func (v *visit) actsPage() (*page, error) {
	form := actFormOf(v.r.URL.Query().Get)
	if err := v.prefill(&form); err != nil {
		return nil, err
	}
	return v.actsForm(form, nil)
}

// choices are what a form can be about. Kinds that the policy has nothing for are not offered.
func (c *actsContent) choices(p *policy.Policy) {
	for _, t := range p.Tables {
		c.Tables = append(c.Tables, t.Name)
		if t.Mechanism.Kind == policy.Audit {
			c.Audited = append(c.Audited, t.Name)
		}
	}
	for _, copied := range p.Publications {
		c.Publications = append(c.Publications, copied.Name)
	}
	for _, a := range p.Analysts {
		c.Analysts = append(c.Analysts, a.Name)
	}
	for _, k := range kindNames {
		if k.Kind == acts.Publish && c.Publications == nil || k.Kind == acts.Seal && c.Audited == nil {
			continue
		}
		k.Here = k.Kind == c.Kind
		c.Kinds = append(c.Kinds, k)
	}
}

// actsForm shows a form with what is wrong with it.
func (v *visit) actsForm(form actForm, problem error) (*page, error) {
	content := actsContent{actForm: form, MayAct: v.person.Role == steward, Token: v.token(v.r.Context())}
	content.choices(v.policy)
	if problem != nil {
		v.status = http.StatusBadRequest
		content.Problem = problem.Error()
		if field := (*acts.FieldError)(nil); errors.As(problem, &field) {
			content.Field, content.Problem = field.Field, field.Problem
		}
	}
	if err := v.openRequests(&content); err != nil {
		return nil, err
	}
	content.Waiting, content.Jobs = v.waiting(), v.jobs.running()
	o, err := v.ledger.Overview(v.r.Context())
	if err != nil {
		return nil, err
	}
	content.Recent, err = v.ledger.Log(v.r.Context(), ledger.LogFilter{Acts: true, After: max(0, o.Head.Entry-actsReach), Limit: shownActs})
	return &page{"acts", "Acts", content}, err
}

// preview checks a form, and leads to the page that shows what it would change.
func (v *visit) preview() (*page, error) {
	form := actFormOf(v.r.PostFormValue)
	if form.Kind == acts.Decline { // whatever the form says, it is about what was asked
		if err := v.prefill(&form); err != nil {
			return nil, err
		}
	}
	request, err := form.request()
	if form.Kind == acts.Resolve {
		return nil, badRequest("A decision is noted where What if shows what it is about.")
	}
	if errors.Is(err, errNotFound) {
		return nil, err
	}
	var a *acts.Act
	if err == nil {
		a, err = acts.New(v.policy, request)
	}
	if err == nil && a.ReadsRows() {
		request.Data, err = v.prepareData(a)
	}
	if err != nil {
		return v.actsForm(form, err)
	}
	return v.toConfirm(request)
}

// toConfirm leads to the page of an act that was checked.
func (v *visit) toConfirm(request acts.Request) (*page, error) {
	id := rand.Text()
	v.pending.Add(id, &pendingAct{id: id, by: v.person.Name, session: v.token(v.r.Context()), request: request, made: v.now})
	http.Redirect(v.w, v.r, "/acts/confirm/"+id, http.StatusSeeOther)
	return nil, nil
}

// pendingOf is the act that the path names, if it is of this session or waits for a steward, and is not old.
func (v *visit) pendingOf() (*pendingAct, error) {
	p, ok := v.pending.Get(v.r.PathValue("act"))
	if ok && p.asked != "" && v.now.Sub(p.made) <= approvalTime {
		return p, nil
	}
	if !ok || p.asked != "" || p.by != v.person.Name || p.session != v.token(v.r.Context()) || v.now.Sub(p.made) > sessionIdle {
		return nil, &refusal{http.StatusNotFound, "There is no such act to confirm, or not any more. Nothing was done by it. Begin again at Acts."}
	}
	return p, nil
}

type confirmContent struct {
	Act         *acts.Act
	Words       string
	Rows        []changeRow
	ID, Token   string
	Seen        string // what the page shows is of this
	Impossible  string
	Changed     bool // since it was shown last
	Problem     string
	Irrevocable bool
	// Asks says that another steward must approve, Own that this one has asked, and AskedBy who has.
	Asks, Own bool
	AskedBy   string
}

// A changeRow is something before an act and after it.
type changeRow struct{ Name, Before, After string }

// Same says whether the act leaves it alone.
func (r changeRow) Same() bool { return r.Before == r.After }

func (v *visit) confirmPage() (*page, error) {
	p, err := v.pendingOf()
	if err != nil {
		return nil, err
	}
	if p.entry.Load() != 0 {
		return v.toDone(p)
	}
	return v.confirmation(p, confirmContent{})
}

// confirmation shows what an act would change now.
func (v *visit) confirmation(p *pendingAct, content confirmContent) (*page, error) {
	a, err := acts.New(v.policy, p.request)
	if err != nil {
		return nil, &refusal{http.StatusConflict, "The policy has changed, and this cannot be done any more. " + err.Error()}
	}
	o, err := a.Outlook(v.r.Context(), v.ledger)
	if err != nil {
		return nil, err
	}
	content.Act, content.Words, content.ID, content.Token = a, a.Words(), v.r.PathValue("act"), v.token(v.r.Context())
	content.Seen, content.Impossible, content.Rows = seen(o, v.policy), o.Impossible, changes(o)
	content.Irrevocable = a.Kind == acts.Grant || a.Kind == acts.Epoch || a.ReadsRows()
	content.Asks = p.asked == "" && v.needsApproval(p)
	if p.asked != "" {
		content.AskedBy, content.Own = p.by, p.by == v.person.Name
		content.Changed = content.Changed || p.asked != content.Seen
	}
	if content.Changed || content.Problem != "" {
		v.status = http.StatusConflict
	}
	return &page{"confirm", "Confirm", content}, nil
}

// seen names what a page about an act was made from: what stewards did to the table before, the policy, and how many epochs were sealed.
func seen(o acts.Outlook, p *policy.Policy) string {
	return fmt.Sprintf("%s.%s.%d", o.Basis, p.Version, o.Epochs)
}

// seenOf are the parts of that; ok says whether they are there, and the policy is the same.
func seenOf(text string, p *policy.Policy) (basis ledger.Basis, epochs int, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || parts[0] == "" || parts[1] != p.Version {
		return "", 0, false
	}
	epochs, err := strconv.Atoi(parts[2])
	return ledger.Basis(parts[0]), epochs, err == nil
}

func changes(o acts.Outlook) []changeRow {
	frozen := func(l books.Line) string { return cmp.Or(l.Frozen, "no") }
	spent, left := o.After.ShownSpent(o.After.Exact.Spent), o.After.LeftText()
	if o.Charged != "" && !o.Additive {
		spent, left = "that and "+o.Charged+", composed", "what that leaves"
	}
	rows := []changeRow{
		{"Budget", o.Before.BudgetText(), o.After.BudgetText()},
		{"Spent", o.Before.ShownSpent(o.Before.Exact.Spent), spent},
		{"Left", o.Before.LeftText(), left},
		{"Frozen", frozen(o.Before), frozen(o.After)},
		{"Epoch", strconv.FormatInt(o.Before.Epoch, 10), strconv.FormatInt(o.After.Epoch, 10)},
	}
	if o.Charged != "" {
		rows = append([]changeRow{{"Charged", "-", o.Charged}}, rows...)
	}
	if o.Published != "" {
		rows = append(rows, changeRow{"Published", "-", o.Published})
	}
	return rows
}

// confirm has an act done, once, if what its page showed is still so.
func (v *visit) confirm() (*page, error) {
	p, err := v.pendingOf()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entry.Load() != 0 { // a second click
		return v.toDone(p)
	}
	if p.over {
		return v.toPending(p)
	}
	shown := v.r.PostFormValue("seen")
	basis, epochs, ok := seenOf(shown, v.policy)
	if !ok {
		return v.confirmation(p, confirmContent{Changed: true})
	}
	by := v.person.Name
	switch {
	case p.asked != "":
		if by, err = v.approves(p, shown); err != nil {
			return nil, err
		}
		if by == "" {
			return v.confirmation(p, confirmContent{Changed: true})
		}
	case v.needsApproval(p):
		return v.askOthers(p, shown)
	}
	request := p.request
	request.Epochs = epochs
	a, err := acts.New(v.policy, request)
	if err != nil {
		return v.confirmation(p, confirmContent{})
	}
	err = v.do(a, by, basis)
	switch {
	case a.Entry != 0: // it is done, whatever became of the connection afterwards
	case errors.Is(err, ledger.ErrActedMeanwhile):
		return v.confirmation(p, confirmContent{Changed: true})
	case errors.Is(err, accountant.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("%w: whether the act was done shows under Acts", err)
	default:
		return v.confirmation(p, confirmContent{Problem: err.Error()})
	}
	p.entry.Store(a.Entry)
	v.Log.Info("a steward acted at the console", "name", by, "act", string(a.Kind), "table", a.Table, "entry", a.Entry)
	return v.toDone(p)
}

// do writes an act, and begins it if it takes long.
func (v *visit) do(a *acts.Act, by string, basis ledger.Basis) error {
	write := func(ctx context.Context) error { return a.Do(ctx, v.policy.Ledger, by, basis) }
	if a.ReadsRows() {
		return v.beginJob(a, write)
	}
	return v.writes(write)
}

// toDone leads to what was done: the entry, or the page of what is being done.
func (v *visit) toDone(p *pendingAct) (*page, error) {
	to := "/acts/entry/"
	if p.request.Kind == acts.Publish || p.request.Kind == acts.Seal {
		to = "/acts/job/"
	}
	http.Redirect(v.w, v.r, to+strconv.FormatInt(p.entry.Load(), 10), http.StatusSeeOther)
	return nil, nil
}

// writes runs what writes the ledger, one at a time, by a connection of its own. It goes on if the browser goes away.
func (v *visit) writes(write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(v.ending, actTime)
	defer cancel()
	select {
	case v.writing <- struct{}{}:
		defer func() { <-v.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return write(ctx)
}

// withdraw forgets an act that was not done: its own steward leaves it, or another does not approve.
func (v *visit) withdraw() (*page, error) {
	p, err := v.pendingOf()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entry.Load() != 0 {
		return v.toDone(p)
	}
	p.over = true
	v.pending.Remove(p.id)
	if p.asked != "" {
		v.Log.Info("an act that waited for a steward was left", "asked", p.by, "by", v.person.Name, "act", string(p.request.Kind), "table", p.request.Table)
	}
	http.Redirect(v.w, v.r, "/acts", http.StatusSeeOther)
	return nil, nil
}
