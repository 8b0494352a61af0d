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

// Certified is the text of a policy file with a certified plan under the mechanism of an audited table, in place of the one that is there,
// if any. All else stays byte for byte. It is an error if the file is written in a way that this does not know how to change.
func Certified(path string, data []byte, table policy.TableName, certified string) ([]byte, error) {
	before, err := policy.Parse(path, data)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	instead := func(why string) error {
		return fmt.Errorf("%s: %s; write it yourself under the mechanism of %v: certified: %s", path, why, table, certified)
	}
	mechanism := mechanismNode(file, table)
	if mechanism == nil {
		return nil, instead("the mechanism is not found")
	}
	changed, ok := replaceCertified(data, mechanism, certified)
	if !ok {
		return nil, instead("the mechanism is written in a way that cannot be changed here")
	}
	after, err := policy.Parse(path, changed)
	if err != nil {
		return nil, fmt.Errorf("the plan does not fit into the policy: %w", err)
	}
	if !onlyCertified(before, after, table) {
		return nil, instead("something else would change")
	}
	return changed, nil
}

// mechanismNode finds the mechanism of a table; nil if it is no mapping.
func mechanismNode(file *ast.File, table policy.TableName) *ast.MappingNode {
	m, _ := valueUnder(tableNode(file, table), "mechanism").(*ast.MappingNode)
	return m
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

// replaceCertified changes the value of the key certified, or puts the key before the key kind.
func replaceCertified(data []byte, mechanism *ast.MappingNode, certified string) ([]byte, bool) {
	if old := entryUnder(mechanism, "certified"); old != nil {
		value, ok := old.Value.(*ast.MappingNode)
		if !ok || !value.IsFlowStyle {
			return nil, false
		}
		start, okStart := offsetOf(data, value.Start, "{")
		end, okEnd := offsetOf(data, value.End, "}")
		if !okStart || !okEnd || end < start {
			return nil, false
		}
		return splice(data, start, end+1, certified), true
	}
	kind := entryUnder(mechanism, "kind")
	if kind == nil {
		return nil, false
	}
	at, ok := offsetOf(data, kind.Key.GetToken(), "kind")
	if !ok {
		return nil, false
	}
	if mechanism.IsFlowStyle {
		return splice(data, at, at, "certified: "+certified+", "), true
	}
	indent := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	if strings.Trim(string(indent), " ") != "" {
		return nil, false
	}
	return splice(data, at, at, "certified: "+certified+"\n"+string(indent)), true
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

// onlyCertified reports whether two policies differ in nothing but the plan of a table.
func onlyCertified(a, b *policy.Policy, table policy.TableName) bool {
	return reflect.DeepEqual(withoutPlan(a, table), withoutPlan(b, table))
}

func withoutPlan(p *policy.Policy, table policy.TableName) *policy.Policy {
	plain := *p
	plain.Version = ""
	plain.Tables = make([]*policy.Table, len(p.Tables))
	for i, t := range p.Tables {
		plain.Tables[i] = t
		if t.Name == table && t.Mechanism.Audit != nil {
			copied, audit := *t, *t.Mechanism.Audit
			audit.Certified, audit.Plan = nil, 0
			copied.Mechanism.Audit = &audit
			plain.Tables[i] = &copied
		}
	}
	return &plain
}
