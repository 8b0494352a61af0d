package release

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
)

var answerAge = regexp.MustCompile(`answered [^()]*? UTC`)

// undated is a notice, or the text of EXPLAIN, without the ages of answers.
func undated(text string) string { return answerAge.ReplaceAllString(text, "answered before") }

// A clock stands still until it is set forward. It begins after today, since no entry of a ledger is dated before the one that created it.
type clock struct{ nanoseconds atomic.Int64 }

func newClock(at string) *clock {
	t, err := time.Parse(time.DateTime, at)
	if err != nil {
		panic(err)
	}
	c := &clock{}
	c.nanoseconds.Store(t.UnixNano())
	return c
}

func (c *clock) now() time.Time { return time.Unix(0, c.nanoseconds.Load()).UTC() }

func (c *clock) forward(d time.Duration) { c.nanoseconds.Add(int64(d)) }

// openAt is open with a clock.
func (w *ward) openAt(c *clock) *Gateway {
	w.T.Helper()
	d, err := Open(context.Background(), Config{Policy: w.Policy, Random: rand.NewChaCha8([32]byte{1}), Clock: c.now})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { d.Close() })
	return d
}

func noOlderThan(age time.Duration) func(*reply.Request) {
	return func(r *reply.Request) { r.MaxAge = age }
}

const (
	allPeople = "SELECT count(*) FROM clinic.people"
	bySex     = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
)

// TestAgeIsTold asks the same again after three days: the notice, EXPLAIN and the history say how old the answer is, in the zone of who asks.
func TestAgeIsTold(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:03:20")
	d := w.openAt(c)
	w.mustAsk(d, "ward_ana", bySex)
	c.forward(3*24*time.Hour + time.Hour)
	_, receipt, err := w.ask(d, "ward_ana", bySex)
	if err != nil || !strings.Contains(receipt.Notice(), "; free (answered 3 days ago, 2099-11-19 13:03 UTC); ") {
		t.Errorf("the notice is %s, %v", receipt.Notice(), err)
	}
	zone := time.FixedZone("", 3600)
	again := w.answered(d, func(r *reply.Request) { r.Zone = zone }, bySex)
	if notice := again.receipt.String(); !strings.Contains(notice, "; free (answered 3 days ago, 2099-11-19 14:03); ") {
		t.Errorf("an hour east the notice is %s", notice)
	}
	e, err := w.explain(d, "ward_ana", bySex)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, "\n  Cost: free (answered 3 days ago, 2099-11-19 13:03 UTC)\n  Fresh: SET tacit.fresh = on asks anew, for epsilon 20\n") {
		t.Errorf("EXPLAIN: %s", text)
	}
	if plan, err := e.JSON(); err != nil || !strings.Contains(plan, `"Answered At": "2099-11-19T13:03:20Z"`) {
		t.Errorf("EXPLAIN: %s, %v", plan, err)
	}
	d.Close() // writes out what is noted
	d = w.openAt(c)
	cells, err := d.Report(context.Background(), "ward_ana", []*rewrite.Report{rewrite.HistoryReport})
	if err != nil {
		t.Fatal(err)
	}
	answered := cells[0].Keys[len(cells[0].Keys)-1]
	if answered[0].Text != "2099-11-19 13:03:20Z" || answered[1].Text != "2099-11-19 13:03:20Z" || !answered[2].Null {
		t.Errorf("the history has %v", answered)
	}
}

// TestTimesAreRounded: beside answer_every no time tells how long a count took.
func TestTimesAreRounded(t *testing.T) {
	for every, want := range map[time.Duration]string{100 * time.Millisecond: "2099-11-19 13:03:23Z", 10 * time.Second: "2099-11-19 13:03:20Z"} {
		if testing.Short() && every != 10*time.Second {
			continue
		}
		w, c := newWard(t), newClock("2099-11-19 13:03:23")
		w.Policy.AnswerEvery = every
		c.forward(654321 * time.Microsecond)
		d := w.openAt(c)
		w.mustAsk(d, "ward_ana", bySex)
		c.forward(5 * time.Microsecond)
		w.mustAsk(d, "ward_ana", bySex)
		e, err := w.explain(d, "ward_ana", bySex)
		if err != nil {
			t.Fatal(err)
		}
		if plan, err := e.JSON(); err != nil || !strings.Contains(plan, `"Answered At": "`+strings.Replace(want, " ", "T", 1)+`"`) {
			t.Errorf("EXPLAIN: %s, %v", plan, err)
		}
		d.Close() // writes out what is noted
		cells, err := w.openAt(c).Report(context.Background(), "ward_ana", []*rewrite.Report{rewrite.HistoryReport, rewrite.ReleasesReport})
		if err != nil {
			t.Fatal(err)
		}
		stamps := 0
		for _, report := range cells {
			for _, column := range report.Keys {
				for _, v := range column {
					if timestamp.MatchString(v.Text) {
						if stamps++; v.Text != want {
							t.Errorf("every %v: %s, want %s", every, v.Text, want)
						}
					}
				}
			}
		}
		if stamps != 4 { // two statements, the answer that the second was shown, and the release
			t.Errorf("%d times", stamps)
		}
	}
}

// TestAgesDiffer fails if a statement shows answers from different times without saying so, whether they were replayed or derived.
func TestAgesDiffer(t *testing.T) {
	w, c := derivingWard(t), newClock("2099-11-19 13:00:00")
	d := w.openAt(c)
	w.mustAsk(d, "ward_ana", bySex)
	c.forward(48 * time.Hour)
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE age = 3")
	w.mustAsk(d, "ward_ana", "SELECT region, age, count(*) FROM clinic.people WHERE age < 2 GROUP BY region, age")
	c.forward(2 * time.Hour)
	for sql, want := range map[string]string{
		"SELECT (" + allPeople + " WHERE age = 3), (" + allPeople + " WHERE sex = 'F')":           "free (answered 2 hours ago, 2099-11-21 13:00 UTC, derived from release 1, answered 2 days ago, 2099-11-19 13:00 UTC: ",
		"SELECT sex, count(*), (" + allPeople + " WHERE age = 3) FROM clinic.people GROUP BY sex": "free (answered 2 days ago to 2 hours ago, 2099-11-19 13:00 to 2099-11-21 13:00 UTC)",
		"SELECT (" + allPeople + "), (" + allPeople + " WHERE age = 1)":                           "derived from releases 1, 3, answered 2 days ago to 2 hours ago, 2099-11-19 13:00 to 2099-11-21 13:00 UTC: ",
	} {
		if _, receipt, err := w.ask(d, "ward_ana", sql); err != nil || !strings.Contains(receipt.Notice(), want) {
			t.Errorf("%s: %s, %v, want %s", sql, receipt.Notice(), err, want)
		}
	}
}

// TestAgeTexts pins what ages look like.
func TestAgeTexts(t *testing.T) {
	now := time.Date(2099, 11, 22, 14, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		oldest, newest time.Duration
		want           string
	}{
		{0, 0, "just now, 2099-11-22 14:30 UTC"},
		{-time.Hour, -time.Hour, "just now, 2099-11-22 15:30 UTC"}, // a clock was set back
		{time.Minute, time.Minute, "1 minute ago, 2099-11-22 14:29 UTC"},
		{119 * time.Minute, 119 * time.Minute, "1 hour ago, 2099-11-22 12:31 UTC"},
		{48*time.Hour - 1, 48*time.Hour - 1, "1 day ago, 2099-11-20 14:30 UTC"},
		{400 * 24 * time.Hour, 400 * 24 * time.Hour, "400 days ago, 2098-10-18 14:30 UTC"},
		{30 * time.Second, 0, "just now, 2099-11-22 14:29 to 2099-11-22 14:30 UTC"},
		{48 * time.Hour, 5 * time.Minute, "2 days ago to 5 minutes ago, 2099-11-20 14:30 to 2099-11-22 14:25 UTC"},
	} {
		ages := reply.Ages{Viewer: reply.Viewer{Now: now}}
		ages.Add(now.Add(-c.newest))
		ages.Add(now.Add(-c.oldest))
		if got := ages.String(); got != c.want {
			t.Errorf("from %v to %v ago: %s, want %s", c.oldest, c.newest, got, c.want)
		}
	}
}

// TestFreshIsAskedAnew lets a table grow. What was recorded is shown until somebody asks anew, for which she is charged; then the new answer is
// what everybody is shown, of the question and of what follows from it.
func TestFreshIsAskedAnew(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:00:00")
	w.Policy.Tables[0].Derive = true
	d := w.openAt(c)
	if got := cellText(w.answered(d, nil, bySex).cells); got != "M 500 \nF 410 \nNULL 100 \n" {
		t.Fatal(got)
	}
	w.Exec("INSERT INTO clinic.people SELECT i, 'north', 'F', 30 FROM generate_series(2001, 2090) AS i")
	c.forward(time.Hour)
	old, before := w.answered(d, nil, bySex), w.spent(d)
	if cellText(old.cells) != "M 500 \nF 410 \nNULL 100 \n" || old.receipt.Replayed != 1 {
		t.Errorf("asked again: %s %+v", cellText(old.cells), old.receipt)
	}
	fresh := w.answered(d, asksFresh, bySex)
	if cellText(fresh.cells) != "M 500 \nF 500 \nNULL 100 \n" || fresh.receipt.New != 1 || w.spent(d).Epsilon != before.Epsilon+20e9 {
		t.Errorf("asked anew: %s %+v", cellText(fresh.cells), fresh.receipt)
	}
	for range 2 { // the second time, by another process
		c.forward(time.Minute)
		again, total := w.answered(d, nil, bySex), w.answered(d, nil, allPeople+" WHERE sex = 'F'")
		if cellText(again.cells) != cellText(fresh.cells) || again.receipt.Replayed != 1 || again.receipt.ReplayedAges.Oldest != fresh.receipt.ReplayedAges.Now {
			t.Errorf("after that: %s %+v", cellText(again.cells), again.receipt)
		}
		if cellText(total.cells) != "500 \n" || total.receipt.Derived == nil || w.spent(d).Epsilon != before.Epsilon+20e9 {
			t.Errorf("what follows: %s %+v", cellText(total.cells), total.receipt)
		}
		d.Close()
		d = w.openAt(c)
	}
	if e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: bySex, Queries: w.Queries(d.Catalog(), bySex), Fresh: true}); err != nil ||
		e.Questions[0].Recorded || e.Tables[0].Loss.Epsilon != 20e9 {
		t.Errorf("EXPLAIN of a fresh answer: %+v, %v", e, err)
	}
}

// TestMaxAge asks for answers that are no older than a day. Older ones, and what follows from them, are charged anew; a younger one is used
// though an older one adds up fewer cells.
func TestMaxAge(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:00:00")
	w.Policy.Tables[0].Derive = true
	d := w.openAt(c)
	const finer, women = "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex", allPeople + " WHERE sex = 'F'"
	w.mustAsk(d, "ward_ana", bySex)
	c.forward(24 * time.Hour)
	day := noOlderThan(24 * time.Hour)
	if at := w.answered(d, day, bySex); at.receipt.Replayed != 1 {
		t.Errorf("after a day: %+v", at.receipt)
	}
	w.mustAsk(d, "ward_ana", finer)
	for _, s := range []struct {
		how    func(*reply.Request)
		sql    string
		source int64 // of a derived answer
		anew   bool
	}{
		{nil, bySex, 0, false},
		{nil, women, 1, false},
		{day, women, 2, false}, // of three cells, which are younger
		{day, bySex, 2, false},
		{noOlderThan(time.Millisecond), women, 0, true},
		{noOlderThan(time.Hour), women, 0, false},
		{noOlderThan(time.Millisecond), bySex, 0, true},
	} {
		c.forward(time.Second)
		before := w.spent(d)
		got := w.answered(d, s.how, s.sql)
		from := int64(0)
		if got.receipt.Derived != nil {
			from = got.receipt.Derived.Releases[0]
		}
		if from != s.source || (got.receipt.New == 1) != s.anew || (w.spent(d) != before) != s.anew {
			t.Errorf("%s: derived from release %d, %+v", s.sql, from, got.receipt)
		}
	}
	// The stricter of what the policy and the analyst say holds.
	changed := w.changed(func(table *policy.Table) { table.Replay, table.Derive = time.Hour, true })
	if err := d.Reload(context.Background(), changed); err != nil {
		t.Fatal(err)
	}
	c.forward(2 * time.Hour)
	if at := w.answered(d, day, bySex); at.receipt.New != 1 {
		t.Errorf("after the policy's time: %+v", at.receipt)
	}
}

// TestFreshBeyondTheBudget is refused, with the way to the recorded answer, which is still there.
func TestFreshBeyondTheBudget(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:00:00")
	d := w.openAt(c)
	const sql = "SELECT count(*) FROM clinic.staff" // of a budget for one
	w.mustAsk(d, "ward_ana", sql)
	c.forward(time.Hour)
	for want, how := range map[string]func(*reply.Request){"SET tacit.fresh = off: ": asksFresh, "RESET tacit.max_age: ": noOlderThan(time.Minute)} {
		var refusal *pgerror.Refusal
		r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)}
		how(&r)
		if _, _, err := d.Answer(context.Background(), r); !errors.As(err, &refusal) || refusal.Code != "53400" || !strings.HasPrefix(refusal.Hint, want) {
			t.Errorf("beyond the budget: %v", err)
		}
	}
	if again := w.answered(d, nil, sql); again.receipt.Replayed != 1 {
		t.Errorf("then: %+v", again.receipt)
	}
}

// TestFreshAfterCrash leaves the charge of a fresh answer behind that nobody was given, as a crash does. Who asks again is shown the recorded
// answer; who asks anew is given a new one under the charge that is there.
func TestFreshAfterCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w, c := newWard(t), newClock("2099-11-19 13:00:00")
	d := w.openAt(c)
	ctx := context.Background()
	w.mustAsk(d, "ward_ana", bySex)
	w.Exec("INSERT INTO clinic.people SELECT i, 'north', 'F', 30 FROM generate_series(2001, 2090) AS i")
	request := Request{Analyst: "ward_ana", SQL: bySex, Queries: w.Queries(d.Catalog(), bySex), Fresh: true}
	a, err := d.noisy.Plan(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Reserve(ctx, a.Tasks()); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = w.openAt(c)
	spent := w.spent(d)
	if old := w.answered(d, nil, bySex); old.receipt.Replayed != 1 || cellText(old.cells) != "M 500 \nF 410 \nNULL 100 \n" {
		t.Errorf("after the crash: %s %+v", cellText(old.cells), old.receipt)
	}
	if fresh := w.answered(d, asksFresh, bySex); fresh.receipt.Adopted != 1 || cellText(fresh.cells) != "M 500 \nF 500 \nNULL 100 \n" || w.spent(d) != spent {
		t.Errorf("anew after the crash: %s %+v", cellText(fresh.cells), fresh.receipt)
	}
	if again := w.answered(d, nil, bySex); again.receipt.Replayed != 1 || cellText(again.cells) != "M 500 \nF 500 \nNULL 100 \n" {
		t.Errorf("then: %s %+v", cellText(again.cells), again.receipt)
	}
}

// TestFreshSelection asks anew for counts whose cells a threshold decides about: all counts of the statement are of the cells that were selected
// together, then and when they are repeated.
func TestFreshSelection(t *testing.T) {
	w, c := newWard(t), newClock("2099-11-19 13:00:00")
	d := w.openAt(c)
	const sql = "SELECT illness, count(*), count(sex) FROM clinic.people GROUP BY illness"
	if first := w.answered(d, nil, sql); len(first.cells.Counts[0]) != 3 { // flu, cold and NULL; one person has another
		t.Fatal(cellText(first.cells))
	}
	w.Exec("UPDATE clinic.people SET illness = 'rare' WHERE id BETWEEN 1 AND 100")
	c.forward(time.Hour)
	fresh := w.answered(d, asksFresh, sql)
	if fresh.receipt.New != 2 || len(fresh.cells.Counts[0]) != 4 || len(fresh.cells.Counts[1]) != 4 {
		t.Errorf("asked anew: %s %+v", cellText(fresh.cells), fresh.receipt)
	}
	if again := w.answered(d, nil, sql); again.receipt.Replayed != 2 || cellText(again.cells) != cellText(fresh.cells) {
		t.Errorf("then: %s %+v", cellText(again.cells), again.receipt)
	}
}

// TestFreshAtAnotherDoor asks anew at one door: the other, which has the older answer at hand, shows the newer one as soon as it has
// followed the ledger.
func TestFreshAtAnotherDoor(t *testing.T) {
	twoDoors(t, newNoisyWard, func(w *ward, first, second *Gateway) {
		before := w.answered(first, nil, byAge)
		if at := w.answered(second, nil, byAge); at.receipt.Replayed != 1 || cellText(at.cells) != cellText(before.cells) {
			w.T.Errorf("at the other door: %s", at.receipt)
		}
		fresh := w.answered(first, asksFresh, byAge)
		if err := second.monitor.Ledger.Follow(context.Background()); err != nil {
			w.T.Fatal(err)
		}
		if at := w.answered(second, nil, byAge); at.receipt.Replayed != 1 || cellText(at.cells) != cellText(fresh.cells) || cellText(fresh.cells) == cellText(before.cells) {
			w.T.Errorf("at the other door, after a fresh answer: %s", at.receipt)
		}
	})
}
