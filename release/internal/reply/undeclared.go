package reply

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// RefuseUndeclared says that a condition on a column is met by none of its declared values. What analysts see of these they see as cells, too.
func RefuseUndeclared(table policy.TableName, column *query.Column, asked []string) *pgerror.Refusal {
	r := &pgerror.Refusal{
		Code:    pgerror.CodeInvalidValue,
		Message: fmt.Sprintf("no declared value of column %q of %v meets the condition", column.Name, table),
		Detail:  fmt.Sprintf("Declared are %s. Nothing was counted or charged.", shownValues(column.Domain)),
		Hint:    "Compare with a declared value, as it is spelled there.",
	}
	if meant := meantValue(column, asked); meant != "" {
		r.Hint = fmt.Sprintf("Perhaps you meant %s.", meant)
	}
	return r
}

// WhyNoCells goes on after "no cells" of a question of which WHERE is met by no declared value of a column.
func WhyNoCells(q *query.BoundQuery) string {
	column := q.UnmetColumn(query.Count{})
	if column == nil {
		return ""
	}
	why := fmt.Sprintf(": no declared value of column %q meets the condition", column.Name)
	if meant := meantValue(column, q.Constants(column, query.Count{})); meant != "" {
		why += ", perhaps you meant " + meant
	}
	return why
}

// meantValue is a declared value that is alike what was asked for, as a constant; empty if none is.
func meantValue(column *query.Column, asked []string) string {
	for _, a := range asked {
		if i := slices.IndexFunc(column.Domain, func(v string) bool { return alike(a, v) }); i >= 0 {
			return query.QuoteString(column.Domain[i])
		}
	}
	return ""
}

// RefuseUndeclaredValues says that no value of a column can be chosen, since it is not known without the data which there are.
// limit is how many cells there may be.
func RefuseUndeclaredValues(q *query.BoundQuery, column *query.Column, limit int) *pgerror.Refusal {
	why, rounded := query.WhyUnlisted(column, limit), query.Rounded(column, "round", 100)
	if why == "" || rounded == "" {
		return undeclaredValues.With(q.Table.Policy.Name, column.Text())
	}
	return unlistedValues.With(q.Table.Policy.Name, column.Text(), why, rounded)
}

// RefuseNoValues says that the conditions leave no declared value that could be chosen.
func RefuseNoValues(q *query.BoundQuery, column *query.Column) *pgerror.Refusal {
	return noValues.With(q.Table.Policy.Name, column.Text())
}

// alike reports whether two values differ in case and white space alone, or one is short for the other.
func alike(a, b string) bool {
	a, b = strings.ToLower(strings.TrimSpace(a)), strings.ToLower(strings.TrimSpace(b))
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// mostValues is how many declared values a refusal lists.
const mostValues = 10

func shownValues(values []string) string {
	quoted := make([]string, min(len(values), mostValues))
	for i := range quoted {
		quoted[i] = query.QuoteString(values[i])
	}
	text := strings.Join(quoted, ", ")
	if more := len(values) - mostValues; more > 0 {
		text += fmt.Sprintf(" and %d others", more)
	}
	return text
}
