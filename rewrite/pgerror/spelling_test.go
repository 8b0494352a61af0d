package pgerror

import "testing"

func TestClosest(t *testing.T) {
	names := []string{"region", "age", "admitted", "admitted_by", "sex", "ort"}
	for misspelt, want := range map[string]string{
		"regoin": "region", "regions": "region", "admited": "admitted", "agee": "age", "agé": "age",
		"insured": "", "x": "", "": "", "or": "ort", "aex": "sex", "aeg": "",
	} {
		if got := Closest(misspelt, names, FewLetters); got != want {
			t.Errorf("%q: %q instead of %q", misspelt, got, want)
		}
	}
	if got := Closest("ab", []string{"abc", "abd"}, FewLetters); got != "" {
		t.Errorf("one of two is guessed: %q", got)
	}
}
