package console

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/books"
)

//go:embed pages/*.html
var pageFiles embed.FS

// pageNames are all pages.
var pageNames = []string{"error", "login", "overview", "table", "questions", "refused", "free", "ledger", "connect", "report", "acts", "confirm", "entry", "job", "requests", "assess", "result", "tables", "advise", "zone", "welcome"}

// templatesInUTC are the pages by name, each within the layout, with times in UTC. Commands that show no page do not parse them.
var templatesInUTC = sync.OnceValue(func() map[string]*template.Template { return parsePages(time.UTC, pageNames...) })

var functions = template.FuncMap{
	"shown":    terminal.Text, // what analysts wrote: characters that do not show are made visible
	"oneline":  terminal.OneLine,
	"day":      func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	"stamp":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"name":     books.TableText,
	"link":     tablePath,
	"thousand": thousands,
	"percent":  terminal.Percent,
	// A share of a picture of 100 units.
	"shareWidth": func(share float64) string { return strconv.FormatFloat(100*max(0, min(1, share)), 'f', 2, 64) },
	"drawnCells": func(d *assess.Drawn) []assess.DrawnCell { return d.Cells[:min(mostDrawnCells, len(d.Cells))] },
	"drawnMore":  func(d *assess.Drawn) int64 { return int64(max(0, len(d.Cells)-mostDrawnCells)) },
	"nav":        newNavItem,
	// The encoded query of a page, which this package made.
	"query":   func(encoded string) template.URL { return template.URL(encoded) },
	"who":     books.Who,
	"verdict": books.VerdictText,
	"loss":    books.LossText,
	"granted": books.GrantText,
	"thinned": books.ThinningText,
}

func parsePages(zone *time.Location, names ...string) map[string]*template.Template {
	at := template.FuncMap{"at": func(t time.Time) string { return t.In(zone).Format(time.DateTime) }}
	layout := template.Must(template.New("layout.html").Funcs(functions).Funcs(at).ParseFS(pageFiles, "pages/layout.html", "pages/parts.html", "pages/blocks.html"))
	all := make(map[string]*template.Template)
	for _, name := range names {
		all[name] = template.Must(template.Must(layout.Clone()).ParseFS(pageFiles, "pages/"+name+".html"))
	}
	return all
}

// tablePath is the path of a table's page.
func tablePath(name policy.TableName) string {
	return "/table/" + url.PathEscape(name.Schema) + "/" + url.PathEscape(name.Name)
}

// thousands writes a number with its thousands apart.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// A navItem is a link to a page.
type navItem struct {
	Path, Name string
	Here       bool
}

func newNavItem(here, path, name string) navItem {
	return navItem{path, name, here == path || path == "/" && strings.HasPrefix(here, "/table/") || strings.HasPrefix(here, path+"/") && path != "/"}
}

// A frame is what is around a page.
type frame struct {
	Title, Path string
	Person      *person // nil: nobody is logged in
	Token       string  // of the session's forms
	Content     any
	Zone        *time.Location // of times; nil: UTC
	// Behind is how many entries are not in the sums yet.
	Behind int64
	// Dropped is the time up to which the log lacks statements that the page would show or count; zero if it lacks none.
	Dropped time.Time
}

// A since is embedded in the content of a page that shows or counts statements from a time on.
type since struct{ from time.Time }

func (s since) begins() time.Time { return s.from }

func (v *visit) render(p *page) error {
	f := &frame{Title: p.title, Path: v.r.URL.Path, Person: v.person, Token: v.token(v.r.Context()), Zone: v.zone(v.r.Context())}
	if v.ledger != nil {
		o, err := v.ledger.Overview(v.r.Context())
		if err != nil {
			return v.unreadable(err)
		}
		f.Behind = max(0, o.Head.Entry-v.sums.Position())
		if content, ok := p.content.(interface{ begins() time.Time }); ok && o.DroppedTo.After(content.begins()) {
			f.Dropped = v.shownTime(o.DroppedTo)
		}
	}
	v.write(v.w, cmp.Or(v.status, http.StatusOK), f, p.template, p.content)
	return nil
}

// write writes a whole page, or says that it could not be made.
func (c *Console) write(w http.ResponseWriter, status int, f *frame, name string, content any) {
	f.Content = content
	var text bytes.Buffer
	if err := templatesIn(f.Zone)[name].Execute(&text, f); err != nil {
		c.Log.Error("a page of the console could not be written", "page", name, "error", err)
		http.Error(w, "The page could not be written. The log of the console says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // nobody is left to be told
}
