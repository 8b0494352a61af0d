package work

import (
	"strings"
	"testing"
)

// stored is a text of the greatest length that functions take of a column.
var stored = Argument{Bytes: 65536, Stored: true}

func constant(text string) Argument { return Argument{Bytes: len(text), Constant: text} }

// TestOfCall compares with the microseconds that PostgreSQL 15 took on the worst text of 65,536 bytes that was found for each: a repeated letter, or two letters
// at random for patterns of many states. It fails if a function counts for less than two thirds of them, or for far more.
func TestOfCall(t *testing.T) {
	rep := strings.Repeat
	for _, c := range []struct {
		name   string
		args   []Argument
		result int
		micros int
	}{
		{"reverse", []Argument{stored}, 65536, 680},
		{"upper", []Argument{stored}, 4 * 65536, 780},
		{"initcap", []Argument{stored}, 4 * 65536, 880},
		{"substr", []Argument{stored, {}}, 65536, 490},
		{"||", []Argument{stored, stored}, 2 * 65536, 70},
		{"octet_length", []Argument{stored}, 0, 20},
		{"btrim", []Argument{stored, constant("a")}, 65536, 720},
		{"btrim", []Argument{stored, constant(rep("b", 99) + "a")}, 65536, 30_260},
		{"replace", []Argument{stored, constant("a"), constant("c")}, 65536, 1880},
		{"replace", []Argument{stored, constant("b" + rep("a", 99)), constant("")}, 65536, 4350},
		{"translate", []Argument{stored, constant("a"), constant("b")}, 4 * 65536, 1680},
		{"translate", []Argument{stored, constant(rep("b", 99) + "a"), constant("b")}, 4 * 65536, 57_520},
		{"strpos", []Argument{stored, constant("b" + rep("a", 99))}, 0, 4310},
		{"strpos", []Argument{stored, constant("b" + rep("a", 1000))}, 0, 28_930},
		{"split_part", []Argument{stored, constant("b" + rep("a", 99)), {}}, 65536, 4330},
		{"LIKE", []Argument{stored, constant("%aab%")}, 0, 900},
		{"LIKE", []Argument{stored, constant("%" + rep("a", 100) + "b%")}, 0, 11_920},
		{"LIKE", []Argument{stored, constant("%" + rep("a", 900) + "b0")}, 0, 98_850},
		{"NOT LIKE", []Argument{stored, constant("%" + rep("_a", 400) + "b%")}, 0, 119_230},
		{"LIKE", []Argument{stored, constant("aaab%")}, 0, 46},
		{"ILIKE", []Argument{stored, constant("%aab%")}, 0, 1620},
		{"ILIKE", []Argument{stored, constant("%" + rep("a", 900) + "b0")}, 0, 97_280},
		{"~", []Argument{stored, constant("pneumonia|asthma|influenza")}, 0, 440},
		{"~", []Argument{stored, constant("a.*b")}, 0, 420},
		{"~", []Argument{stored, constant("a[ab][ab][ab][ab][ab]c")}, 0, 7910},
		{"!~", []Argument{stored, constant("a[ab]{20}c")}, 0, 17_670},
		{"~*", []Argument{stored, constant("a[ab]{99}[ab]{99}c")}, 0, 84_670},
		{"~", []Argument{stored, constant("(?:a[ab]{99}c){10}")}, 0, 201_000},
		{"~", []Argument{stored, constant("^[A-Z]{3}[0-9]{2}")}, 0, 400},
		{"~", []Argument{constant("x"), constant("(?:x{100}){90}")}, 0, 12_700}, // to compile
		{"regexp_replace", []Argument{stored, constant("a"), constant("bb"), constant("g")}, 20_480, 2860},
		{"regexp_replace", []Argument{stored, constant("a(a*b)?"), constant("c"), constant("g")}, 12_288, 35_210},
		{"regexp_replace", []Argument{stored, constant("[ab](?:[ab]*a[ab]{20}c)?"), constant(""), constant("g")}, 8192, 2_134_450},
		{"substring", []Argument{stored, constant("a*b|c")}, 4096, 31_410},
		{"substring", []Argument{stored, constant("[ab]*a[ab]{10}d|c")}, 4096, 1_390_640},
		{"->>", []Argument{{Document: true, Stored: true}, constant("b")}, 65536, 980},
		{"ANY", []Argument{constant("y"), {Document: true, Stored: true}}, 0, 320},
	} {
		got := OfCall(c.name, c.args, Argument{Bytes: c.result})
		if got < c.micros*2/3 || got > 6*c.micros+500 {
			t.Errorf("%s %.40q: %d atoms, and %d µs", c.name, c.args[min(1, len(c.args)-1)].Constant, got, c.micros)
		}
	}
}

// TestOfDecimals fails if products of long decimals count for less than PostgreSQL takes, two thirds of it, or if their digits are not those of the columns.
func TestOfDecimals(t *testing.T) {
	long, short := Argument{Digits: DigitsOf(true, -1)}, Argument{Digits: DigitsOf(true, 4+10<<16+2)}
	if short.Digits != 12 || DigitsOf(false, -1) < 320 {
		t.Errorf("numeric(10,2) has %d digits", short.Digits)
	}
	for name, micros := range map[string]int{"*": 5340, "/": 3760} {
		if n := OfCall(name, []Argument{long, long}, Argument{}); n < micros*2/3 {
			t.Errorf("%s: %d atoms, and %d µs", name, n, micros)
		}
		if n := OfCall(name, []Argument{short, short}, Argument{}); n != 0 {
			t.Errorf("%s of short decimals: %d atoms", name, n)
		}
	}
	digits := 12
	for range 14 {
		digits = Digits("*", []Argument{{Digits: digits}, {Digits: digits}})
	}
	if digits < 16_383 {
		t.Errorf("a square of squares has %d digits", digits)
	}
}

// TestOfShortTexts fails if what is done to short texts counts.
func TestOfShortTexts(t *testing.T) {
	short := Argument{Bytes: 40, Stored: true}
	for _, name := range []string{"upper", "||", "strpos", "LIKE", "~", "::text", "starts_with"} {
		if n := OfCall(name, []Argument{short, constant("%a%")}, short); n > 8 {
			t.Errorf("%s: %d atoms", name, n)
		}
	}
	if n := OfCall("extract", []Argument{constant("year"), {}}, Argument{}); n != 0 {
		t.Errorf("extract: %d atoms", n)
	}
}
