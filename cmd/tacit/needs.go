package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/release/books"
)

// printNeeds shows refusals by their reason: what analysts needed and did not get.
func printNeeds(w io.Writer, needs []ledger.Need) error {
	if len(needs) == 0 {
		_, err := fmt.Fprintln(w, "no statement was refused")
		return err
	}
	rows := [][]string{{"TIMES", "LAST (UTC)", "WHO", "TABLE", "CODE", "REASON, AND THE NEWEST STATEMENT"}}
	for _, n := range needs {
		who := strconv.Itoa(len(n.Analysts)) + " analysts"
		if len(n.Analysts) == 1 {
			who = n.Analysts[0]
		}
		reason := n.Reason
		if reason == "" {
			reason = "(not noted)"
		}
		rows = append(rows,
			[]string{strconv.Itoa(n.Times), n.Last.Format(time.DateTime), who, books.TableText(n.Table), n.SQLState, reason},
			[]string{"", "", "", "", "", terminal.OneLine(n.Example)})
	}
	printWrapped(w, []int{5, 19, 11, 18, 5, 52}, rows)
	return nil
}

func printNeedsJSON(w io.Writer, needs []ledger.Need) error {
	for _, n := range needs {
		table := strings.TrimPrefix(books.TableText(n.Table), "-")
		if err := printJSON(w, struct {
			Times     int       `json:"times"`
			Analysts  []string  `json:"analysts"`
			Last      time.Time `json:"last"`
			Table     string    `json:"table,omitempty"`
			SQLState  string    `json:"sqlstate"`
			Reason    string    `json:"reason,omitempty"`
			Statement string    `json:"statement"` // the newest
		}{n.Times, n.Analysts, n.Last, table, n.SQLState, n.Reason, n.Example}); err != nil {
			return err
		}
	}
	return nil
}
