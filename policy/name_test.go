package policy

import (
	"strings"
	"testing"
)

func TestParseTableName(t *testing.T) {
	tests := []struct {
		in     string
		want   TableName
		string string
	}{
		{"public.patients", TableName{"public", "patients"}, "public.patients"},
		{"public.Patients", TableName{"public", "Patients"}, `public."Patients"`}, // not folded
		{`public."Patients"`, TableName{"public", "Patients"}, `public."Patients"`},
		{`"public"."patients"`, TableName{"public", "patients"}, "public.patients"},
		{`"a.b"."c d"`, TableName{"a.b", "c d"}, `"a.b"."c d"`},
		{"_x.a$1", TableName{"_x", "a$1"}, "_x.a$1"},
		{"s.1st", TableName{"s", "1st"}, `s."1st"`},
		{"s.order", TableName{"s", "order"}, `s."order"`},
		{"s.größe", TableName{"s", "größe"}, `s."größe"`},
		{"s." + strings.Repeat("x", 63), TableName{"s", strings.Repeat("x", 63)}, "s." + strings.Repeat("x", 63)},
	}
	for _, test := range tests {
		got, err := ParseTableName(test.in)
		if err != nil || got != test.want {
			t.Errorf("ParseTableName(%q) = %+v, %v", test.in, got, err)
			continue
		}
		if got.String() != test.string {
			t.Errorf("String of %+v = %q, want %q", got, got.String(), test.string)
		}
		if again, err := ParseTableName(got.String()); err != nil || again != got {
			t.Errorf("%q is read back as %+v, %v", got.String(), again, err)
		}
	}
}

func TestParseTableNameErrors(t *testing.T) {
	for _, in := range []string{
		"", "patients", ".patients", "public.", "public..patients", "db.public.patients", "public.pat ients", "public. patients",
		`public."pat"ients"`, `public."patients`, `"public"patients`, `public.pat"ients`, `public."a""b"`, "public.a\x00b", "public.a\nb",
		"public.\xff", "public." + strings.Repeat("x", 64), `public.""`,
	} {
		if got, err := ParseTableName(in); err == nil {
			t.Errorf("ParseTableName(%q) = %+v", in, got)
		}
	}
}

func TestParseColumnName(t *testing.T) {
	want := ColumnName{TableName{"public", "regions"}, "Region"}
	if got, err := parseColumnName(`public.regions."Region"`); err != nil || got != want || got.String() != `public.regions."Region"` {
		t.Errorf("%+v, %v", got, err)
	}
	for _, in := range []string{"regions.region", "db.public.regions.region", "public.regions."} {
		if got, err := parseColumnName(in); err == nil {
			t.Errorf("parseColumnName(%q) = %+v", in, got)
		}
	}
}
