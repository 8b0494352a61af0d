package ledger

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/accountant/ledger/ledgertest"
	"tacit/policy"
)

const (
	// keptByThinner is how many notes are kept by those who drop the others.
	keptByThinner = 50
	// notesOfALife are written before a process drops them, in two transactions.
	notesOfALife = thinAtOnce + 500
)

// A thinningChild names the ledger that a child drops notes of, and as what.
type thinningChild struct {
	Location policy.LedgerLocation
	Role     Role
}

// sharedThinner is the child of TestKillSharedThinning, which says in JSON where the ledger is: it drops notes once, as a command or as a proxy does. It prints a line before.
func sharedThinner(text string) error {
	var c thinningChild
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	l, err := Open(context.Background(), Options{Location: c.Location, Role: c.Role, Existing: true})
	if err != nil {
		return err
	}
	fmt.Println("thinning")
	_, err = l.Thin(context.Background(), policy.Keep{Notes: keptByThinner})
	return err
}

// A killing kills processes that drop notes of a ledger in PostgreSQL, while this one answers and notes.
type killing struct {
	t        *testing.T
	l        *Ledger
	location policy.LedgerLocation
	server   *pgx.Conn
	answered int
}

// answer answers a question and notes a replay, while nobody or somebody drops notes: it ends.
func (k *killing) answer() {
	k.t.Helper()
	do(k.t, askAndNote(k.l, k.answered))
	k.answered++
}

// life has a process drop notes, and kills it some time after it is seen to write. It reports whether it had written in a transaction that it had not ended.
func (k *killing) life(role Role, later time.Duration) (inside bool) {
	k.t.Helper()
	var events []Event
	for n := range notesOfALife {
		events = append(events, refusal(n))
	}
	noteNow(k.t, k.l, events...)
	text, err := json.Marshal(thinningChild{k.location, role})
	do(k.t, err)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childRole+"=shared thinner", childLedger+"="+string(text))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	do(k.t, err)
	do(k.t, child.Start())
	if lines := bufio.NewScanner(out); !lines.Scan() {
		k.t.Fatalf("the process does not begin: %v", child.Wait())
	}
	for began := time.Now(); k.writer() == 0 && time.Since(began) < 5*time.Second; {
	}
	time.Sleep(later)
	_ = child.Process.Signal(syscall.SIGSTOP)
	writer := k.writer()
	inside = writer != 0 && writer == k.writer()
	_ = child.Process.Kill()
	_ = child.Wait()
	k.answer()
	do(k.t, k.l.Check(context.Background()))
	return inside
}

// writer is the server's process that has written in a transaction which is not ended, 0 for none. This process writes nothing meanwhile.
func (k *killing) writer() (pid int) {
	k.t.Helper()
	const query = `SELECT coalesce(max(pid), 0) FROM pg_stat_activity
		WHERE datname = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND backend_xid IS NOT NULL`
	do(k.t, k.server.QueryRow(context.Background(), query, ledgertest.DatabaseOf(k.t, k.location)).Scan(&pid))
	return pid
}

// Processes that drop notes of a ledger in PostgreSQL, as a command or as a proxy, are killed in the middle of it. Another process answers and notes at once as before, nothing that counts is
// lost, and who drops notes next finishes the work.
func TestKillSharedThinning(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	c, err := ledgertest.SharedCluster()
	do(t, err)
	k := &killing{t: t, location: ledgertest.NewPostgres(t)}
	k.l = openAt(t, k.location)
	k.server, err = pgx.Connect(t.Context(), c.URL("postgres", "postgres"))
	do(t, err)
	defer k.server.Close(context.Background())
	const soon, most, wanted = 4, 50, 3
	inside, lives := 0, 0
	for ; (lives < soon || inside < wanted) && lives < most; lives++ {
		later := time.Duration(0)
		if lives < soon {
			later = rand.N(60 * time.Millisecond)
		}
		if k.life([]Role{Steward, Serve}[lives%2], later) {
			inside++
		}
	}
	if inside < wanted {
		t.Errorf("of %d processes that were killed, %d were in a transaction", lives, inside)
	}
	notes := int64(lives*notesOfALife + k.answered)
	thin(t, k.l, policy.Keep{Notes: keptByThinner})
	if got := k.l.state.Notes; got.Kept != keptByThinner || got.Dropped != notes-keptByThinner {
		t.Errorf("%+v of %d notes", got, notes)
	}
	for n := range k.answered {
		text := fmt.Sprint("dashboard ", n)
		if release, ok, err := k.l.Lookup(t.Context(), question(patients, text), 0); err != nil || !ok || string(release.Payload) != text {
			t.Errorf("%s is answered by %v, %v, %v", text, release, ok, err)
		}
	}
	if charged := balance(t, k.l, patients, "ana")[0].Epsilon; charged != policy.Epsilon(k.answered) {
		t.Errorf("%d answers and %v charged", k.answered, charged)
	}
	verified(t, k.l.Reader)
	t.Logf("%d processes were killed, %d in a transaction; %+v", lives, inside, k.l.state.Notes)
}
