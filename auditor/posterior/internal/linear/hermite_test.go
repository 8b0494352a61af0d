package linear

import "testing"

func TestHermiteOverflow(t *testing.T) {
	h := NewHermite(2)
	if !h.Insert([]int64{3, 1 << 51}) {
		t.Fatal("refused a generator")
	}
	if h.Insert([]int64{2, -1 << 51}) {
		t.Error("no overflow")
	}
}
