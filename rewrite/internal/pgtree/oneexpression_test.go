package pgtree

import "testing"

func TestIsExpression(t *testing.T) {
	for _, text := range []string{"sex", "age / 5", "(age - 1) / 5", "CASE WHEN a THEN 'x) HAVING (y' END", "lower(a)"} {
		if !IsExpression(text) {
			t.Errorf("%q is refused", text)
		}
	}
	for _, text := range []string{
		"", "a) HAVING (count(*) > 5", "a) ORDER BY (2", "a), (b", "a) AS (b", "a) AS b, (c", "a) FROM (t", "a) LIMIT (1", "a) UNION SELECT (b", "a); SELECT (b", "a) WHERE (b", "a --",
	} {
		if IsExpression(text) {
			t.Errorf("%q passes for one expression", text)
		}
	}
}
