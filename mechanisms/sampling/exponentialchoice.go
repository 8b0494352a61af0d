package sampling

import "math/big"

// A Tied is a group of outcomes of equal cost.
type Tied struct {
	// Outcomes is how many there are, at least one.
	Outcomes uint64
	Cost     uint64
}

// A Rate is a positive number, of whose exponentials bounds are kept that were made. It is for one goroutine at a time.
type Rate struct {
	rate *big.Rat
	made []*exponentials // with so many times firstPlaces
}

// NewRate returns a rate of more than 0.
func NewRate(rate *big.Rat) *Rate {
	if rate.Sign() <= 0 {
		panic("sampling: internal error: a rate that is not positive")
	}
	return &Rate{rate: rate}
}

// exponentials are those with n times firstPlaces.
func (r *Rate) exponentials(n int) *exponentials {
	for len(r.made) < n {
		r.made = append(r.made, newExponentials(r.rate, firstPlaces*uint(len(r.made)+1)))
	}
	return r.made[n-1]
}

// ExponentialChoice draws one of the outcomes of all groups, each with a probability proportional to exp(-rate Cost), of at least one group. It returns the group, and which of its outcomes it is, from 0. The time that it takes grows with the number of groups, and
// not with that of outcomes.
//
// Let w be the sums of the weights of the groups up to each, and U a real number, uniform in [0, 1), of which so many places are drawn as it takes.
// The group is the first one with U w_last < w. With places p, integers bound w 2^p from both sides (see exponentials), and u 2^-p <= U < (u+1) 2^-p for the
// integer u of the first p places. So the group is known if, for the bounds on both sides of it,
//
//	high(w before) 2^p <= u low(w_last)   and   (u+1) high(w_last) <= low(w) 2^p,
//
// of which the first holds for the first group, and the second need not for the last one. Otherwise more places are had of both; which group it
// is depends on U alone. It ends with probability 1, and with the first places in all but some n 2^-64 of draws among n groups. Within a
// group all outcomes are equally likely.
func (b *Bits) ExponentialChoice(groups []Tied, rate *Rate) (group int, outcome uint64) {
	b.Start()
	least := groups[0].Cost
	for _, g := range groups {
		least = min(least, g.Cost)
	}
	u := new(big.Int)
	for n := 1; n*firstPlaces <= maxPlaces && b.err == nil; n++ {
		for range firstPlaces / 64 {
			u.Or(u.Lsh(u, 64), new(big.Int).SetUint64(b.Take(64)))
		}
		if group, known := chosen(groups, least, u, rate.exponentials(n)); known && b.err == nil {
			return group, b.Below(groups[group].Outcomes)
		}
	}
	b.fail("a choice did not end")
	return 0, 0
}

// firstPlaces are drawn at once.
const firstPlaces = 128

// chosen is the group that u, the first places of a uniform number, tells; known is false if these are not enough.
func chosen(groups []Tied, least uint64, u *big.Int, e *exponentials) (group int, known bool) {
	sums := make([]interval, len(groups)+1)
	sums[0] = interval{new(big.Int), new(big.Int)}
	for i, g := range groups {
		w := e.at(g.Cost - least)
		outcomes := new(big.Int).SetUint64(g.Outcomes)
		sums[i+1] = interval{
			w.low.Mul(w.low, outcomes).Add(w.low, sums[i].low),
			w.high.Mul(w.high, outcomes).Add(w.high, sums[i].high),
		}
	}
	all := sums[len(groups)]
	from := new(big.Int).Mul(u, all.low)
	to := new(big.Int).Add(u, big.NewInt(1))
	to.Mul(to, all.high)
	for group < len(groups)-1 && new(big.Int).Lsh(sums[group+1].low, e.places).Cmp(to) < 0 {
		group++
	}
	return group, new(big.Int).Lsh(sums[group].high, e.places).Cmp(from) <= 0
}

// An interval holds a number times a power of two.
type interval struct{ low, high *big.Int }

// exponentials bound exp(-rate n) for integers n, by the product of the powers exp(-rate 2^j) that n is made of. Each power is the square of
// the one before, rounded down for the lower bound and up for the upper one.
type exponentials struct {
	// places are those that are asked for; guard are so many more that products are made with.
	places, guard uint
	powers        []interval
}

// guardPlaces are lost by 64 squarings of a number below 1, each of which doubles its relative error, and by the 64 products.
const guardPlaces = 128

func newExponentials(rate *big.Rat, places uint) *exponentials {
	e := &exponentials{places: places, guard: guardPlaces}
	halvings := max(0, rate.Num().BitLen()-rate.Denom().BitLen()+2) // rate/2^halvings is at most 1/2
	e.guard += uint(halvings)
	power := e.series(new(big.Rat).Quo(rate, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(halvings)))))
	for range halvings {
		power = e.product(power, power)
	}
	for range 64 {
		e.powers = append(e.powers, power)
		power = e.product(power, power)
	}
	return e
}

// series bounds exp(-x), 0 < x <= 1/2, by its Taylor series: terms x^k/k! of alternating sign fall, so that what follows a term is less than it.
// Terms are rounded in both directions.
func (e *exponentials) series(x *big.Rat) interval {
	one := new(big.Int).Lsh(big.NewInt(1), e.places+e.guard)
	term := interval{one, one}
	sum := interval{new(big.Int), new(big.Int)}
	for k := int64(1); term.high.Cmp(big.NewInt(1)) > 0; k++ {
		if k%2 == 1 {
			sum.low.Add(sum.low, term.low)
			sum.high.Add(sum.high, term.high)
		} else {
			sum.low.Sub(sum.low, term.high)
			sum.high.Sub(sum.high, term.low)
		}
		by := new(big.Int).Mul(x.Denom(), big.NewInt(k))
		term = interval{
			new(big.Int).Quo(new(big.Int).Mul(term.low, x.Num()), by),
			quotientUp(new(big.Int).Mul(term.high, x.Num()), by),
		}
	}
	return interval{sum.low.Sub(sum.low, term.high), sum.high.Add(sum.high, term.high)}
}

func quotientUp(a, by *big.Int) *big.Int {
	return a.Quo(a.Add(a, by).Sub(a, big.NewInt(1)), by)
}

// product multiplies numbers of all places.
func (e *exponentials) product(a, b interval) interval {
	return interval{
		e.drop(new(big.Int).Mul(a.low, b.low), e.places+e.guard, false),
		e.drop(new(big.Int).Mul(a.high, b.high), e.places+e.guard, true),
	}
}

// drop takes places off a number of at least 0.
func (e *exponentials) drop(n *big.Int, places uint, up bool) *big.Int {
	if up {
		n.Add(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), places), big.NewInt(1)))
	}
	return n.Rsh(n, places)
}

// at bounds exp(-rate n) 2^places. The largest powers come first: what is hardly more than 0 stays that.
func (e *exponentials) at(n uint64) interval {
	one := new(big.Int).Lsh(big.NewInt(1), e.places+e.guard)
	power := interval{one, one}
	for j := 63; j >= 0 && power.high.Cmp(big.NewInt(1)) > 0; j-- {
		if n>>j&1 == 1 {
			power = e.product(power, e.powers[j])
		}
	}
	return interval{e.drop(new(big.Int).Set(power.low), e.guard, false), e.drop(new(big.Int).Set(power.high), e.guard, true)}
}
