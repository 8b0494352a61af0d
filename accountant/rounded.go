package accountant

// RoundUp is the loss as people are shown what was spent: epsilon, delta and risk with so many significant digits, and never less.
func (l Loss) RoundUp(digits int) Loss {
	l.Epsilon, l.Delta, l.Risk = l.Epsilon.RoundUp(digits), l.Delta.RoundUp(digits), l.Risk.RoundUp(digits)
	return l
}

// RoundDown is the loss as people are shown what is left: epsilon, delta and risk with so many significant digits, and never more.
func (l Loss) RoundDown(digits int) Loss {
	l.Epsilon, l.Delta, l.Risk = l.Epsilon.RoundDown(digits), l.Delta.RoundDown(digits), l.Risk.RoundDown(digits)
	return l
}
