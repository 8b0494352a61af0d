package risk

import (
	"errors"
	"fmt"

	"tacit/mechanisms"
)

// UniqueMatches are unique exact matches: persons who are unique, alone in their cell of the original table, and whom the sanitized table
// shows. All are in persons; expectations may be fractions. The more there are, the larger the risk. (Das et al. 2024, "Empirical Privacy
// Assessment", says once that a higher score indicates a reduced risk, against the rest of the section and its figure 5.)
//
// There are two readings of "shows". The paper counts the singletons that both tables have, AsOne. SDNist, which it cites for the
// measure, and which reports it as a share of the uniques, drops duplicates of the sanitized records before it joins them with the unique
// original ones: that is OneOrMore. Suppression with a fill value of 2 or more scores 0 as the paper counts, and full marks as SDNist
// does. Neither sees the cells that suppression leaves as they were.
//
// A match is a coincidence of counts. It does not tell whether whoever sees the table can be sure of it.
type UniqueMatches struct {
	// Individuals is the number of all persons, Uniques of those who are alone in their cell.
	Individuals, Uniques float64
	// AsOne is the number of uniques in cells that are shown as 1, OneOrMore of those in cells that are shown as 1 or more.
	AsOne, OneOrMore float64
}

// ShareOfUniques is AsOne as a share of the uniques, in [0, 1]; 0 if there are none.
func (u UniqueMatches) ShareOfUniques() float64 { return share(u.AsOne, u.Uniques) }

// PresentShareOfUniques is OneOrMore as a share of the uniques, in [0, 1]; 0 if there are none. It is SDNist's figure.
func (u UniqueMatches) PresentShareOfUniques() float64 { return share(u.OneOrMore, u.Uniques) }

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// CountUniqueMatches counts them in one release. A cell that is withheld is not shown.
func CountUniqueMatches(original []int64, shown mechanisms.Cells) (UniqueMatches, error) {
	if len(shown.Counts) != len(original) || shown.Suppressed != nil && len(shown.Suppressed) != len(original) {
		return UniqueMatches{}, fmt.Errorf("risk: %d original counts and %d shown ones", len(original), len(shown.Counts))
	}
	u, err := describeUniques(original)
	for i, n := range original {
		if n != 1 || shown.Suppressed != nil && shown.Suppressed[i] {
			continue
		}
		if shown.Counts[i] == 1 {
			u.AsOne++
		}
		if shown.Counts[i] >= 1 {
			u.OneOrMore++
		}
	}
	return u, err
}

// ExpectUniqueMatches is their exact expectation over releases of a mechanism ([mechanisms.Mechanism.ExpectUniques]).
func ExpectUniqueMatches(m *mechanisms.Mechanism, h mechanisms.Histogram) (UniqueMatches, error) {
	u, err := describeUniques(h.Counts)
	if err != nil {
		return UniqueMatches{}, err
	}
	u.AsOne, u.OneOrMore = m.ExpectUniques(h)
	return u, nil
}

func describeUniques(original []int64) (UniqueMatches, error) {
	var u UniqueMatches
	for _, n := range original {
		if n < 0 {
			return UniqueMatches{}, errors.New("risk: an original count is negative")
		}
		u.Individuals += float64(n)
		if n == 1 {
			u.Uniques++
		}
	}
	return u, nil
}
