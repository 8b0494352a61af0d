package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"tacit/policy"
	"tacit/release/acts"
	"tacit/release/assess"
)

// This file shows what the policy says of each table's columns, which of them nobody uses, and what other bounds on the rows of a person would leave out.

func (c *Console) tablesRoutes(mux *http.ServeMux) {
	for path, make := range map[string]maker{
		"GET /tables":          onlyReaders((*visit).tablesPage),
		"POST /tables/persons": onlyStewards((*visit).rowsOfPersons),
	} {
		mux.Handle(path, c.page(make))
	}
}

type tablesContent struct {
	Version, File string
	// Problems are what is wrong with the file as it is now, in the words of the commands. Changed says that it is another policy than the one in force.
	Problems []string
	Changed  bool
	Tables   []tableColumns
	Token    string
	MaySee   bool
	Known    bool // whether it is known which columns were used
	Problem  string
}

type tableColumns struct {
	*policy.Table
	Promise string
	Columns []usedColumn
}

type usedColumn struct {
	columnRow
	Use string
}

func (v *visit) tablesPage() (*page, error) { return v.tables("") }

func (v *visit) tables(problem string) (*page, error) {
	content := tablesContent{Version: v.policy.Version, File: v.policy.Path, Token: v.token(v.r.Context()), MaySee: v.person.Role == steward, Problem: problem}
	if problem != "" {
		v.status = http.StatusBadRequest
	}
	content.Version = content.Version[:min(12, len(content.Version))]
	onDisk, err := policy.Load(v.policy.Path)
	switch {
	case err != nil:
		content.Problems = strings.Split(strings.TrimSpace(err.Error()), "\n")
	default:
		content.Changed = onDisk.Version != v.policy.Version
	}
	used := v.usedColumns()
	content.Known = used != nil
	for _, t := range v.policy.Tables {
		row := tableColumns{Table: t, Promise: promise(t)}
		for _, c := range t.Columns {
			u := usedColumn{columnRow{c.Name, domainText(c.Domain)}, "-"}
			if of, ok := used[t.Name]; ok {
				u.Use = map[bool]string{true: "used", false: "never used in this epoch"}[of[c.Name]]
			}
			row.Columns = append(row.Columns, u)
		}
		content.Tables = append(content.Tables, row)
	}
	return &page{"tables", "Tables", content}, nil
}

// usedColumns are those that were used; nil while that is not known.
func (v *visit) usedColumns() map[policy.TableName]map[string]bool {
	v.slowly()
	v.slow.mu.Lock()
	defer v.slow.mu.Unlock()
	return v.slow.used
}

// rowsOfPersons begins a look at how many rows persons have, which are true counts.
func (v *visit) rowsOfPersons() (*page, error) {
	reason := strings.TrimSpace(v.r.PostFormValue("reason"))
	t, err := tableNamed(v.policy, v.r.PostFormValue("table"))
	if err != nil {
		return nil, err
	}
	if t.Person == nil || !t.Mechanism.Kind.AddsNoise() {
		return v.tables(fmt.Sprintf("%v has no bounds of a person that noise could be weighed against", t.Name))
	}
	var wrong *acts.FieldError
	if err := acts.CheckReason(reason); errors.As(err, &wrong) {
		return v.tables("reason: " + wrong.Problem)
	}
	p, sql := v.policy, countStatement(t, nil, false)
	return v.begin(&inspection{
		Title: "Rows of a person in " + t.Name.String(), Back: "/tables", table: t.Name, True: true, SQL: sql, reason: reason,
		look: func(ctx context.Context) (*finding, error) {
			all, err := assess.CompareBounds(ctx, p, sql)
			return &finding{Notice: assess.Notice, Bounds: all}, err
		},
	})
}

// tableNamed is a protected table by its whole name.
func tableNamed(p *policy.Policy, name string) (*policy.Table, error) {
	for _, t := range p.Tables {
		if t.Name.String() == name {
			return t, nil
		}
	}
	return nil, errNotFound
}
