package expr

import (
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
)

// A number that is rounded has few values if its bounds are near to each other, whatever it is computed of: salary / 1000 of whole numbers, or
// round(price, 1). So keys of declared ranges are known that are too long to be listed.

// step is what all values of a call are multiples of; nil if that is not known, or if they are whole by their type.
func (c *Call) step(args []argument) *big.Rat {
	if c.Function.Result != pgvalue.Numeric {
		return nil
	}
	switch name := c.Function.Name; {
	case slices.Contains([]string{"ceil", "ceiling", "floor", "round", "trunc"}, name) && len(args) == 1, name == "div":
		return big.NewRat(1, 1)
	case (name == "round" || name == "trunc") && !args[1].untold && !args[1].null:
		return placeOf(args[1])
	}
	return nil
}

// WholeFields are the fields of a time that are whole numbers.
var WholeFields = []string{"century", "day", "decade", "dow", "doy", "hour", "isodow", "isoyear", "millennium", "minute", "month", "quarter", "week", "year"}

// grid is what all values of a call are multiples of, where sums are made of them; nil if that is not known.
func (c *Call) grid(args []argument) *big.Rat {
	switch name := c.Function.Name; {
	case (name == "round" || name == "trunc") && len(args) == 2:
		return c.step(args)
	case (name == "extract" || name == "date_part") && slices.Contains(WholeFields, strings.TrimSuffix(scan.LowerASCII(args[0].constant.Text), "s")):
		return big.NewRat(1, 1)
	}
	return nil
}

// seconds reports whether a call counts the seconds of a time, or between two times, to the microsecond.
func (c *Call) seconds(args []argument) bool {
	return c.Function.Name == "extract" && scan.LowerASCII(args[0].constant.Text) == "epoch" && (args[1].boundsEpoch() || args[1].oid == pgvalue.Timestamp)
}

// Seconds reports whether the column counts seconds, which may be rounded to minutes, hours and days.
func (c *Column) Seconds() bool { return !c.Stored() && c.computation.seconds }

// isElapsed reports whether a call is the difference of two times.
func (c *Call) isElapsed() bool {
	return c.Function.Symbol && c.Function.Name == "-" && c.Function.Result == pgvalue.Interval && len(c.Args) == 2
}

// isAge reports whether an argument is the age of a time of a row.
func (a argument) isAge() bool {
	return a.column != nil && !a.column.Stored() && a.column.computation.aged
}

// boundsEpoch reports whether the bounds of an interval hold its epoch, too, at 86400 seconds a day: that of a difference of times, and of a stored
// interval, whose wide bounds are those of all epochs.
func (a argument) boundsEpoch() bool {
	return a.oid == pgvalue.Interval && a.column != nil && (a.column.Stored() || a.column.computation.elapsed || a.column.computation.epoch)
}

// boundEpochs reports whether the bounds of values that are chosen among by conditions alone hold their epochs.
func boundEpochs(values []argument) bool {
	return !slices.ContainsFunc(values, func(a argument) bool { return !a.boundsEpoch() && !a.null && !areElapsed([]argument{a}) })
}

// isElapsed reports whether an argument is the difference of two times of a row.
func (a argument) isElapsed() bool {
	return a.column != nil && !a.column.Stored() && a.column.computation.elapsed
}

// areElapsed reports whether values are intervals without months, so that they are seconds: differences of times, and constants (see [Binding.result]).
func areElapsed(values []argument) bool {
	return !slices.ContainsFunc(values, func(a argument) bool {
		return a.oid != pgvalue.Interval || a.column != nil && !a.isElapsed() || a.untold || pgvalue.HasMonths(a.constant.Text)
	})
}

// result is one of the values that a CASE or the like may have. A constant interval without months is made one of days and a time, which bounds itself.
func (b *Binding) result(o Operand, oid pgvalue.OID) argument {
	a := b.argument(o, oid)
	if oid != pgvalue.Interval || a.column != nil || a.null || a.untold || pgvalue.HasMonths(a.constant.Text) {
		return a
	}
	d, refusal := a.constant.Span()
	if refusal != nil {
		b.fail(o.Loc, refusal)
		return a
	}
	a.constant = d.InDays()
	return a
}

// stepped are the values, but NULL, of a number that is computed of declared columns, one of which has a range whose values are not listed.
func (c *Column) stepped() (texts []string, ok bool) {
	inputs := c.Inputs()
	undeclared := func(input *Column) bool { return !input.Declared() }
	if slices.ContainsFunc(inputs, undeclared) || !slices.ContainsFunc(inputs, func(input *Column) bool { return input.Range != nil && input.Until == "" }) {
		return nil, false
	}
	step, narrow := c.computation.step, c.computation.narrow
	if pgvalue.IsInteger(c.TypeOID) {
		step = big.NewRat(1, 1)
	}
	if step == nil || !narrow.Known() {
		return nil, false
	}
	first, last := new(big.Rat).Quo(narrow.Least, step), new(big.Rat).Quo(narrow.Greatest, step)
	number := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(first.Num()), first.Denom())) // the first multiple within
	count := new(big.Int).Sub(new(big.Int).Div(last.Num(), last.Denom()), number)
	if !count.IsInt64() || count.Int64() >= extent.MaxKnown {
		return nil, false
	}
	digits, _ := step.FloatPrec()
	for range count.Int64() + 1 {
		n := new(big.Rat).SetInt(number)
		texts = append(texts, pgvalue.TrimmedDecimal(n.Mul(n, step).FloatString(digits)))
		number.Add(number, big.NewInt(1))
	}
	return texts, true
}
