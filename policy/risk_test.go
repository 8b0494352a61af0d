package policy

import "testing"

func TestRiskString(t *testing.T) {
	for r, want := range map[Risk]string{
		0: "0", 1: "1e-18", 5e15: "0.005", 12e14: "0.0012", 1e14: "0.0001", 123e12: "0.000123", 99e12: "9.9e-5", 25e10: "2.5e-7", 1e18: "1", -1e12: "-1e-6",
	} {
		if got := r.String(); got != want {
			t.Errorf("Risk(%d) = %q, want %q", int64(r), got, want)
		}
	}
}
