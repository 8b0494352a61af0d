package contingency

import (
	"fmt"

	"tacit/examples/papers/contingency/suppressor"
)

// A question is a sum of a table that is to be published.
type question struct {
	name   string
	region suppressor.Region
}

// cells are the questions about single cells, row by row.
func cells(t suppressor.Table) []question {
	var qs []question
	for i := range t.Cells {
		row, column := i/t.Columns, i%t.Columns
		qs = append(qs, question{fmt.Sprintf("cell %d,%d", row+1, column+1), suppressor.At(row, column)})
	}
	return qs
}

// margins are the questions about rows and columns.
func margins(t suppressor.Table) []question {
	var qs []question
	for row := range t.Rows {
		qs = append(qs, question{fmt.Sprintf("row %d", row+1), t.Row(row)})
	}
	for column := range t.Columns {
		qs = append(qs, question{fmt.Sprintf("column %d", column+1), t.Column(column)})
	}
	return qs
}

// marginsFirst is the paper's order: its margins come with the binning.
func marginsFirst(t suppressor.Table) []question { return append(margins(t), cells(t)...) }

// cellsFirst leaves the margins to follow from the cells.
func cellsFirst(t suppressor.Table) []question { return append(cells(t), margins(t)...) }

// An allowance says whether a question of a risk may be answered when some risk has been spent.
type allowance func(risk, spent float64) bool

// atMost releases what has no more than a risk: the paper's delta/T, and delta/2T, which is where its sampled rule has its threshold.
func atMost(risk float64) allowance { return func(r, _ float64) bool { return r <= risk } }

// ledger releases while the sum of the risks is at most delta, and no single risk more than limit.
func ledger(delta, limit float64) allowance {
	return func(r, spent float64) bool { return r <= limit && spent+r <= delta }
}

// A verdict is what was decided of a question.
type verdict struct {
	question
	risk     float64
	free     bool // the answer follows from released ones
	released bool
}

// audit decides one question after the other. A value is read after it was decided to release it.
func audit(t suppressor.Table, values []int, questions []question, allow allowance) ([]verdict, error) {
	var released suppressor.Released
	var verdicts []verdict
	spent := 0.0
	for _, q := range questions {
		v := verdict{question: q}
		d, err := decide(t.System(epsilon, released), t.Set(q.region))
		if err != nil {
			return nil, err
		}
		v.risk, v.free = d.Risk, d.Determined
		if v.released = v.free || allow(v.risk, spent); v.released && !v.free {
			spent += v.risk
			released = released.And(q.region, t.Sum(values, q.region))
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// An outcome counts a run.
type outcome struct {
	cells, margins int // suppressed
	risk           float64
}

func count(t suppressor.Table, verdicts []verdict) outcome {
	var o outcome
	for _, v := range verdicts {
		switch {
		case v.released:
			if !v.free {
				o.risk += v.risk
			}
		case v.region == suppressor.At(v.region.Top, v.region.Left):
			o.cells++
		default:
			o.margins++
		}
	}
	return o
}
