package seal

import (
	"fmt"
	"slices"
	"strings"

	"tacit/auditor"
	"tacit/auditor/posterior"
	"tacit/release/internal/epoch"
)

// A WithheldCell is a count of a statement that the auditor withheld. All of it is public: the question, how many people it is about, and the reason,
// which follows from what was released before. The statement may be answered later, when more was released.
type WithheldCell struct {
	Event     int64
	Analyst   string
	Statement string
	// Who are the people that it is about, by the columns that tell them apart, and People how many they are.
	Who    string
	People int64
	// Values are those of the private column that it counts.
	Values string
	Reason string
}

// withheldCells are those of the newest statements of the last epoch, whose people the stored facts say: of earlier statements nobody can say any more
// whom they were about. Rounds of one statement follow one another in the log; what an early one withheld may follow from
// what a later one released, and is not withheld then.
func withheldCells(decisions []Decision, steps []auditor.Event, stored []byte, most int) (cells []WithheldCell, err error) {
	facts, err := epoch.DecodeFacts(stored)
	if err != nil {
		return nil, err
	}
	decided := make(map[int]auditor.Decision) // of the statement, by query: the last decision
	for i, step := range slices.Backward(steps) {
		if len(cells) >= most || epoch.OpensEpoch(step.Kind) {
			break
		}
		if step.Kind != auditor.EventRound {
			continue
		}
		asked, err := step.Asked()
		if err != nil {
			return nil, err
		}
		if decisions[i].Answered {
			made, _, err := step.Decisions()
			if err != nil {
				return nil, err
			}
			for _, d := range made {
				if _, later := decided[d.Query]; !later {
					decided[d.Query] = d
				}
			}
		}
		if asked == nil { // a later round of a statement
			continue
		}
		for q := range asked {
			d, ok := decided[q]
			if !ok || d.Outcome != auditor.Suppressed || len(cells) >= most {
				continue
			}
			of := decisions[i]
			cell := WithheldCell{Event: of.Event, Analyst: of.Analyst, Statement: of.Statement, Values: valuesOf(facts, asked[q].Values), Reason: d.Reason}
			if cell.Who, cell.People, err = peopleOf(facts, asked[q].Units); err != nil {
				return nil, fmt.Errorf("event %d: %w", of.Event, err)
			}
			cells = append(cells, cell)
		}
		clear(decided)
	}
	return cells, nil
}

// shownValues is how many values of a column are named.
const shownValues = 4

// peopleOf says which people units are: the values that each column has among them, if they are not all that it has.
func peopleOf(f *epoch.PublicFacts, units []int32) (who string, people int64, err error) {
	tuples := make(map[int]bool)
	for _, u := range units {
		if int(u) >= len(f.Units) {
			return "", 0, fmt.Errorf("there is no group %d of people", u)
		}
		tuples[f.Units[u].Tuple] = true
		people += f.Units[u].People
	}
	var parts []string
	for c, column := range f.Columns {
		of, all := make(map[string]bool), make(map[string]bool)
		for i, tuple := range f.Tuples {
			text := "NULL"
			if !tuple[c].Null {
				text = tuple[c].Text
			}
			all[text] = true
			if tuples[i] {
				of[text] = true
			}
		}
		if len(of) < len(all) {
			parts = append(parts, column+" "+listed(of))
		}
	}
	if len(parts) == 0 {
		return "everybody", people, nil
	}
	return strings.Join(parts, ", "), people, nil
}

// listed are a few values in order, and how many there are besides.
func listed(values map[string]bool) string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	if more := len(names) - shownValues; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownValues], " or "), more)
	}
	return strings.Join(names, " or ")
}

// valuesOf are the values of the private column in some sets.
func valuesOf(f *epoch.PublicFacts, sets []posterior.ValueSet) string {
	of := make(map[string]bool)
	for j, value := range f.Values {
		for _, set := range sets {
			if set.Has(j) {
				of[map[bool]string{false: value.Text, true: "NULL"}[value.Null]] = true
			}
		}
	}
	return listed(of)
}
