package rewrite

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// likeOperators are the operators that LIKE and its kind stand for.
var likeOperators = map[string]string{"~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE"}

// patternFunctions are LIKE and regular expressions as operators.
func patternFunctions() []overload {
	var list overloads
	for symbol, name := range likeOperators {
		f := infix(symbol, "text text -> bool").constants(1).checked(likePattern)
		f.name = name
		list.add(f, infix(name, "bpchar text -> bool").refused(blankReason))
	}
	for _, symbol := range []string{"~", "!~", "~*", "!~*"} {
		list.add(
			patterned(infix(symbol, "text text -> bool")),
			infix(symbol, "bpchar text -> bool").refused(blankReason),
		)
	}
	list.add(
		simple("like_escape", "text text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text text -> text").only("patterns must be constants"),
	)
	return list
}

const maxPattern = 1000

// likePattern is what LIKE checks when it reaches a row: an escape character at the end.
func likePattern(args []argument) *Refusal {
	pattern := args[1].constant.text
	if len(pattern) > maxPattern {
		return refusePattern(pattern)
	}
	trailing := len(pattern) - len(strings.TrimRight(pattern, `\`))
	if trailing%2 == 1 {
		return &Refusal{Code: "22025", Message: "LIKE pattern must not end with escape character"}
	}
	if strings.Count(strings.ReplaceAll(pattern, `\%`, ""), "%") > maxWildcards {
		return notSupported(fmt.Sprintf("a LIKE pattern with more than %d %% is not supported on protected tables", maxWildcards), "Use a shorter pattern.")
	}
	return nil
}

// maxWildcards bounds the backtracking of LIKE.
const maxWildcards = 10

func refusePattern(pattern string) *Refusal {
	return notSupported(fmt.Sprintf("this pattern of %d bytes is not supported on a protected table", len(pattern)),
		fmt.Sprintf("Patterns are at most %d bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.", maxPattern))
}

// patterned is a function whose second argument is a regular expression. Without back references PostgreSQL matches in time linear in
// the value; the pattern itself is compiled first in the analyst's own session, at her cost.
func patterned(f overload) overload {
	return f.constants(1).checked(regularExpression).
		probing(1, oidText, "(''::pg_catalog.text OPERATOR(pg_catalog.~) %s) IS NULL")
}

var (
	hardRegexp = regexp.MustCompile(`\\[1-9]|\(\?[^:]|\(\?$|^\*\*\*|\\[mMyYAZ<>]|\[\[[:<>]`)
	repetition = regexp.MustCompile(`\{(\d+)(?:,(\d*))?\}`)
)

func regularExpression(args []argument) *Refusal {
	pattern := args[1].constant.text
	if len(pattern) > maxPattern || hardRegexp.MatchString(pattern) {
		return refusePattern(pattern)
	}
	repetitions := repetition.FindAllStringSubmatch(pattern, -1)
	total := 1
	for _, r := range repetitions {
		n, _ := strconv.Atoi(r[1])
		if m, err := strconv.Atoi(r[2]); err == nil {
			n = max(n, m)
		}
		if total *= max(n, 1); n > 100 || total > 1000 {
			return refusePattern(pattern)
		}
	}
	return nil
}

// replaceFlags allows the flags of regexp_replace that do not change how the pattern is read.
func replaceFlags(args []argument) *Refusal {
	if strings.Trim(args[3].constant.text, "gi") != "" {
		return notSupported(fmt.Sprintf("option %q of regexp_replace is not supported on a protected table", args[3].constant.text), "Supported are g and i.")
	}
	return regularExpression(args)
}
