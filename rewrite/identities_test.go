package rewrite

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/query"
)

// A ledger finds a recorded answer by the identity of its question, for as long as the ledger lives. So what identities are made of
// must not change: the canonical text of each count, its shape, its keys and the columns that it is computed of. The file
// testdata/identities.txt has a digest of all that for each statement of the golden files that is answered. With -update it
// grows by new statements; a line of it never changes but where other rows are counted than before, so that recorded answers are of another question.
func TestIdentitiesOfQuestions(t *testing.T) {
	const path = "testdata/identities.txt"
	recorded := readIdentities(t, path)
	added := make(map[string]string)
	for _, file := range goldenFiles(t) {
		for _, c := range readGolden(t, file) {
			identity := identityOf(t, c.sql)
			if identity == "" {
				continue
			}
			key := filepath.Base(file) + " " + strings.Join(strings.Fields(c.sql), " ")
			switch was, known := recorded[key]; {
			case !known:
				added[key] = identity
			case was != identity:
				t.Errorf("the identity of a question has changed, so that recorded answers are no longer found:\n%s", key)
			}
		}
	}
	if len(added) == 0 {
		return
	}
	if !*update {
		t.Errorf("%d statements have no recorded identity; add them with -update", len(added))
		return
	}
	maps.Copy(recorded, added)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(recorded)) {
		fmt.Fprintln(&b, recorded[key], key)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readIdentities reads lines of a digest, a file and a statement.
func readIdentities(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	recorded := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		identity, key, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		recorded[key] = identity
	}
	return recorded
}

// identityOf digests what the identities of a statement's questions are made of; "" if it has none.
func identityOf(t *testing.T, sql string) string {
	t.Helper()
	v, err := Analyze(sql, testSession())
	if err != nil {
		t.Fatal(err)
	}
	var answers []*Answer
	switch v := v.(type) {
	case *Answer:
		answers = append(answers, v)
	case *Script:
		for _, step := range v.Steps {
			if step.Answer != nil {
				answers = append(answers, step.Answer)
			}
		}
	}
	h := sha256.New()
	counts := 0
	for _, a := range answers {
		for _, q := range a.Queries {
			bound, refusal := q.Bind(sampleValues(a.ParamOIDs), sampleConstants(a)...)
			if refusal != nil {
				continue
			}
			writeIdentity(h, bound)
			counts += len(bound.Counts)
		}
	}
	if counts == 0 {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

func writeIdentity(w io.Writer, q *query.BoundQuery) {
	fmt.Fprintf(w, "table %q order %v sets %v margins %v\n", q.Table.Policy.Name.String(), q.KeyOrder(), q.GroupingSets, q.Margins)
	for _, k := range q.Keys {
		fmt.Fprintf(w, "key %q stored %t of %q\n", k.Text(), k.Stored(), namesOf(k))
	}
	for _, c := range q.Counts {
		shape, derivable := q.Shape(c)
		fmt.Fprintf(w, "question %q sensitivity %d in a cell %d\n", q.Question(c), q.Sensitivity(c), q.PerCell(c))
		fmt.Fprintf(w, "shape %t %q computed of %q\n", derivable, shape, namesOf(q.Computed(c)...))
	}
}

// namesOf are the names of the stored columns that columns are made of.
func namesOf(columns ...*expr.Column) []string {
	var names []string
	for _, c := range columns {
		for _, input := range c.Inputs() {
			names = append(names, input.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
