package operations

import "testing"

func TestTooFewDescriptors(t *testing.T) {
	for _, c := range []struct {
		limit    uint64
		sessions int
		want     string
	}{
		{1000, 200, ""}, {1 << 63, 10_000, ""}, // no limit
		{999, 200, "at most 999 files may be open, and limits.connections of 200 needs 1000: raise LimitNOFILE of the service, or lower limits.connections"},
	} {
		if got := tooFew(c.limit, c.sessions); got != c.want {
			t.Errorf("%d files and %d sessions: %q", c.limit, c.sessions, got)
		}
	}
}
