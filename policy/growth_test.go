package policy

import (
	"testing"
	"time"
)

// TestGrowingTables tells tables whose rows may still arrive, and of which the policy does not say for how long answers are repeated.
func TestGrowingTables(t *testing.T) {
	for _, c := range []struct {
		columns, replay string
		grows, forEver  bool
	}{
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "", true, true},
		{"{admitted: {range: [2020-01-01, 2026-11-22]}}", "", true, true},
		{"{admitted: {range: [2020-01-01, 2026-11-21]}}", "", false, true},
		{"{year: {range: [2020, 99999]}, admitted: {}}", "", false, true},
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "\n    replay: forever", true, false},
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "\n    replay: 7d", true, false},
	} {
		text := edited(t, "    columns:\n      sex: {values: [F, M]}", "    columns: "+c.columns+c.replay)
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		column, grows := p.Tables[0].Grows(time.Date(2026, 11, 22, 23, 59, 0, 0, time.UTC))
		if grows != c.grows || grows && column != "admitted" || p.Tables[0].RepeatsForEver() != c.forEver {
			t.Errorf("%s%s: %q, %v, for ever %v", c.columns, c.replay, column, grows, p.Tables[0].RepeatsForEver())
		}
	}
}
