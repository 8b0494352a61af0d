package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
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

// The reports that there are. Their rows are made by package release.
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
		"person text", "adjacency text", "mechanism text", "epsilon_per_question numeric", "delta_per_question numeric")
	HistoryReport = newReport("history",
		"asked_at timestamptz", "table_schema text", "table_name text", "verdict text",
		"epsilon numeric", "delta numeric", "sqlstate text", "statement text", "releases int8", "risk numeric")
	ReleasesReport = newReport("releases",
		"id int8", "table_schema text", "table_name text", "question text", "mechanism text",
		"epsilon numeric", "delta numeric", "released_at timestamptz", "cells int8", "releases int8")
)

// reports are those that there are, by name.
var reports = make(map[string]*Report)

// newReport makes a report of columns, each a name and a type of pg_catalog.
func newReport(name string, columns ...string) *Report {
	r := &Report{Name: name}
	for _, c := range columns {
		column, typeName, _ := strings.Cut(c, " ")
		r.Columns = append(r.Columns, ReportColumn{column, systemSchema + "." + typeName})
	}
	reports[name] = r
	return r
}

// findReports looks for reports among the relations that were mentioned.
func (r *mentionReader) findReports() *Refusal {
	for _, rv := range r.relations {
		if rv.GetSchemaname() != reportSchema {
			continue
		}
		report := reports[rv.GetRelname()]
		if report == nil {
			return at(rv.GetLocation(), refuseUnknownReport(rv.GetRelname()))
		}
		if r.targets[rv] {
			return at(rv.GetLocation(), refuseReportUse(report.Name))
		}
		if r.reports == nil {
			r.reports = make(map[*pg.RangeVar]*Report)
		}
		if len(r.reports) == maxReports {
			return at(rv.GetLocation(), &Refusal{
				Code:    codeLimit,
				Message: fmt.Sprintf("a statement names relations of the schema %s more than %d times", reportSchema, maxReports),
				Hint:    "Keep what they show now in tables of your own.",
			})
		}
		r.reports[rv] = report
	}
	return nil
}

// maxReports bounds the mentions of reports in one statement: in a simple query the rows stand in its text for each.
const maxReports = 3

func refuseUnknownReport(name string) *Refusal {
	known := slices.Sorted(maps.Keys(reports))
	for i, n := range known {
		known[i] = reportSchema + "." + n
	}
	return &Refusal{
		Code:    codeUndefinedTable,
		Message: fmt.Sprintf("relation %q does not exist", reportSchema+"."+name),
		Detail:  fmt.Sprintf("The schema %s is the proxy's own. It has %s.", reportSchema, strings.Join(known, ", ")),
	}
}

// refuseReportUse refuses what is no reading of a report.
func refuseReportUse(name string) *Refusal {
	return &Refusal{
		Code:    codePrivilege,
		Message: fmt.Sprintf("relation %s.%s can only be read by SELECT", reportSchema, name),
		Detail:  "The proxy makes its rows from the policy and the ledger whenever it is read.",
		Hint:    fmt.Sprintf("Keep what it shows now in a table of your own: CREATE TABLE ... AS SELECT * FROM %s.%s", reportSchema, name),
	}
}

// refuseReports is for a statement that names a report where none can be read.
func (r *mentionReader) refuseReports() *Refusal {
	for _, rv := range r.relations {
		if report := r.reports[rv]; report != nil {
			return at(rv.GetLocation(), refuseReportUse(report.Name))
		}
	}
	panic("rewrite: internal error: neither a protected table nor a report")
}

// replaceReports puts relations of arrays in the place of reports. Reports that stand where no sub-select can are refused.
func (a *analysis) replaceReports(raw *pg.RawStmt) *Refusal {
	if len(a.mentions.reports) == 0 {
		return nil
	}
	a.replaceReport(raw.ProtoReflect())
	if len(a.mentions.reports) > 0 {
		return a.mentions.refuseReports()
	}
	return nil
}

func (a *analysis) replaceReport(m protoreflect.Message) {
	switch v := m.Interface().(type) {
	case *pg.Node:
		rv := v.GetRangeVar()
		report := a.mentions.reports[rv]
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
		delete(a.mentions.reports, rv)
		v.Node = unnest(calls, alias.GetAliasname(), names).Node
		return
	case *pg.ColumnRef: // tacit.budget.epsilon
		if f := v.GetFields(); len(f) > 2 && f[0].GetString_().GetSval() == reportSchema && reports[f[1].GetString_().GetSval()] != nil {
			v.Fields = f[1:]
		}
	}
	children(m, func(child protoreflect.Message) bool {
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
