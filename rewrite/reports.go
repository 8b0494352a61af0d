package rewrite

import (
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// A Report is a relation that the proxy itself serves, by what it knows of policy and ledger: SELECT * FROM tacit.budget. It joins
// and filters like a table. Every name in the schema tacit is the proxy's own, whatever the database has there.
type Report struct {
	Name    string // without its schema
	Columns []ReportColumn
}

// A ReportColumn is a column of a report.
type ReportColumn struct {
	Name string
	Type string // qualified
}

const reportSchema = "tacit"

// The reports that there are. Their rows are made by package release, unless it says otherwise.
var (
	BudgetReport = newReport("budget",
		"table_schema text", "table_name text",
		"epsilon numeric", "epsilon_spent numeric", "epsilon_left numeric",
		"delta numeric", "delta_spent numeric", "delta_left numeric",
		"own_epsilon numeric", "own_epsilon_spent numeric", "own_epsilon_left numeric",
		"own_delta numeric", "own_delta_spent numeric", "own_delta_left numeric",
		"releases int8", "releases_spent int8", "releases_left int8",
		"own_releases int8", "own_releases_spent int8", "own_releases_left int8",
		"risk numeric", "risk_spent numeric", "risk_left numeric", "own_risk numeric", "own_risk_spent numeric", "own_risk_left numeric",
		"composition text", "epsilon_lifetime numeric", "delta_lifetime numeric", "window_days int8", "epoch int8", "frozen text")
	TablesReport = newReport("tables",
		"table_schema text", "table_name text", "column_name text", "data_type text", "nullable bool",
		"domain text", "domain_values int8",
		"person text", "adjacency text", "mechanism text", "epsilon_per_question numeric", "delta_per_question numeric",
		"epsilon_least numeric", "epsilon_most numeric", "domain_from text", "domain_to text")
	HistoryReport = newReport("history",
		"asked_at timestamptz", "table_schema text", "table_name text", "verdict text",
		"epsilon numeric", "delta numeric", "sqlstate text", "statement text", "releases int8", "risk numeric", "answered_at timestamptz")
	ReleasesReport = newReport("releases",
		"id int8", "table_schema text", "table_name text", "question text", "mechanism text",
		"epsilon numeric", "delta numeric", "released_at timestamptz", "cells int8", "releases int8")
	// AnswersReport is of one session, so that package proxy makes its rows.
	AnswersReport = newReport("answers",
		"asked_at timestamptz", "statement text", "table_schema text", "table_name text", "how text", "counts int8", "withheld int8", "within int8",
		"epsilon numeric", "delta numeric", "releases int8", "risk numeric",
		"epsilon_left numeric", "delta_left numeric", "releases_left int8", "risk_left numeric", "own_epsilon_left numeric",
		"answered_at timestamptz", "age interval", "notice text")
)

// reports are those that there are, by name.
var reports = make(map[string]*Report)

// newReport makes a report of columns, each a name and a type of pg_catalog.
func newReport(name string, columns ...string) *Report {
	r := &Report{Name: name}
	for _, c := range columns {
		column, typeName, _ := strings.Cut(c, " ")
		r.Columns = append(r.Columns, ReportColumn{column, pgtree.SystemSchema + "." + typeName})
	}
	reports[name] = r
	return r
}

func refuseUnknownReport(name string) *pgerror.Refusal {
	known := slices.Sorted(maps.Keys(reports))
	for i, n := range known {
		known[i] = reportSchema + "." + n
	}
	hint := ""
	if meant := pgerror.Closest(reportSchema+"."+name, known, pgerror.FewLetters); meant != "" {
		hint = "Perhaps you meant " + meant + "."
	}
	return reportUnknown.With(name, strings.Join(known, ", "), hint)
}

// replaceReports puts relations of arrays in the place of reports. Reports that stand where no sub-select can are refused.
func (a *analysis) replaceReports(raw *pg.RawStmt) *pgerror.Refusal {
	if len(a.references.reports) == 0 {
		return nil
	}
	a.replaceReport(raw.ProtoReflect())
	if len(a.references.reports) > 0 {
		return a.references.refuseReports()
	}
	return nil
}

func (a *analysis) replaceReport(m protoreflect.Message) {
	switch v := m.Interface().(type) {
	case *pg.Node:
		rv := v.GetRangeVar()
		report := a.references.reports[rv]
		if report == nil {
			break
		}
		number := slices.Index(a.shown, report)
		if number < 0 {
			number = len(a.shown)
			a.shown = append(a.shown, report)
		}
		var calls, names []*pg.Node
		for i, c := range report.Columns {
			// A report is numbered from -1 downwards until it is known how many queries there are.
			calls = append(calls, a.printer.array(Array{Query: -1 - number, Key: i, Count: -1, Type: c.Type + "[]"}))
			names = append(names, pg.MakeStrNode(c.Name))
		}
		alias := rv.GetAlias()
		if alias == nil {
			alias = &pg.Alias{Aliasname: report.Name}
		}
		for i, n := range alias.GetColnames() { // fewer than there are, perhaps
			if i < len(names) {
				names[i] = n
			}
		}
		delete(a.references.reports, rv)
		v.Node = pgtree.Unnest(calls, alias.GetAliasname(), names).Node
		return
	case *pg.ColumnRef: // tacit.budget.epsilon
		if f := v.GetFields(); len(f) > 2 && f[0].GetString_().GetSval() == reportSchema && reports[f[1].GetString_().GetSval()] != nil {
			v.Fields = f[1:]
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		a.replaceReport(child)
		return true
	})
}

// numberReports gives the reports their place behind the queries: their rows are cells of keys alone.
func (a *analysis) numberReports() {
	for i := range a.printer.arrays {
		if array := &a.printer.arrays[i]; array.Query < 0 {
			array.Query = len(a.queries) - 1 - array.Query
		}
	}
}
