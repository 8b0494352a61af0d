package console

import (
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"
	_ "time/tzdata" // zones are known on machines that have no list of them

	lru "github.com/hashicorp/golang-lru/v2"
)

// This file has times of pages in the zone that their reader has chosen. It is kept in the session. Days, months and exports stay in UTC: they are the
// ledger's.

const (
	zoneKey   = "zone"
	mostZone  = 64 // characters of a name
	keptZones = 16
)

// zones are offered. Others can be written.
var zones = []string{
	"UTC", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Bogota", "America/Chicago", "America/Denver", "America/Los_Angeles",
	"America/Mexico_City", "America/New_York", "America/Sao_Paulo", "America/Toronto", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta", "Asia/Karachi", "Asia/Kolkata",
	"Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Australia/Perth", "Australia/Sydney", "Europe/Amsterdam", "Europe/Berlin", "Europe/Istanbul",
	"Europe/Lisbon", "Europe/London", "Europe/Madrid", "Europe/Oslo", "Europe/Paris", "Europe/Rome", "Europe/Warsaw", "Europe/Zurich", "Pacific/Auckland",
}

// zoneNamed is a zone by its name in the database of time zones; nil if there is none. The machine's own zone has no name.
func zoneNamed(name string) *time.Location {
	if name == "" || name == "Local" || len(name) > mostZone || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\.") {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return zone
}

// zone is that of a session.
func (c *Console) zone(ctx context.Context) *time.Location {
	if zone := zoneNamed(c.sessions.GetString(ctx, zoneKey)); zone != nil {
		return zone
	}
	return time.UTC
}

// zonedTemplates are the pages with times in some zones.
var zonedTemplates = func() *lru.Cache[string, map[string]*template.Template] {
	cache, err := lru.New[string, map[string]*template.Template](keptZones)
	if err != nil {
		panic("console: internal error: " + err.Error())
	}
	return cache
}()

// templatesIn are the pages with times in a zone.
func templatesIn(zone *time.Location) map[string]*template.Template {
	if zone == nil || zone == time.UTC {
		return templatesInUTC()
	}
	if made, ok := zonedTemplates.Get(zone.String()); ok {
		return made
	}
	made := parsePages(zone, pageNames...)
	zonedTemplates.Add(zone.String(), made)
	return made
}

type zoneContent struct {
	Zone, Problem, Token string
	Zones                []string
	Now                  time.Time
}

func (v *visit) zonePage() (*page, error) { return v.chooseZone("") }

func (v *visit) chooseZone(problem string) (*page, error) {
	if problem != "" {
		v.status = http.StatusBadRequest
	}
	return &page{"zone", "Time zone", zoneContent{v.zone(v.r.Context()).String(), problem, v.token(v.r.Context()), zones, v.now}}, nil
}

// setZone keeps the zone that a form names.
func (v *visit) setZone() (*page, error) {
	zone := zoneNamed(strings.TrimSpace(v.r.PostFormValue("zone")))
	if zone == nil {
		return v.chooseZone("There is no such time zone. Write one as Europe/Berlin, or UTC.")
	}
	v.sessions.Put(v.r.Context(), zoneKey, zone.String())
	http.Redirect(v.w, v.r, "/zone", http.StatusSeeOther)
	return nil, nil
}
