package console

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
	"tacit/release/acts"
)

// newPlayedWithData has publications and an audited table. There is no server for them: what would be done with it is played by a function.
func newPlayedWithData(t *testing.T) *played {
	t.Helper()
	like := strings.Replace(playedPolicy, "\nledger:", "\n  publisher: postgres://tacit_publisher@127.0.0.1:5432/hospital\nledger:", 1) + `
  clinic.carriers:
    person: row
    mechanism: {kind: audit, private: gene, epsilon: 0.5, delta: 0.2, prior: {by: [hair], values: {blonde: 0.5, black: 0.4}}, workload: [[hair]]}
    columns: {hair: {values: [blonde, black]}}
publications:
  open.patients: {of: public.patients, kind: dp-swapping, quasi: [sex], columns: [sex], epsilon: 0.5}
  open.odd: {of: 'clinic."odd/../name <b>"', kind: k-anonymity, quasi: [kind], k: 5, accept: no-guarantee}
`
	like = strings.Replace(like, "  public.patients:\n    person: row\n", "  public.patients:\n    person: row\n    adjacency: replace-one\n", 1)
	dir := t.TempDir()
	s := &played{t: t, policy: parseLike(t, dir, like), at: func() time.Time { return now }}
	play(t, s.policy)
	s.serve()
	s.console.jobs.prepare = func(a *acts.Act, _ context.Context, _ *policy.Policy, _ *ledger.Reader) (acts.Data, error) {
		return acts.Data{Publication: "open.patients", Price: accountant.Loss{Epsilon: 5e8}}, nil
	}
	return s
}

func publication(fields ...string) []string {
	return append([]string{"act", "publish", "table", "", "publication", "open.patients", "reason", "for the <i>open</i> data"}, fields...)
}

// ended waits for a job's page.
func (b *browser) ended(path string) reply {
	b.t.Helper()
	for range 1000 {
		if r := b.get(path); r.Header.Get("Refresh") == "" {
			return r
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Fatal("it is being done for ever")
	return reply{}
}

// A publication shows what it costs, notes the decision, goes on when its request is over, and tells of its steps and of what it made. A second one of the
// same table is refused meanwhile, and so is its preview. A second click leads to the same page.
func TestPublishAtConsole(t *testing.T) {
	s := newPlayedWithData(t)
	step, end := make(chan string), make(chan error)
	s.console.jobs.perform = func(a *acts.Act, ctx context.Context, p *policy.Policy, told func(string)) ([][2]string, error) {
		for text := range step {
			told(text)
		}
		select {
		case err := <-end:
			return [][2]string{{"published", "open.<b>patients</b>"}}, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	stan, before := s.as("stan"), len(s.acts())
	path, second := stan.preview(publication()...), stan.preview(publication("reason", "another")...)
	page := stan.get(path).body
	checkElements(t, path, page)
	for _, want := range []string{"publish: open.patients, a copy of public.patients", "Charged", "epsilon 0.5", "cannot be taken back", "open.patients, with sex"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page to confirm has no %q\n%s", want, page)
		}
	}
	form := url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}
	r := stan.post(path, form)
	job := r.Header.Get("Location")
	if r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(job, "/acts/job/") {
		t.Fatalf("status %d, to %q\n%.3000s", r.StatusCode, job, r.body)
	}
	if again := stan.post(path, form).Header.Get("Location"); again != job {
		t.Errorf("a second click leads to %q", again)
	}
	all := s.acts()
	decision := all[0]
	if len(all) != before+1 || decision.Verdict != ledger.Resolved || decision.By != "stan" || decision.Reason != "for the <i>open</i> data" ||
		decision.SQL != "publish open.patients, a copy of public.patients by dp-swapping, for epsilon 0.5" {
		t.Errorf("%d entries more, the newest %+v", len(all)-before, decision)
	}
	step <- "reading"
	step <- "writing" // it was told of the one before
	running := stan.get(job)
	if running.Header.Get("Refresh") == "" || !strings.Contains(running.body, "<li>reading</li>") || strings.Contains(running.body, "<i>open") {
		t.Errorf("the page of what is being done\n%s", running.body)
	}
	checkElements(t, job, running.body)
	if body := s.as("olga").get("/acts").body; !strings.Contains(body, "Being done") || strings.Contains(body, job) {
		t.Error("an officer does not see that it is being done, or is led to its page")
	}
	if r := stan.confirms(second); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "published or sealed already") || len(s.acts()) != before+1 {
		t.Errorf("a second one at once: status %d, %d entries\n%s", r.StatusCode, len(s.acts())-before, r.body)
	}
	form = actOf(publication()...)
	if r := stan.submit("/acts", form); r.StatusCode != http.StatusBadRequest || !strings.Contains(r.body, "published or sealed already") {
		t.Errorf("the preview of a second one at once: status %d", r.StatusCode)
	}
	close(step)
	end <- nil
	done := stan.ended(job)
	if !strings.Contains(done.body, "It is done.") || !strings.Contains(done.body, "open.&lt;b&gt;patients") || !strings.Contains(done.body, fmt.Sprintf("/acts/entry/%d", decision.ID)) {
		t.Errorf("the page of what was done\n%s", done.body)
	}
	if body := stan.get(fmt.Sprintf("/acts/entry/%d", decision.ID)).body; !strings.Contains(body, job) {
		t.Error("the decision does not lead to what became of it")
	}
	go func() { end <- errors.New("the server <b>is gone</b>") }()
	job = stan.confirms(stan.preview(publication()...)).Header.Get("Location")
	if failed := stan.ended(job); !strings.Contains(failed.body, "It failed") || !strings.Contains(failed.body, "the server &lt;b&gt;is gone") {
		t.Errorf("the page of what failed\n%s", failed.body)
	}
	if r := stan.get("/acts/job/1"); r.StatusCode != http.StatusNotFound || !strings.Contains(r.body, "knows nothing of it") {
		t.Errorf("a job that nobody began: status %d", r.StatusCode)
	}
}

// What was shown is what is done: after another act on the table, another policy, or another epoch, it is shown again, and nothing is begun.
func TestStaleJobs(t *testing.T) {
	s := newPlayedWithData(t)
	s.console.jobs.perform = func(*acts.Act, context.Context, *policy.Policy, func(string)) ([][2]string, error) {
		t.Error("it was done")
		return nil, nil
	}
	stan := s.as("stan")
	path := stan.preview(publication()...)
	old := stan.seen(path)
	stan.act() // a grant on the same table
	before := len(s.acts())
	for what, seen := range map[string]string{"after a grant": old, "without what was seen": "", "of another policy": strings.Replace(stan.seen(path), s.policy.Version, "x", 1), "cut": strings.TrimSuffix(stan.seen(path), ".0")} {
		r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {seen}})
		if r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "came first") || len(s.acts()) != before {
			t.Errorf("%s: status %d, %d entries\n%s", what, r.StatusCode, len(s.acts())-before, r.body)
		}
	}
	if len(s.console.jobs.busy) != 0 {
		t.Errorf("%v stays taken", s.console.jobs.busy)
	}
	stan.act("act", "freeze", "reason", "not now")
	if body := stan.get(path).body; !strings.Contains(body, "the table is frozen: not now") || strings.Contains(body, "Do it") {
		t.Errorf("a publication of a frozen table can be confirmed\n%s", body)
	}
}

// Of two stewards with pages of the same publication one has it done: when it was charged, the other is shown the page again. It is so where another steward approves.
func TestPublicationOnce(t *testing.T) {
	s := newPlayedWithData(t)
	s.withTwoStewards()
	s.policy.Console.Approval = nil
	charged := 0
	s.console.jobs.perform = func(a *acts.Act, ctx context.Context, p *policy.Policy, _ func(string)) ([][2]string, error) {
		charged++
		err := s.chargeSteward(fmt.Sprint("publication ", charged))
		if err != nil {
			t.Error(err)
		}
		return nil, err
	}
	publishes := func(b *browser, path, seen string) reply {
		return b.post(path, url.Values{"token": {b.token()}, "seen": {seen}})
	}
	stan, olga := s.as("stan"), s.as("olga")
	his, hers := stan.preview(publication("replace", "on")...), olga.preview(publication("replace", "on")...)
	hisSeen, herSeen := stan.seen(his), olga.seen(hers)
	stan.ended(publishes(stan, his, hisSeen).Header.Get("Location"))
	if r := publishes(olga, hers, herSeen); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "came first") || charged != 1 {
		t.Errorf("the second of two: status %d, %d charges\n%s", r.StatusCode, charged, r.body)
	}
	olga.ended(publishes(olga, hers, olga.seen(hers)).Header.Get("Location")) // who has seen it may
	if charged != 2 {
		t.Errorf("%d charges", charged)
	}

	s.policy.Console.Approval = []string{"publish"}
	his, hers = stan.preview(publication("replace", "on")...), olga.preview(publication("replace", "on")...)
	hisSeen, herSeen = stan.seen(his), olga.seen(hers)
	publishes(stan, his, hisSeen)
	publishes(olga, hers, herSeen)
	olga.ended(publishes(olga, his, olga.seen(his)).Header.Get("Location"))
	if r := publishes(stan, hers, herSeen); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "asked for again") || charged != 3 {
		t.Errorf("the second that waited: status %d, %d charges\n%s", r.StatusCode, charged, r.body)
	}
}

// chargeSteward charges public.patients, as a publication does.
func (s *played) chargeSteward(text string) error {
	ctx := context.Background()
	l, err := ledger.Open(ctx, ledger.Options{Location: s.policy.Ledger, Role: ledger.Steward})
	if err != nil {
		return err
	}
	defer l.Close()
	table, _ := s.policy.Table(policy.TableName{Schema: "public", Name: "patients"})
	_, err = l.Reserve(ctx, accountant.Charge{Analyst: release.Steward, Accounting: release.Accounting(table), SQL: text, Items: []accountant.Item{{
		Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 1e6}, Mechanism: "publication by dp-swapping",
	}}})
	return err
}

// What this console cannot do it says at the form, and notes nothing: it cannot reach the data, or tables are closed.
func TestJobsThatCannotBegin(t *testing.T) {
	s := newPlayedWithData(t)
	stan, before := s.as("stan"), len(s.acts())
	refused := func(want string, fields ...string) {
		t.Helper()
		r := stan.submit("/acts", actOf(fields...))
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(strings.ReplaceAll(r.body, "</strong>", ""), want) || len(s.acts()) != before {
			t.Errorf("status %d, without %q\n%s", r.StatusCode, want, r.body)
		}
		checkElements(t, "/acts", r.body)
	}
	refused("is none of the policy", publication("publication", "open.nothing")...)
	refused("publication:", publication("publication", "")...)
	refused("it is required", publication("reason", "")...)
	refused("is not audited", "act", "seal", "reason", "new people")
	refused("is audited", "act", "epoch", "table", "clinic.carriers", "reason", "new people")
	path := stan.preview(publication()...)
	s.console.Closed = func() error { return errors.New("the catalog has changed") }
	refused("protected tables are closed: the catalog has changed", publication()...)
	if r := stan.confirms(path); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "protected tables are closed") || len(s.acts()) != before {
		t.Errorf("confirmed while closed: status %d\n%s", r.StatusCode, r.body)
	}
	s.console.Closed = nil
	s.console.jobs.prepare = (*acts.Act).Prepare // of a server that is not there
	refused("this console cannot do it", publication()...)
	refused("this console cannot do it", "act", "seal", "table", "clinic.carriers", "reason", "new people")
}

// Somebody who looks at what an act would cost keeps nobody from doing one on the same table.
func TestPreviewTakesNoTable(t *testing.T) {
	s := newPlayedWithData(t)
	s.console.jobs.perform = func(*acts.Act, context.Context, *policy.Policy, func(string)) ([][2]string, error) { return nil, nil }
	stan := s.as("stan")
	path, prepare := stan.preview(publication()...), s.console.jobs.prepare
	looks, goOn := make(chan struct{}), make(chan struct{})
	s.console.jobs.prepare = func(a *acts.Act, ctx context.Context, p *policy.Policy, l *ledger.Reader) (acts.Data, error) {
		if a.Reason == "slowly" {
			close(looks)
			<-goOn
		}
		return prepare(a, ctx, p, l)
	}
	other, shown := s.as("stan"), make(chan int)
	form := actOf(publication("reason", "slowly")...)
	form.Set("token", other.token())
	go func() { shown <- other.post("/acts", form).StatusCode }()
	<-looks
	if r := stan.confirms(path); r.StatusCode != http.StatusSeeOther {
		t.Errorf("confirmed while another looks: status %d\n%.3000s", r.StatusCode, r.body)
	}
	close(goOn)
	if status := <-shown; status != http.StatusSeeOther {
		t.Errorf("the other's preview: status %d", status)
	}
	if len(s.console.jobs.looking) != 0 {
		t.Error("a place stays taken")
	}
}

// A seal shows the epoch that it opens, and what is at risk at most.
func TestSealPreview(t *testing.T) {
	s := newPlayedWithData(t)
	s.console.jobs.prepare = func(*acts.Act, context.Context, *policy.Policy, *ledger.Reader) (acts.Data, error) {
		return acts.Data{}, nil
	}
	s.console.jobs.perform = func(a *acts.Act, _ context.Context, _ *policy.Policy, _ func(string)) ([][2]string, error) {
		return nil, errors.New("4711 people went")
	}
	stan := s.as("stan")
	path := stan.preview("act", "seal", "table", "clinic.carriers", "reason", "new people")
	if body := stan.get(path).body; !strings.Contains(body, "a risk of at most 0.1") || !strings.Contains(body, "<td>0</td><td><strong>1</strong></td>") {
		t.Errorf("the page to confirm\n%s", body)
	}
	job := stan.confirms(path).Header.Get("Location")
	if body := stan.ended(job).body; !strings.Contains(body, "tacit seal says it in a terminal") || strings.Contains(body, "4711") {
		t.Errorf("%q\n%s", job, body)
	}
	s.console.tasks.Wait() // it is logged
	if body := stan.get("/ledger").body; !strings.Contains(body, "an act of a steward has failed") || strings.Contains(body, "4711") {
		t.Errorf("the last errors\n%s", body)
	}
	if e := s.acts()[0]; e.SQL != "seal epoch 1 of clinic.carriers, for a risk of at most 0.1" {
		t.Errorf("the decision is %+v", e)
	}
}

// Officers and analysts neither begin a publication nor see its page, forms of elsewhere are refused, and another steward's word is waited for if the policy says so.
func TestForgedJobs(t *testing.T) {
	s := newPlayedWithData(t)
	s.console.jobs.perform = func(*acts.Act, context.Context, *policy.Policy, func(string)) ([][2]string, error) { return nil, nil }
	stan, before := s.as("stan"), len(s.acts())
	path := stan.preview(publication()...)
	for _, name := range []string{"olga", "ana"} {
		b := s.as(name)
		for _, to := range []string{"/acts", path} {
			if r := b.submit(to, actOf(publication("seen", stan.seen(path))...)); r.StatusCode != http.StatusForbidden {
				t.Errorf("%s at %s: status %d", name, to, r.StatusCode)
			}
		}
		if r := b.get("/acts/job/1"); r.StatusCode != http.StatusForbidden {
			t.Errorf("%s at a job: status %d", name, r.StatusCode)
		}
	}
	form := actOf(publication("seen", stan.seen(path))...)
	if r := stan.post(path, form); r.StatusCode != http.StatusForbidden {
		t.Errorf("without a token: status %d", r.StatusCode)
	}
	if len(s.acts()) != before {
		t.Fatal("something was done")
	}
	s.withTwoStewards()
	s.policy.Console.Approval = []string{"publish"}
	stan, olga := s.as("stan"), s.as("olga")
	path = stan.preview(publication()...)
	if r := stan.confirms(path); r.Header.Get("Location") != path || len(s.acts()) != before {
		t.Errorf("it did not wait: status %d, to %q", r.StatusCode, r.Header.Get("Location"))
	}
	r := olga.confirms(path)
	if job := r.Header.Get("Location"); !strings.HasPrefix(job, "/acts/job/") || s.acts()[0].By != "stan, approved by olga" {
		t.Errorf("approved: status %d, to %q, %+v", r.StatusCode, job, s.acts()[0])
	}
}

// What a job made is an entry of stewards. An analyst's statement can say that it was made by the decision, and is not taken for it.
func TestMadeEntryIsNoStatement(t *testing.T) {
	s := newPlayedWithData(t)
	made := make(chan int64, 1)
	s.console.jobs.perform = func(a *acts.Act, ctx context.Context, p *policy.Policy, _ func(string)) ([][2]string, error) {
		l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Serve})
		if err != nil {
			return nil, err
		}
		defer l.Close()
		table, _ := p.Table(policy.TableName{Schema: "public", Name: "patients"})
		note := fmt.Sprintf("entry %d, by stan: for it", a.Entry)
		l.Note(ledger.Event{Analyst: "ana", Table: table.Name, Verdict: ledger.Refused, SQL: "SELECT '" + note + "' FROM patients", SQLState: "42501"})
		for _, by := range []string{"ana", release.Steward, "ana"} {
			text := fmt.Sprint("a question of ", by, " and ", len(made))
			_, err := l.Reserve(ctx, accountant.Charge{Analyst: by, Accounting: release.Accounting(table), SQL: "-- " + note, Items: []accountant.Item{{
				Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 1}, Mechanism: string(table.Mechanism.Kind),
			}}})
			if err != nil {
				return nil, err
			}
			if by == release.Steward {
				r, err := ledger.OpenReadOnly(ctx, p.Ledger)
				if err != nil {
					return nil, err
				}
				defer r.Close()
				newest, err := r.Log(ctx, ledger.LogFilter{Limit: 1})
				if err != nil {
					return nil, err
				}
				made <- newest[0].ID
			}
		}
		return nil, nil
	}
	stan := s.as("stan")
	done := stan.ended(stan.confirms(stan.preview(publication()...)).Header.Get("Location"))
	if want := fmt.Sprintf("/acts/entry/%d\"", <-made); !strings.Contains(done.body, want) {
		t.Errorf("the page has no %s\n%s", want, done.body)
	}
}

// A console that ends breaks off what it does, and says so in its log and nowhere else.
func TestConsoleEndsWithJob(t *testing.T) {
	s := newPlayedWithData(t)
	began := make(chan struct{})
	s.console.jobs.perform = func(_ *acts.Act, ctx context.Context, _ *policy.Policy, _ func(string)) ([][2]string, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	stan := s.as("stan")
	stan.confirms(stan.preview(publication()...))
	<-began
	s.console.end() // as Close does first, which the test's end calls
	s.console.tasks.Wait()
	for _, one := range s.console.jobs.byEntry.Values() {
		if one.Running || !strings.Contains(one.Failure, "the console was ended meanwhile") {
			t.Errorf("%+v", one)
		}
	}
	if len(s.console.jobs.running()) != 0 {
		t.Error("it runs")
	}
}
