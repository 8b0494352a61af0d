package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A column has its values in their order.
type column struct {
	name   string
	values []string
}

// columns are those of the Adult census file that have few values, with the age in ten groups.
var columns = []column{
	{"workclass", []string{"?", "Federal-gov", "Local-gov", "Never-worked", "Private", "Self-emp-inc", "Self-emp-not-inc", "State-gov", "Without-pay"}},
	{"education", []string{
		"10th", "11th", "12th", "1st-4th", "5th-6th", "7th-8th", "9th", "Assoc-acdm", "Assoc-voc", "Bachelors", "Doctorate", "HS-grad", "Masters",
		"Preschool", "Prof-school", "Some-college",
	}},
	{"marital_status", []string{"Divorced", "Married-AF-spouse", "Married-civ-spouse", "Married-spouse-absent", "Never-married", "Separated", "Widowed"}},
	{"occupation", []string{
		"?", "Adm-clerical", "Armed-Forces", "Craft-repair", "Exec-managerial", "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct",
		"Other-service", "Priv-house-serv", "Prof-specialty", "Protective-serv", "Sales", "Tech-support", "Transport-moving",
	}},
	{"relationship", []string{"Husband", "Not-in-family", "Other-relative", "Own-child", "Unmarried", "Wife"}},
	{"race", []string{"Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"}},
	{"sex", []string{"Female", "Male"}},
	{"native_country", []string{
		"?", "Cambodia", "Canada", "China", "Columbia", "Cuba", "Dominican-Republic", "Ecuador", "El-Salvador", "England", "France", "Germany", "Greece",
		"Guatemala", "Haiti", "Holand-Netherlands", "Honduras", "Hong", "Hungary", "India", "Iran", "Ireland", "Italy", "Jamaica", "Japan", "Laos",
		"Mexico", "Nicaragua", "Outlying-US(Guam-USVI-etc)", "Peru", "Philippines", "Poland", "Portugal", "Puerto-Rico", "Scotland", "South", "Taiwan",
		"Thailand", "Trinadad&Tobago", "United-States", "Vietnam", "Yugoslavia",
	}},
	{"income", []string{"<=50K", ">50K"}},
	{"age_group", []string{"under 20", "20-24", "25-29", "30-34", "35-39", "40-44", "45-49", "50-59", "60-69", "70 and over"}},
}

// columnAt is where a column stands. It panics for a name that the table does not have.
func columnAt(name string) int {
	i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
	if i < 0 {
		panic("accuracy: internal error: no column " + name)
	}
	return i
}

// A row has, for each column, the index of its value.
type row [10]uint8

// adultRows is how many rows the Adult training file has.
const adultRows = 32561

// syntheticRows are rows of which each belongs to one of six kinds of people. A kind has its own distribution of each column, with few frequent and many rare
// values, as census files have them.
func syntheticRows(n int) []row {
	random := rand.New(rand.NewPCG(18, 1))
	const kinds = 6
	var orders [kinds][len(row{})][]int
	for k := range orders {
		for c := range columns {
			orders[k][c] = random.Perm(len(columns[c].values))
		}
	}
	rows := make([]row, n)
	for i := range rows {
		kind := &orders[frequentFirst(random, kinds)]
		for c, order := range kind {
			rows[i][c] = uint8(order[frequentFirst(random, len(order))])
		}
	}
	return rows
}

// frequentFirst draws an index below n: half of the time 0, a quarter of the time 1, and so on.
func frequentFirst(random *rand.Rand, n int) int {
	for i := range n - 1 {
		if random.IntN(2) == 0 {
			return i
		}
	}
	return n - 1
}

// readRows are those of adult_train.csv.
func readRows(dir string) ([]row, error) {
	path := filepath.Join(dir, "adult_train.csv")
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := csv.NewReader(in)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var rows []row
	for {
		fields, err := r.Read()
		switch {
		case errors.Is(err, io.EOF) && len(rows) == adultRows:
			return rows, nil
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%s: %d rows; the training file of Adult has %d", path, len(rows), adultRows)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		read, err := rowOf(header, fields)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		rows = append(rows, read)
	}
}

func rowOf(header, fields []string) (r row, err error) {
	for i, c := range columns {
		name := c.name
		if name == "age_group" {
			name = "age"
		}
		at := slices.Index(header, name)
		if at < 0 {
			return r, fmt.Errorf("there is no column %s", name)
		}
		value := fields[at]
		if name == "age" {
			if value, err = ageGroup(value); err != nil {
				return r, err
			}
		}
		place := slices.Index(c.values, value)
		if place < 0 {
			return r, fmt.Errorf("%q is no value of %s", value, name)
		}
		r[i] = uint8(place)
	}
	return r, nil
}

// ageGroup is that of an age in years.
func ageGroup(text string) (string, error) {
	age, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("the age is %q", text)
	}
	groups := columns[columnAt("age_group")].values
	for i, below := range []int{20, 25, 30, 35, 40, 45, 50, 60, 70} {
		if age < below {
			return groups[i], nil
		}
	}
	return groups[len(groups)-1], nil
}
