package attack

// An end is where the search for one variable's least or largest value ended: at the basis that the program is at now.
type end struct {
	y      []int64 // multipliers, times d, such that side times the variable is at most y b; nil: it cannot be less than 0
	beyond bool    // nothing stops it: it grows with the variable enter, whose column is the program's
	enter  int
}

// least goes to a basis at which a variable is least. Row r of the tableau reads x = level - sum of (y A) over the variables outside of the basis,
// y being row r of the inverse: one with positive y A makes x less as it grows. If there is none, y shows that x is least.
func (p *program) least(variable int) (end, error) {
	for {
		r := p.row[variable]
		if r < 0 {
			return end{}, nil
		}
		enter := p.price(p.inverse[r])
		if enter < 0 {
			return end{y: negative(p.inverse[r])}, nil
		}
		p.expand(enter)
		if err := p.pivot(enter, p.ratio()); err != nil { // row r stops it at the latest
			return end{}, err
		}
	}
}

// most goes to a basis at which a variable is largest.
func (p *program) most(variable int) (end, error) {
	for {
		enter := variable
		if r := p.row[variable]; r >= 0 {
			if enter = p.price(negative(p.inverse[r])); enter < 0 {
				return end{y: append([]int64(nil), p.inverse[r]...)}, nil
			}
		}
		p.expand(enter)
		leave := p.ratio()
		if leave < 0 {
			return end{enter: enter, beyond: true}, nil
		}
		if err := p.pivot(enter, leave); err != nil {
			return end{}, err
		}
	}
}

func negative(row []int64) []int64 {
	n := append([]int64(nil), row...)
	negate(n)
	return n
}
