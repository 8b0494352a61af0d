package console

import (
	"strings"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// thinPlayed drops what old notes say in a played ledger, by the clock of the pages.
func thinPlayed(t *testing.T, p *policy.Policy, keep policy.Keep) ledger.Thinning {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Options{Location: p.Ledger, Role: ledger.Serve, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done, err := l.Thin(t.Context(), keep)
	if err != nil || done.Sum() == 0 {
		t.Fatalf("%+v was dropped, %v", done, err)
	}
	return done
}

const lacking = "The log has no free and refused statements up to "

// TestPagesSayWhatTheLogLacks: pages that show or count statements of a time of which notes were dropped say so, and others do not. No statement is shown
// without what it said.
func TestPagesSayWhatTheLogLacks(t *testing.T) {
	for _, c := range []struct {
		keep policy.Keep
		all  bool // of the days that pages show something is gone
	}{{policy.Keep{For: 34 * 24 * time.Hour}, false}, {policy.Keep{Notes: 5}, true}} {
		dir := t.TempDir()
		s := &played{t: t, policy: parsePlayed(t, dir), at: func() time.Time { return now }}
		play(t, s.policy)
		done := thinPlayed(t, s.policy, c.keep)
		s.serve()
		stan := s.as("stan")
		for _, path := range []string{"/", "/table/public/patients", "/refused"} {
			if says := strings.Contains(stan.get(path).body, lacking); says != c.all {
				t.Errorf("%+v: %s says what is gone: %t", c.keep, path, says)
			}
		}
		former := "/report?month=" + now.AddDate(0, 0, -39).Format("2006-01")
		if body := stan.get(former).body; !strings.Contains(body, lacking) {
			t.Errorf("%+v: the report of the former month does not say that something is gone", c.keep)
		}
		if body := s.as("ana").get("/").body; strings.Contains(body, lacking) != c.all {
			t.Errorf("%+v: the analyst's page: %s", c.keep, body)
		}
		log := stan.get("/questions.csv").body
		if n := int64(strings.Count(log, `"replayed"`) + strings.Count(log, `"refused"`)); strings.Contains(log, `{""content""`) || n != 69-done.Sum() || strings.Count(log, `"thinned"`) != 1 {
			t.Errorf("%+v: %d notes in\n%s", c.keep, n, log)
		}
		if body := stan.get("/questions?verdict=thinned").body; !strings.Contains(body, "(proxy)") || !strings.Contains(body, "dropped what notes up to entry ") {
			t.Errorf("the log does not say what was dropped: %s", body)
		}
		if body := stan.get("/ledger").body; !strings.Contains(body, "said was dropped, the last of ") {
			t.Errorf("the ledger's page: %s", body)
		}
	}
}
