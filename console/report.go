package console

import (
	"time"

	"tacit/accountant/ledger"
	"tacit/console/internal/sums"
	"tacit/policy"
	"tacit/release/books"
)

type reportContent struct {
	since
	Month         time.Time
	Months        []time.Time
	Tables        []reportTable
	Acts          []ledger.Entry
	MoreActs      bool
	Head          ledger.Overview
	Proof         proofView
	Policy        string
	Made, LastDay time.Time
	Complete      bool // whether the month is over
}

type reportTable struct {
	Name    policy.TableName
	Promise string
	Line    books.Line
	Sum     sums.Sum // of the month
	Loss    string
}

// Months that can be chosen, and acts that are listed.
const (
	offeredMonths = 12
	maxActs       = 500
)

// report is what a data protection officer keeps of a month.
func (v *visit) report() (*page, error) {
	month := time.Date(v.now.Year(), v.now.Month(), 1, 0, 0, 0, 0, time.UTC)
	content := reportContent{Month: month, Made: v.now, Policy: v.policy.Version, Proof: v.proof.view()}
	for i := range offeredMonths {
		content.Months = append(content.Months, month.AddDate(0, -i, 0))
	}
	if text := v.r.URL.Query().Get("month"); text != "" {
		asked, err := time.Parse("2006-01", text)
		if err != nil || asked.After(month) || asked.Year() < 2000 {
			return nil, badRequest("Write a month as 2026-11, not after the present one.")
		}
		content.Month = asked
	}
	next := content.Month.AddDate(0, 1, 0)
	content.LastDay, content.Complete = next.AddDate(0, 0, -1), !v.now.Before(next)
	content.since = since{content.Month}
	first, last := sums.DayOf(content.Month), sums.DayOf(next)-1
	lines, err := books.ReadWholes(v.r.Context(), v.ledger, v.policy.Tables)
	if err != nil {
		return nil, err
	}
	for i, t := range v.policy.Tables {
		row := reportTable{Name: t.Name, Promise: promise(t), Line: lines[i]}
		for _, day := range v.sums.Of(t.Name, "", first, last) {
			row.Sum.Add(day)
		}
		row.Loss = row.Sum.Loss.RoundUp(books.ShownDigits).String()
		content.Tables = append(content.Tables, row)
	}
	if err := v.acts(&content, first, last); err != nil {
		return nil, err
	}
	content.Head, err = v.ledger.Overview(v.r.Context())
	return &page{"report", "Report of " + content.Month.Format("January 2006"), content}, err
}

// acts adds what stewards did in the month, in order.
func (v *visit) acts(content *reportContent, first, last sums.Day) error {
	entries := v.sums.Acts(first, last)
	if content.MoreActs = len(entries) > maxActs; content.MoreActs {
		entries = entries[len(entries)-maxActs:]
	}
	for _, id := range entries {
		found, err := v.ledger.Log(v.r.Context(), ledger.LogFilter{Acts: true, After: id - 1, Before: id + 1})
		if err != nil {
			return err
		}
		content.Acts = append(content.Acts, found...)
	}
	return nil
}
