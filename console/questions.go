package console

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tacit/accountant/ledger"
	"tacit/console/internal/instead"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

// This file shows the log: a page of it at a time, each of which looks at so many entries at most, and all of it as a file. Start at questions.

// A logQuery is what of the log is asked for.
type logQuery struct {
	Analyst, Table, Verdict, Text string
	filter                        ledger.LogFilter
}

const (
	pageEntries = 50
	// pageReach is how many entries are looked at for a page, however few of them are shown.
	pageReach = 50_000
	maxText   = 200
)

// logQuery reads the query. What an analyst asks of others is refused, not left out.
func (v *visit) logQuery() (q logQuery, err error) {
	values := v.r.URL.Query()
	q = logQuery{Analyst: values.Get("analyst"), Table: values.Get("table"), Verdict: values.Get("verdict"), Text: strings.TrimSpace(values.Get("text"))}
	for _, text := range []string{q.Analyst, q.Table, q.Text} {
		if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return q, badRequest("A filter is longer than 200 bytes, or is not text.")
		}
	}
	q.filter = ledger.LogFilter{Analyst: q.Analyst, Verdict: ledger.Verdict(q.Verdict), Text: q.Text}
	if q.Table != "" {
		if q.filter.Table, err = policy.ParseTableName(q.Table); err != nil {
			return q, badRequest("The table is not written as schema.table.")
		}
	}
	if q.Verdict != "" && !slices.Contains(books.Verdicts, q.filter.Verdict) {
		return q, badRequest("There is no such verdict.")
	}
	if before := values.Get("before"); before != "" {
		if q.filter.Before, err = strconv.ParseInt(before, 10, 64); err != nil || q.filter.Before < 1 {
			return q, badRequest("The page is not known.")
		}
	}
	if v.person.IsAnalyst() && q.Analyst != "" && q.Analyst != v.person.Name {
		return q, &refusal{http.StatusForbidden, "You see your own statements only."}
	}
	q.filter = v.own(q.filter)
	return q, nil
}

// values is the query as a page's address has it.
func (q *logQuery) values() url.Values {
	values := url.Values{}
	for key, value := range map[string]string{"analyst": q.Analyst, "table": q.Table, "verdict": q.Verdict, "text": q.Text} {
		if value != "" {
			values.Set(key, value)
		}
	}
	return values
}

// logged are entries of the log, newest first, of the last pageReach before one. older is the number before which others may be; 0 if there are none.
func (v *visit) logged(f ledger.LogFilter) (entries []ledger.Entry, older int64, err error) {
	o, err := v.ledger.Overview(v.r.Context())
	if err != nil {
		return nil, 0, err
	}
	if f.Before == 0 || f.Before > o.Head.Entry+1 {
		f.Before = o.Head.Entry + 1
	}
	f.After = max(0, f.Before-1-pageReach)
	limit := f.Limit
	f.Limit++
	if entries, err = v.ledger.Log(v.r.Context(), f); err != nil {
		return nil, 0, err
	}
	for i := range entries {
		entries[i].At = v.shownTime(entries[i].At)
	}
	switch {
	case len(entries) > limit:
		return entries[:limit], entries[limit-1].ID, nil
	case f.After > 0:
		return entries, f.After + 1, nil
	}
	return entries, 0, nil
}

// shownTime is a time of the ledger as whoever is logged in sees it: an analyst as in the reports of SQL, where how long a count took does not show.
func (v *visit) shownTime(at time.Time) time.Time {
	if v.person.IsAnalyst() {
		return v.policy.Rounded(at)
	}
	return at
}

type questionsContent struct {
	since
	Query   logQuery
	Entries []ledger.Entry
	// Answers are the last ones of the analyst who is logged in, with their errors.
	Answers  []release.Told
	Tables   []policy.TableName
	Analysts []string
	Verdicts []ledger.Verdict
	// Older leads to the page of older entries; empty if there are none. Reached is the entry up to which was looked.
	Older, Export string
	Newest        bool
	Reached       int64
}

func (v *visit) questions() (*page, error) {
	q, err := v.logQuery()
	if err != nil {
		return nil, err
	}
	content := questionsContent{Query: q, Newest: q.filter.Before == 0, Verdicts: books.Verdicts, Export: q.values().Encode()}
	q.filter.Limit = pageEntries
	var older int64
	if content.Entries, older, err = v.logged(q.filter); err != nil {
		return nil, err
	}
	if older > 0 {
		values := q.values()
		values.Set("before", strconv.FormatInt(older, 10))
		content.Older, content.Reached = "/questions?"+values.Encode(), older
		if n := len(content.Entries); n > 0 {
			content.since = since{content.Entries[n-1].At}
		}
	}
	for _, t := range v.policy.Tables {
		content.Tables = append(content.Tables, t.Name)
	}
	if v.person.IsAnalyst() {
		if v.Answered != nil && content.Newest {
			content.Answers = v.Answered(v.person.Name)
		}
		content.Verdicts = content.Verdicts[:5] // those of statements
	} else {
		for _, a := range v.policy.Analysts {
			content.Analysts = append(content.Analysts, a.Name)
		}
	}
	return &page{"questions", "Questions", content}, nil
}

// exportPage is how many entries of an export are read at once, and exportTimeout how long a client may take for them.
const (
	exportPage    = 1000
	exportTimeout = 30 * time.Second
)

// export calls write with all entries that are asked for, newest first, some at a time.
func (v *visit) export(kind, file string, write func([]ledger.Entry) error) error {
	q, err := v.logQuery()
	if err != nil {
		return err
	}
	running := v.exports
	if v.person.IsAnalyst() { // whose slow exports leave room for those of officers
		running = v.analystExports
	}
	select {
	case running <- struct{}{}:
		defer func() { <-running }()
	default:
		return errManyFiles
	}
	if _, runs := v.exporting.LoadOrStore(v.person.Name, true); runs { // one alone cannot take the room of others
		return errManyFiles
	}
	defer v.exporting.Delete(v.person.Name)
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`)
	control := http.NewResponseController(v.w)
	q.filter.Limit = exportPage
	for {
		_ = control.SetWriteDeadline(time.Now().Add(exportTimeout)) // where there is no connection, as in tests, there is no deadline
		entries, older, err := v.logged(q.filter)
		if err == nil {
			err = write(entries)
		}
		switch {
		case err != nil: // what was sent cannot be taken back: the client sees that the file is cut off
			v.Log.Warn("an export was cut off", "error", err)
			panic(http.ErrAbortHandler)
		case older == 0:
			return nil
		}
		q.filter.Before = older
	}
}

func (v *visit) exportJSON() (*page, error) {
	encoder := json.NewEncoder(v.w)
	return nil, v.export("application/x-ndjson", "tacit-questions.json", func(entries []ledger.Entry) error {
		for _, e := range entries {
			if err := encoder.Encode(books.NewLogLine(e)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v *visit) exportCSV() (*page, error) {
	out, begun := bufio.NewWriter(v.w), false
	return nil, v.export("text/csv; charset=utf-8", "tacit-questions.csv", func(entries []ledger.Entry) error {
		if !begun {
			begun = true
			if err := writeRow(out, []string{"entry", "time (UTC)", "analyst", "table", "verdict", "sqlstate", "epsilon", "delta", "releases", "risk", "by", "reason", "statement"}); err != nil {
				return err
			}
		}
		for _, e := range entries {
			l := books.NewLogLine(e)
			loss := books.AmountsOf(e.Loss)
			if l.Loss == nil && l.Granted == nil {
				loss = books.Amounts{}
			}
			releases := ""
			if loss.Releases != nil {
				releases = strconv.FormatInt(*loss.Releases, 10)
			}
			row := []string{strconv.FormatInt(e.ID, 10), e.At.Format(time.DateTime), l.Analyst, l.Table, l.Verdict, l.SQLState, loss.Epsilon, loss.Delta, releases, loss.Risk, l.By, l.Reason, l.Statement}
			if err := writeRow(out, row); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// writeRow writes a line of a file with every field in quotes, so that programs which split lines elsewhere than at commas find no field within
// what an analyst wrote, and none of them as a formula: a text that would begin one gets an apostrophe.
func writeRow(w io.Writer, row []string) error {
	line := make([]string, len(row))
	for i, text := range row {
		if begin := strings.TrimLeft(text, " \t\r\n"); begin != "" && strings.ContainsRune("=+-@", rune(begin[0])) {
			text = "'" + text
		}
		line[i] = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	_, err := io.WriteString(w, strings.Join(line, ",")+"\r\n")
	return err
}

type refusedContent struct {
	since
	Heads []heading
	Needs []needRow
	// From is the oldest entry that was looked at; 0 if it was all.
	From int64
	Most bool // more refusals than are grouped
	Days int
}

type needRow struct {
	ledger.Need
	Log     string            // leads to the statements
	Instead []instead.Passage // what to ask
}

// maxRefusals is how many refusals are grouped for a page, and needDays how old they may be.
const (
	maxRefusals = 5000
	needDays    = 30
)

// refused groups refusals by their reason, as `tacit log --refused` does.
func (v *visit) refused() (*page, error) {
	filter := v.own(ledger.LogFilter{Verdict: ledger.Refused, Since: v.now.AddDate(0, 0, -needDays), Limit: maxRefusals})
	entries, older, err := v.logged(filter)
	if err != nil {
		return nil, err
	}
	content := refusedContent{since: since{filter.Since}, Days: needDays, Most: len(entries) == maxRefusals && older > 0}
	for _, need := range ledger.Needs(entries) {
		values := url.Values{"verdict": {string(ledger.Refused)}}
		if need.Table != (policy.TableName{}) {
			values.Set("table", need.Table.String())
		}
		content.Needs = append(content.Needs, needRow{need, "/questions?" + values.Encode(), instead.Of(need.SQLState, need.Reason)})
	}
	content.Heads = sorted(content.Needs, needColumns, v.r.URL.Query(), "sort")
	if len(entries) > 0 && older > 0 && !content.Most {
		content.From = cmp.Or(older, entries[len(entries)-1].ID)
	}
	return &page{"refused", "Refused", content}, nil
}
