package expr

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInstantsMeetEveryUnit goes through all changes of offset of all zones that Go knows. It fails if a day, an hour or a minute of some zone has no
// part that is as long as instants are apart, so that none may lie in it.
func TestInstantsMeetEveryUnit(t *testing.T) {
	changes := 0
	for _, name := range zoneNames(t) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		end := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
		for at := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC).In(zone); ; {
			_, change := at.ZoneBounds()
			if change.IsZero() || change.After(end) {
				break
			}
			changes++
			for _, unit := range []struct {
				grain Grain
				long  time.Duration
			}{{ByDay, 24 * time.Hour}, {ByHour, time.Hour}, {ByMinute, time.Minute}} {
				if g, ok := unit.grain.since(change); ok {
					checkUnits(t, change, g, unit.long)
				}
			}
			at = change
		}
	}
	if changes < 10_000 {
		t.Errorf("%d changes: too few zones are known here", changes)
	}
}

func zoneNames(t *testing.T) (names []string) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for _, f := range files.File {
		if !strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
		}
	}
	return names
}

// checkUnits looks at the units of local time around a change of offset: at those that lie right before and right behind it.
func checkUnits(t *testing.T, change time.Time, g Grain, unit time.Duration) {
	t.Helper()
	_, before := change.Add(-time.Second).Zone()
	_, after := change.Zone()
	local := func(offset int) time.Time { return change.UTC().Add(time.Duration(offset) * time.Second) }
	begin := local(before).Truncate(unit)
	ended := local(before).Sub(begin) // how long the unit had lasted before the change
	left := local(after).Truncate(unit).Add(unit).Sub(local(after))
	switch {
	case local(after).Truncate(unit).Equal(begin): // it goes on
		left += ended
		ended = left
	case !begin.Before(local(after)): // it comes again, as a whole; and so does, in part, the one before it, which is missed only if time begins in between
		if ended == 0 || left >= Quarter {
			left = unit
		}
		ended = unit
	}
	if g == ByHour && before%int(Quarter/time.Second) == 0 { // it began with a quarter
		ended = unit
	}
	for _, part := range []time.Duration{ended, left} {
		if part > 0 && part < g.Step(true) {
			t.Errorf("%s: a unit of %v has a part of %v", change.Location(), unit, part)
		}
	}
}
