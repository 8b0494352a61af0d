package document

import (
	"bytes"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

const (
	MaxFileBytes = 1 << 20
	maxDepth     = 20 // the deepest key that means something is at 5
)

// A Kind is what a value of YAML is made of.
type Kind string

const (
	Scalar   Kind = "a single value"
	Sequence Kind = "a list"
	Mapping  Kind = "a mapping"
	Null     Kind = "without a value"
)

// A Node is a YAML value, of the part of YAML that a policy may use: one document of mappings with scalar keys, lists and scalars,
// without anchors, aliases, merge keys, tags and block text. What a reader sees is what there is.
type Node struct {
	Kind Kind
	// Path is the dotted path of keys.
	Path string
	// Line is where the value starts, KeyLine where its key is.
	Line, KeyLine int
	// Text is a scalar as it stands in the file, whatever type YAML would make of it (NO, 1_000, 017, 1.50), or what is in the quotes.
	Text    string
	Entries []Entry
	Items   []*Node
}

// AtKey is where the node's key stands, for errors about the key.
func (n *Node) AtKey() *Node { return &Node{Path: n.Path, Line: n.KeyLine} }

// An Entry is a key of a mapping, and its value.
type Entry struct {
	Key   string
	Value *Node
}

// Read reads a file into a node; nil if errors were reported.
func (d *Decoder) Read(data []byte) *Node {
	if err := unreadable(data); err != nil {
		d.ReportFile(err.Line, err.Problem, err.Remedy)
		return nil
	}
	file, err := parseYAML(plainLines(data))
	if err != nil {
		d.reportSyntax(err)
		return nil
	}
	body := d.singleDocument(file)
	if body == nil {
		return nil
	}
	before := len(d.Errors)
	root := d.convert(body, place{line: 1})
	if len(d.Errors) > before {
		return nil
	}
	return root
}

// plainLines leaves out a byte order mark and the carriage returns before line feeds. The library takes some of them for lines of their
// own, and then names a line that is not the one that a person sees.
func plainLines(data []byte) []byte {
	data = bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	return bytes.TrimSuffix(data, []byte("\r"))
}

// singleDocument returns the body of the file's one document; nil if errors were reported.
func (d *Decoder) singleDocument(file *ast.File) (body ast.Node) {
	for _, document := range file.Docs {
		if document.Body == nil {
			continue
		}
		if body != nil || document.Body.Type() == ast.DirectiveType {
			d.ReportFile(lineOf(document.Body), "there is a directive, or more than one YAML document",
				"keep one document and no lines that start with % or ---")
			return nil
		}
		body = document.Body
	}
	if body == nil {
		d.ReportFile(1, "the file is empty", "start from examples/quickstart/policy.yaml")
	}
	return body
}

// unreadable reports what makes bytes no text that a person and the YAML library see alike.
func unreadable(data []byte) *Error {
	if len(data) > MaxFileBytes {
		return &Error{Line: 1, Problem: fmt.Sprintf("the file is longer than %d bytes", MaxFileBytes), Remedy: "read long lists of values from a table with values_from"}
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if !utf8.Valid(line) {
			return &Error{Line: i + 1, Problem: "this is not valid UTF-8", Remedy: "save the file as UTF-8"}
		}
		// NUL ends strings elsewhere; the library takes a lone carriage return for the end of a line.
		if bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			return &Error{Line: i + 1, Problem: "there is a control character", Remedy: "remove it; end lines with a line feed"}
		}
	}
	return nil
}

// parseYAML turns a panic of the YAML library, which is not expected, into an error: reloading a bad policy must not end the proxy.
func parseYAML(data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the YAML parser failed: %v", r)
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if tooMuch := checkTokens(tokens); tooMuch != nil {
		return nil, tooMuch
	}
	// Duplicate keys are reported with everything else.
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

func (d *Decoder) reportSyntax(err error) {
	if bounded := (*Error)(nil); errors.As(err, &bounded) {
		d.ReportFile(bounded.Line, bounded.Problem, bounded.Remedy)
		return
	}
	line, message := 1, err.Error()
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Message
		if syntax.Token != nil && syntax.Token.Position != nil {
			line = max(line, syntax.Token.Position.Line)
		}
	}
	d.ReportFile(line, "this is not YAML: "+message,
		"check indentation, brackets and quotes on this line and the one before; quote values that contain { } [ ] , # or start with @ * & ! %")
}

func lineOf(n ast.Node) int {
	if token := n.GetToken(); token != nil && token.Position != nil {
		return max(1, token.Position.Line)
	}
	return 1
}

// A place is where a value stands: under which key, on which line, how deep.
type place struct {
	path  string
	line  int
	depth int
}

func (p place) under(key string, line int) place {
	path := key
	if p.path != "" {
		path = p.path + "." + key
	}
	return place{path, line, p.depth + 1}
}

func (d *Decoder) convert(n ast.Node, at place) *Node {
	result := &Node{Path: at.path, Line: lineOf(n), KeyLine: at.line}
	if at.depth > maxDepth {
		d.Report(result, "the nesting is too deep", "remove levels")
		return result
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		result.Kind = Mapping
		d.convertEntries(result, n.Values, at)
	case *ast.MappingValueNode:
		result.Kind = Mapping
		d.convertEntries(result, []*ast.MappingValueNode{n}, at)
	case *ast.SequenceNode:
		result.Kind = Sequence
		for _, item := range n.Values {
			result.Items = append(result.Items, d.convert(item, place{at.path, lineOf(item), at.depth + 1}))
		}
	case *ast.NullNode:
		result.Kind = Null
	case *ast.StringNode:
		result.Kind, result.Text = Scalar, n.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		result.Kind, result.Text = Scalar, n.GetToken().Value
	default:
		problem, remedy := unusable(n)
		d.Report(result, problem, remedy)
	}
	return result
}

func (d *Decoder) convertEntries(result *Node, values []*ast.MappingValueNode, at place) {
	lines := make(map[string]int)
	for _, value := range values {
		line := lineOf(value.Key)
		key, ok := keyText(value.Key)
		here := at.under(key, line)
		if !ok {
			problem, remedy := unusable(value.Key)
			d.Report(&Node{Path: here.path, Line: line}, problem, remedy)
			continue
		}
		if first, twice := lines[key]; twice {
			d.Report(&Node{Path: here.path, Line: line}, fmt.Sprintf("the key is given twice, first on line %d", first), "remove one")
			continue
		}
		lines[key] = line
		result.Entries = append(result.Entries, Entry{key, d.convert(value.Value, here)})
	}
}

// keyText returns a key as it stands in the file. A null key stands for nothing and is refused.
func keyText(key ast.MapKeyNode) (text string, ok bool) {
	switch key := key.(type) {
	case *ast.StringNode:
		return key.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return key.GetToken().Value, true
	}
	return key.GetToken().Value, false
}

// unusable says why a construct of YAML is refused.
func unusable(n ast.Node) (problem, remedy string) {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "anchors, aliases and merge keys are not supported", "write the value out, or quote it if it starts with & or *"
	case *ast.TagNode:
		return "YAML tags are not supported", "remove the word that starts with !, or quote the value"
	case *ast.LiteralNode:
		return "block text is not supported", "write the value on one line"
	case *ast.NullNode:
		return "null is no key", "quote it if it is meant as a name"
	}
	return "this YAML construct is not supported", "write a plain key and value"
}
