package policy

import (
	"strings"
	"testing"
	"time"
)

// TestGrowingTables tells tables whose rows may still arrive, and of which the policy does not say for how long answers are repeated.
func TestGrowingTables(t *testing.T) {
	for _, c := range []struct {
		columns, replay string
		grows, moving   string
		forEver         bool
	}{
		{"{admitted: {range: [2020-01-01, today]}, left: {range: [2020-01-01, 2027-12-31]}, born: {range: [1900-01-01, 2020-12-31]}}", "", "admitted left", "admitted", true},
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "", "admitted", "", true},
		{"{admitted: {range: [2020-01-01, 2026-11-22]}}", "", "admitted", "", true},
		{"{admitted: {range: [2020-01-01, 2026-11-21]}}", "", "", "", true},
		{"{year: {range: [2020, 99999]}, admitted: {}}", "", "", "", true},
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "\n    replay: forever", "admitted", "", false},
		{"{admitted: {range: [2020-01-01, 2026-12-31]}}", "\n    replay: 7d", "admitted", "", false},
	} {
		text := edited(t, "    columns:\n      sex: {values: [F, M]}", "    columns: "+c.columns+c.replay)
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		columns, moving := p.Tables[0].Grows(time.Date(2026, 11, 22, 23, 59, 0, 0, time.UTC))
		if strings.Join(columns, " ") != c.grows || strings.Join(moving, " ") != c.moving || p.Tables[0].RepeatsForEver() != c.forEver {
			t.Errorf("%s%s: %q, of them %q, for ever %v", c.columns, c.replay, columns, moving, p.Tables[0].RepeatsForEver())
		}
	}
}
