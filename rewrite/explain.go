package rewrite

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// An Explain is the form that EXPLAIN was asked for. The server's plan of a protected statement is never shown: what it estimates comes
// from the statistics of protected rows. What is explained instead is what an answer would cost.
type Explain struct {
	JSON bool // one value of type json instead of lines of text
}

// Statement shows the given lines as EXPLAIN does: in a column of its name and type. array is an expression without a type.
func (e *Explain) Statement(array string) string {
	element := "text"
	if e.JSON {
		element = "json"
	}
	return `SELECT r."QUERY PLAN" FROM pg_catalog.unnest(` + array + `::pg_catalog.` + element + `[]) AS r("QUERY PLAN")`
}

// WithLiteral is Statement with the array's text as a string constant.
func (e *Explain) WithLiteral(array string) string { return e.Statement(pgvalue.QuoteConstant(array)) }

// explainOptions are those of the server that ask for more of its plan, and so for nothing here.
var explainOptions = []string{"verbose", "costs", "settings", "generic_plan", "buffers", "serialize", "wal", "timing", "summary", "memory"}

// readExplain reads the options of EXPLAIN.
func readExplain(v *pg.ExplainStmt) (*Explain, *pgerror.Refusal) {
	e := &Explain{}
	for _, n := range v.GetOptions() {
		o := n.GetDefElem()
		refusal := e.option(o.GetDefname(), o.GetArg())
		if refusal != nil {
			return nil, pgerror.At(o.GetLocation(), refusal)
		}
	}
	return e, nil
}

func (e *Explain) option(name string, value *pg.Node) *pgerror.Refusal {
	text := scan.LowerASCII(value.GetString_().GetSval())
	switch {
	case name == "analyze":
		if text == "false" || text == "off" || value.GetInteger() != nil && value.GetInteger().GetIval() == 0 {
			return nil
		}
		return explainAnalyze.With()
	case name == "format":
		switch text {
		case "text", "json":
			e.JSON = text == "json"
			return nil
		case "xml", "yaml":
			return explainFormat.With(strings.ToUpper(text))
		}
		return explainValue.With(name, text)
	case slices.Contains(explainOptions, name):
		return nil
	}
	return explainOption.With(name)
}
