package disclosure

import (
	"slices"
	"strconv"
	"strings"

	"tacit/examples/papers/internal/dataset"
)

// An excerpt is one of the three sets of persons.
type excerpt struct {
	name, id string // in text, and in the names of files
	records  int
	pumas    []string // of the excerpt, in order
	people   []person
}

// The excerpts, in the papers' order. The 2023 paper calls the last one Outlier.
var excerpts = []excerpt{
	{name: "Massachusetts", id: "ma", records: 7634},
	{name: "Texas", id: "tx", records: 9276},
	{name: "National", id: "national", records: 27253},
}

// A person's answers are numbers of levels, counted from 0; none is -1.
type person struct {
	puma, race, sex, tenure, age int
	income                       int // in dollars; meaningless without one
	decile, education            int // -1: under 15 years, under 3 years
}

const none = -1

// hasIncome is false of persons under 15 years: the survey does not ask for theirs.
func (p *person) hasIncome() bool { return p.decile != none }

// columns of the files, all 24, of which eight are used.
var columns = []string{
	"PUMA", "AGEP", "SEX", "MSP", "HISP", "RAC1P", "NOC", "NPF", "HOUSING_TYPE", "OWN_RENT", "DENSITY", "INDP", "INDP_CAT", "EDU", "PINCP",
	"PINCP_DECILE", "POVPIP", "DVET", "DREM", "DPHY", "DEYE", "DEAR", "PWGTP", "WGTP",
}

// The limits of answers, by the data dictionary.
const (
	oldest                      = 99
	leastIncome, greatestIncome = -20_000, 2_000_000
)

// read completes an excerpt from the file that it has in a directory.
func (e *excerpt) read(dir string) error {
	f, err := dataset.Read(dir, "acs_excerpt_"+e.id+"2019.csv", columns...)
	if err != nil {
		return err
	}
	if err := f.Expect("records", len(f.Rows), e.records); err != nil {
		return err
	}
	at := f.Column("PUMA")
	for _, row := range f.Rows {
		e.pumas = append(e.pumas, row[at])
	}
	slices.Sort(e.pumas)
	e.pumas = slices.Compact(e.pumas)
	e.people = make([]person, len(f.Rows))
	for i := range e.people {
		if e.people[i], err = parsePerson(f, i, e.pumas); err != nil {
			return err
		}
	}
	return nil
}

func parsePerson(f *dataset.File, row int, pumas []string) (p person, err error) {
	integer := func(column string, low, high int) (n int) {
		if err == nil {
			n, err = f.Int(row, column, low, high)
		}
		return n
	}
	p.puma, _ = slices.BinarySearch(pumas, f.Rows[row][f.Column("PUMA")])
	p.race = integer("RAC1P", 1, 9) - 1
	p.sex = integer("SEX", 1, 2) - 1
	p.tenure = integer("OWN_RENT", 0, 2)
	p.age = integer("AGEP", 0, oldest)
	p.decile, p.education = none, none
	if f.Rows[row][f.Column("EDU")] != missing {
		p.education = integer("EDU", 1, 12) - 1
	}
	if f.Rows[row][f.Column("PINCP")] != missing {
		p.decile = integer("PINCP_DECILE", 0, 9)
	}
	if p.hasIncome() && err == nil {
		p.income, err = dollars(f, row)
	}
	return p, err
}

// missing is the letter for an answer that is missing or does not apply.
const missing = "N"

// dollars reads an income, which the files write as whole dollars with a decimal place.
func dollars(f *dataset.File, row int) (int, error) {
	text := f.Rows[row][f.Column("PINCP")]
	n, err := strconv.Atoi(strings.TrimSuffix(text, ".0"))
	if err != nil || n < leastIncome || n > greatestIncome {
		return 0, f.Errorf(row, "PINCP is %q; it should be %s or whole dollars from %d to %d", text, missing, leastIncome, greatestIncome)
	}
	return n, nil
}
