package proxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite"
)

// sessionQuery asks, in the analyst's own session, whether she wants notices and fresh answers, and what names mean there: the search path
// and her temporary schema are known to the server alone. Everything is qualified, so that nothing in that search path can
// stand in its way; of pg_class it reads no column that analysts may not read. The first name is always NULL, so that
// there is at least one row.
const sessionQuery = `SELECT pg_catalog.current_setting('tacit.notices', true), pg_catalog.current_setting('client_min_messages'),` +
	` pg_catalog.current_setting('tacit.fresh', true), s.nspname, c.relname` +
	` FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS q(name, n)` +
	` LEFT JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(q.name)::pg_catalog.oid` +
	` LEFT JOIN pg_catalog.pg_namespace AS s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace` +
	` ORDER BY q.n`

const textArrayOID = 1009

// ask asks what names mean, and whether notices and fresh answers are wanted. Everything sent before must have been replied to.
func (in *inbound) ask(names []string) ([]rewrite.Resolution, error) {
	rows, err := in.put(in.sessionQuestion(names))
	if err != nil {
		return nil, err
	}
	return in.readAnswer(names, rows)
}

// sessionQuestion is the session query. Its statement and portal are closed at once, and if it fails halfway, the next question has
// another name.
func (in *inbound) sessionQuestion(names []string) (ask question) {
	name := in.ownName()
	ask.parse(parseMessage{name: name, text: sessionQuery, paramOIDs: []uint32{textArrayOID}})
	ask.bind(bindMessage{portal: name, name: name, params: [][]byte{[]byte(nameArray(names))}, results: []byte{0, 0}})
	ask.execute(name)
	ask.closePortal(name)
	ask.closeStatement(name)
	return ask
}

// constants evaluates the expressions without columns of a statement in the analyst's own session. An error that the server raises at
// them is that of her statement.
func (in *inbound) constants(v *rewrite.Answer, params []rewrite.Value) ([]rewrite.Value, error) {
	sql, args := v.Constants(params)
	if sql == "" {
		return nil, nil
	}
	values := make([][]byte, len(args))
	for i, a := range args {
		if !a.Null {
			values[i] = []byte(a.Text)
		}
	}
	name := in.ownName()
	var ask question
	ask.parse(parseMessage{name: name, text: sql})
	ask.bind(bindMessage{portal: name, name: name, params: values, results: []byte{0, 0}})
	ask.execute(name)
	ask.closePortal(name)
	ask.closeStatement(name)
	rows, err := in.put(ask)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, rewrite.RefuseConstants()
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("the server answered %d rows of constants", len(rows))
	}
	fields, ok := decodeRow(rows[0])
	if !ok {
		return nil, errors.New("the server answered with another row than was asked for")
	}
	constants := make([]rewrite.Value, len(fields))
	for i, f := range fields {
		constants[i] = rewrite.Value{Text: string(f), Null: f == nil}
	}
	return constants, nil
}

// ownName is a new name for a statement and a portal of the proxy's own.
func (in *inbound) ownName() string {
	in.questions++
	return fmt.Sprintf("%s:%d", in.s.privateName, in.questions)
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

// readAnswer reads the result of the session query.
func (in *inbound) readAnswer(names []string, rows [][]byte) ([]rewrite.Resolution, error) {
	if len(rows) != len(names)+1 {
		return nil, fmt.Errorf("the server answered %d names of %d", len(rows)-1, len(names))
	}
	var resolved []rewrite.Resolution
	for i, row := range rows {
		fields, ok := decodeRow(row)
		if !ok || len(fields) != 5 {
			return nil, errors.New("the server answered with another row than was asked for")
		}
		if i == 0 {
			in.quiet = silenced(string(fields[0]), string(fields[1]))
			in.fresh = freshened(string(fields[2]))
			continue
		}
		resolved = append(resolved, rewrite.Resolution{
			Name: names[i-1], Table: policy.TableName{Schema: string(fields[3]), Name: string(fields[4])},
		})
	}
	in.asked = true
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

// freshened says whether the analyst wants to be asked for anew what follows from recorded answers: by tacit.fresh, in any spelling of
// true. What is no spelling of it charges nothing.
func freshened(setting string) bool {
	switch strings.ToLower(strings.TrimSpace(setting)) {
	case "on", "t", "tr", "tru", "true", "y", "ye", "yes", "1":
		return true
	}
	return false
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
