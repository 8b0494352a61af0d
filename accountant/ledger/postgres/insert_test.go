package postgres

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
)

// Every row comes back as it was written, also where there are more than one statement inserts, and where values are empty or of different lengths.
func TestManyRowsComeBack(t *testing.T) {
	s := openTestStore(t, ledgertest.NewPostgres(t))
	h, err := ledgertest.Begin(s, 1)
	do(t, err)
	wide := ledgertest.ChargedEntry(3)
	wide.Charged = nil
	for i := range 2*rowsAtOnce + 1 {
		wide.Charged = append(wide.Charged, journal.Charge{
			QuestionKey: journal.Digest{byte(i), byte(i >> 8)}, Question: strings.Repeat("é", i%7), Shape: fmt.Sprint(i), Epsilon: int64(i),
		})
	}
	written := []*journal.Entry{wide}
	for i := range 2 * rowsAtOnce {
		written = append(written, &journal.Entry{Kind: journal.KindRefused, Operation: []byte{}, Statement: strings.Repeat("x", i%5), Analyst: fmt.Sprint("analyst ", i)})
	}
	for i, e := range written[1:] {
		e.At = int64(i)
	}
	batch := ledgertest.Link(h, written...)
	for i := range wide.Charged {
		wide.Charged[i].ID = int64(i) + 1
	}
	do(t, s.Write(batch))
	_, found := ledgertest.Everything(t, s)
	if d := cmp.Diff(written, found[1:]); d != "" {
		t.Error(d)
	}
}
