package proxy

import (
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestSuppressedOnTheWire has a suppressed count arrive as NULL in every way to ask and in both formats.
func TestSuppressedOnTheWire(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.suppress = true })
	const (
		noNorth     = `D "\x00\x02\x00\x00\x00\x05north\xff\xff\xff\xff"`
		binarySouth = `D "\x00\x02\x00\x00\x00\x05south\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\x14"`
		noTotal     = `D "\x00\x01\xff\xff\xff\xff"`
	)
	inBinary := func(name string) *pgproto3.Bind {
		return &pgproto3.Bind{PreparedStatement: name, ResultFormatCodes: []int16{1}}
	}
	for _, c := range []struct {
		name  string
		sent  messages
		ready int
		want  []string
	}{
		{"simple", messages{simpleQuery(byRegion)}, 1, []string{notice, noNorth, south, selected, idle}},
		{"a count of all rows", messages{simpleQuery("SELECT count(*) FROM patients")}, 1, []string{notice, noTotal, one("SELECT 1"), idle}},
		{"a total", messages{simpleQuery("SELECT sum(n)::bigint FROM (SELECT count(*) AS n FROM patients) x")}, 1, []string{notice, noTotal, one("SELECT 1"), idle}},
		{"extended, text", messages{parse("s", byRegion), bind("", "s"), executeUpTo("", 0), sync_}, 1,
			[]string{`1 ""`, notice, `2 ""`, noNorth, south, selected, idle}},
		{"extended, binary", messages{inBinary("s"), executeUpTo("", 0), sync_}, 1, []string{notice, `2 ""`, noNorth, binarySouth, selected, idle}},
		{"a share, binary", messages{parse("a", "SELECT avg((age < 2)::int) FROM patients"), inBinary("a"), executeUpTo("", 0), sync_}, 1,
			[]string{`1 ""`, notice, `2 ""`, noTotal, one("SELECT 1"), idle}},
		{"HAVING", messages{simpleQuery(byRegion + " HAVING count(*) > 0")}, 1, []string{notice, south, one("SELECT 1"), idle}},
		{"SQL", messages{simpleQuery("PREPARE q AS " + byRegion), simpleQuery("EXECUTE q")}, 2, []string{one("PREPARE"), idle, notice, noNorth, south, selected, idle}},
		{"a cursor", messages{simpleQuery("BEGIN"), simpleQuery("DECLARE c CURSOR FOR " + byRegion), simpleQuery("FETCH ALL FROM c"), simpleQuery("COMMIT")}, 4,
			[]string{one("BEGIN"), inBlock, notice, one("DECLARE CURSOR"), inBlock, noNorth, south, one("FETCH 2"), inBlock, one("COMMIT"), idle}},
		{"COPY", messages{simpleQuery("COPY (" + byRegion + ") TO STDOUT")}, 1,
			[]string{notice, `H "\x00\x00\x02\x00\x00\x00\x00"`, `d "north\t\\N\n"`, `d "south\t20\n"`, `c ""`, one("COPY 2"), idle}},
		{"COPY, binary", messages{simpleQuery("COPY (" + byRegion + ") TO STDOUT (FORMAT binary)")}, 1,
			[]string{notice, `H "\x01\x00\x02\x00\x01\x00\x01"`, `d "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x05north\xff\xff\xff\xff"`,
				`d "\x00\x02\x00\x00\x00\x05south\x00\x00\x00\b\x00\x00\x00\x00\x00\x00\x00\x14"`, `d "\xff\xff"`, `c ""`, one("COPY 2"), idle}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			p.expect(c.ready, c.sent, c.want...)
		})
	}
}
