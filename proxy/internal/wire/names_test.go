package wire

import "testing"

func TestNameArray(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, `{NULL}`},
		{[]string{"patients"}, `{NULL,"\"patients\""}`},
		{[]string{`a"b`, `c\d`, `e,f}`}, `{NULL,"\"a\"\"b\"","\"c\\d\"","\"e,f}\""}`},
	} {
		if got := NameArray(tt.names); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.names, got, tt.want)
		}
	}
}
