package rewrite

import (
	"math/big"
	"slices"
)

// LeftOut names the columns whose rows may be missing from a derived count though the count itself would have them: those whose value is not
// among the declared ones lie in no cell of the finer release, and so in no sum of its cells. It is empty if there can be none: if
// each cell of the query is one finer cell, if WHERE and FILTER let no other values pass, or if the type has no others.
//
// A row that has an undeclared value in a key of the query itself is in no cell of either.
func (d *Derivation) LeftOut() []string {
	var names []string
	for place, k := range d.shape.Keys {
		if d.isKey(place) {
			continue
		}
		for _, name := range k.Inputs {
			c := d.query.Table.column(name)
			if !slices.Contains(names, name) && !slices.Contains(d.query.Keys, c) && !c.declares(extentOf(all(d.conditions), c)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// isKey reports whether a finer key is one of the query's.
func (d *Derivation) isKey(place int) bool {
	return slices.ContainsFunc(d.query.Keys, func(k *Column) bool {
		at, ok := d.places[k]
		return ok && at == place
	})
}

// declares reports whether all values of a stored column in an extent are declared. NULL is, of every column.
func (c *Column) declares(e Extent) bool {
	if c.TypeOID == oidBool && len(c.Domain) == 2 {
		return true
	}
	if e.any || e.except || len(c.Domain) == 0 {
		return !e.any && !e.except && len(e.texts) == 0 && len(e.spans) == 0
	}
	declared := Extent{Null: true}
	for _, text := range c.Domain {
		if tellsTexts(c.TypeOID) {
			declared.texts = append(declared.texts, text)
			continue
		}
		d, refusal := readDatum(c.TypeOID, text)
		if refusal != nil {
			return false
		}
		p, ok := pointOf(d)
		if !ok {
			return false
		}
		declared.spans = append(declared.spans, spanOf(equal, p))
	}
	declared.texts = sortedTexts(declared.texts)
	if step := stepOf(c.TypeOID); step > 0 {
		e.spans, declared.spans = wholeSpans(e.spans, step), wholeSpans(declared.spans, step)
	}
	declared.spans = unite(declared.spans)
	return e.within(declared)
}

// stepOf is how far the values of a type are apart, as points; 0 if they are not evenly spaced.
func stepOf(oid typeOID) int64 {
	switch {
	case IsInteger(oid):
		return 1
	case oid == oidDate:
		return day.Microseconds()
	}
	return 0
}

// wholeSpans have the same multiples of a step as spans that are apart and rising, and the numbers up to the next multiple behind each, so that
// neighbours meet.
func wholeSpans(spans []span, step int64) []span {
	var whole []span
	for _, s := range spans {
		if s = (span{wholeCut(s.from, step), wholeCut(s.to, step)}); s.from.compare(s.to) < 0 {
			whole = append(whole, s)
		}
	}
	return unite(whole)
}

// wholeCut is before the first multiple of a step behind a cut.
func wholeCut(c cut, step int64) cut {
	if c.at.rank != finite {
		return c
	}
	size := new(big.Rat).SetInt64(step)
	steps := new(big.Rat).Quo(c.at.value, size)
	n := new(big.Int).Div(steps.Num(), steps.Denom()) // Euclidean, so floor: the denominator is positive
	if !steps.IsInt() || c.after {
		n.Add(n, big.NewInt(1))
	}
	return cut{at: point{finite, size.Mul(size, new(big.Rat).SetInt(n))}}
}
