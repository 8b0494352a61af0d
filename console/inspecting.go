package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tacit/accountant/ledger"
	"tacit/internal/chart"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/assessmentview"
)

// This file runs what takes long for somebody who looks at a table: one at a time, in the background, for a limited time and on few cells. What reads rows
// does so by connections of its own, of which it has three at most and keeps none; the proxy's are not used. The ledger says before that a steward is
// shown true counts. What was found is kept for the session that asked for it, and shown to nobody else. Start at begin.

// inspections has room for one that runs, and keeps the last one of each session.
type inspections struct {
	mu      sync.Mutex // protects what follows, and the fields of inspections but finding
	running bool
	last    *lru.Cache[string, *inspection]
}

const (
	keptInspections = 50
	inspectionTime  = time.Minute
)

// An inspection is something that was asked for, and what was found.
type inspection struct {
	Title, By string
	Began     time.Time
	// True says that it reads true counts: SQL is what they are of, and Entry what the ledger has about it.
	True       bool
	SQL        string
	Entry      int64
	Back       string // the path of the form
	Running    bool
	Failure    string
	Took       time.Duration
	finding    *finding
	table      policy.TableName
	reason     string
	about      string // what was looked at, in words, of what may be decided
	look       func(context.Context) (*finding, error)
	pictureSVG [][]byte
}

// A finding is what a look at a table found.
type finding struct {
	Notice   string
	Sections []assessmentview.Section
	Curves   []curveTable
	Drawn    *assess.Drawn
	Names    []string // of the keys of what was drawn
	Words    []string
	Bounds   []*assess.Bounds
}

var errOneInspection = &refusal{http.StatusTooManyRequests, "Another one is being computed. Try again in a moment: there is one at a time."}

// begin starts an inspection, and leads to the page that shows it. One of true counts is in the ledger before a row is read.
func (v *visit) begin(i *inspection) (*page, error) {
	all := &v.inspections
	all.mu.Lock()
	if all.running {
		all.mu.Unlock()
		return nil, errOneInspection
	}
	all.running = true
	all.mu.Unlock()
	release := func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		all.running, i.Running = false, false
	}
	i.By, i.Began, i.Running = v.person.Name, v.now, true
	if i.True {
		if err := v.note(i); err != nil {
			release()
			return nil, err
		}
		v.Log.Info("a steward is shown true counts at the console", "name", i.By, "table", i.table.String(), "entry", i.Entry)
	}
	session := v.token(v.r.Context())
	all.last.Add(session, i)
	v.background(func(ctx context.Context) {
		defer release()
		all.run(ctx, i)
	})
	to := "/assess/result"
	if i.Back == "/whatif" {
		to = "/whatif/result"
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil, nil
}

// note writes down that a steward is shown true counts.
func (v *visit) note(i *inspection) error {
	return v.writes(func(ctx context.Context) error {
		l, err := ledger.Open(ctx, ledger.Options{Location: v.policy.Ledger, Role: ledger.Steward, Existing: true})
		if err != nil {
			return err
		}
		i.Entry, err = l.Inspect(ctx, ledger.Inspection{Table: i.table, SQL: i.SQL, By: i.By, Reason: i.reason})
		return errors.Join(err, l.Close())
	})
}

// run looks, and keeps what was found. A fault is a failure like others.
func (all *inspections) run(ctx context.Context, i *inspection) {
	ctx, cancel := context.WithTimeout(ctx, inspectionTime)
	defer cancel()
	began := time.Now()
	found, failure := &finding{}, "it was broken off by a fault"
	defer func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		i.Took, i.Failure = time.Since(began), failure
		if failure == "" {
			i.finding = found
		}
	}()
	made, err := i.look(ctx)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded): // and not a limit of something that it waited for
		failure = fmt.Sprintf("it took longer than %v; take fewer cells, kinds or epsilons", inspectionTime)
		return
	case err != nil:
		failure = err.Error()
		return
	}
	var pictures [][]byte
	for _, s := range made.Sections {
		for _, p := range s.Pictures {
			var svg bytes.Buffer
			if err := chart.SVG(&svg, p.Size, p.Drawing); err != nil {
				failure = err.Error()
				return
			}
			pictures = append(pictures, svg.Bytes())
		}
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	i.pictureSVG, found, failure = pictures, made, ""
}

// inspected is the last inspection of this session.
func (v *visit) inspected() (inspection, *finding, error) {
	all := &v.inspections
	all.mu.Lock()
	defer all.mu.Unlock()
	i, ok := all.last.Get(v.token(v.r.Context()))
	if !ok || i.By != v.person.Name || i.True && v.person.Role != steward || v.now.Sub(i.Began) > sessionIdle {
		return inspection{}, nil, &refusal{http.StatusNotFound, "There is nothing to show, or not any more. Begin at Assess."}
	}
	return *i, i.finding, nil
}

type resultContent struct {
	inspection
	*finding
	Measures []assessmentview.Measure
	// MayDecide says that this steward can have the ledger keep what is decided.
	MayDecide                         bool
	Token, Decided, WhyDecided, Field string
	Problem                           string
}

// Picture is the number of a picture, over all sections.
func (c resultContent) Picture(section, picture int) int {
	for _, s := range c.Sections[:section] {
		picture += len(s.Pictures)
	}
	return picture
}

func (v *visit) resultPage() (*page, error) { return v.result(resultContent{}) }

// result shows what was found, and a form with what is wrong with it.
func (v *visit) result(content resultContent) (*page, error) {
	i, found, err := v.inspected()
	if err != nil {
		return nil, err
	}
	if i.Running {
		v.w.Header().Set("Refresh", "1")
	}
	if found == nil {
		found = &finding{}
	}
	content.inspection, content.finding, content.Measures = i, found, assessmentview.Measures()
	content.MayDecide, content.Token = v.person.Role == steward && found.Drawn != nil, v.token(v.r.Context())
	if content.Problem != "" {
		v.status = http.StatusBadRequest
	}
	return &page{"result", i.Title, content}, nil
}

func (v *visit) resultPicture() (*page, error) {
	i, _, err := v.inspected()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(v.r.PathValue("number"))
	if err != nil || n < 0 || n >= len(i.pictureSVG) {
		return nil, errNotFound
	}
	v.writeSVG(i.pictureSVG[n])
	return nil, nil
}

// writeSVG answers with a picture. Its letters have styles of their own.
func (v *visit) writeSVG(svg []byte) {
	h := v.w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	_, _ = v.w.Write(svg)
}
