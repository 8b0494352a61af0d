package release

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tacit/release/internal/live"
	"tacit/release/internal/memory"
	"tacit/rewrite/query"
)

// ofMemory is a ward whose proxy may use so many bytes.
func ofMemory(t *testing.T, bytes int64) (*ward, *Gateway) {
	t.Helper()
	w := newWard(t)
	w.Policy.Limits.Memory = bytes
	return w, w.open()
}

func padded(n int, letter string) string {
	return fmt.Sprintf("SELECT age::text || '%s', count(*) FROM clinic.people GROUP BY 1", strings.Repeat(letter, n))
}

// The groups of free statements cannot fill the memory: each has its share, what is remembered has its own, and all is given back.
func TestFreeStatementsAreBounded(t *testing.T) {
	const most = 256 << 10
	w, d := ofMemory(t, most)
	for _, letter := range []string{"a", "b", "c", "d"} { // so that none is remembered
		if _, err := w.explain(d, "ward_ana", padded(1000, letter)); refusalCode(err) != "54000" {
			t.Errorf("100 kB of groups: code %q", refusalCode(err))
		}
	}
	for i := range 40 {
		if _, err := w.explain(d, "ward_ana", padded(50+i, "x")); err != nil {
			t.Fatal(err)
		}
	}
	used, peak := d.monitor.Memory.InUse()
	if share := d.monitor.Memory.Share(); used != 0 || peak == 0 || peak > share {
		t.Errorf("%d bytes are in use at the end, and were %d at most, of a share of %d", used, peak, share)
	}
	if held := d.monitor.Current().Cells.Holds(); held == 0 || held > memory.CacheBytes(most) {
		t.Errorf("%d bytes are remembered, of %d", held, memory.CacheBytes(most))
	}
}

// While others have the memory, a statement is refused for now, also if its groups are remembered, and costs nothing.
func TestMemoryOfOthers(t *testing.T) {
	const most = 256 << 10
	w, d := ofMemory(t, most)
	sql := padded(50, "x")
	if _, err := w.explain(d, "ward_ana", sql); err != nil {
		t.Fatal(err)
	}
	var ends []func()
	for range 2 {
		ctx, end := d.monitor.Memory.Begin(context.Background())
		if err := memory.Take(ctx, d.monitor.Memory.Share()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if _, _, err := w.ask(d, "ward_ana", sql); refusalCode(err) != "53200" {
		t.Errorf("without memory: %v", err)
	}
	if got := w.spent(d); got.Epsilon != 0 {
		t.Errorf("%v was spent", got)
	}
	ends[0]()
	ends[1]()
	w.mustAsk(d, "ward_ana", sql)
}

// What is counted for a cell covers its texts.
func TestBytesOf(t *testing.T) {
	if got := live.BytesOf([]query.Value{{Text: strings.Repeat("x", 6000)}, {Null: true}}); got < 6000 || got > 6500 {
		t.Errorf("a cell of 6,000 bytes is counted as %d", got)
	}
}
