package expr

import (
	"testing"
	"time"

	"tacit/rewrite/internal/pgvalue"
)

// What a long domain spans is found out once, for a column and its copies, and is what would be found out each time.
func TestSpanOfDomainIsRemembered(t *testing.T) {
	c := &Column{Name: "born", TypeOID: uint32(pgvalue.Date), TypeName: "pg_catalog.date", Typmod: -1}
	for day := time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 1990; day = day.AddDate(0, 0, 1) {
		c.Domain = append(c.Domain, day.Format(time.DateOnly))
	}
	want := declaredBounds(c)
	c.RememberDomain()
	for range 2 {
		of := *c
		if got := declaredBounds(&of); got.Least.Cmp(want.Least) != 0 || got.Greatest.Cmp(want.Greatest) != 0 || got.Tiny != want.Tiny {
			t.Errorf("bounds %v instead of %v", got, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { declaredBounds(c) }); n > 100 {
		t.Errorf("%v allocations, for a domain of %d values that is known", n, len(c.Domain))
	}
}
