package ledger

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/internal/pgtest"
	"tacit/policy"
)

// A test that needs a process of its own runs this binary again, with a role and a ledger in its environment.
const (
	childRole   = "ACCOUNTANT_TEST_ROLE"
	childLedger = "ACCOUNTANT_TEST_LEDGER"
)

func TestMain(m *testing.M) {
	path := os.Getenv(childLedger)
	var err error
	switch role := os.Getenv(childRole); role {
	case "":
		flag.Parse()
		remove, err := pgtest.TempInMemory()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		status := m.Run()
		remove()
		os.Exit(status)
	case "analysts":
		err = analysts(path)
	case "auditors":
		err = auditors(path)
	case "thinner":
		err = thinner(path)
	case "shared thinner":
		err = sharedThinner(path)
	case "proxy":
		err = proxyChild(path)
	case "full disk":
		err = fullDisk(path)
	default:
		err = fmt.Errorf("unknown role %s", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const crashPrice = 1000

// analysts is the child of TestKill: it answers questions as fast as it can, until it is killed, and prints an answer only when
// Record has returned. A question's payload is fresh noise, so that no other payload can pass for it.
func analysts(path string) error {
	l, err := openAs(path, Serve)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for range 4 {
		go func() {
			for {
				if err := answerOne(l); err != nil {
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

func answerOne(l *Ledger) error {
	text := fmt.Sprintf("%016x", rand.Uint64())
	c := charge("ana", text, accountant.Loss{Epsilon: crashPrice})
	c.Budget = policy.Budget{Epsilon: 1 << 60}
	r, err := l.Reserve(context.Background(), c)
	if err != nil {
		return err
	}
	payload := binary.BigEndian.AppendUint64(make([]byte, rand.IntN(20_000)), rand.Uint64())
	if _, err := l.Record(context.Background(), r, [][]byte{payload}); err != nil {
		return err
	}
	l.Note(Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: text})
	// One write, so that lines of different goroutines do not mix.
	_, err = fmt.Fprintf(os.Stdout, "%s %x\n", text, sha256.Sum256(payload))
	return err
}

// The process is killed at random moments, again and again. Every answer that it showed is in the ledger, byte for byte, and
// at least as much was charged as answers were shown.
func TestKill(t *testing.T) {
	path := newPath(t)
	shown := make(map[string]string)
	const lives = 15
	for range lives {
		for text, sum := range untilKilled(t, "analysts", path, 1, time.Duration(20+rand.IntN(180))*time.Millisecond) {
			shown[text] = sum
		}
	}
	if len(shown) < lives { // each one lasts until it has shown something
		t.Fatalf("only %d answers were shown", len(shown))
	}
	l := open(t, path)
	if charged := balance(t, l, patients, "ana")[0].Epsilon; charged < policy.Epsilon(crashPrice*len(shown)) {
		t.Errorf("%d answers were shown and only %v charged", len(shown), charged)
	}
	for text, sum := range shown {
		release, ok, err := l.Lookup(context.Background(), question(patients, text), 0)
		if err != nil || !ok {
			t.Fatalf("the answer to %s was shown and is not in the ledger: %v", text, err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(release.Payload)); got != sum {
			t.Errorf("the answer to %s is another one", text)
		}
	}
	t.Logf("%d answers shown, %v charged", len(shown), balance(t, l, patients, "ana")[0])
}

// thinner is the child of TestKillThinning: it answers and notes, and drops what notes say, as fast as it can, until it is killed. It prints how far notes were dropped when
// Thin has returned, and answers as analysts does.
func thinner(path string) error {
	l, err := openAs(path, Serve)
	if err != nil {
		return err
	}
	for {
		if err := answerOne(l); err != nil {
			return err
		}
		var notes []loggedEvent
		for n := range 200 {
			notes = append(notes, loggedEvent{0, refusal(n)})
		}
		if err := l.appendEvents(notes); err != nil {
			return err
		}
		done, err := l.Thin(context.Background(), policy.Keep{Notes: 50})
		if err != nil {
			return err
		}
		through := fmt.Sprint("through ", done.Through)
		if _, err := fmt.Fprintf(os.Stdout, "%d %x\n", done.Through, sha256.Sum256([]byte(through))); err != nil {
			return err
		}
	}
}

// The process is killed in the middle of thinning, again and again, two times of three when it has thinned before. Either all of a transaction is there or nothing: the ledger verifies, what was said to be dropped
// is, and no answer is lost.
func TestKillThinning(t *testing.T) {
	path := newPath(t)
	shown := make(map[string]string)
	const lives = 12
	for life := range lives {
		for text, sum := range untilKilled(t, "thinner", path, 1+life%3, time.Duration(rand.IntN(60))*time.Millisecond) {
			shown[text] = sum
		}
		check(t, path)
	}
	l := open(t, path)
	for text, sum := range shown {
		if through, err := strconv.ParseInt(text, 10, 64); err == nil && sum == fmt.Sprintf("%x", sha256.Sum256([]byte("through "+text))) {
			if through > l.state.Notes.Through {
				t.Errorf("notes were dropped up to entry %s, and the ledger says %d", text, l.state.Notes.Through)
			}
			continue
		}
		release, ok, err := l.Lookup(context.Background(), question(patients, text), 0)
		if err != nil || !ok || fmt.Sprintf("%x", sha256.Sum256(release.Payload)) != sum {
			t.Errorf("the answer to %s is %v, %v, %v", text, release, ok, err)
		}
	}
	if l.state.Notes.Dropped < lives {
		t.Errorf("only %d notes were dropped", l.state.Notes.Dropped)
	}
	t.Logf("%d lines shown, %+v", len(shown), l.state.Notes)
}

// auditors is the child of TestKillAuditor: it audits two tables as fast as it can, until it is killed, and prints an answer only when
// RecordAudit has returned.
func auditors(path string) error {
	l, err := openAs(path, Serve)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for _, table := range []policy.TableName{patients, visits} {
		go func() { failed <- audit(l, table) }()
	}
	return <-failed
}

// audit begins where the former life has ended. Each answer is fresh noise.
func audit(l *Ledger, table policy.TableName) error {
	ctx := context.Background()
	events, err := l.AuditEvents(ctx, table, 0)
	if err != nil {
		return err
	}
	e := accountant.AuditEntry{
		Analyst: "ana", Table: table, Kind: "round", Risk: crashPrice, TableBudget: policy.Budget{Risk: 1 << 60},
		Follows: int64(len(events)), Answers: answersOf(events), Payload: make([]byte, 5000),
	}
	for {
		r, err := l.AppendAudit(ctx, e)
		if err != nil {
			return err
		}
		answer := binary.BigEndian.AppendUint64(nil, rand.Uint64())
		if err := l.RecordAudit(ctx, r, answer); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(os.Stdout, "%s/%d %x\n", table.Name, r.Sequence, sha256.Sum256(answer)); err != nil {
			return err
		}
		e.Follows = r.Sequence
		e.Answers++
	}
}

// Whatever an auditor has let out before he was killed, he knows afterwards; and what he decided and did not let out was charged.
func TestKillAuditor(t *testing.T) {
	path := newPath(t)
	shown := make(map[string]string)
	const lives = 10
	for range lives {
		for event, sum := range untilKilled(t, "auditors", path, 1, time.Duration(20+rand.IntN(100))*time.Millisecond) {
			shown[event] = sum
		}
	}
	l := open(t, path)
	events := 0
	for _, table := range []policy.TableName{patients, visits} {
		for _, e := range auditLog(t, l.Reader, table, 0) {
			events++
			name := fmt.Sprintf("%s/%d", table.Name, e.Sequence)
			if sum, ok := shown[name]; ok && sum != fmt.Sprintf("%x", sha256.Sum256(e.Answer)) {
				t.Errorf("event %s has let out something else", name)
			}
			delete(shown, name)
		}
		if charged := balance(t, l, table, "ana")[0].Risk; charged != policy.Risk(crashPrice*len(auditLog(t, l.Reader, table, 0))) {
			t.Errorf("%v was charged for %v", charged, table)
		}
	}
	if len(shown) > 0 || events < lives {
		t.Errorf("of %d events, these are not in the ledger: %v", events, shown)
	}
}

// untilKilled runs a role for a while after it has shown so many lines, kills it and returns what it showed.
func untilKilled(t *testing.T, role, path string, least int, life time.Duration) map[string]string {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childRole+"="+role, childLedger+"="+path)
	var stderr strings.Builder
	child.Stderr = &stderr
	stdout, err := child.StdoutPipe()
	do(t, err)
	do(t, child.Start())
	shown := make(map[string]string)
	lines := bufio.NewScanner(stdout)
	for read := 1; lines.Scan(); read++ {
		if read == least {
			time.AfterFunc(life, func() { child.Process.Kill() })
		}
		text, sum, _ := strings.Cut(lines.Text(), " ")
		if len(sum) == 2*sha256.Size { // else the line was cut off by the kill
			shown[text] = sum
		}
	}
	if err := child.Wait(); err == nil || stderr.Len() > 0 {
		t.Fatalf("the child ended by itself: %v: %s", err, stderr.String())
	}
	return shown
}
