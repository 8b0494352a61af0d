package console

import (
	"fmt"
	"math"
	"time"

	"tacit/accountant"
	"tacit/console/internal/sums"
	"tacit/policy"
	"tacit/release/books"
)

// shownDays is how many days pages show, the present one among them.
const shownDays = 30

// A card is a table at a glance.
type card struct {
	Name  policy.TableName
	Table *policy.Table
	Line  books.Line
	Gauge gauge
	Spark spark
	Sum   sums.Sum // of the last days
	Rate  string
	Own   *ownPart // of an analyst
}

// An ownPart is an analyst's part of a table.
type ownPart struct {
	Line books.Line
	// Frozen is why her charges alone are stopped; empty if they are not.
	Frozen string
}

type overviewContent struct {
	since
	Alarms []string
	Cards  []card
	Totals sums.Sum
	Days   int
}

// shownSince is when the days begin that pages show.
func (v *visit) shownSince() since {
	return since{(sums.DayOf(v.now) - shownDays + 1).Time()}
}

func (v *visit) overview() (*page, error) {
	today := sums.DayOf(v.now)
	content := overviewContent{Days: shownDays, since: v.shownSince(), Totals: v.sums.OfAll(v.analyst(), today-shownDays+1, today)}
	cards, err := v.cards(v.policy.Tables)
	if err != nil {
		return nil, err
	}
	for i, t := range v.policy.Tables {
		c := cards[i]
		content.Cards = append(content.Cards, c)
		if c.frozen() != "" {
			content.Alarms = append(content.Alarms, fmt.Sprintf("%v is frozen: %s", t.Name, c.frozen()))
		}
	}
	if !v.person.IsAnalyst() {
		content.Alarms = append(content.Alarms, v.alarms()...)
	}
	return &page{"overview", "Overview", content}, nil
}

func (c *card) frozen() string {
	if c.Own != nil {
		return c.Own.Line.Frozen
	}
	return c.Line.Frozen
}

// alarms are what a steward should look at first.
func (v *visit) alarms() (alarms []string) {
	if v.Closed != nil {
		if err := v.Closed(); err != nil {
			alarms = append(alarms, "Protected tables are closed: "+err.Error())
		}
	}
	if err := v.ledger.HeadMismatch(v.r.Context()); err != nil {
		alarms = append(alarms, err.Error())
		v.source.forget(v.ledger)
	}
	_, found := v.slowly()
	for _, a := range found {
		alarms = append(alarms, fmt.Sprintf("%v releases nothing new: %s", a.Table, a.Text))
	}
	if problems := v.proof.problems(); problems > 0 {
		alarms = append(alarms, fmt.Sprintf("The last verification of the ledger found problems: %d", problems))
	}
	return alarms
}

// cards are those of some tables. The ledger is looked at once, or twice for an analyst, however many there are.
func (v *visit) cards(tables []*policy.Table) ([]card, error) {
	lines, err := books.ReadWholes(v.r.Context(), v.ledger, tables)
	if err != nil {
		return nil, err
	}
	var own []books.Line
	if v.person.IsAnalyst() {
		analyst, _ := v.policy.Analyst(v.person.Name)
		if own, err = books.ReadOwns(v.r.Context(), v.ledger, tables, analyst); err != nil {
			return nil, err
		}
	}
	cards := make([]card, len(tables))
	for i, t := range tables {
		c := card{Name: t.Name, Table: t, Line: lines[i]}
		if own != nil {
			c.Own = &ownPart{Line: own[i]}
			if c.Line.Frozen == "" {
				c.Own.Frozen = own[i].Frozen
			}
		}
		cards[i] = v.drawn(c)
	}
	return cards, nil
}

// analyst is whose sums a page shows; empty for a steward and an officer, who see everybody's.
func (v *visit) analyst() string {
	if v.person.IsAnalyst() {
		return v.person.Name
	}
	return ""
}

// drawn adds what a card shows besides how the budget stands.
func (v *visit) drawn(c card) card {
	of := v.analyst()
	if of == "" {
		c.Rate = v.rate(c.Table)
	}
	c.Gauge = newGauge(c.Line)
	today := sums.DayOf(v.now)
	days := v.sums.Of(c.Name, of, today-shownDays+1, today)
	for _, d := range days {
		c.Sum.Add(d)
	}
	c.Spark = newSpark(days, c.Gauge.amount, today)
	return c
}

// rate says how long the rest of a budget lasts.
func (v *visit) rate(t *policy.Table) string {
	rates, _ := v.slowly()
	if r, ok := rates[t.Name]; ok {
		return fmt.Sprintf("%s days at epsilon %v a day", thousands(r.DaysLeft), r.PerDay.RoundUp(books.ShownDigits))
	}
	return ""
}

// An amount is one of the amounts of a loss.
type amount struct {
	name string
	of   func(accountant.Loss) float64
}

var (
	epsilonAmount  = amount{"epsilon", func(l accountant.Loss) float64 { return l.Epsilon.Float() }}
	releasesAmount = amount{"releases without a guarantee", func(l accountant.Loss) float64 { return float64(l.Releases) }}
	riskAmount     = amount{"risk", func(l accountant.Loss) float64 { return float64(l.Risk) / 1e18 }}
)

// A gauge shows how much of a budget is spent: of its first amount that is bounded.
type gauge struct {
	amount        amount
	Name          string
	Spent, Budget string
	// Percent is rounded up, and Width is for a picture of 100 units.
	Percent int
	Width   float64
	// Level is low, high or out, and Words says the same.
	Level, Words string
}

func newGauge(l books.Line) gauge {
	limit := accountant.Named(*l.Limit)
	g := gauge{amount: epsilonAmount, Spent: l.ShownSpent(l.Exact.Spent), Budget: l.BudgetText()}
	switch {
	case limit.Epsilon > 0:
	case limit.Releases > 0:
		g.amount = releasesAmount
	case limit.Risk > 0:
		g.amount = riskAmount
	}
	part := newPart(g.amount.of(l.Exact.Spent), g.amount.of(limit))
	g.Name, g.Width, g.Percent, g.Level, g.Words = g.amount.name, part.Width, part.Percent, part.Level, part.Words
	return g
}

// newPart is a gauge of an amount, without texts.
func newPart(spent, whole float64) (g gauge) {
	if whole > 0 {
		g.Width = math.Min(100, 100*spent/whole)
	}
	g.Percent = int(math.Ceil(g.Width))
	switch {
	case g.Percent >= 100:
		g.Level, g.Words = "out", "used up"
	case g.Percent >= 80:
		g.Level, g.Words = "high", "nearly used up"
	default:
		g.Level, g.Words = "low", "spent"
	}
	return g
}

// A spark is a small picture of what was charged on each day.
type spark struct {
	Bars  []bar
	Words string
}

// A bar is a day, in a picture of 300 by 40 units.
type bar struct{ X, Y, Width, Height float64 }

const sparkWidth, sparkHeight = 300, 40

func newSpark(days []sums.Sum, a amount, today sums.Day) spark {
	most, at := 0.0, sums.Day(0)
	for i, d := range days {
		if of := a.of(d.Loss); of > most {
			most, at = of, today-sums.Day(len(days)-1-i)
		}
	}
	if most == 0 {
		return spark{Words: fmt.Sprintf("nothing was charged in %d days", len(days))}
	}
	s := spark{Words: fmt.Sprintf("%s charged a day: at most %.4g, on %s", a.name, most, at.Time().Format(time.DateOnly))}
	step := float64(sparkWidth) / float64(len(days))
	for i, d := range days {
		if of := a.of(d.Loss); of > 0 {
			height := math.Max(2, sparkHeight*of/most)
			s.Bars = append(s.Bars, bar{float64(i) * step, sparkHeight - height, step * 0.8, height})
		}
	}
	return s
}
