package policy

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseEpsilon(t *testing.T) {
	tests := []struct {
		in   string
		want Epsilon
	}{
		{"0", 0},
		{"0.000", 0},
		{"0e9", 0},
		{"1", 1e9},
		{"0.5", 5e8},
		{".5", 5e8},
		{"00.50", 5e8},
		{"0.1", 1e8}, // not exact in binary
		{"0.3", 3e8},
		{"1e-9", 1},
		{"0.000000001", 1},
		{"10e-10", 1}, // more places than the unit holds as written, but not as a value
		{"0.5000000000000", 5e8},
		{"12.5E2", 1250e9},
		{"1e+2", 100e9},
		{"9223372036.854775807", math.MaxInt64},
	}
	for _, test := range tests {
		got, err := ParseEpsilon(test.in)
		if err != nil || got != test.want {
			t.Errorf("ParseEpsilon(%q) = %d, %v; want %d", test.in, got, err, test.want)
		}
	}
}

func TestParseDelta(t *testing.T) {
	tests := []struct {
		in   string
		want Delta
	}{
		{"0", 0},
		{"1e-6", 1e12},
		{"0.000001", 1e12},
		{"1E-06", 1e12},
		{"2.5e-7", 25e10},
		{"1e-18", 1},
		{"0.999999999999999999", 1e18 - 1},
		{"1", 1e18},
	}
	for _, test := range tests {
		got, err := ParseDelta(test.in)
		if err != nil || got != test.want {
			t.Errorf("ParseDelta(%q) = %d, %v; want %d", test.in, got, err, test.want)
		}
	}
}

func TestParseAmountErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "missing",
		"-1":                          "negative",
		"-0":                          "negative",
		"NaN":                         "not a decimal",
		".nan":                        "not a decimal",
		"inf":                         "not a decimal",
		"0x10":                        "not a decimal",
		"0x1p-2":                      "not a decimal",
		"1_000":                       "not a decimal",
		"1,5":                         "not a decimal",
		"1.":                          "not a decimal",
		".":                           "not a decimal",
		"1e":                          "not a decimal",
		"1e-":                         "not a decimal",
		"1e1e1":                       "not a decimal",
		"1.2.3":                       "not a decimal",
		"+1":                          "not a decimal",
		" 1":                          "not a decimal",
		"１":                           "not a decimal", // a digit to unicode.IsDigit
		"1e99999":                     "larger",
		"1e-99999999999999999":        "not a decimal",
		"0.0000000001":                "decimal places",
		"1.0000000001":                "decimal places",
		"1e-10":                       "decimal places",
		"1e-9999":                     "decimal places",
		"9223372036.854775808":        "larger than 9223372036.854775807",
		"1e10":                        "larger",
		"1e9999":                      "larger",
		strings.Repeat("0", 200):      "not a decimal",
		"1" + strings.Repeat("0", 30): "larger",
	} {
		got, err := ParseEpsilon(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseEpsilon(%q) = %d, %v; want an error with %q", in, got, err, want)
		}
		if got != 0 {
			t.Errorf("ParseEpsilon(%q) = %d beside an error", in, got)
		}
	}
	if _, err := ParseDelta("1e-19"); err == nil {
		t.Error("ParseDelta(1e-19) was rounded")
	}
}

func TestAmountString(t *testing.T) {
	for e, want := range map[Epsilon]string{
		0: "0", 1: "0.000000001", 5e8: "0.5", 1e9: "1", 10e9: "10", 1234567890: "1.23456789", 12500e9: "12500", -5e8: "-0.5",
		math.MaxInt64: "9223372036.854775807", math.MinInt64: "-9223372036.854775808",
	} {
		if got := e.String(); got != want {
			t.Errorf("Epsilon(%d) = %q, want %q", int64(e), got, want)
		}
	}
	for d, want := range map[Delta]string{
		0: "0", 1: "1e-18", 1e12: "1e-6", 25e10: "2.5e-7", 5e16: "0.05", 1e17: "0.1", 1e18: "1", 123e15: "0.123", 1e15: "1e-3",
		1e18 - 1: "0.999999999999999999", -1e12: "-1e-6",
	} {
		if got := d.String(); got != want {
			t.Errorf("Delta(%d) = %q, want %q", int64(d), got, want)
		}
	}
}

// TestAmountRoundTrip would fail if String dropped or invented a digit anywhere.
func TestAmountRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n := random.Int64() >> random.IntN(63)
		if got, err := ParseEpsilon(Epsilon(n).String()); err != nil || got != Epsilon(n) {
			t.Fatalf("Epsilon(%d) = %v is read as %d, %v", n, Epsilon(n), got, err)
		}
		if got, err := ParseDelta(Delta(n).String()); err != nil || got != Delta(n) {
			t.Fatalf("Delta(%d) = %v is read as %d, %v", n, Delta(n), got, err)
		}
	}
}
