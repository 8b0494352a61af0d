package chaos

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
)

// A wired site has one proxy, whose curator's connections are disturbed.
type wired struct {
	*exact
	wire     *wire
	ana, bob *pgx.Conn
	refused  map[string]int // questions, by the phase that was disturbed
}

func newWired(t *testing.T) *wired {
	t.Helper()
	w := &wired{refused: make(map[string]int)}
	w.exact = newExact(t, siteOptions{policy: exactPolicy, ways: func(data *pgtest.Cluster) (analysts, curator int) {
		w.wire = newWire(t, data)
		return data.Port, w.wire.port
	}})
	w.ana, w.bob = w.login("ana"), w.login("bob")
	return w
}

// An effect is what a disturbance of a phase may do to the question that is asked meanwhile.
type effect struct{ answered, refusedFree, refusedCharged bool }

// effects are those of connections that end. What fails before the charge costs nothing, or is done again elsewhere; what fails in a count has been charged, since its server is
// gone; and once the count has come, its answer has, too.
var effects = map[string]effect{
	"login": {answered: true, refusedFree: true}, "check": {answered: true, refusedFree: true}, "idle": {answered: true},
	"begin": {answered: true}, "count": {refusedCharged: true}, "commit": {answered: true},
}

// disturbed disturbs a question. The pool may have made a connection before, on which it is counted without the phase: then it is tried again.
func (w *wired) disturbed(phase string, toServer bool, after int, name string, do func(*tapped)) {
	w.t.Helper()
	for range 30 {
		w.prepare(phase)
		if w.disturb(phase, toServer, after, name, do) {
			return
		}
	}
	w.t.Errorf("%s in phase %s after %d bytes (to the server: %v): it was not done", name, phase, after, toServer)
}

// disturb asks a new question while something is done to the connection that counts it, and again afterwards, on behalf of somebody else. done=false says that nothing was
// done.
func (w *wired) disturb(phase string, toServer bool, after int, name string, do func(*tapped)) (done bool) {
	w.t.Helper()
	d := w.wire.arm(phase, toServer, after, do)
	number := w.asked
	w.asked++
	shown, err := w.ask(w.ana, "exact", number)
	done = w.wire.disarm(d)
	what := fmt.Sprintf("%s in phase %s after %d bytes (to the server: %v)", name, phase, after, toServer)
	if !done {
		if err != nil {
			w.t.Errorf("%s: it was not done, and she is told %v", what, err)
		}
		return false
	}
	w.judge(what, effectOf(name, phase), number, err)
	if err != nil {
		w.refused[phase]++
	}
	again, err := w.ask(w.bob, "exact", number)
	if err != nil || shown != "" && again != shown {
		w.t.Errorf("%s: who asked again was told %s, error %v; before, %s", what, again, err, shown)
	}
	if n := w.charges(number); n != 1 {
		w.t.Errorf("%s: %d charges", what, n)
	}
	return true
}

// effectOf is an effect of a connection that ends; one that is split goes on.
func effectOf(name, phase string) effect {
	if name == "split" {
		return effect{answered: true}
	}
	return effects[phase]
}

// judge says whether an outcome is one of those that may be, and the session goes on.
func (w *wired) judge(what string, may effect, number int, err error) {
	w.t.Helper()
	charged := w.charges(number)
	var refused *pgconn.PgError
	switch {
	case err == nil && may.answered && charged == 1:
	case errors.As(err, &refused) && refused.Code == "58000" && (may.refusedFree && charged == 0 || may.refusedCharged && charged == 1):
		if strings.Contains(refused.Detail, "nothing was charged") != (charged == 0) {
			w.t.Errorf("%s: %d charges, and she is told %q", what, charged, refused.Detail)
		}
	default:
		w.t.Errorf("%s: %d charges, error %v", what, charged, err)
	}
	var one int
	if err := w.ana.QueryRow(context.Background(), "SELECT 1").Scan(&one); err != nil || one != 1 {
		w.t.Errorf("%s: afterwards a relayed statement says %d, %v", what, one, err)
		w.ana = w.login("ana")
	}
}

// breaks are the disturbances by which a connection goes on or ends at once.
var breaks = []struct {
	name string
	do   func(*tapped)
}{{"split", split}, {"end", end}, {"reset", reset}, {"half-close", halfClose}}

// TestCuratorWireBreaks splits, ends, resets and half-closes the connection of a count after some bytes of each phase, in a short run after two, and with -everybyte after any. What is asked meanwhile is
// answered by the right count or refused, and costs what the refusal says. Whoever asks again is shown the answer for the one charge.
func TestCuratorWireBreaks(t *testing.T) {
	w := newWired(t)
	w.whole(false, false)
	lengths := w.wire.seen()
	before := w.holds()
	for _, p := range phases {
		for direction, toServer := range []bool{false, true} {
			for i, b := range breaks {
				for _, after := range bytesOf(p.name, lengths[p.name][direction], i) {
					w.disturbed(p.name, toServer, after, b.name, b.do)
				}
			}
		}
	}
	for _, phase := range []string{"login", "check", "count"} { // a connection that the pool makes for later may have been disturbed now and then
		if w.refused[phase] == 0 {
			t.Errorf("no question is refused in phase %s: others were disturbed than those of counts", phase)
		}
	}
	w.whole(true, false)
	w.whole(false, true)
	w.wire.set(false, false)
	w.leaveNothing(before)
	w.verify()
	t.Logf("%d questions; bytes of phases: %v", w.asked, lengths)
}

var everyByte = flag.Bool("everybyte", false, "have TestCuratorWireBreaks disturb connections after each byte, which takes some 20 minutes")

// bytesOf are the bytes of a phase before which it is disturbed by the i-th of the breaks.
func bytesOf(phase string, length, i int) (all []int) {
	if phase == "idle" { // one second each
		return []int{length / 2}
	}
	step := max(1, length/25)
	switch {
	case *everyByte:
		step = 1
	case testing.Short():
		step = max(1, (length+1)/2)
	}
	for after := i * step / len(breaks); after < length; after += step {
		all = append(all, after)
	}
	return all
}

// prepare has the next count begin with a phase.
func (w *wired) prepare(phase string) {
	switch phase {
	case "login", "check":
		w.wire.cutCounters()
	case "idle":
		w.asked++
		if _, err := w.ask(w.bob, "exact", w.asked-1); err != nil {
			w.t.Error(err)
		}
		time.Sleep(1100 * time.Millisecond) // the pool asks connections that were idle for a second whether they work
	}
}

// whole asks on connections whose bytes come in other pieces: merged, or one by one.
func (w *wired) whole(merges, single bool) {
	w.t.Helper()
	w.wire.set(merges, single)
	w.wire.cutCounters()
	for _, conn := range []*pgx.Conn{w.ana, w.bob, w.ana} {
		if _, err := w.ask(conn, "exact", w.asked); err != nil {
			w.t.Errorf("merged %v, in single bytes %v: %v", merges, single, err)
		}
		if conn == w.bob {
			w.asked++
		}
	}
	w.asked++
}

// silences are the disturbances of which nobody is told.
var silences = []struct {
	name string
	do   func(*tapped)
}{{"silence", fallSilent}, {"vanish", vanish}}

// TestCuratorWireFallsSilent has connections fall silent in each phase, all at once: nothing of what was asked waits for ever, and what others ask meanwhile is answered.
func TestCuratorWireFallsSilent(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := newWired(t)
	w.whole(false, false)
	before := w.holds()
	for _, s := range silences {
		for _, toServer := range []bool{false, true} {
			if testing.Short() && (s.name == "silence") != toServer {
				continue
			}
			w.silent(s.name, toServer, s.do)
		}
	}
	w.held()
	w.leaveNothing(before)
	w.verify()
}

// A waiting question is one that was asked on a connection that fell silent.
type waiting struct {
	what, phase string
	number      int
	conn        *pgx.Conn
	shown       string
	err         error
	done        chan struct{}
}

// silent has a connection fall silent in each phase, and waits for what was asked then.
func (w *wired) silent(name string, toServer bool, do func(*tapped)) {
	w.t.Helper()
	var all []*waiting
	for i, p := range phases {
		w.prepare(p.name)
		q := &waiting{
			what: fmt.Sprintf("%s in phase %s (to the server: %v)", name, p.name, toServer), phase: p.name, number: w.asked, conn: w.login(analysts[i%len(analysts)]),
			done: make(chan struct{}),
		}
		w.asked++
		d := w.wire.arm(p.name, toServer, 0, do)
		go func() {
			defer close(q.done)
			q.shown, q.err = w.ask(q.conn, "exact", q.number)
		}()
		select {
		case <-d.done:
		case <-q.done:
			w.t.Errorf("%s: it was not done, and the answer is %s, %v", q.what, q.shown, q.err)
		}
		all = append(all, q)
		w.others()
	}
	for _, q := range all {
		<-q.done
		w.judge(q.what, effects[q.phase], q.number, q.err)
		again, err := w.ask(w.bob, "exact", q.number)
		if err != nil || q.shown != "" && again != q.shown {
			w.t.Errorf("%s: who asked again was told %s, error %v; before, %s", q.what, again, err, q.shown)
		}
		if n := w.charges(q.number); n != 1 {
			w.t.Errorf("%s: %d charges", q.what, n)
		}
	}
}

// others ask meanwhile: about the same table and another one, and what is relayed.
func (w *wired) others() {
	w.t.Helper()
	for _, table := range []string{"exact", "other"} {
		w.asked++
		if _, err := w.ask(w.bob, table, w.asked-1); err != nil {
			w.t.Errorf("meanwhile somebody asked about %s, and was told %v", table, err)
		}
	}
	var one int
	if err := w.bob.QueryRow(context.Background(), "SELECT 1").Scan(&one); err != nil || one != 1 {
		w.t.Errorf("meanwhile a relayed statement says %d, %v", one, err)
	}
}

// held stops a connection in each phase until others have been answered: they do not wait for it, and it goes on as if nothing had been.
func (w *wired) held() {
	w.t.Helper()
	for _, phase := range []string{"begin", "count", "commit"} {
		const attempts = 5 // on a busy machine others take longer than a connection may be silent
		for i := range attempts {
			if w.heldOnce(phase) {
				break
			}
			if i == attempts-1 {
				w.t.Errorf("others are never answered while a connection is held in phase %s", phase)
			}
		}
	}
}

// heldOnce reports whether others were answered meanwhile.
func (w *wired) heldOnce(phase string) bool {
	w.t.Helper()
	resume, done, number := make(chan struct{}), make(chan struct{}), w.asked
	w.asked++
	d := w.wire.arm(phase, false, 1, func(*tapped) { <-resume })
	var err error
	go func() {
		defer close(done)
		_, err = w.ask(w.ana, "exact", number)
	}()
	select {
	case <-d.begun:
	case <-done:
		w.t.Errorf("held in phase %s: it is never reached, and the question is told %v", phase, err)
		w.wire.disarm(d)
		return true
	}
	w.others()
	inTime := true
	select {
	case <-done:
		inTime = false
	default:
	}
	close(resume)
	<-done
	if inTime {
		w.judge("held in phase "+phase, effect{answered: true}, number, err)
	}
	return inTime
}
