package proof

import (
	"encoding/binary"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy"
)

// A pair of sessions sees two databases that differ in their protected rows alone.
type pair struct {
	t                     testing.TB
	presentURL, absentURL string
	present, absent       *client
}

func newPairOf(t testing.TB, present, absent string) *pair {
	p := &pair{t: t, presentURL: present, absentURL: absent}
	p.connect()
	return p
}

func (p *pair) connect() {
	p.t.Helper()
	p.present, p.absent = connect(p.t, p.presentURL), connect(p.t, p.absentURL)
}

// send sends messages to both and demands that not a byte of what comes back differs, but for what mask leaves out.
func (p *pair) send(what fmt.Stringer, sql string, mask func([]message) []string, messages ...pgproto3.FrontendMessage) []message {
	p.t.Helper()
	return p.same(what, sql, mask, p.present.exchange(1, messages...), p.absent.exchange(1, messages...))
}

func (p *pair) same(what fmt.Stringer, sql string, mask func([]message) []string, present, absent []message) []message {
	p.t.Helper()
	if diff := cmp.Diff(mask(p.anonymous(absent)), mask(p.anonymous(present))); diff != "" {
		p.t.Errorf("%v: the planted person shows in\n%s\n(-absent +present):\n%s", what, sql, diff)
	}
	if slices.ContainsFunc(absent, func(m message) bool { return m.kind == '!' }) {
		p.connect()
	}
	return absent
}

// reset brings both sessions back to where they began.
func (p *pair) reset() {
	p.t.Helper()
	for _, sql := range []string{"ROLLBACK", "DISCARD ALL"} {
		p.present.query(sql)
		p.absent.query(sql)
	}
}

// databaseName is the name of a site's database.
var databaseName = regexp.MustCompile(`test_\d+`)

// recorded is when an answer was recorded, to the minute, which may end between the two databases, and how long ago that is.
var recorded = regexp.MustCompile(`answered (just now|\d+ \w+ ago)( to (just now|\d+ \w+ ago))?, \d{4}-\d\d-\d\d \d\d:\d\d( to \d{4}-\d\d-\d\d \d\d:\d\d)?`)

// anonymous leaves out what the databases are called, and when answers were recorded.
func (p *pair) anonymous(replies []message) []message {
	out := slices.Clone(replies)
	for i, m := range out {
		if m.kind == 'E' || m.kind == 'N' {
			out[i].body = recorded.ReplaceAll(databaseName.ReplaceAll(m.body, []byte("database")), []byte("answered then"))
		}
	}
	return out
}

// everything masks nothing.
func everything(replies []message) []string { return lines(replies) }

// reachedTheServer recognises the error of a statement about protected rows that the server had analysed and planned before it
// denied it: the proxy should have seen it.
var reachedTheServer = regexp.MustCompile(`permission denied for (table|view|materialized view) (members|logins|people|adults|owners|trips)`)

// harmless are statements that leave nothing behind in a session, except some that only look so.
var harmless = regexp.MustCompile(`(?i)^\s*\(*(SELECT|VALUES|TABLE)\b([^is]|i[^n]|s[^e]|in[^t]|se[^t])*$`)

// raw sends a case that is no statement.
func (p *pair) raw(c *testCase) []message {
	p.t.Helper()
	body, err := strconv.Unquote(c.last())
	if err != nil {
		p.t.Fatalf("%v: %v", c, err)
	}
	sent := []byte(body)
	sync := []byte("S\x00\x00\x00\x04")
	if kind, ok := c.directive("message"); ok {
		sent = append(binary.BigEndian.AppendUint32([]byte(kind), uint32(len(body)+4)), body...)
		if kind == "Q" || kind == "F" {
			sync = nil
		}
	}
	if _, ok := c.directive("startup"); !ok {
		return p.same(c, c.last(), everything, p.present.talk(1, append(sent, sync...)), p.absent.talk(1, append(sent, sync...)))
	}
	sent = append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...)
	present, absent := dial(p.t, p.presentURL), dial(p.t, p.absentURL)
	return p.same(c, c.last(), everything, present.talk(1, sent), absent.talk(1, sent))
}

// dial connects and says nothing.
func dial(t testing.TB, url string) *client {
	t.Helper()
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))))
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, conn}
	t.Cleanup(c.close)
	return c
}

// isRaw reports whether a case is no statement.
func (c *testCase) isRaw() bool {
	for _, name := range []string{"message", "startup", "bytes"} {
		if _, ok := c.directive(name); ok {
			return true
		}
	}
	return false
}

// run runs a case in one of the protocols and returns the replies to its last statement.
func (p *pair) run(c *testCase, protocol string, mask func([]message) []string) []message {
	p.t.Helper()
	defer func() {
		if len(c.steps) > 1 || !harmless.MatchString(c.last()) {
			p.reset()
		}
	}()
	if c.isRaw() {
		return p.raw(c)
	}
	var replies []message
	for i, sql := range c.steps {
		switch {
		case protocol == "simple" || i < len(c.steps)-1:
			replies = p.send(c, sql, mask, &pgproto3.Query{String: sql})
		default:
			params := c.parameters(p.t, 0)
			replies = p.send(c, sql, mask, extended(sql, params, nil)...)
		}
	}
	for _, m := range replies {
		if m.kind == 'E' && strings.HasPrefix(m.field('C'), "XX") {
			p.t.Errorf("%v: %s\n%s", c, m, c.last())
		}
		if m.kind == 'E' && reachedTheServer.MatchString(m.field('M')) {
			p.t.Errorf("%v: the server was asked about protected rows, in the %s protocol:\n%s\n%s", c, protocol, c.last(), m)
		}
	}
	return replies
}

var protocols = []string{"simple", "extended"}

// TestRefusalsHideWhoIsThere sends every refused statement, and what comes before it in its session, to a database with people of
// extreme values and to one without them. Everything that comes back must be the same: SQLSTATE, message, detail, hint, position,
// notices, tags, row descriptions. It fails if a statement is answered, if a refusal depends on a row, and if one reaches
// the server.
func TestRefusalsHideWhoIsThere(t *testing.T) {
	with, without := newPair(t)
	p := newPairOf(t, with.url(with.serve(with.gateway)), without.url(without.serve(without.gateway)))
	classes, n := make(map[int]int), 0
	for i, c := range readCases(t, "testdata/refusals.sql") {
		if len(c.steps) == 0 {
			continue
		}
		n++
		for _, class := range c.classes(t) {
			classes[class]++
		}
		for _, protocol := range inShort(i) {
			replies := p.run(c, protocol, everything)
			_, masked := c.directive("masked")
			if m, _ := failure(replies); protocol == "simple" && testing.Verbose() {
				t.Logf("%v: %s %s", c, m.field('C'), m.field('M'))
			}
			if _, failed := failure(replies); !failed && !masked {
				t.Errorf("%v: not refused in the %s protocol:\n%s\n%s", c, protocol, c.last(), strings.Join(lines(replies), "\n"))
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d refusals", n)
	}
	for class := 1; class <= lastClass; class++ {
		if classes[class] == 0 {
			t.Errorf("no refusal of class %d ", class)
		}
	}
	if s := with.log.String() + without.log.String(); strings.Contains(s, "level=ERROR") {
		t.Errorf("a proxy logged an error:\n%s", s)
	}
}

// lastClass is the highest number of a class of threats.
const lastClass = 59

// classes are the classes of threats that a refusal is about: the numbers in its comments.
func (c *testCase) classes(t testing.TB) []int {
	t.Helper()
	var classes []int
	for _, line := range c.comments {
		for _, word := range strings.Fields(strings.TrimPrefix(line, "#")) {
			n, err := strconv.Atoi(strings.Trim(word, ",:"))
			if err != nil {
				break
			}
			classes = append(classes, n)
		}
	}
	if len(classes) == 0 {
		t.Errorf("%v: no class", c)
	}
	return classes
}

// TestLoginsHideWhoIsThere compares what the server says to whoever logs in, but for the key of her session.
func TestLoginsHideWhoIsThere(t *testing.T) {
	t.Parallel()
	with, without := newPair(t)
	var seen [2][]string
	for i, s := range []*site{with, without} {
		body := fmt.Sprintf("\x00\x03\x00\x00user\x00ana\x00database\x00%s\x00application_name\x00x\x00\x00", s.database)
		c := dial(t, s.url(s.serve(s.gateway)))
		for _, m := range c.talk(1, append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4)), body...)) {
			if m.kind != 'K' {
				seen[i] = append(seen[i], m.String())
			}
		}
	}
	if diff := cmp.Diff(seen[1], seen[0]); diff != "" || len(seen[0]) < 10 {
		t.Errorf("%d messages (-absent +present):\n%s", len(seen[0]), diff)
	}
}

// TestConstantAnswersHideWhoIsThere sends every statement of all files to both databases through a gateway whose cells are the same for
// both. Whatever still differs was learnt otherwise. With -short every twenty-seventh is sent, in one protocol, in turn. Tests that compare two databases run alone: while other transactions are open, the
// server keeps dead rows of its catalogs, and where new ones go then differs between databases.
func TestConstantAnswersHideWhoIsThere(t *testing.T) {
	with, without := newPair(t)
	var gateways [2]proxy.Releaser
	for i, s := range []*site{with, without} {
		gateways[i] = &constantGateway{Gateway: s.gateway, conn: connectCurator(s)}
	}
	p := newPairOf(t, with.url(with.serve(gateways[0])), without.url(without.serve(gateways[1])))
	for i, c := range slices.Concat(readGolden(t), readCases(t, "testdata/differential/*.sql"), readCases(t, "testdata/answers.sql"), readCases(t, "testdata/refusals.sql")) {
		if len(c.steps) == 0 || volatile.MatchString(c.last()) {
			continue
		}
		for j, protocol := range protocols {
			if !testing.Short() || i%(27*len(protocols)) == 27*j {
				p.run(c, protocol, everything)
			}
		}
	}
}

// volatile are statements whose results differ from one time to the next, and so say nothing here.
var volatile = regexp.MustCompile(`(?i)explain analyze|pg_class|pg_stat|tacit\.|now\(\)|clock_timestamp|current_timestamp|random\(|current_database|pg_backend_pid|txid|pg_sleep|inet_`)

// TestAnswersHideWhoIsThere asks both databases through real gateways. All but the noisy counts must be the same: how many rows there
// are, their keys, their order, columns, tags and what an answer costs. It fails if an unknown key or a group that only one
// database has is shown without a threshold (the delta of the policy makes that improbable), and if rows come in the server's order.
func TestAnswersHideWhoIsThere(t *testing.T) {
	with, without := newPair(t)
	p := newPairOf(t, with.url(with.serve(with.gateway)), without.url(without.serve(without.gateway)))
	answered := 0
	cases := readCases(t, "testdata/answers.sql")
	for i, c := range cases {
		if len(c.steps) == 0 {
			continue
		}
		keys := 0
		if v, ok := c.directive("keys"); ok {
			keys, _ = strconv.Atoi(v)
		}
		mask := func(replies []message) []string { return maskCounts(replies, keys) }
		for _, protocol := range inShort(i) {
			replies := p.run(c, protocol, mask)
			_, failed := failure(replies)
			if *update {
				c.mark("refused", failed)
			} else if _, refused := c.directive("refused"); failed != refused {
				t.Errorf("%v: refused=%v in the %s protocol:\n%s\n%s", c, failed, protocol, c.last(), strings.Join(lines(replies), "\n"))
			}
			if !failed {
				answered++
			}
		}
	}
	if *update {
		writeCases(t, "testdata/answers.sql", cases)
	}
	least := 100
	if testing.Short() {
		least /= 6
	}
	if answered < least {
		t.Errorf("only %d answers", answered)
	}
}

// TestWhoIsOutsideChangesNothing asks, with exact counts in place of noisy ones, what the planted people have no part in: their rows are outside of the
// condition, or their values are left out. No byte may differ. It fails if a value that is extreme makes a sum fail or overflow, if NULL, NaN or infinity reach a
// number beside it, and if somebody's many rows change which rows of others are counted.
func TestWhoIsOutsideChangesNothing(t *testing.T) {
	with, without := newPair(t)
	p := newPairOf(t, with.url(with.serve(newExactGateway(with))), without.url(without.serve(newExactGateway(without))))
	n := 0
	for _, c := range readCases(t, "testdata/answers.sql") {
		if _, ok := c.directive("unchanged"); !ok {
			continue
		}
		tried := protocols
		if testing.Short() {
			tried = protocols[n%len(protocols):][:1]
		}
		n++
		for _, protocol := range tried {
			if m, failed := failure(p.run(c, protocol, everything)); failed {
				t.Errorf("%v: %s\n%s", c, c.last(), m)
			}
		}
	}
	if n < 15 {
		t.Errorf("only %d statements", n)
	}
}

// maskCounts leaves out all columns of rows but the first ones, and nothing else.
func maskCounts(replies []message, keys int) []string {
	var out []string
	for _, m := range replies {
		if m.kind != 'D' {
			out = append(out, m.String())
			continue
		}
		row := m.row()
		out = append(out, fmt.Sprintf("D %q of %d", row[:min(keys, len(row))], len(row)))
	}
	return out
}

// inShort are the protocols in which the case with a number is sent: with -short every third case is, in one, in turn.
func inShort(number int) []string {
	if !testing.Short() || *update {
		return protocols
	}
	if number%3 != 0 {
		return nil
	}
	return protocols[number/3%len(protocols):][:1]
}
