package rewrite

import (
	"strconv"
	"strings"
	"testing"
)

// TestThreatsAreRefused demands that every statement of threats.sql is refused, and that each class of threat occurs: the comment
// of a case begins with the numbers of its classes. What they are stands in internal/proof/testdata/refusals.sql.
func TestThreatsAreRefused(t *testing.T) {
	const classes = 59
	seen := make(map[int]bool)
	for _, c := range readGolden(t, "testdata/threats.sql") {
		verdict := analyze(t, c.sql)
		_, refused := verdict.(*Refused)
		if script, ok := verdict.(*Script); ok {
			refused = script.Refused != nil
		}
		if !refused {
			t.Errorf("not refused: %s", c.sql)
		}
		for _, word := range strings.Fields(strings.TrimPrefix(c.comment, "#")) {
			n, err := strconv.Atoi(strings.Trim(word, ",:"))
			if err != nil {
				break
			}
			seen[n] = true
		}
	}
	for class := 1; class <= classes; class++ {
		if !seen[class] {
			t.Errorf("no statement of class %d", class)
		}
	}
}
