package proxy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tacit/policy"
	"tacit/release"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// This file remembers how the last statements of a session were answered, for the relation tacit.answers: it is what their notices said, for
// clients that show no notices. The invariant: nothing is in it that the notices had not, or would have had if the statement that shows the
// answer had not failed. Start at answers.

// maxAnswers bounds the statements that a session remembers, and maxAnswerBytes what is kept of the text of one.
const (
	maxAnswers     = 100
	maxAnswerBytes = 2000
)

// answers are those of a session, the oldest first.
type answers []answered

// An answered statement.
type answered struct {
	text    string
	at      time.Time
	receipt *release.Receipt
}

// lately are the last answers of each analyst, whichever session had them. Many goroutines may use it.
type lately struct {
	mu sync.Mutex // protects of
	of *simplelru.LRU[string, answers]
}

const (
	mostLately     = 20
	analystsLately = 500
)

func newLately() *lately {
	of, err := simplelru.NewLRU[string, answers](analystsLately, nil)
	if err != nil {
		panic("proxy: internal error: " + err.Error())
	}
	return &lately{of: of}
}

func (l *lately) add(analyst string, a answered) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, _ := l.of.Get(analyst)
	l.of.Add(analyst, append(before[max(0, len(before)-mostLately+1):], a))
}

// AnsweredLately are the last answers of an analyst, the newest first, as their notices told of them.
func (p *Proxy) AnsweredLately(analyst string) (told []release.Told) {
	p.lately.mu.Lock()
	of, _ := p.lately.of.Get(analyst)
	of = slices.Clone(of)
	p.lately.mu.Unlock()
	for _, a := range slices.Backward(of) {
		for _, line := range a.receipt.Lines {
			told = append(told, release.Told{At: a.at, Statement: a.text, Notice: line.String()})
		}
	}
	return told
}

// newAnswered is an answer with what is kept of its statement.
func newAnswered(text string, receipt *release.Receipt, at time.Time) answered {
	if len(text) > maxAnswerBytes {
		text = strings.ToValidUTF8(text[:maxAnswerBytes], "")
	}
	return answered{strings.Clone(text), at, receipt}
}

func (a *answers) add(one answered) {
	if len(*a) == maxAnswers { // append moves the rest now and then
		(*a)[0] = answered{}
		*a = (*a)[1:]
	}
	*a = append(*a, one)
}

// cells are the rows of tacit.answers, the newest first: one for each protected table of a statement.
func (a answers) cells() *query.Cells {
	cells := &query.Cells{Keys: make([][]query.Value, len(rewrite.AnswersReport.Columns))}
	for i := len(a) - 1; i >= 0; i-- {
		for _, line := range a[i].receipt.Lines {
			for column, v := range a[i].row(&line) {
				cells.Keys[column] = append(cells.Keys[column], v)
			}
		}
	}
	return cells
}

// row is in the order of the report's columns. Where no count is shown, but values alone, no bound of counts is told.
func (a *answered) row(l *release.ReceiptLine) []query.Value {
	var spent, left = l.Charged, l.TableLeft
	counts, withheld, within := l.Counts, l.Withheld, optional(l.HalfWidth95, policy.Kind(l.Mechanism).Guaranteed() && l.Description != "" && !l.AddsUp)
	if l.Audit != nil {
		spent.Risk, left.Risk = l.Audit.Spent, l.Audit.TableLeft
		counts, withheld, within = l.Audit.Total(), l.Audit.Suppressed, optional(0, true)
	}
	oldest, age := query.Value{Null: true}, query.Value{Null: true}
	if at := l.Oldest(); !at.IsZero() {
		oldest = optional(timeText(at), true)
		age = optional(fmt.Sprintf("%d seconds", int64(max(0, a.at.Sub(at)).Seconds())), true)
	}
	row := []query.Value{
		optional(timeText(a.at), true), optional(a.text, true), optional(l.Table.Schema, true), optional(l.Table.Name, true),
		optional(l.How(), true), optional(counts, true), optional(withheld, true), within,
		optional(spent.Epsilon, true), optional(spent.Delta, true), optional(spent.Releases, true), optional(spent.Risk, true),
		optional(left.Epsilon, l.Budget.Epsilon > 0), optional(left.Delta, l.Budget.Delta > 0), optional(left.Releases, l.Budget.Releases > 0),
		optional(left.Risk, l.Audit != nil),
	}
	own := query.Value{Null: true}
	if l.AnalystLeft != nil {
		own = optional(l.AnalystLeft.Epsilon, l.Capped.Epsilon > 0)
	}
	return append(row, own, oldest, age, optional(l.String(), true))
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999Z07:00") }

// optional is a value as a report has it, or NULL.
func optional(v any, known bool) query.Value {
	if !known {
		return query.Value{Null: true}
	}
	return query.Value{Text: fmt.Sprint(v)}
}
