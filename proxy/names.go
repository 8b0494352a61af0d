package proxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite"
)

// errAskFailed is returned when the server raised an error at a question of the proxy's own. The client has seen the error
// in the place where the error of its statement would be; in the extended protocol the server skips to the next Sync.
var errAskFailed = errors.New("the server raised an error")

// sessionQuery asks, in the analyst's own session, whether she wants notices and what names mean there: the search path
// and her temporary schema are known to the server alone. Everything is qualified, so that nothing in that search path can
// stand in its way; of pg_class it reads no column that analysts may not read. The first name is always NULL, so that
// there is at least one row.
const sessionQuery = `SELECT pg_catalog.current_setting('tacit.notices', true),` +
	` pg_catalog.current_setting('client_min_messages'), s.nspname, c.relname` +
	` FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS q(name, n)` +
	` LEFT JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(q.name)::pg_catalog.oid` +
	` LEFT JOIN pg_catalog.pg_namespace AS s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace` +
	` ORDER BY q.n`

const textArrayOID = 1009

// ask puts the session query to the server and waits for the result. Everything sent before must have been replied to. In the
// extended protocol the exchange becomes part of the client's own pipeline, which its Sync ends; for a Query, endAsking does.
func (in *inbound) ask(names []string) ([]rewrite.Resolution, error) {
	q := in.s.replies
	if !q.inPipeline() {
		in.opened = true
	}
	result := &capture{}
	swallowed := &handling{swallowed: true}
	for _, r := range []request{{kind: parseRequest, how: swallowed}, {kind: bindRequest, how: swallowed},
		{kind: executeRequest, how: &handling{capture: result}},
		{kind: closeRequest, how: swallowed}, {kind: closeRequest, how: swallowed}} {
		if err := q.push(r.kind, r.how); err != nil {
			return nil, err
		}
	}
	if err := in.flush(in.appendAsking(nil, names)...); err != nil {
		return nil, err
	}
	if err := q.await(result); err != nil {
		return nil, err
	}
	in.asked = true
	return in.readAnswer(names, result.rows)
}

// appendAsking appends the messages of a question. Its statement and portal have a name that no client can know, because it was
// drawn at random for this session. They are closed at once, and if the question fails halfway, the next has another name.
func (in *inbound) appendAsking(dst []byte, names []string) []byte {
	in.questions++
	name := fmt.Sprintf("%s:%d", in.s.privateName, in.questions)
	dst = parseMessage{name: name, text: sessionQuery, paramOIDs: []uint32{textArrayOID}}.append(dst)
	bind := bindMessage{portal: name, name: name, params: [][]byte{[]byte(nameArray(names))}, results: []byte{0, 0}}
	dst = bind.appendWith(dst, nil)
	dst, mark := beginMessage(dst, 'E')
	dst = endMessage(append(appendString(dst, name), 0, 0, 0, 0), mark)
	for _, kind := range []byte{'P', 'S'} {
		dst, mark = beginMessage(dst, 'C')
		dst = endMessage(appendString(append(dst, kind), name), mark)
	}
	return appendBare(dst, 'H')
}

// nameArray is the text form of an array of NULL and the names, each a quoted identifier.
func nameArray(names []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	b.WriteString("{NULL")
	for _, n := range names {
		identifier := `"` + strings.ReplaceAll(n, `"`, `""`) + `"`
		fmt.Fprintf(&b, `,"%s"`, escape.Replace(identifier))
	}
	b.WriteString("}")
	return b.String()
}

func (in *inbound) readAnswer(names []string, rows [][]byte) ([]rewrite.Resolution, error) {
	if len(rows) != len(names)+1 {
		return nil, fmt.Errorf("the server answered %d names of %d", len(rows)-1, len(names))
	}
	var resolved []rewrite.Resolution
	for i, row := range rows {
		fields, ok := decodeRow(row)
		if !ok || len(fields) != 4 {
			return nil, errors.New("the server answered with another row than was asked for")
		}
		if i == 0 {
			in.quiet = silenced(string(fields[0]), string(fields[1]))
			continue
		}
		resolved = append(resolved, rewrite.Resolution{
			Name: names[i-1], Table: policy.TableName{Schema: string(fields[2]), Name: string(fields[3])},
		})
	}
	return resolved, nil
}

// decodeRow reads the body of a DataRow. NULL is nil.
func decodeRow(body []byte) (fields [][]byte, ok bool) {
	b := bodyReader{rest: body}
	for range b.uint16() {
		fields = append(fields, b.param())
		if b.bad {
			return nil, false
		}
	}
	return fields, b.done()
}

// silenced says whether the analyst wants no notices: by tacit.notices, in any spelling of false, or by a level above NOTICE.
func silenced(notices, level string) bool {
	switch strings.ToLower(strings.TrimSpace(notices)) {
	case "of", "off", "f", "fa", "fal", "fals", "false", "n", "no", "0":
		return true
	}
	switch level {
	case "warning", "error", "fatal", "panic":
		return true
	}
	return false
}

// endAsking ends the transaction that asking has opened outside of a client's pipeline, so that a Query finds the session as
// it was.
func (in *inbound) endAsking() error {
	if !in.opened {
		return nil
	}
	in.opened = false
	if err := in.s.replies.push(syncRequest, &handling{swallowed: true}); err != nil {
		return err
	}
	return in.flush(appendBare(nil, 'S')...)
}

// sameNames says whether names mean now what they meant then.
func sameNames(then, now []rewrite.Resolution) bool { return slices.Equal(then, now) }

func namesOf(resolutions []rewrite.Resolution) []string {
	names := make([]string, len(resolutions))
	for i, r := range resolutions {
		names[i] = r.Name
	}
	return names
}
