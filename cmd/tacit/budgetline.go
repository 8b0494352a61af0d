package main

import (
	"fmt"
	"io"

	"tacit/internal/terminal"
	"tacit/release/books"
)

// budgetWidth is how many columns a terminal has for the table.
const budgetWidth = 120

// A budgetView is what of a budget is shown.
type budgetView struct{ blocks, all bool }

// printBudget shows a table for people. What no line has is not a column of it, and what is to be noted of a line stands below it.
func printBudget(w io.Writer, lines []books.Line, view budgetView) error {
	table := [][]string{{"TABLE", "ANALYST", "SPENT", "BUDGET", "LEFT", "RULE"}}
	notes := []string{""}
	hidden := 0
	for _, l := range lines {
		if l.Idle() && !view.all {
			hidden++
			continue
		}
		table, notes = append(table, budgetRow(&l)), append(notes, l.Note())
		for _, b := range l.Blocks {
			if view.blocks {
				table, notes = append(table, []string{l.Table, "(block " + terminal.Printable(b.Block) + ")", l.ShownSpent(b.Exact.Spent), l.BudgetText(), l.ShownLeft(b.Exact.Left), ""}), append(notes, "")
			}
		}
	}
	table = withoutEmpty(table)
	widths := fittingWidths(table, budgetWidth)
	for i, row := range table {
		printWrapped(w, widths, [][]string{row})
		if notes[i] != "" {
			printWrapped(w, []int{2, budgetWidth - 4}, [][]string{{"", notes[i]}})
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "Analysts who spent nothing are not shown: %d (--all).\n", hidden)
	}
	return nil
}

// withoutEmpty leaves out the columns in which there is nothing below the title.
func withoutEmpty(table [][]string) [][]string {
	kept := make([][]string, len(table))
	for column := range table[0] {
		empty := true
		for _, row := range table[1:] {
			empty = empty && row[column] == ""
		}
		for i, row := range table {
			if !empty {
				kept[i] = append(kept[i], row[column])
			}
		}
	}
	return kept
}

func budgetRow(l *books.Line) []string {
	analyst := l.Analyst
	if analyst == "" {
		analyst = "(all)"
	}
	return []string{l.Table, analyst, l.ShownSpent(l.Exact.Spent), l.BudgetText(), l.LeftText(), l.Composition}
}
