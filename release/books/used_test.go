package books

import (
	"slices"
	"testing"
)

// Names are found outside of quoted values alone: a value that is written like a column's name is no use of the column.
func TestWordsOf(t *testing.T) {
	for text, want := range map[string][]string{
		"count(*) of public.patients where sex = 'region' group by age": {"count", "of", "public", "patients", "where", "sex", "group", "by", "age"},
		`"Odd ""name""" = 'it''s age' and x2`:                           {`Odd "name"`, "and", "x2"},
		"'open age":                                                     nil,
		"ÄÖ_1 12ab":                                                     {"äö_1", "ab"},
	} {
		if got := slices.Collect(wordsOf(text)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
