package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// thinnedLedger makes a ledger with charges, an act, notes that were dropped twice, and notes that were not. The entries are: 1 created, 2 charged, 3 recorded,
// 4 to 7 notes, 8 thinned (4 and 5), 9 granted, 10 and 11 notes, 12 thinned (6 and 7).
func thinnedLedger(t *testing.T, location policy.LedgerLocation) (entries []*journal.Entry, dropped map[int64]*journal.Entry) {
	t.Helper()
	l, err := Open(context.Background(), Options{Location: location, Role: Serve})
	do(t, err)
	record(t, l, reserve(t, l, charge("ana", "first", accountant.Loss{Epsilon: 1e8})), []byte("kept"))
	noteNow(t, l, refusal(4), Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT 5", Answered: 3}, refusal(6),
		Event{Analyst: "ana", Table: patients, Verdict: Derived, SQL: "SELECT 7", Releases: []int64{1}})
	whole := entriesOf(t, l.Reader)
	thin(t, l, policy.Keep{Notes: 2})
	_, err = l.Grant(context.Background(), Grant{Table: patients, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "because"})
	do(t, err)
	noteNow(t, l, refusal(10), refusal(11))
	thin(t, l, policy.Keep{Notes: 2})
	do(t, l.Close())
	r, err := OpenReadOnly(context.Background(), location)
	do(t, err)
	defer r.Close()
	return entriesOf(t, r), map[int64]*journal.Entry{4: whole[3], 5: whole[4], 6: whole[5], 7: whole[6]}
}

func entriesOf(t *testing.T, r *Reader) (all []*journal.Entry) {
	t.Helper()
	_, err := r.Export(context.Background(), func(e *journal.Entry) error { all = append(all, e); return nil }, nil)
	do(t, err)
	return all
}

// rowOf are the columns of an entry.
func rowOf(e *journal.Entry) map[string]any {
	row := make(map[string]any)
	values := e.Values()
	for i, column := range strings.Split(journal.EntryColumns, ",") {
		if bytes, ok := values[i].([]byte); ok {
			values[i] = append([]byte{}, bytes...) // nil would be NULL
		}
		row[strings.TrimSpace(column)] = values[i]
	}
	return row
}

// leftOf is what would be left of an entry if it were a note of this kind.
func leftOf(e *journal.Entry, kind journal.Kind) map[string]any {
	asNote := *e
	asNote.Kind = kind
	if !strings.HasPrefix(e.Body, `{"salt":"`) {
		asNote.Body = (&Event{}).body(journal.FormatVersion)
	}
	left, _ := journal.NewLinker().Thin(&asNote)
	return rowOf(left)
}

func with(row map[string]any, column string, value any) map[string]any {
	row = maps.Clone(row)
	row[column] = value
	return row
}

// Nothing but a note can pass for one that was dropped, and no note is gone without an entry that says so. The forger writes rows as he likes, and does not compute the
// hashes of entries anew, since somebody may have noted the head.
func TestForgedThinning(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		entries, dropped := thinnedLedger(t, location)
		if kinds := fmt.Sprint(entries[7].Kind, entries[11].Kind, len(entries)); kinds != "thinnedthinned12" {
			t.Fatalf("the ledger has %s", kinds)
		}
		found := forging(t, location)
		at := func(id int64) *journal.Entry { return entries[id-1] }
		if problems := found(1, nil); len(problems) > 0 {
			t.Fatalf("before anything was forged: %v", problems)
		}
		for _, f := range []struct {
			what string
			id   int64
			row  map[string]any
			want string
		}{
			{"a charge that is made to look like a dropped one", 2, with(leftOf(at(2), "replayed"), "kind", "charged"), "entry 2: "},
			{"a charge that is made a dropped note", 2, leftOf(at(2), "replayed"), "entry 2: "},
			{"an answer that is made a dropped note", 3, leftOf(at(3), "replayed"), "entry 3: "},
			{"an act that is made a dropped note", 9, leftOf(at(9), "refused"), "entry 9: "},
			{"an entry of the proxy that is made a dropped note", 8, leftOf(at(8), "refused"), "entry 8: "},
			{"a note of another kind", 10, with(rowOf(at(10)), "kind", "replayed"), "entry 10: "},
			{"a dropped note of another kind", 4, with(rowOf(at(4)), "kind", "replayed"), "entry 4: "},
			{"a dropped note that is made a charge", 4, with(rowOf(at(4)), "kind", "charged"), "entry 4: "},
			{"a note that nobody has dropped", 10, leftOf(at(10), "refused"), "entry 10: what it said is gone, and no entry says that it was dropped"},
			{"the last note that nobody has dropped", 11, leftOf(at(11), "refused"), "entry 11: what it said is gone, and no entry says that it was dropped"},
			{"a dropped note of which a statement is left", 4, with(rowOf(at(4)), "statement", "SELECT secret_4"), "entry 4: "},
			{"a dropped note of which an analyst is left", 5, with(rowOf(at(5)), "analyst", "ana"), "entry 5: "},
			{"a dropped note that is put back", 6, rowOf(dropped[6]), "entry 6: what it says is there, and entry 12 says that it was dropped"},
			{"a dropped note with another time", 4, with(rowOf(at(4)), "at", at(4).At+1), "entry 4: "},
			{"a note whose text was edited", 10, with(rowOf(at(10)), "statement", "SELECT 1"), "entry 10: "},
			{"a note whose salt was edited", 10, with(rowOf(at(10)), "body", (&Event{Reason: "no"}).body(2)), "entry 10: "},
			{"a note that has lost its salt", 10, with(rowOf(at(10)), "body", `{"reason":"no"}`), "entry 10: "},
			{"an entry that says that more was dropped", 8, with(rowOf(at(8)), "body", strings.Replace(at(8).Body, `"refused":1`, `"refused":2`, 1)), "entry 8: "},
			{"an entry that says that others were dropped", 12, with(rowOf(at(12)), "body", strings.Replace(at(12).Body, `"through":7`, `"through":10`, 1)), "entry 12: "},
			{"an entry that is to say so, and is another one", 9, with(rowOf(at(9)), "kind", "thinned"), "entry 9: "},
		} {
			problems := found(f.id, f.row)
			if len(problems) == 0 || !strings.HasPrefix(problems[0].String(), f.want) {
				t.Errorf("%s: found %v, want %q", f.what, problems, f.want)
			}
		}
	})
}

// forging is what verification finds when the columns of an entry are these.
func forging(t *testing.T, location policy.LedgerLocation) func(id int64, row map[string]any) []Problem {
	if location.Postgres != "" {
		f := forge(t, location)
		return func(id int64, row map[string]any) []Problem {
			t.Helper()
			was := f.row("entry", "id", fmt.Sprint(id), journal.EntryColumns)
			put := func(row map[string]any) {
				for column, value := range row {
					f.set(was, id, column, value)
				}
			}
			put(row)
			defer put(was.values)
			v, err := f.reader.Verify(context.Background(), nil)
			do(t, err)
			return v.Problems
		}
	}
	w := newTampering(t, location.SQLite)
	return func(id int64, row map[string]any) []Problem {
		t.Helper()
		tx, err := w.db.Begin()
		do(t, err)
		defer tx.Rollback()
		for column, value := range row {
			_, err := tx.Exec("UPDATE entry SET "+column+" = ? WHERE id = ?", value, id)
			do(t, err)
		}
		v, err := newReader(editedStore{tx}).Verify(context.Background(), nil)
		do(t, err)
		return v.Problems
	}
}

// Also of a forger who computes all hashes anew up to the head it is found that an entry says of notes what is not so, unless he has the rows agree with it.
func TestThinningIsCompared(t *testing.T) {
	for what, forge := range map[string]struct {
		edit func(entries []*journal.Entry)
		want string
	}{
		"nothing":                        {func([]*journal.Entry) {}, ""},
		"a note that nobody has dropped": {func(all []*journal.Entry) { all[9], _ = journal.NewLinker().Thin(all[9]) }, "entry 10: what it said is gone"},
		"more of a kind":                 {func(all []*journal.Entry) { edit(all[7], `"refused":1`, `"refused":2`) }, "entry 8: it says that notes were dropped"},
		"another kind":                   {func(all []*journal.Entry) { edit(all[7], `"replayed":1`, `"derived":1`) }, "entry 8: it says that notes were dropped"},
		"less":                           {func(all []*journal.Entry) { edit(all[7], `"replayed":1,`, ``) }, "entry 8: it says that notes were dropped"},
		"not so far":                     {func(all []*journal.Entry) { edit(all[7], `"through":5`, `"through":4`) }, "entry 8: it says that notes were dropped"},
		"further than they were":         {func(all []*journal.Entry) { edit(all[11], `"through":7`, `"through":10`) }, "entry 10: what it says is there, and entry 12 says"},
		"none":                           {func(all []*journal.Entry) { edit(all[7], `"replayed":1,"refused":1`, ``) }, "entry 8: it drops 0 notes"},
		"fewer than none":                {func(all []*journal.Entry) { edit(all[7], `"replayed":1`, `"replayed":-1`) }, "entry 8: it drops 0 notes"},
		"more than there are":            {func(all []*journal.Entry) { edit(all[7], `"refused":1`, `"refused":9`) }, "entry 8: it drops 10 notes of 4"},
		"what is still to come":          {func(all []*journal.Entry) { edit(all[7], `"through":5`, `"through":8`) }, "entry 8: it drops notes up to entry 8"},
		"what was dropped before":        {func(all []*journal.Entry) { edit(all[11], `"through":7`, `"through":5`) }, "entry 12: it drops notes up to entry 5"},
		"of a time to come": {func(all []*journal.Entry) {
			edit(all[7], `}}`, `},"before":"9000000000000000000"}`)
		}, "entry 8: it drops notes that are older than a time that was still to come"},
		"a note without a salt":      {func(all []*journal.Entry) { all[9].Body = `{"reason":"no"}` }, "entry 10: it is a note without a salt"},
		"a note with a short salt":   {func(all []*journal.Entry) { all[9].Body = `{"salt":"AAAA"}` }, "entry 10: its salt"},
		"a note with no end of salt": {func(all []*journal.Entry) { all[9].Body = `{"salt":"AAAAAAAAAAAAAAAAAAAAAA==` }, "entry 10: its salt"},
		"a dropped note before its format": {func(all []*journal.Entry) {
			edit(all[0], `"version":2`, `"version":1`)
		}, "entry 4: it has the form of a later format"},
		"another format": {func(all []*journal.Entry) { edit(all[0], `"version":2`, `"version":3`) }, "entry 1: its format is version 3, and this one knows version 2"},
		"no newer format": {func(all []*journal.Entry) {
			all[8] = journal.FormatEntry()
			all[8].ID, all[8].At = 9, all[7].At
		}, "entry 9: it says that the format is version 2, which is no newer one"},
	} {
		path := newPath(t)
		entries, _ := thinnedLedger(t, policy.LedgerLocation{SQLite: path})
		forge.edit(entries)
		previous := journal.Digest{}
		for _, e := range entries {
			e.Hash = journal.NewLinker().Entry(previous, e)
			previous = e.Hash
		}
		v, err := VerifyEntries(each(entries), nil)
		do(t, err)
		if found := fmt.Sprint(v.Problems); forge.want == "" && len(v.Problems) > 0 || !strings.HasPrefix(found, "["+forge.want) && forge.want != "" {
			t.Errorf("%s: found %v, want %q", what, found, forge.want)
		}
	}
}

func edit(e *journal.Entry, old, forged string) {
	if !strings.Contains(e.Body, old) {
		panic(old + " is not in " + e.Body)
	}
	e.Body = strings.Replace(e.Body, old, forged, 1)
}

// each is one entry after the other.
func each(entries []*journal.Entry) func() (*journal.Entry, error) {
	return func() (e *journal.Entry, err error) {
		if len(entries) == 0 {
			return nil, io.EOF
		}
		e, entries = entries[0], entries[1:]
		return e, nil
	}
}

// The triggers let nobody change a row of the table of entries but drop what a note says, as the program does.
func TestTriggersKeepEntries(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		entries, dropped := thinnedLedger(t, location)
		content := fmt.Sprint(leftOf(entries[9], "refused")["body"])
		update := atTheirPrompt(t, location)
		const all = `analyst = '', table_schema = '', table_name = '', epoch = 0, statement = '', sqlstate = '', refers = 0`
		whole := fmt.Sprintf("%s, body = '%s'", all, content)
		for _, refused := range []struct {
			id  int64
			set string
		}{
			{10, "statement = ''"}, {10, all}, {10, "body = '" + content + "'"}, {10, all + ", body = ''"}, {10, all + `, body = '{"content":""}'`},
			{10, whole + ", hash = (SELECT hash FROM entry WHERE id = 2)"}, {10, whole + ", at = at + 1"}, {10, whole + ", kind = 'replayed'"}, {10, whole + ", id = 100"},
			{10, strings.Replace(whole, "analyst = ''", "analyst = 'x'", 1)}, {10, strings.Replace(whole, "analyst = ''", "analyst = NULL", 1)},
			{10, whole + ", adjacency = 'add-remove'"}, {2, whole}, {3, whole}, {9, whole}, {8, whole}, {4, whole}, {4, "statement = 'SELECT 1'"},
			{6, "body = '" + dropped[6].Body + "'"},
		} {
			if err := update(refused.id, refused.set); err == nil || !strings.Contains(err.Error(), "the ledger is never rewritten") {
				t.Errorf("entry %d SET %s: %v", refused.id, refused.set, err)
			}
		}
		do(t, update(10, whole))
	})
}

// atTheirPrompt updates an entry as the ledger's owner.
func atTheirPrompt(t *testing.T, location policy.LedgerLocation) func(id int64, set string) error {
	t.Helper()
	driver, source := "sqlite", location.SQLite
	if location.Postgres != "" {
		driver, source = "pgx", location.Postgres
	}
	db, err := sql.Open(driver, source)
	do(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if location.Postgres != "" {
		_, err := db.Exec("SET search_path = tacit_ledger")
		do(t, err)
	}
	return func(id int64, set string) error {
		_, err := db.Exec(fmt.Sprintf("UPDATE entry SET %s WHERE id = %d", set, id))
		return err
	}
}
