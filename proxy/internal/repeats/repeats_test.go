package repeats

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Of equal lines one is written, then a count each minute, and nothing is lost at the end.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Log
		var mu sync.Mutex // timers write by themselves
		var written []string
		add := func(text string) {
			mu.Lock()
			defer mu.Unlock()
			written = append(written, text)
		}
		write := func(key string, times int) {
			for range times {
				l.Write(key, func() { add(key) }, func(again int) { add(fmt.Sprint(key, "+", again)) })
			}
		}
		expect := func(want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(written, want) {
				t.Errorf("written %q, want %q", written, want)
			}
			written = nil
		}
		write("closed", 1000)
		write("other", 1)
		expect("closed", "other")
		time.Sleep(Every)
		expect("closed+999")
		write("closed", 5)
		expect()
		time.Sleep(Every)
		expect("closed+5")
		time.Sleep(Every)
		synctest.Wait()
		write("closed", 1) // it had been quiet for a minute
		expect("closed")
		write("closed", 3)
		l.End()
		expect("closed+3")
		write("closed", 2)
		expect("closed", "closed")
	})
}

func TestLogIsBounded(t *testing.T) {
	var l Log
	written := 0
	for i := range 3 * most {
		l.Write(fmt.Sprint(i), func() { written++ }, func(int) {})
	}
	if written != 3*most || len(l.known) != most {
		t.Errorf("%d lines were written, %d are remembered", written, len(l.known))
	}
	l.End()
}
