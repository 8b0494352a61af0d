package release

import (
	"strings"
	"testing"

	"tacit/release/internal/site"
)

// TestVectorsFallApart groups by a private column one of whose values is too rare to be shown. Of the three counts at most one can be shown
// then, as the third follows from two. It fails if none is, if two are, or if what this statement released is called free.
func TestVectorsFallApart(t *testing.T) {
	text := strings.Replace(site.CarrierPolicy, "private: gene", "private: kind", 1)
	text = strings.Replace(text, "values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}", `values: {"*": {a: 0.5, b: 0.49, c: 0.01}}`, 1)
	text = strings.Replace(text, "region: {}}", "region: {}, kind: {values: [a, b, c]}}", 1)
	const kinds = `ALTER TABLE clinic.carriers ADD kind text;
		UPDATE clinic.carriers SET kind = CASE WHEN id % 100 = 7 THEN 'c' WHEN id % 2 = 0 THEN 'a' ELSE 'b' END; ALTER TABLE clinic.carriers ALTER kind SET NOT NULL`
	w := newWardOf(t, site.CarrierSchema+kinds, text)
	w.seal(false)
	d := w.open()
	const sql = "SELECT kind, count(*) FROM clinic.carriers WHERE hair = 'brown' GROUP BY kind"
	r := w.answers(d, sql, "a NULL", "b 294", "c NULL")
	if r.Released != 1 || r.Suppressed != 2 || r.Free != 0 || r.Spent == 0 {
		t.Errorf("%+v", r)
	}
	if r := w.answers(d, sql, "a NULL", "b 294", "c NULL"); r.Free != 1 || r.Spent != 0 {
		t.Errorf("again: %+v", r)
	}
	w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE kind IN ('a', 'c') AND hair = 'brown'", "306")
}

// TestPlanOutlastsQuestions asks a finer question than a certified plan has blocks. It fails if unions of the blocks are not answered for
// nothing afterwards.
func TestPlanOutlastsQuestions(t *testing.T) {
	text := strings.Replace(site.CarrierPolicy, "delta: 0.2", "delta: 0.2\n      certified: {hair: values}", 1)
	w := newWardOf(t, site.CarrierSchema+"INSERT INTO clinic.carriers SELECT 90000 + i, 'white', 'red', 30, 'south', i <= 160 FROM generate_series(1, 400) AS i;", text)
	w.seal(false)
	d := w.open()
	if r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde' AND eye = 'blue'", "102"); r.Released != 1 {
		t.Errorf("%+v", r)
	}
	before := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'", "312")
	if before.Free != 1 {
		t.Errorf("%+v", before)
	}
	r := w.answers(d, "SELECT count(*) FROM clinic.carriers WHERE gene AND hair <> 'brown'", "726")
	if r.Certified != 1 || r.TableLeft != before.TableLeft {
		t.Errorf("%+v", r)
	}
}
