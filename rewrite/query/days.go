package query

import (
	"math/big"
	"time"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
)

// Rows of a day may arrive until it is over. So a count of the rows of days that were not over is not what it would be later. Here it is found from
// when on counts may be used for others: those made after the days, or, while a day lasts, after it began.

// Day is when the day that is a value of a column of dates begins and ends in a time zone; ok is false of other values.
func Day(c *expr.Column, v pgvalue.Value, zone *time.Location) (begin, end time.Time, ok bool) {
	d, refusal := pgvalue.ReadDatum(c.TypeOID, v.Text)
	if c.TypeOID != pgvalue.Date || v.Null || refusal != nil || d.IsInfinite() {
		return begin, end, false
	}
	day := time.UnixMicro(d.Micros).UTC()
	return midnight(day, zone), midnight(day.AddDate(0, 0, 1), zone), true
}

// FinalSince is the time from which on what was counted may be used for a count of the query, by the days of the blocks' column that WHERE and
// FILTER let pass: the end of the last one that is over, or the beginning of today if that is among them. It is zero if they say nothing of the
// column, and of a table whose blocks are not made of times.
func (q *BoundQuery) FinalSince(c Count, now time.Time, zone *time.Location) (since time.Time) {
	b := q.Table.Policy.Blocks
	if b == nil {
		return since
	}
	column := q.Table.Column(b.Column)
	if column == nil || !pgvalue.IsTime(column.TypeOID) {
		return since
	}
	for _, s := range q.WithinCount(b.Column, c).Spans {
		begin, end := instant(column.TypeOID, s.From, zone), instant(column.TypeOID, s.To, zone)
		switch {
		case begin.After(now):
			continue
		case end.After(now):
			if end = midnight(now.In(zone), zone); begin.After(end) {
				end = begin
			}
		}
		if end.After(since) {
			since = end
		}
	}
	return since
}

// Before and behind all times that a column can have.
var (
	beforeTimes = time.Date(-10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	behindTimes = time.Date(300_000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// instant is the time of a cut between values of a type: of dates, between two days.
func instant(oid pgvalue.OID, c extent.Cut, zone *time.Location) time.Time {
	switch {
	case c.At.Rank < extent.Finite:
		return beforeTimes
	case c.At.Rank > extent.Finite:
		return behindTimes
	}
	micros := new(big.Int).Div(c.At.Value.Num(), c.At.Value.Denom()).Int64()
	at := time.UnixMicro(micros).UTC()
	switch {
	case oid == pgvalue.Timestamptz:
		return at
	case oid != pgvalue.Date:
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone)
	case c.After || micros%pgvalue.Day.Microseconds() != 0:
		return midnight(at.AddDate(0, 0, 1), zone)
	}
	return midnight(at, zone)
}

// midnight is the beginning of the day of a time, as a clock on the wall of a zone shows it.
func midnight(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
}
