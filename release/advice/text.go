package advice

import (
	"bytes"
	"encoding/json"
	"fmt"

	"tacit/accountant"
	"tacit/release/internal/reply"
)

// Lines are the advice for people.
func (a *Advice) Lines() []string {
	spent := shownSpent(a.Spent)
	lines := []string{fmt.Sprintf("%s: %s charged in this epoch, %d of them of a kind that can follow from others; spent: %s",
		a.Table, plural(a.Asked, "question was", "questions were"), a.Derivable, spent)}
	f := a.Finer
	if f == nil && a.TooNoisy {
		return append(lines, "  Releases from which several of them follow would have had errors larger than the counts: each answer adds up too many noisy cells.")
	}
	if f == nil {
		return append(lines, "  No one release would have answered several of them, or that which would have answered most would have saved nothing.")
	}
	lines = append(lines,
		fmt.Sprintf("  One release would have answered %d of them:", f.Answers),
		"    "+f.Statement+";",
		fmt.Sprintf("  It has %s and costs %s. All together would have cost %s with it, which saves %s.",
			plural(f.Cells, "cell", "cells"), f.Cost, shownSpent(f.Spent), saved(spent, shownSpent(f.Spent))),
		"  "+f.noiseText())
	if f.Recorded {
		lines = append(lines, "  It was asked already: such questions follow from it now, unless they are asked with tacit.fresh = on, or the policy says derive: false.")
	}
	if !f.Best {
		lines = append(lines, "  There may be a better one: the questions have too many conditions or columns to try everything.")
	}
	return lines
}

// shownSpent rounds up what was spent, for people.
func shownSpent(l accountant.Loss) accountant.Loss {
	return accountant.Loss{Epsilon: l.Epsilon, Delta: l.Delta}.RoundUp(reply.ShownDigits)
}

// noiseText says how much noisier the answers would have been.
func (f *FinerRelease) noiseText() string {
	if f.MostAdded == 1 {
		return fmt.Sprintf("Its answers would have been as exact as they were, each within ±%d with probability 95%%.", f.HalfWidth95)
	}
	return fmt.Sprintf("Its answers would have been noisier: each was within ±%d with probability 95%%; adding up %s, as in the middle of them, within ±%d; adding up %d, the most, within ±%d.",
		f.HalfWidth95, plural(f.Added, "cell", "cells"), f.AddedHalfWidth95, f.MostAdded, f.MostHalfWidth95)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// MarshalJSON writes amounts as decimal strings, exactly.
func (a *Advice) MarshalJSON() ([]byte, error) {
	type finer struct {
		Statement        string       `json:"statement"`
		Keys             []string     `json:"keys"`
		Where            []string     `json:"where"`
		Cells            int          `json:"cells"`
		Answers          int          `json:"answers"`
		Cost             adviceAmount `json:"cost"`
		Spent            adviceAmount `json:"spent_instead"`
		Saved            adviceAmount `json:"saved"`
		HalfWidth95      int64        `json:"half_width_95"`
		Added            int          `json:"cells_added_median"`
		AddedHalfWidth95 int64        `json:"half_width_95_median"`
		MostAdded        int          `json:"cells_added_most"`
		MostHalfWidth95  int64        `json:"half_width_95_most"`
		Recorded         bool         `json:"recorded"`
		Best             bool         `json:"best"`
	}
	out := struct {
		Table     string       `json:"table"`
		Asked     int          `json:"asked"`
		Derivable int          `json:"derivable"`
		Spent     adviceAmount `json:"spent"`
		Finer     *finer       `json:"finer"`
		TooNoisy  bool         `json:"too_noisy"` // what several follow from
	}{TooNoisy: a.TooNoisy, Table: a.Table.String(), Asked: a.Asked, Derivable: a.Derivable, Spent: adviceAmountOf(a.Spent)}
	if f := a.Finer; f != nil {
		out.Finer = &finer{
			Statement: f.Statement, Keys: append([]string{}, f.Keys...), Where: append([]string{}, f.Where...), Cells: f.Cells, Answers: f.Answers,
			Cost: adviceAmountOf(f.Cost), Spent: adviceAmountOf(f.Spent), Saved: adviceAmountOf(a.Saved()), HalfWidth95: f.HalfWidth95,
			Added: f.Added, AddedHalfWidth95: f.AddedHalfWidth95, MostAdded: f.MostAdded, MostHalfWidth95: f.MostHalfWidth95,
			Recorded: f.Recorded, Best: f.Best,
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // conditions are full of < and >
	err := e.Encode(out)
	return b.Bytes(), err
}

// An adviceAmount is a loss with a guarantee, as exact decimals.
type adviceAmount struct {
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta"`
}

func adviceAmountOf(l accountant.Loss) adviceAmount {
	return adviceAmount{l.Epsilon.String(), l.Delta.String()}
}
