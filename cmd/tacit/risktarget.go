package main

import (
	"fmt"
	"strings"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/risk"
)

// inverseText answers which epsilon the target allows.
func (a riskReport) inverseText(r *assess.AttributeRisk) string {
	today := terminal.Percent(a.Target.Figure(*r.Today))
	text := fmt.Sprintf("%s of at most %s: today it is %s. ", a.Target.Of.Words(), a.Target, today)
	if r.Inverse == nil {
		return text + "There is no epsilon to choose."
	}
	return text + a.answerText(r) + a.keepingText(r) +
		" This measures one attack, and is no reason for a larger epsilon: what epsilon guarantees, to each person and against every attack, gets worse as it grows."
}

func (a riskReport) answerText(r *assess.AttributeRisk) string {
	at, low, high := terminal.Percent(r.Inverse.Risk), terminal.Figure(r.Inverse.Within.Low), terminal.Figure(r.Inverse.Within.High)
	how := "every lower one"
	if !r.Inverse.Proved {
		how = "each lower one of those that were tried"
	}
	switch {
	case r.Inverse.Answer == risk.Always:
		return fmt.Sprintf("No epsilon from %s to %s exceeds the target; what is beyond was not looked at.", low, high)
	case r.Inverse.Answer == risk.Crossed:
		return fmt.Sprintf("Epsilon %s keeps the target, and so does %s (it is %s there).", epsilonDown(r.Inverse.Epsilon), how, at)
	case r.Floor != nil && a.Target.Figure(*r.Floor) > a.Target.Risk:
		return fmt.Sprintf("No epsilon keeps the target together with every lower one: as epsilon falls to 0, the figure tends to %s, which is chance. "+
			"Choose a target above that. What gives away more than chance, and is too much, needs other means than noise: coarser quasi-identifiers, so that fewer cells are homogeneous; "+
			"dp-suppression, which withholds small counts; not to publish %s together with %s. Chance is less where more labels are declared: declare all that there can be.",
			terminal.Percent(a.Target.Figure(*r.Floor)), r.Name, strings.Join(a.Quasi, ", "))
	}
	return fmt.Sprintf("It is %s at epsilon %s already, and what is below that was not looked at. Coarser quasi-identifiers, dp-suppression, or not to publish %s together with %s may keep the target.",
		at, low, r.Name, strings.Join(a.Quasi, ", "))
}

// keepingText says where the figure is at most the target again above the epsilon of the answer, and why that is no permission.
func (a riskReport) keepingText(r *assess.AttributeRisk) string {
	stretch, ok := a.Target.KeptAbove(r.Inverse)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" It is at most the target from epsilon %s to %s, too, of those that were tried. There it is cells that show several labels, or none, "+
		"that hide their persons, and not the noise.", terminal.Figure(stretch.Low), terminal.Figure(stretch.High))
}

// epsilonDown writes an epsilon in four digits, rounded down.
func epsilonDown(e float64) string { return policy.Epsilon(e * 1e9).RoundDown(4).String() }
