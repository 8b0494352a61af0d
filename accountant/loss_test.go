package accountant

import (
	"testing"

	"tacit/policy"
)

func TestLossArithmetic(t *testing.T) {
	const most = 1<<63 - 1
	for _, c := range []struct{ a, b, want Loss }{
		{Loss{Epsilon: 1, Delta: 2}, Loss{Epsilon: 3, Delta: 4}, Loss{Epsilon: 4, Delta: 6}},
		{Loss{Epsilon: most}, Loss{Epsilon: 1}, Loss{Epsilon: most}},
		{Loss{Epsilon: most - 1, Delta: most - 1}, Loss{Epsilon: 1, Delta: 2}, Loss{Epsilon: most, Delta: most}},
		{Loss{Epsilon: most, Delta: most}, Loss{Epsilon: most, Delta: most}, Loss{Epsilon: most, Delta: most}},
		{Loss{1, 2, 3, 4}, Loss{4, 5, 6, 7}, Loss{5, 7, 9, 11}},
		{Loss{1, 2, most - 1, most - 5}, Loss{4, 5, 2, 6}, Loss{5, 7, most, most}},
	} {
		if got := c.a.Add(c.b); got != c.want {
			t.Errorf("%v + %v = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		loss   Loss
		budget policy.Budget
		want   bool
	}{
		{Loss{Epsilon: 5, Delta: 5}, policy.Budget{Epsilon: 5, Delta: 5}, false},
		{Loss{Epsilon: 6, Delta: 5}, policy.Budget{Epsilon: 5, Delta: 5}, true},
		{Loss{Epsilon: 5, Delta: 6}, policy.Budget{Epsilon: 5, Delta: 5}, true},
		{Loss{Epsilon: most}, policy.Budget{Epsilon: most, Delta: most}, true},
		{Loss{Delta: most}, policy.Budget{Epsilon: most, Delta: most}, true},
		{Loss{5, 5, 5, 5}, policy.Budget{Epsilon: 5, Delta: 5, Releases: 5, Risk: 5}, false},
		{Loss{5, 5, 6, 5}, policy.Budget{Epsilon: 5, Delta: 5, Releases: 5, Risk: 5}, true},
		{Loss{5, 5, 5, 6}, policy.Budget{Epsilon: 5, Delta: 5, Releases: 5, Risk: 5}, true},
		{Loss{Releases: 1}, policy.Budget{Epsilon: most, Delta: most}, true},
		{Loss{Releases: most}, policy.Budget{Releases: most}, true},
	} {
		if got := c.loss.Exceeds(c.budget); got != c.want {
			t.Errorf("%v exceeds %v: %v, want %v", c.loss, c.budget, got, c.want)
		}
	}
	for _, c := range []struct {
		spent  Loss
		budget policy.Budget
		want   Loss
	}{
		{Loss{1, 2, 3, 4}, policy.Budget{Epsilon: 10, Delta: 10, Releases: 10, Risk: 10}, Loss{9, 8, 7, 6}},
		{Loss{11, 10, 12, 11}, policy.Budget{Epsilon: 10, Delta: 10, Releases: 10, Risk: 10}, Loss{}},
		{Loss{1, 2, 3, 4}, policy.Budget{Epsilon: most, Delta: most, Releases: most, Risk: most}, Loss{most, most, most, most}},
	} {
		if got := c.spent.Remaining(c.budget); got != c.want {
			t.Errorf("%v of %v leaves %v, want %v", c.spent, c.budget, got, c.want)
		}
	}
}

func TestLossText(t *testing.T) {
	for _, c := range []struct {
		loss Loss
		want string
	}{
		{Loss{}, "epsilon 0"},
		{Loss{Epsilon: 5e8}, "epsilon 0.5"},
		{Loss{Epsilon: 5e8, Delta: 1e12}, "epsilon 0.5, delta 1e-6"},
		{Loss{Delta: 1e12}, "epsilon 0, delta 1e-6"},
		{Loss{Releases: 1}, "1 release without a guarantee"},
		{Loss{Releases: 3}, "3 releases without a guarantee"},
		{Loss{Epsilon: 5e8, Releases: 1}, "epsilon 0.5, 1 release without a guarantee"},
		{Loss{Epsilon: 5e8, Delta: 1e12, Releases: 3}, "epsilon 0.5, delta 1e-6, 3 releases without a guarantee"},
	} {
		if got := c.loss.String(); got != c.want {
			t.Errorf("%#v is %q, want %q", c.loss, got, c.want)
		}
	}
}
