package edit

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"tacit/policy"
)

// An edit sets one key of a part of the policy file. All else stays byte for byte. It is an error if the file is written in a way that this does
// not know how to change.
type edit struct {
	table policy.TableName
	key   string
	what  string // it is
	part  string // of the file, for people
	under string // the part of this very table
	// before is the key that it stands before, if it is new.
	before string
	// find finds the part; nil if it is not there, or cannot be changed.
	find func(*ast.File) ast.Node
	// forget takes what the key says out of a copy of the table.
	forget func(*policy.Table)
}

func (e edit) apply(path string, data []byte, value string) ([]byte, error) {
	before, err := policy.Parse(path, data)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	instead := func(why string) error {
		return fmt.Errorf("%s: %s; write it yourself under %s: %s: %s", path, why, e.under, e.key, value)
	}
	part := e.find(file)
	if part == nil {
		return nil, instead("the " + e.part + " is not found")
	}
	changed, ok := e.replace(data, part, value)
	if !ok {
		return nil, instead("the " + e.part + " is written in a way that cannot be changed here")
	}
	after, err := policy.Parse(path, changed)
	if err != nil {
		return nil, fmt.Errorf("the %s does not fit into the policy: %w", e.what, err)
	}
	if !reflect.DeepEqual(e.besides(before), e.besides(after)) {
		return nil, instead("something else would change")
	}
	return changed, nil
}

// replace changes the value of the key, if it stands in braces, or puts the key before another one.
func (e edit) replace(data []byte, part ast.Node, value string) ([]byte, bool) {
	if old := entryUnder(part, e.key); old != nil {
		braces, ok := old.Value.(*ast.MappingNode)
		if !ok || !braces.IsFlowStyle {
			return nil, false
		}
		start, okStart := offsetOf(data, braces.Start, "{")
		end, okEnd := offsetOf(data, braces.End, "}")
		if !okStart || !okEnd || end < start {
			return nil, false
		}
		return splice(data, start, end+1, value), true
	}
	next := entryUnder(part, e.before)
	if next == nil {
		return nil, false
	}
	at, ok := offsetOf(data, next.Key.GetToken(), e.before)
	if !ok {
		return nil, false
	}
	if m, ok := part.(*ast.MappingNode); ok && m.IsFlowStyle {
		return splice(data, at, at, e.key+": "+value+", "), true
	}
	indent := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	if strings.Trim(string(indent), " ") != "" {
		return nil, false
	}
	return splice(data, at, at, e.key+": "+value+"\n"+string(indent)), true
}

// besides is what a policy says besides the key.
func (e edit) besides(p *policy.Policy) *policy.Policy {
	plain := *p
	plain.Version = ""
	plain.Tables = make([]*policy.Table, len(p.Tables))
	for i, t := range p.Tables {
		plain.Tables[i] = t
		if t.Name == e.table {
			copied := *t
			e.forget(&copied)
			plain.Tables[i] = &copied
		}
	}
	return &plain
}

// tableNode finds what the policy says of a table; nil if it is not there.
func tableNode(file *ast.File, table policy.TableName) ast.Node {
	for _, document := range file.Docs {
		tables := valueUnder(document.Body, "tables")
		for _, entry := range entriesOf(tables) {
			if name, err := policy.ParseTableName(keyText(entry.Key)); err == nil && name == table {
				return entry.Value
			}
		}
	}
	return nil
}

func entriesOf(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

func valueUnder(n ast.Node, key string) ast.Node {
	if e := entryUnder(n, key); e != nil {
		return e.Value
	}
	return nil
}

func entryUnder(n ast.Node, key string) *ast.MappingValueNode {
	for _, e := range entriesOf(n) {
		if keyText(e.Key) == key {
			return e
		}
	}
	return nil
}

// keyText is a key of a policy that was read without errors: a scalar.
func keyText(key ast.MapKeyNode) string {
	if quoted, ok := key.(*ast.StringNode); ok {
		return quoted.Value
	}
	return key.GetToken().Value
}

// offsetOf is where a token begins in the file, if the text there is what is expected.
func offsetOf(data []byte, t *token.Token, text string) (int, bool) {
	if t == nil || t.Position == nil {
		return 0, false
	}
	offset := 0
	for range t.Position.Line - 1 {
		next := bytes.IndexByte(data[offset:], '\n')
		if next < 0 {
			return 0, false
		}
		offset += next + 1
	}
	line, _, _ := bytes.Cut(data[offset:], []byte("\n"))
	runes := []rune(string(line))
	if t.Position.Column < 1 || t.Position.Column > len(runes) {
		return 0, false
	}
	offset += len(string(runes[:t.Position.Column-1]))
	return offset, bytes.HasPrefix(data[offset:], []byte(text))
}

func splice(data []byte, from, to int, text string) []byte {
	return append(append(append([]byte{}, data[:from]...), text...), data[to:]...)
}
