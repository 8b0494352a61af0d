package wire

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

func FuzzBind(f *testing.F) {
	f.Add([]byte("p\x00s\x00\x00\x01\x00\x01\x00\x02\xff\xff\xff\xff\x00\x00\x00\x01x\x00\x01\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x00\x00\x00\xff\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, ok := DecodeBind(body)
		if !ok {
			return
		}
		again, ok := DecodeBind(Append(nil, WithParameters(m, []string{"{1}", ""}))[HeaderBytes:])
		if !ok || again.DestinationPortal != m.DestinationPortal || again.PreparedStatement != m.PreparedStatement ||
			len(again.Parameters) != len(m.Parameters)+2 {
			t.Fatalf("%+v became %+v", m, again)
		}
		for i, p := range m.Parameters {
			if !bytes.Equal(p, again.Parameters[i]) || (p == nil) != (again.Parameters[i] == nil) || Format(&m, i) != Format(&again, i) {
				t.Errorf("parameter %d changed", i)
			}
		}
		if Format(&again, len(m.Parameters)) != 0 || !slices.Equal(m.ResultFormatCodes, again.ResultFormatCodes) {
			t.Error("the format codes changed")
		}
	})
}

// FuzzDecode has each decoder take only what it would encode to the same bytes.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("SELECT 1\x00"))
	f.Add([]byte("s\x00SELECT $1\x00\x00\x01\x00\x00\x00\x17"))
	f.Add([]byte("Ss\x00"))
	f.Add([]byte("p\x00\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, body []byte) {
		check := func(m pgproto3.Message, ok bool) {
			if ok && !bytes.Equal(Append(nil, m)[HeaderBytes:], body) {
				t.Errorf("%q is taken for %+v", body, m)
			}
		}
		text, ok := DecodeQuery(body)
		check(&pgproto3.Query{String: text}, ok)
		parse, ok := DecodeParse(body)
		check(&parse, ok)
		kind, name, ok := DecodeTarget(body)
		check(&pgproto3.Describe{ObjectType: kind, Name: name}, ok)
		bind, ok := DecodeBind(body)
		check(&bind, ok)
		if portal, _, ok := DecodeExecute(body); ok && len(portal)+5 != len(body) {
			t.Errorf("%q is taken for an Execute of %q", body, portal)
		}
	})
}

// BenchmarkDecode compares the decoders of this package with pgproto3's. Both are run on the messages of one statement.
func BenchmarkDecode(b *testing.B) {
	text := "SELECT region, count(*) FROM patients WHERE age > $1 " + strings.Repeat("AND age <> 17 ", 10)
	for _, c := range []struct {
		name    string
		message pgproto3.Message
		ours    func(body []byte) bool
	}{
		{"Query", &pgproto3.Query{String: text}, func(b []byte) bool { _, ok := DecodeQuery(b); return ok }},
		{"Parse", &pgproto3.Parse{Name: "stmtcache_1", Query: text, ParameterOIDs: []uint32{23, 25}},
			func(b []byte) bool { _, ok := DecodeParse(b); return ok }},
		{"Bind", &pgproto3.Bind{PreparedStatement: "stmtcache_1", ParameterFormatCodes: []int16{0, 0, 0},
			Parameters: [][]byte{[]byte("42"), []byte("north"), nil}, ResultFormatCodes: []int16{1}},
			func(b []byte) bool { _, ok := DecodeBind(b); return ok }},
		{"Describe", &pgproto3.Describe{ObjectType: 'S', Name: "stmtcache_1"}, func(b []byte) bool { _, _, ok := DecodeTarget(b); return ok }},
		{"Execute", &pgproto3.Execute{}, func(b []byte) bool { _, _, ok := DecodeExecute(b); return ok }},
	} {
		body := Append(nil, c.message)[HeaderBytes:]
		b.Run(c.name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !c.ours(body) {
					b.Fatal("not decoded")
				}
			}
		})
		b.Run(c.name+"/pgproto3", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.message.Decode(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLongMessages makes a message of more than a gigabyte, which nothing may send: its length would wrap at four (CVE-2024-27304 of pgx).
func TestLongMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some gigabytes of memory")
	}
	part := make([]byte, 1<<26)
	m := &pgproto3.Bind{}
	for range 15 {
		m.Parameters = append(m.Parameters, part)
	}
	if out, ok := TryAppend(nil, m); !ok || binary.BigEndian.Uint32(out[1:]) != uint32(len(out)-1) {
		t.Error("a message of less than a gigabyte is refused")
	}
	m.Parameters = append(m.Parameters, part)
	if _, ok := TryAppend(nil, m); ok {
		t.Error("a message of more than a gigabyte is not refused")
	}
}
