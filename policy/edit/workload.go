package edit

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"tacit/policy"
)

// Workload is the text of a policy file with a workload under a table, in place of the one that is there, if any. All else stays byte for byte. It is an
// error if the file is written in a way that this does not know how to change.
func Workload(path string, data []byte, table policy.TableName, workload string) ([]byte, error) {
	before, err := policy.Parse(path, data)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	instead := func(why string) error {
		return fmt.Errorf("%s: %s; write it yourself under %v: workload: %s", path, why, table, workload)
	}
	node := tableNode(file, table)
	if node == nil {
		return nil, instead("the table is not found")
	}
	changed, ok := replaceWorkload(data, node, workload)
	if !ok {
		return nil, instead("the table is written in a way that cannot be changed here")
	}
	after, err := policy.Parse(path, changed)
	if err != nil {
		return nil, fmt.Errorf("the workload does not fit into the policy: %w", err)
	}
	if !reflect.DeepEqual(withoutWorkload(before, table), withoutWorkload(after, table)) {
		return nil, instead("something else would change")
	}
	return changed, nil
}

// replaceWorkload changes the value of the key workload, if it stands in braces, or puts the key before the key mechanism.
func replaceWorkload(data []byte, table ast.Node, workload string) ([]byte, bool) {
	if old := entryUnder(table, "workload"); old != nil {
		value, ok := old.Value.(*ast.MappingNode)
		if !ok || !value.IsFlowStyle {
			return nil, false
		}
		start, okStart := offsetOf(data, value.Start, "{")
		end, okEnd := offsetOf(data, value.End, "}")
		if !okStart || !okEnd || end < start {
			return nil, false
		}
		return splice(data, start, end+1, workload), true
	}
	mechanism := entryUnder(table, "mechanism")
	if mechanism == nil {
		return nil, false
	}
	at, ok := offsetOf(data, mechanism.Key.GetToken(), "mechanism")
	if !ok {
		return nil, false
	}
	indent := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	if strings.Trim(string(indent), " ") != "" {
		return nil, false
	}
	return splice(data, at, at, "workload: "+workload+"\n"+string(indent)), true
}

func withoutWorkload(p *policy.Policy, table policy.TableName) *policy.Policy {
	plain := *p
	plain.Version = ""
	plain.Tables = make([]*policy.Table, len(p.Tables))
	for i, t := range p.Tables {
		plain.Tables[i] = t
		if t.Name == table {
			copied := *t
			copied.Workload = nil
			plain.Tables[i] = &copied
		}
	}
	return &plain
}
