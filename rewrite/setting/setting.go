package setting

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/policy"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// prefix begins the names of all of them.
const prefix = "tacit."

// names are the settings that there are. The server keeps them for the session, and takes any value.
var names = []string{"tacit.fresh", "tacit.intervals", "tacit.max_age", "tacit.notices", "tacit.within"}

// AnyAge is the value of tacit.max_age by which answers of any age are shown.
const AnyAge = "forever"

// ReadMaxAge reads a value of tacit.max_age: an interval above 0, in which a month is 30 days and a year 360, as where PostgreSQL
// compares intervals; or 0 for AnyAge.
func ReadMaxAge(value string) (time.Duration, error) {
	if strings.EqualFold(strings.TrimSpace(value), AnyAge) {
		return 0, nil
	}
	age, ok := pgvalue.ReadDuration(value)
	if !ok || age <= 0 {
		return 0, ageRefused.With(value)
	}
	return age, nil
}

// NotWithin is the value of tacit.within by which counts have the loss that the policy gives them.
const NotWithin = "off"

// maxWithin is more than any count is off by that noise is made for.
const maxWithin = 1 << 50

// ReadWithin reads a value of tacit.within: a number of rows above 0, a share of how many there are in all such as 2%, or NotWithin.
func ReadWithin(value string) (within query.Exactness, err error) {
	text := strings.TrimSpace(value)
	if strings.EqualFold(text, NotWithin) {
		return within, nil
	}
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		if within.Share, ok = readPercent(strings.TrimSpace(percent)); !ok {
			return query.Exactness{}, shareRefused.With(value)
		}
		return within, nil
	}
	within.Rows, err = strconv.ParseInt(text, 10, 64)
	if err != nil || within.Rows < 1 || within.Rows > maxWithin {
		return query.Exactness{}, withinRefused.With(value)
	}
	return within, nil
}

// percentPlaces are the digits behind the point that a share in hundredths can have.
const percentPlaces = 7

// readPercent reads a decimal number above 0 and at most 100, without sign and exponent, as so many hundredths.
func readPercent(text string) (share policy.Share, ok bool) {
	whole, places, point := strings.Cut(text, ".")
	isNoDigit := func(r rune) bool { return r < '0' || r > '9' }
	if whole == "" || point && places == "" || len(whole) > len("100") || len(places) > percentPlaces || strings.ContainsFunc(whole+places, isNoDigit) {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+places+strings.Repeat("0", percentPlaces-len(places)), 10, 64)
	return policy.Share(n), err == nil && n > 0 && policy.Share(n) <= policy.OneShare
}

// Check refuses what the proxy would not understand of its own settings, in the server's words for settings that it knows.
func Check(name, value string) *pgerror.Refusal {
	switch {
	case !strings.HasPrefix(name, prefix):
		return nil
	case !slices.Contains(names, name):
		return unknown.With(name, strings.Join(names, ", "))
	case name == "tacit.max_age":
		var refusal *pgerror.Refusal
		_, err := ReadMaxAge(value)
		errors.As(err, &refusal)
		return refusal
	case name == "tacit.within":
		var refusal *pgerror.Refusal
		_, err := ReadWithin(value)
		errors.As(err, &refusal)
		return refusal
	}
	if _, refusal := pgvalue.ReadBool(value); refusal != nil {
		return noBoolean.With(name)
	}
	return nil
}

var (
	unknown    = pgerror.Form{Code: pgerror.CodeUndefinedObject, Message: "unrecognized configuration parameter %[1]q", Hint: "The proxy's settings are %[2]s."}
	noBoolean  = pgerror.Form{Code: pgerror.CodeInvalidValue, Message: "parameter %[1]q requires a Boolean value", Hint: "Write on or off."}
	ageRefused = pgerror.Form{Code: pgerror.CodeInvalidValue, Message: "invalid value for parameter \"tacit.max_age\": %[1]q",
		Hint: "Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew."}
	withinRefused = pgerror.Form{Code: pgerror.CodeInvalidValue, Message: "invalid value for parameter \"tacit.within\": %[1]q",
		Hint: "Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%%'"}
	shareRefused = pgerror.Form{Code: pgerror.CodeInvalidValue, Message: "invalid value for parameter \"tacit.within\": %[1]q",
		Hint: "A share is above 0%% and at most 100%%, with at most 7 digits behind the point: SET tacit.within = '2.5%%'"}
)
