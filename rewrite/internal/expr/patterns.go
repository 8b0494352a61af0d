package expr

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pattern"
	"tacit/rewrite/pgerror"
)

// likeOperators are the operators that LIKE and its kind stand for.
var likeOperators = map[string]string{"~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE"}

// patternFunctions are LIKE and regular expressions as operators.
func patternFunctions() []Overload {
	var list overloads
	for symbol, name := range likeOperators {
		f := infix(symbol, "text text -> bool").constants(1).checked(likePattern)
		f.Name = name
		list.add(f, infix(name, "bpchar text -> bool").refused(BlankReason))
	}
	for _, symbol := range []string{"~", "!~", "~*", "!~*"} {
		list.add(
			patterned(infix(symbol, "text text -> bool")),
			infix(symbol, "bpchar text -> bool").refused(BlankReason),
		)
	}
	list.add(
		simple("like_escape", "text text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text text -> text").only("patterns must be constants"),
	)
	return list
}

// likePattern is what LIKE checks when it reaches a row: an escape character at the end.
func likePattern(args []argument) *pgerror.Refusal {
	text := args[1].constant.Text
	if len(text) > pattern.MaxBytes {
		return patternRefused.With(len(text), pattern.MaxBytes)
	}
	trailing := len(text) - len(strings.TrimRight(text, `\`))
	if trailing%2 == 1 {
		return &pgerror.Refusal{Code: "22025", Message: "LIKE pattern must not end with escape character"}
	}
	if strings.Count(strings.ReplaceAll(text, `\%`, ""), "%") > maxWildcards {
		return wildcardsTooMany.With(maxWildcards)
	}
	return nil
}

// maxWildcards bounds the backtracking of LIKE.
const maxWildcards = 10

// patterned is a function whose second argument is a regular expression. Without back references PostgreSQL tells in time linear in
// the value whether it matches, but takes quadratic time to find all matches, or their parts, see short; the pattern itself is compiled
// first in the analyst's own session, at her cost, with and without regard to case: each can be too complex where the other is not.
func patterned(f Overload) Overload {
	return f.constants(1).checked(regularExpression).
		checkedByServer(1, "((''::pg_catalog.text OPERATOR(pg_catalog.~) %[1]s) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) %[1]s)) IS NULL")
}

// regularExpression refuses those that take long, and capturing those of which it takes long to find what their groups match.
var regularExpression, capturing = quick(pattern.IsQuick, &patternRefused), quick(pattern.IsQuickToCapture, &captureRefused)

func quick(is func(string) bool, form *pgerror.Form) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		if text := args[1].constant.Text; !is(text) {
			return form.With(len(text), pattern.MaxBytes)
		}
		return nil
	}
}

func replacement(args []argument) *pgerror.Refusal {
	if refusal := shortText(2)(args); refusal != nil {
		return refusal
	}
	return capturing(args)
}

// replaceFlags allows the flags of regexp_replace that do not change how the pattern is read.
func replaceFlags(args []argument) *pgerror.Refusal {
	if strings.Trim(args[3].constant.Text, "gi") != "" {
		return optionUnknown.With(args[3].constant.Text)
	}
	return replacement(args)
}

// short makes the result NULL for longer texts.
func (f Overload) short() Overload {
	f.Plain = f.SQL
	call := strings.Replace(f.SQL, "%s", "x.v", 1)
	f.SQL = fmt.Sprintf("(SELECT %s FROM (SELECT %%s AS v OFFSET 0) AS x WHERE pg_catalog.octet_length(x.v) OPERATOR(pg_catalog.<=) %d)", call, bounds.ShortBytes)
	for i := 1; i < len(f.Args); i++ { // the first argument is now the last
		f.SQL = strings.Replace(f.SQL, "%s", fmt.Sprintf("%%[%d]s", i+1), 1)
	}
	f.SQL = strings.Replace(f.SQL, "%s", "%[1]s", 1)
	return f
}
