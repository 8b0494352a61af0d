package rewrite

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// intervalPart is a number with a unit, or a time of day, of an interval in PostgreSQL's own style.
var intervalPart = regexp.MustCompile(`^([+-]?)(?:(\d{1,9})(?:\.(\d{1,6}))? ?(microseconds?|milliseconds?|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|mons?|years?)|(\d{1,9}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)(?: +|$)`)

// intervalDays are upper bounds on the days of a unit.
var intervalDays = map[string]*big.Rat{
	"microsecond": big.NewRat(1, 86_400_000_000), "millisecond": big.NewRat(1, 86_400_000), "second": big.NewRat(1, 86400), "sec": big.NewRat(1, 86400),
	"minute": big.NewRat(1, 1440), "min": big.NewRat(1, 1440), "hour": big.NewRat(1, 24), "day": big.NewRat(1, 1), "week": big.NewRat(7, 1),
	"month": big.NewRat(31, 1), "mon": big.NewRat(31, 1), "year": big.NewRat(366, 1),
}

// maxIntervalDays keeps times within the guards away from the ends of their types.
const maxIntervalDays = 1_000_000

// readInterval reads numbers with units, such as 1 year 2 months or 3 days 04:05:06. The number of the datum is a bound on the days
// by which it moves a time, either way.
func readInterval(text string) (datum, *Refusal) {
	trimmed := strings.TrimSpace(lowerASCII(text))
	total := new(big.Rat)
	for rest := trimmed; rest != ""; {
		part := intervalPart.FindStringSubmatch(rest)
		if part == nil {
			return datum{}, refuseInterval(text)
		}
		rest = rest[len(part[0]):]
		if part[2] == "" {
			hours, _ := new(big.Rat).SetString(part[5])
			total.Add(total, hours.Add(hours, big.NewRat(1, 1)).Mul(hours, intervalDays["hour"]))
			continue
		}
		n, _ := new(big.Rat).SetString(part[2] + "." + part[3] + "0")
		total.Add(total, n.Mul(n, intervalDays[strings.TrimSuffix(part[4], "s")]))
	}
	if trimmed == "" || total.Cmp(big.NewRat(maxIntervalDays, 1)) > 0 {
		return datum{}, refuseInterval(text)
	}
	return datum{oid: oidInterval, text: strings.Join(strings.Fields(trimmed), " "), number: total}, nil
}

func refuseInterval(text string) *Refusal {
	return notSupported(fmt.Sprintf("%q is not supported as a constant of type %s", text, shownType(oidInterval)),
		"Write numbers with units, such as '1 year 6 months', '30 days' or '04:30:00'.")
}
