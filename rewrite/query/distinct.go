package query

import "slices"

// mostDistinct bounds the product of declared domains that is told.
const mostDistinct = 1 << 30

// MostDistinct is how many different values a count can find where all are declared: those of the column, NULL excepted, or of the columns that
// a value is computed of, with NULL where these can be. ok is false of other counts, and where not all domains are declared.
//
// A table may have other values, which are counted, too: so a count may be beyond it, and what is clipped to it is min(n, most). Clipping
// brings no two counts further apart, so that the error of min(n + noise, most) as a count of min(n, most) is at most the noise's.
func (q *BoundQuery) MostDistinct(c Count) (most int64, ok bool) {
	v := c.distinctColumn
	if v == nil || slices.ContainsFunc(v.Inputs(), func(input *Column) bool { return input.Joined != nil || input.Domain == nil }) {
		return 0, false
	}
	most = 1
	for _, input := range v.Inputs() {
		values := int64(len(input.Domain))
		if !v.Stored() && !input.NotNull {
			values++
		}
		if most *= values; most > mostDistinct {
			return 0, false
		}
	}
	return most, most > 0
}
