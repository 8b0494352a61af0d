package proxy

import (
	"fmt"
	"strings"
	"testing"

	"tacit/rewrite"
)

func TestVerdictsAreBounded(t *testing.T) {
	v := newVerdicts()
	catalog := testCatalog("1")
	bytes := func() (n int) {
		for _, k := range v.lru.Keys() {
			n += k.bytes()
		}
		return n
	}
	for i := range 3 * maxVerdicts {
		text := fmt.Sprintf("%d%s", i%(2*maxVerdicts), strings.Repeat("x", i%3000))
		v.put(newVerdictKey(catalog, text, []uint32{uint32(i)}), remembered{verdict: &rewrite.Relay{}})
		if v.bytes > maxVerdictBytes || v.lru.Len() > maxVerdicts {
			t.Fatalf("%d verdicts of %d bytes", v.lru.Len(), v.bytes)
		}
	}
	if v.bytes != bytes() || v.lru.Len() == 0 {
		t.Errorf("%d bytes accounted for, %d kept", v.bytes, bytes())
	}
	huge := newVerdictKey(catalog, strings.Repeat("x", maxVerdictBytes), nil)
	v.put(huge, remembered{})
	if _, ok := v.get(huge); ok || v.lru.Len() < 2 {
		t.Error("one text displaced all others")
	}
	again := newVerdictKey(catalog, "again", nil)
	v.put(again, remembered{})
	before := v.bytes
	v.put(again, remembered{})
	if v.bytes != before {
		t.Errorf("putting a verdict twice counts its bytes twice")
	}
}

func TestVerdictKey(t *testing.T) {
	one := newVerdictKey(testCatalog("1"), "SELECT $1", []uint32{23})
	for name, other := range map[string]verdictKey{
		"catalog":    newVerdictKey(testCatalog("2"), "SELECT $1", []uint32{23}),
		"text":       newVerdictKey(testCatalog("1"), "SELECT  $1", []uint32{23}),
		"type":       newVerdictKey(testCatalog("1"), "SELECT $1", []uint32{25}),
		"more types": newVerdictKey(testCatalog("1"), "SELECT $1", []uint32{23, 0}),
		"no types":   newVerdictKey(testCatalog("1"), "SELECT $1", nil),
	} {
		if one == other {
			t.Errorf("the key does not tell another %s", name)
		}
	}
}

func TestNameArray(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, `{NULL}`},
		{[]string{"patients"}, `{NULL,"\"patients\""}`},
		{[]string{`a"b`, `c\d`, `e,f}`}, `{NULL,"\"a\"\"b\"","\"c\\d\"","\"e,f}\""}`},
	} {
		if got := nameArray(tt.names); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.names, got, tt.want)
		}
	}
}

func TestSilenced(t *testing.T) {
	for _, tt := range []struct {
		notices, level string
		want           bool
	}{
		{"on", "notice", false}, {"", "notice", false}, {"nonsense", "notice", false}, {"o", "notice", false}, {"true", "debug1", false},
		{"off", "notice", true}, {" OFF ", "notice", true}, {"of", "notice", true}, {"f", "notice", true}, {"no", "notice", true},
		{"0", "notice", true}, {"on", "warning", true}, {"on", "error", true}, {"on", "log", false},
	} {
		if got := silenced(tt.notices, tt.level); got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}
