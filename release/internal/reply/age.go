package reply

import (
	"fmt"
	"time"

	"tacit/policy"
)

// A Viewer is when and where somebody looks at answers: it is what ages are counted from, and the time zone in which times are shown.
type Viewer struct {
	Now time.Time
	// Zone is the time zone of her session. Default: it is not known; times are in UTC then, and say so.
	Zone *time.Location
	// Policy may have times rounded. Default: they are not.
	Policy *policy.Policy
}

// Ages tell how old recorded answers are: they were recorded between Oldest and Newest. The zero value is of no answers.
type Ages struct {
	Oldest, Newest time.Time
	Viewer
}

// Add takes in an answer that was recorded at a time.
func (a *Ages) Add(at time.Time) {
	if a.Policy != nil {
		at = a.Policy.Rounded(at)
	}
	if a.Oldest.IsZero() || at.Before(a.Oldest) {
		a.Oldest = at
	}
	if at.After(a.Newest) {
		a.Newest = at
	}
}

// String says how old the answers are, and when they were recorded: of answers from different times, from the oldest to the newest.
func (a Ages) String() string {
	oldest, newest := a.ago(a.Oldest), a.ago(a.Newest)
	from, to := a.date(a.Oldest), a.date(a.Newest)
	zone := ""
	if a.Zone == nil {
		zone = " UTC"
	}
	switch {
	case from == to:
		return fmt.Sprintf("%s, %s%s", oldest, from, zone)
	case oldest == newest:
		return fmt.Sprintf("%s, %s to %s%s", oldest, from, to, zone)
	}
	return fmt.Sprintf("%s to %s, %s to %s%s", oldest, newest, from, to, zone)
}

// plan are the times as EXPLAIN's JSON has them: nil of no answers, and one if there is but one.
func (a Ages) plan() (oldest, newest *time.Time) {
	if a.Oldest.IsZero() {
		return nil, nil
	}
	from, to := a.Oldest.UTC(), a.Newest.UTC()
	if from.Equal(to) {
		return &from, nil
	}
	return &from, &to
}

// ago is the age of an answer, rounded down to a unit that says enough.
func (v Viewer) ago(at time.Time) string {
	age := v.Now.Sub(at)
	switch {
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return unitsAgo(age, time.Minute, "minute")
	case age < 24*time.Hour:
		return unitsAgo(age, time.Hour, "hour")
	}
	return unitsAgo(age, 24*time.Hour, "day")
}

func unitsAgo(age, unit time.Duration, name string) string {
	n := int64(age / unit)
	if n > 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s ago", n, name)
}

func (v Viewer) date(at time.Time) string {
	zone := v.Zone
	if zone == nil {
		zone = time.UTC
	}
	return at.In(zone).Format("2006-01-02 15:04")
}
