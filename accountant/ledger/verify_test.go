package ledger

import (
	"context"
	"errors"
	"testing"

	"tacit/accountant"
)

// verified ends a test: nothing is wrong with the ledger.
func verified(t testing.TB, r *Reader) {
	t.Helper()
	v, err := r.Verify(context.Background(), nil)
	do(t, err)
	for _, p := range v.Problems {
		t.Errorf("entry %d: %s", p.Entry, p.Text)
	}
}

// What is in no chain is compared with what was made: indexes, which lead to the answers, triggers and types.
func TestVerifyLooksAtTheFile(t *testing.T) {
	const asMade = "CREATE INDEX charge_of_question ON charge (question_key)"
	for name, edit := range map[string][]string{
		"an index that is gone":  {"DROP INDEX charge_of_question"},
		"a trigger that is gone": {"DROP TRIGGER charge_stays"},
		"a trigger of another":   {"CREATE TRIGGER t BEFORE INSERT ON release BEGIN SELECT raise(IGNORE); END"},
		"a table of another":     {"CREATE TABLE t (x)"},
		"a column of another":    {"ALTER TABLE release ADD COLUMN x INTEGER"},
		"an index of something else": {"DROP INDEX charge_of_question",
			"CREATE INDEX charge_of_question ON charge (CASE id WHEN 1 THEN zeroblob(32) ELSE question_key END)",
			"PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = '" + asMade + "' WHERE name = 'charge_of_question'"},
		"a value of another type": {"DROP TRIGGER release_is_kept", "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'release'",
			"PRAGMA writable_schema = RESET", "UPDATE release SET payload = 'answer'"},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			used(t, path)
			r, err := look(path)
			do(t, err)
			do(t, r.Check(context.Background()))
			do(t, r.Close())
			atPrompt(t, path, edit...)
			r, err = look(path)
			do(t, err)
			defer r.Close()
			if err := r.Check(context.Background()); !errors.Is(err, accountant.ErrUnavailable) {
				t.Errorf("it was not found: %v", err)
			}
		})
	}
}
