package rewrite

import (
	"context"
	"fmt"
	"testing"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
)

// TestDecodeBinary has the server send values in binary form, and compares what is made of them with the server's text, both read
// as constants of the type.
func TestDecodeBinary(t *testing.T) {
	server := newTwin(t)
	for name, values := range map[string][]string{
		"bool":        {"t", "f"},
		"int2":        {"0", "-32768", "32767"},
		"int4":        {"0", "-1", "2147483647"},
		"int8":        {"-9223372036854775808", "5"},
		"numeric":     {"0", "1", "-1.5", "10000", "0.0001", "123456789.000987", "NaN", "1e20", "-99999999.99999999", "100000000", "0.5000"},
		"float4":      {"0", "-0", "1.5", "NaN", "Infinity", "-Infinity", "0.1", "1e-40"},
		"float8":      {"0", "0.1", "1e300", "-Infinity", "5e-324"},
		"text":        {"", "a", "ö'\"\\"},
		"varchar":     {"x "},
		"bpchar":      {"x  "},
		"date":        {"2020-02-29", "0001-01-01", "9999-12-31", "infinity", "-infinity", "1999-12-31"},
		"timestamp":   {"2020-02-29 23:59:59.999999", "1999-12-31 12:00:00.5", "infinity", "-infinity", "0001-01-01 00:00:00"},
		"timestamptz": {"2020-02-29 23:59:59.999999+00", "-infinity"},
		"uuid":        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
	} {
		var oid pgvalue.OID
		for _, b := range pgvalue.Builtins {
			if b.Name == name {
				oid = b.OID
			}
		}
		for _, text := range values {
			want, refusal := pgvalue.ReadDatum(oid, text)
			if refusal != nil {
				t.Errorf("%s %q: %v", name, text, refusal)
				continue
			}
			v, refusal := pgvalue.DecodeParam(oid, 1, server.binary("$1::"+name, text))
			if refusal != nil {
				t.Errorf("%s %q: %v", name, text, refusal)
				continue
			}
			if got, refusal := pgvalue.ReadDatum(oid, v.Text); refusal != nil || got.Text != want.Text {
				t.Errorf("%s %q: %q, %v", name, text, got.Text, refusal)
			}
		}
		b, _ := pgvalue.BuiltinType(oid)
		want := append([]pgvalue.Value{{Null: true}}, pgvalue.Value{Text: values[0]}, pgvalue.Value{Text: values[len(values)-1]})
		v, refusal := pgvalue.DecodeParam(b.Array, 1, server.binary("$1::"+name+"[]", pgvalue.ArrayOfValues(want)))
		if refusal != nil {
			t.Fatalf("%s[]: %v", name, refusal)
		}
		got, refusal := pgvalue.ParseArray(v.Text)
		if refusal != nil || len(got) != 3 || !got[0].Null {
			t.Fatalf("%s[]: %v, %v", name, got, refusal)
		}
		for i := 1; i < 3; i++ {
			w, _ := pgvalue.ReadDatum(oid, want[i].Text)
			if g, refusal := pgvalue.ReadDatum(oid, got[i].Text); refusal != nil || g.Text != w.Text {
				t.Errorf("%s[]: %q instead of %q, %v", name, g.Text, w.Text, refusal)
			}
		}
	}
}

// binary evaluates an expression of one text parameter to its binary form.
func (t *twin) binary(expression, text string) []byte {
	t.tb.Helper()
	r := t.conn.ExecParams(context.Background(), "SELECT "+expression, [][]byte{[]byte(text)}, nil, nil, []int16{1}).Read()
	if r.Err != nil {
		t.tb.Fatalf("%s %q: %v", expression, text, r.Err)
	}
	return r.Rows[0][0]
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		oid    uint32
		format int16
		data   string
		code   string
	}{
		{pgvalue.Int4, 1, "abc", "22P03"}, {pgvalue.Int4, 1, "12345678", "22P03"}, {pgvalue.Int4, 2, "1", "22023"}, {pgvalue.Text, 0, "a\x00", "22021"}, {pgvalue.Text, 1, "\xff", "22021"},
		{pgvalue.Numeric, 1, "\x00\x01\x00\x00\x00\x00\x00\x00", "22P03"}, {pgvalue.Numeric, 1, "\x00\x01\x00\x00\x00\x00\x00\x00\xff\xff", "22P03"}, {pgvalue.Numeric, 1, "\x00\x00\x00\x00\x10\x00\x00\x00", "22P03"},
		{1007, 1, "", "22P03"}, {1007, 1, "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x17\x7f\xff\xff\xff\x00\x00\x00\x01", "22P03"},
		{1007, 1, "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00\x01", "42804"}, {pgvalue.UUID, 1, "x", "22P03"}, {pgvalue.Bool, 1, "", "22P03"},
	} {
		_, refusal := pgvalue.DecodeParam(c.oid, c.format, []byte(c.data))
		if refusal == nil || refusal.Code != c.code {
			t.Errorf("%v: %v", c, refusal)
		}
	}
	if v, refusal := pgvalue.DecodeParam(17, 1, []byte{0xff}); refusal != nil || v != (pgvalue.Value{}) {
		t.Errorf("a type that is never compared: %v, %v", v, refusal)
	}
	if v, _ := pgvalue.DecodeParam(pgvalue.Int4, 1, nil); !v.Null {
		t.Error("NULL")
	}
}

func FuzzDecodeParam(f *testing.F) {
	for _, b := range pgvalue.Builtins {
		f.Add(b.OID, int16(1), []byte("12345678"))
		f.Add(b.Array, int16(1), []byte("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x17\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x04abcd"))
	}
	f.Add(pgvalue.Text, int16(0), []byte("x"))
	f.Fuzz(func(t *testing.T, oid uint32, format int16, data []byte) {
		v, refusal := pgvalue.DecodeParam(oid, format, data)
		if refusal == nil && scan.InvalidUTF8(v.Text) >= 0 {
			t.Errorf("%q", v.Text)
		}
		if _, ok := pgvalue.BuiltinType(oid); refusal == nil && ok {
			d, refusal := pgvalue.ReadDatum(oid, v.Text)
			if again, refused := pgvalue.ReadDatum(oid, d.Text); refusal == nil && (refused != nil || again.Text != d.Text) {
				t.Errorf("%q is read as %q, which is read as %q", v.Text, d.Text, again.Text)
			}
		}
	})
}

// TestReadDatum compares the reading of constants with the server's, for texts on which all servers and settings agree.
func TestReadDatum(t *testing.T) {
	server := newTwin(t)
	texts := []string{"", " ", "0", "-0", " 7 ", "007", "+5", "--5", "5.", ".5", ".", "5.5", "1e3", "1e", "1e+3", "1E-3", "12345678901", "-2147483648", "2147483648", "99999999999999999999",
		"nan", "NaN", "inf", "Infinity", "-inf", "infinity", "t", "tr", "TRUE", "f", "fals", "yes", "y", "no", "n", "on", "o", "of", "off", "1", "2", "abc", "1 2",
		"1e400", "1e-400", "4e38", "1e-46", "0.1", "1e-40",
		"2020-01-31", "2020-02-30", "2020-13-01", "0000-01-01", "9999-12-31", " 2020-01-31 ", "2020-01-31 24:00:01", "2020-01-31 23:59:60.5",
		"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", "a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", "a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "-a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-",
		"2020-01-31 10:00:00+02", "2020-01-31 10:00:00.123456-01:30", "2020-01-31 10:00:00Z", "2020-01-31 10:00:00+16", "2020-01-31T10:00",
		"2020-01-31 +02", "2020-01-31 -0530", "2020-01-31 +05:30", "2020-01-31 Z", "2020-01-31 +16", "2020-01-31 23:59:59.9-12", "2020-01-31 25:00:00+01", "2020-01-31 10:11:12.5+02", "2020-01-31+02"}
	ours := map[string]bool{ // less than the server takes, on purpose
		"numeric inf": true, "numeric Infinity": true, "numeric -inf": true, "numeric infinity": true,
	}
	for _, b := range pgvalue.Builtins {
		if b.OID == pgvalue.Bpchar || b.OID == pgvalue.Interval { // of intervals, only the plainest notation is read
			continue
		}
		for _, text := range texts {
			want, err := server.run("SELECT ($1::"+b.Name+")::text", nil, []pgvalue.Value{{Text: text}})
			got, refusal := pgvalue.ReadDatum(b.OID, text)
			name := b.Name + " " + text
			switch {
			case refusal != nil && err == nil:
				if f := b.Family; !ours[name] && f != pgvalue.Instants && f != pgvalue.Dates {
					t.Errorf("%s: %v, the server takes it", name, refusal)
				}
			case refusal == nil && err != nil:
				t.Errorf("%s: the server says %v", name, err)
			case refusal == nil:
				same, err := server.run("SELECT $1::"+b.Name+" = $2::"+b.Name, nil, []pgvalue.Value{{Text: text}, {Text: got.Text}})
				if err != nil || same.Rows[0] != `"t"` {
					t.Errorf("%s: %s, the server reads %s, %v", name, got.Text, want.Rows[0], err)
				}
			default:
				if code := fmt.Sprint(err); b.Family != pgvalue.Dates && b.Family != pgvalue.Instants && !contains(code, refusal.Code) {
					t.Errorf("%s: %s %v, the server says %v", name, refusal.Code, refusal, err)
				}
			}
		}
	}
}

// TestDriverTimes reads times as pgjdbc sends them for parameters of no declared type. The server disregards what the
// type does not have, whatever TimeZone is.
func TestDriverTimes(t *testing.T) {
	server := newTwin(t)
	server.exec("SET TimeZone = 'Asia/Kolkata'")
	for _, c := range []struct {
		oid        pgvalue.OID
		text, want string // empty: refused
	}{
		{pgvalue.Timestamp, "2020-01-31 10:11:12.5+02", "2020-01-31 10:11:12.5"},
		{pgvalue.Timestamp, "2020-01-31 23:30:00-05:30", "2020-01-31 23:30:00"},
		{pgvalue.Timestamp, "2020-01-31 10:00:00Z", "2020-01-31 10:00:00"},
		{pgvalue.Date, "2020-01-31 +02", "2020-01-31"},
		{pgvalue.Date, "2020-01-31 -0530", "2020-01-31"},
		{pgvalue.Date, "2020-01-31 23:59:59.9-12", "2020-01-31"},
		{pgvalue.Date, "2020-01-31 10:11:12", "2020-01-31"},
		{pgvalue.Timestamptz, "2020-01-31 23:30:00-05:30", "2020-02-01 05:00:00+00"},
		{pgvalue.Timestamptz, "2020-01-31 +02", ""},
		{pgvalue.Timestamp, "2020-01-31 +02", ""},
		{pgvalue.Timestamptz, "2020-01-31 10:11:12", ""},
		{pgvalue.Date, "2020-01-31 25:00:00+02", ""},
		{pgvalue.Date, "2020-01-31 ", "2020-01-31"},
		{pgvalue.Date, "2020-01-31+02", ""},
	} {
		got, refusal := pgvalue.ReadDatum(c.oid, c.text)
		if got.Text != c.want || refusal == nil == (c.want == "") {
			t.Errorf("%s %q: %q, %v", pgvalue.ShownType(c.oid), c.text, got.Text, refusal)
		}
		if c.want == "" {
			continue
		}
		same, err := server.run("SELECT $1 = $2", []uint32{c.oid, c.oid}, []pgvalue.Value{{Text: c.text}, {Text: c.want}})
		if err != nil || same.Rows[0] != `"t"` {
			t.Errorf("%s %q: the server differs: %v", pgvalue.ShownType(c.oid), c.text, err)
		}
	}
}
