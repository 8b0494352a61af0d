package proxy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tacit/policy"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
	"tacit/rewrite/query"
	"tacit/rewrite/setting"
)

// This file asks the server, in the analyst's own session, what names mean and which settings hold there. The invariant: no object of the
// analyst's can stand in the way of the question. Start at resolve.

// sessionQuery asks whether the analyst wants notices and intervals, how old answers may be and how exact, where she reads times, and what names mean: the
// search path and her temporary schema are known to the server alone. Everything is qualified, so that nothing in that search path can
// stand in its way. The first name is always NULL, so that there is at least one row.
//
// The server plans it anew at each statement in a transaction block, where a prepared one could have been dropped unseen, and its failure would
// be that of the block. So it joins no tables: that costs 60 microseconds, against 220 of a join with pg_class and pg_namespace.
const sessionQuery = `SELECT pg_catalog.current_setting('tacit.notices', true), pg_catalog.current_setting('client_min_messages'),` +
	` pg_catalog.current_setting('tacit.fresh', true), pg_catalog.current_setting('tacit.max_age', true),` +
	` pg_catalog.current_setting('TimeZone'), pg_catalog.current_setting('tacit.intervals', true),` +
	` pg_catalog.current_setting('statement_timeout'), pg_catalog.current_setting('tacit.within', true), i.schema, i.name, q.n` +
	` FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS q(name, n),` +
	` pg_catalog.pg_identify_object(1259, pg_catalog.to_regclass(q.name)::pg_catalog.oid, 0) AS i`

const textArrayOID = 1009

// resolve finds out what names mean, and what the session's settings are. It is to be called after drain.
func (in *interceptor) resolve(names []string) ([]rewrite.Resolution, error) {
	if err := in.look(); err != nil {
		return nil, err
	}
	if known, ok, err := in.remembered(names); ok || err != nil {
		return known, err
	}
	reply, err := in.inbound.RoundTrip(in.sessionRoundTrip(names))
	if err != nil {
		return nil, err
	}
	return in.readResolutions(names, reply.Rows)
}

func (in *interceptor) sessionRoundTrip(names []string) (t relay.RoundTrip) {
	t.Run(in.ownName(), sessionQuery, [][]byte{[]byte(wire.NameArray(names))}, textArrayOID)
	return t
}

// readResolutions reads the result of the session query.
func (in *interceptor) readResolutions(names []string, rows [][]byte) ([]rewrite.Resolution, error) {
	if len(rows) != len(names)+1 {
		return nil, fmt.Errorf("the server answered %d names of %d", len(rows)-1, len(names))
	}
	var resolved []rewrite.Resolution
	for i, row := range rows {
		fields, ok := wire.DecodeRow(row)
		if !ok || len(fields) != 11 || string(fields[10]) != strconv.Itoa(i+1) {
			return nil, errOtherRow
		}
		if i == 0 {
			in.quiet = silenced(string(fields[0]), string(fields[1]))
			in.fresh, in.maxAge, in.zone = switchedOn(string(fields[2])), oldest(string(fields[3])), zoneOf(string(fields[4]))
			in.intervals, in.timeout = switchedOn(string(fields[5])), timeoutOf(string(fields[6]))
			in.within = exactness(string(fields[7]))
			continue
		}
		resolved = append(resolved, rewrite.Resolution{
			Name: names[i-1], Table: policy.TableName{Schema: wire.Unquote(fields[8]), Name: wire.Unquote(fields[9])},
		})
	}
	in.asked = true
	in.remember(resolved)
	return resolved, nil
}

var errOtherRow = errors.New("the server answered with another row than was asked for")

// silenced says whether the analyst wants no notices: by tacit.notices, in any spelling of false, or by a level above NOTICE.
func silenced(notices, level string) bool {
	switch strings.ToLower(strings.TrimSpace(notices)) {
	case "of", "off", "f", "fa", "fal", "fals", "false", "n", "no", "0":
		return true
	}
	switch level {
	case "warning", "error", "fatal", "panic":
		return true
	}
	return false
}

// switchedOn says whether a setting of the proxy's is on, in any spelling of true: tacit.fresh, by which all counts are asked anew, or
// tacit.intervals. What is no spelling of it charges nothing.
func switchedOn(setting string) bool {
	switch strings.ToLower(strings.TrimSpace(setting)) {
	case "on", "t", "tr", "tru", "true", "y", "ye", "yes", "1":
		return true
	}
	return false
}

// oldest is how old answers may be by tacit.max_age; 0: of any age. What cannot be read charges nothing.
func oldest(value string) time.Duration {
	age, err := setting.ReadMaxAge(value)
	if err != nil {
		return 0
	}
	return age
}

// exactness is how exact counts are to be by tacit.within. What cannot be read asks for nothing.
func exactness(value string) query.Exactness {
	within, _ := setting.ReadWithin(value)
	return within
}

// zoneOf is the session's time zone; nil if the proxy does not know it. PostgreSQL has zones of its own spelling besides names.
func zoneOf(setting string) *time.Location {
	if setting == "" || setting == "Local" { // which would be the proxy's own
		return nil
	}
	zone, err := time.LoadLocation(setting)
	if err != nil {
		return nil
	}
	return zone
}

func namesOf(resolutions []rewrite.Resolution) []string {
	names := make([]string, len(resolutions))
	for i, r := range resolutions {
		names[i] = r.Name
	}
	return names
}

// timeoutOf is a value of statement_timeout as the server shows it: a number with a unit, or 0 for none.
func timeoutOf(setting string) time.Duration {
	digits := strings.TrimRight(setting, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0
	}
	unit := map[string]time.Duration{"": time.Millisecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	return time.Duration(n) * unit[setting[len(digits):]]
}
