package ledger

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
)

// Of a large group, whose first rows are on their way while the last writes are decided on, a row that the server refuses fails its own write and no other.
func TestRowsThatWentAheadAreRefused(t *testing.T) {
	location := ledgertest.NewPostgres(t)
	l, err := Open(t.Context(), Options{Location: location, Role: Serve})
	do(t, err)
	defer l.Close()
	for _, wrong := range []int{0, 3 * decidedAtOnce / 2, 3*decidedAtOnce - 1} {
		before := l.position()
		var failed atomic.Int64
		var all sync.WaitGroup
		begun, release := make(chan struct{}), make(chan struct{})
		begin := sync.OnceFunc(func() { close(begun) }) // it is decided on again if its group fails
		all.Go(func() {
			if err := l.do(t.Context(), func(*batch) error { begin(); <-release; return nil }); err != nil {
				t.Error(err)
			}
		})
		<-begun
		for n := range 3 * decidedAtOnce {
			all.Go(func() {
				if n == wrong {
					if l.do(t.Context(), func(b *batch) error {
						e := journal.NewEntry(journal.KindRefused, patients, "ana")
						e.Statement, e.Body = "\x00", (&Event{}).body(journal.FormatVersion)
						b.Add(e)
						return nil
					}) == nil {
						t.Error("a text with a zero byte was written")
					}
					failed.Add(1)
					return
				}
				r, err := l.Reserve(context.Background(), charge("ana", fmt.Sprint(wrong, " ", n), accountant.Loss{Epsilon: 1}))
				if err == nil {
					_, err = l.Record(context.Background(), r, [][]byte{[]byte("answer")})
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		for len(l.queue) < 3*decidedAtOnce {
			time.Sleep(time.Millisecond)
		}
		close(release)
		all.Wait()
		if entries := l.position() - before; failed.Load() != 1 || entries != 2*(3*decidedAtOnce-1) {
			t.Errorf("write %d: %d failed, and there are %d entries", wrong, failed.Load(), entries)
		}
	}
	v, err := l.Verify(t.Context(), nil)
	if err != nil || len(v.Problems) > 0 {
		t.Error(v, err)
	}
}
