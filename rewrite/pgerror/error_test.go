package pgerror

import "testing"

func TestForm(t *testing.T) {
	f := Form{Code: CodeLimit, Message: "more than %[1]d rows of %[2]q", Detail: "100% of them.", Hint: "Ask %[2]s again, and %[2]s once more."}
	want := Refusal{Code: "54000", Message: `more than 3 rows of "t"`, Detail: "100% of them.", Hint: "Ask t again, and t once more."}
	if got := f.With(3, "t"); *got != want {
		t.Errorf("%+v instead of %+v", *got, want)
	}
	f = Form{Hint: "Count them.", Instead: "%[1]s"}
	if got := f.With("SELECT 1").Hint; got != "Count them: SELECT 1" {
		t.Error(got)
	}
	if got := f.With("").Hint; got != "Count them." {
		t.Error("without a statement the hint is", got)
	}
}

func TestPlace(t *testing.T) {
	const sql = "SELECT 'ä', x"
	r := At(int32(len("SELECT 'ä', ")), &Refusal{})
	At(0, r) // which has a place
	r.Place(sql)
	if r.Position != 13 || ByteOffset(sql, r.Position) != len("SELECT 'ä', ") {
		t.Errorf("x is character %d, at byte %d", r.Position, ByteOffset(sql, r.Position))
	}
	var none *Refusal
	if none.Place(sql); At(3, none) != nil {
		t.Error("no refusal has a place")
	}
}
