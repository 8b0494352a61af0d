package disclosure

import (
	"slices"
	"strconv"

	"tacit/examples/papers/internal/utility"
)

// A feature is one variable of a table.
type feature struct {
	variable utility.Variable
	// level is the number of a person's level; none leaves the person out of the table.
	level func(p *person) int
}

// The features' names.
const (
	puma      = "PUMA"
	race      = "RAC1P"
	sex       = "SEX"
	tenure    = "OWN_RENT"
	earner    = "INCOME_GE_50K"
	age       = "AGEP"
	ageGroup  = "AGE_GROUP"
	education = "EDU"
	decile    = "PINCP_DECILE"
)

// numbered are the levels first, first+1, ... of a code.
func numbered(first, count int) []string {
	levels := make([]string, count)
	for i := range levels {
		levels[i] = strconv.Itoa(first + i)
	}
	return levels
}

func pumaFeature(e *excerpt) feature {
	return feature{utility.Variable{Name: puma, Levels: e.pumas}, func(p *person) int { return p.puma }}
}

var (
	raceFeature      = feature{utility.Variable{Name: race, Levels: numbered(1, 9)}, func(p *person) int { return p.race }}
	sexFeature       = feature{utility.Variable{Name: sex, Levels: numbered(1, 2)}, func(p *person) int { return p.sex }}
	tenureFeature    = feature{utility.Variable{Name: tenure, Levels: numbered(0, 3)}, func(p *person) int { return p.tenure }}
	educationFeature = feature{utility.Variable{Name: education, Levels: numbered(1, 12)}, func(p *person) int { return p.education }}
	decileFeature    = feature{utility.Variable{Name: decile, Levels: numbered(0, 10)}, func(p *person) int { return p.decile }}
)

// yearsFeature is the age in years.
var yearsFeature = feature{utility.Variable{Name: age, Levels: numbered(0, oldest+1)}, func(p *person) int { return p.age }}

// A treatment says what a person without an income counts as: under 15 years, nobody was asked.
type treatment string

const (
	asRich  treatment = "at least $50,000" // what IPUMS's code for no answer, 9999999, does if it is compared with 50000
	asPoor  treatment = "below $50,000"
	asThird treatment = "a level of its own"
	leftOut treatment = "left out"
)

// earnerFeature tells who has an income of $50,000 or more.
func earnerFeature(t treatment) feature {
	without := map[treatment]int{asRich: 1, asPoor: 0, asThird: 2, leftOut: none}[t]
	levels := []string{"0", "1"}
	if t == asThird {
		levels = append(levels, missing)
	}
	return feature{utility.Variable{Name: earner, Levels: levels}, func(p *person) int {
		switch {
		case !p.hasIncome():
			return without
		case p.income >= 50_000:
			return 1
		}
		return 0
	}}
}

// ageFeature parts those who are in a table into five groups of about the same size.
func ageFeature(e *excerpt, in func(p *person) bool) feature {
	const groups = 5
	var ages []int
	for i := range e.people {
		if in(&e.people[i]) {
			ages = append(ages, e.people[i].age)
		}
	}
	slices.Sort(ages)
	var ends []int // of all groups but the last
	var levels []string
	from := 0
	for g := 1; g < groups; g++ {
		end := ages[len(ages)*g/groups]
		ends = append(ends, end)
		levels = append(levels, strconv.Itoa(from)+"-"+strconv.Itoa(end))
		from = end + 1
	}
	levels = append(levels, strconv.Itoa(from)+"+")
	return feature{utility.Variable{Name: ageGroup, Levels: levels}, func(p *person) int {
		group, _ := slices.BinarySearch(ends, p.age)
		return group
	}}
}
