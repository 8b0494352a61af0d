package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A zonesSite is a site with two analysts' sessions, one of them past the proxy, and a connection as counts have it.
type zonesSite struct {
	t                        *testing.T
	proxied, direct, counted *pgconn.PgConn
}

func newZonesSite(t *testing.T) *zonesSite {
	t.Helper()
	s := newSite(t, "schema.sql", "rows.sql")
	open := func(url string) *pgconn.PgConn {
		conn, err := pgconn.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	return &zonesSite{t: t, proxied: open(s.url(s.serve(s.gateway))), direct: open(cluster.URL("ana", s.database)), counted: connectCurator(s)}
}

// set has both of the analyst's sessions begin anew, with settings.
func (s *zonesSite) set(settings string) {
	s.t.Helper()
	for _, conn := range []*pgconn.PgConn{s.proxied, s.direct} {
		ask(s.t, conn, "RESET ALL", false)
		if settings != "" {
			ask(s.t, conn, settings, false)
		}
	}
}

// run runs a statement of the analyst's, and returns the SQLSTATE of its error.
func (s *zonesSite) run(sql string, extended bool) (code string) {
	s.t.Helper()
	var err error
	if extended {
		err = s.proxied.ExecParams(s.t.Context(), sql, nil, nil, nil, nil).Read().Err
	} else {
		_, err = s.proxied.Exec(s.t.Context(), sql).ReadAll()
	}
	var failed *pgconn.PgError
	switch {
	case errors.As(err, &failed):
		return failed.Code
	case err != nil:
		s.t.Fatalf("%s: %v", sql, err)
	}
	return ""
}

func (s *zonesSite) left() string {
	s.t.Helper()
	return ask(s.t, s.proxied, "SELECT epsilon_left FROM tacit.budget WHERE table_name = 'public.members' OR table_name = 'members'", false).Rows[0][0]
}

// TestUnknownZonesTellOfNoRow asks for times in zones that the analyst's session knows by its own settings, and the curator's does not, of rows that there are
// and of rows that there are not. It fails if the answers differ, if either is charged, or if a count failed, after which the table is closed.
func TestUnknownZonesTellOfNoRow(t *testing.T) {
	s := newZonesSite(t)
	for _, c := range []struct{ settings, zone string }{
		{"SET timezone_abbreviations = 'Australia'", "WST"},
		{"SET timezone_abbreviations = 'Australia'", "sat"},
		{"SET timezone = 'Asia/Jakarta'", "LMT"},                 // which PostgreSQL 18 looks for in the session's zone first
		{"SET timezone = '<NO/SUCH_ZONE>5'", "No/Such_Zone"},     // so that it can have any name
		{"SET timezone = '<EUROPE/ROME>5'", "Europe/Rome"},       // and that of another
		{"SET timezone_abbreviations = 'Australia'", "EST"},      // another one there
		{"SET timezone_abbreviations = 'India'", "IST"},          // and there
		{"SET timezone = 'Asia/Kolkata'", "IST"},                 // for PostgreSQL 18
		{"SET timezone_abbreviations = 'Australia'", "nonsense"}, // PostgreSQL's own error
	} {
		s.set(c.settings)
		own, counted := s.times(s.direct, c.zone), s.times(s.counted, c.zone)
		differs := own == nil || !slices.Equal(own, counted)
		for i, question := range []string{
			"SELECT count(*) FROM members WHERE (paid AT TIME ZONE '%s') > '2019-01-05'::timestamp AND id %s 0",
			"SELECT count(*) FROM members WHERE (seen AT TIME ZONE '%s') > '2019-01-05Z'::timestamptz AND id %s 0",
			"SELECT count(*) FROM members WHERE date_trunc('day', paid, '%s') > '2019-01-05Z'::timestamptz AND id %s 0",
		} {
			before := s.left()
			some, none := s.run(fmt.Sprintf(question, c.zone, ">"), i%2 == 0), s.run(fmt.Sprintf(question, c.zone, "<"), i%2 == 0)
			if some != none {
				t.Errorf("%s; AT TIME ZONE '%s': %q where there are rows, and %q where there are none", c.settings, c.zone, some, none)
			}
			if refused := some == "22023" || some == "0A000"; refused != differs || !refused && some != "" {
				t.Errorf("%s; AT TIME ZONE '%s': %q, though the same time in counts is %t", c.settings, c.zone, some, !differs)
			}
			if after := s.left(); differs && after != before {
				t.Errorf("%s; AT TIME ZONE '%s': was charged: %s left of %s", c.settings, c.zone, after, before)
			}
		}
	}
	s.set("")
	if code := s.run("SELECT count(*) FROM members WHERE (paid AT TIME ZONE 'Europe/Rome') > '2019-01-05'::timestamp", false); code != "" {
		t.Errorf("after all, the table is not answered: %s", code)
	}
}

// times are those of the first day of each month in a zone, nil if a session does not know it.
func (s *zonesSite) times(conn *pgconn.PgConn, zone string) (times []string) {
	s.t.Helper()
	r := conn.ExecParams(s.t.Context(), `SELECT to_jsonb(m AT TIME ZONE $1) #>> '{}' FROM generate_series(timestamp '1950-01-01', '2030-01-01', '1 month') AS u(t), LATERAL (SELECT t AT TIME ZONE '+00') AS v(m)`,
		[][]byte{[]byte(zone)}, nil, nil, nil).Read()
	for _, row := range r.Rows {
		times = append(times, string(row[0]))
	}
	return times
}

// TestZonesAreThoseOfTheCount holds the settings under which zones are looked at beside those under which rows are counted: a question is answered if and only if a
// zone's times are the same under both. It fails if one is answered with others, or refused for nothing.
func TestZonesAreThoseOfTheCount(t *testing.T) {
	s := newZonesSite(t)
	zones := []string{"UTC", "z", "Europe/Rome", "europe/rome", "America/New_York", "EST", "est", "CST", "IST", "MSK", "BST", "SAT", "WST", "LMT", "ACST", "AEST", "CET", "EST5EDT",
		"XYZ5", "<+05:30>-05:30", "+05:30", "-7", "Etc/GMT+3", "posixrules/no", "", " UTC", "UTC "}
	settings := []string{"", "SET timezone_abbreviations = 'Australia'", "SET timezone_abbreviations = 'India'", "SET timezone = 'Asia/Jakarta'", "SET timezone = 'Australia/Perth'",
		"SET timezone = 'XYZ5'", "SET timezone = '<EUROPE/ROME>5'; SET datestyle = 'SQL, DMY'; SET intervalstyle = 'iso_8601'"}
	for i, set := range settings {
		s.set(set)
		for j, zone := range zones {
			if testing.Short() && (i+j)%2 > 0 {
				continue
			}
			own, counted := s.times(s.direct, zone), s.times(s.counted, zone)
			code := s.run(fmt.Sprintf("SELECT count(*) FROM members WHERE (paid AT TIME ZONE '%s') > '2019-01-%02d'::timestamp", zone, 1+i), j%2 == 0)
			switch same := own != nil && slices.Equal(own, counted); {
			case same && code != "":
				t.Errorf("%s; AT TIME ZONE '%s': %s, though it is the same in counts", set, zone, code)
			case !same && code == "":
				t.Errorf("%s; AT TIME ZONE '%s' is answered, though it is another one in counts", set, zone)
			case (own == nil || counted == nil) != (code == "22023"):
				t.Errorf("%s; AT TIME ZONE '%s': %s", set, zone, code)
			}
		}
	}
}
