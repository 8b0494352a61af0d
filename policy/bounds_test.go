package policy

import (
	"slices"
	"testing"
)

// TestBounds fails if a range that is not listed is read as another one, or if too many values are listed.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		column string
		want   Bounds
		values []string
	}{
		{"{range: [0, 100], step: 0.01}", Bounds{Least: "0", Greatest: "100", Step: "0.01"}, nil},
		{"{range: [-0.50, 0.5], step: 0.250}", Bounds{Least: "-0.5", Greatest: "0.5", Step: "0.25"}, []string{"-0.5", "-0.25", "0", "0.25", "0.5"}},
		{"{range: [0, 9000000], step: 1000000}", Bounds{Least: "0", Greatest: "9000000", Step: "1000000"},
			[]string{"0", "1000000", "2000000", "3000000", "4000000", "5000000", "6000000", "7000000", "8000000", "9000000"}},
		{"{range: [0, 1.5]}", Bounds{Least: "0", Greatest: "1.5"}, nil},
		{"{range: [0, 100000]}", Bounds{Least: "0", Greatest: "100000"}, nil},
		{"{range: [0, 9000.5], step: 0.05}", Bounds{Least: "0", Greatest: "9000.5", Step: "0.05"}, nil},
		{"{range: ['2020-01-01 08:00', 2026-12-31]}", Bounds{Least: "2020-01-01 08:00:00", Greatest: "2026-12-31 23:59:59.999999", Times: true}, nil},
		{"\n        range:\n        - 2020-01-01 08:00\n        - 2020-01-01 20:00:30", Bounds{Least: "2020-01-01 08:00:00", Greatest: "2020-01-01 20:00:30", Times: true}, nil},
		{"{range: [0, 30d]}", Bounds{Least: "0 days 0 seconds", Greatest: "30 days 0 seconds", Durations: true}, nil},
		{"{range: [-1d12h, 90m]}", Bounds{Least: "-1 days -43200 seconds", Greatest: "0 days 5400 seconds", Durations: true}, nil},
		{"{range: [2020-01-01, '2026-12-31 20:15:00.5']}", Bounds{Least: "2020-01-01 00:00:00", Greatest: "2026-12-31 20:15:00.5", Times: true}, nil},
	} {
		p, err := Parse("policy.yaml", []byte(edited(t, sexLine, "sex: "+c.column)))
		if err != nil {
			t.Errorf("%s: %v", c.column, err)
			continue
		}
		got := p.Tables[0].Columns[0].Domain
		if got.Range != nil || got.Bounds == nil || *got.Bounds != c.want {
			t.Errorf("%s: %+v, want %+v", c.column, got.Bounds, c.want)
			continue
		}
		if values := got.Bounds.Values(p.Limits); len(values) < 1000 && !slices.Equal(values, c.values) {
			t.Errorf("%s: values %q", c.column, values)
		} else if c.values == nil && (len(values) > 0) != (c.column == "{range: [0, 100], step: 0.01}") {
			t.Errorf("%s: %d values are listed", c.column, len(values))
		}
	}
}
