package homogeneity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacit/examples/papers/internal/dataset"
)

// A crossTab is the cells of quasi-identifiers that hold anybody, in the order of their keys, with the number of records of each label.
type crossTab struct {
	name   string
	labels []string
	keys   [][]string
	counts [][]int64
}

// A tally counts records into a crossTab.
type tally struct {
	labels []string
	counts map[string][]int64
}

// separator stands between the parts of a key; no value has one.
const separator = "\x00"

func newTally(labels ...string) *tally { return &tally{labels, map[string][]int64{}} }

func (t *tally) add(label int, key ...string) {
	k := strings.Join(key, separator)
	if t.counts[k] == nil {
		t.counts[k] = make([]int64, len(t.labels))
	}
	t.counts[k][label]++
}

func (t *tally) crossTab(name string) crossTab {
	c := crossTab{name: name, labels: t.labels}
	for _, key := range slices.Sorted(maps.Keys(t.counts)) {
		c.keys, c.counts = append(c.keys, strings.Split(key, separator)), append(c.counts, t.counts[key])
	}
	return c
}

func (c crossTab) records() int {
	n := int64(0)
	for i := range c.counts {
		n += c.size(i)
	}
	return int(n)
}

func (c crossTab) size(cell int) int64 {
	n := int64(0)
	for _, k := range c.counts[cell] {
		n += k
	}
	return n
}

// homogeneous counts the cells with one label, and the records in them.
func (c crossTab) homogeneous() (cells, records int) {
	for i, counts := range c.counts {
		if isHomogeneous(counts) {
			cells, records = cells+1, records+int(c.size(i))
		}
	}
	return cells, records
}

// isHomogeneous says whether a cell that is not empty has one label only.
func isHomogeneous(counts []int64) bool {
	labels := 0
	for _, n := range counts {
		if n > 0 {
			labels++
		}
	}
	return labels == 1
}

// A source is what is read of the data sets.
type source struct {
	adult      crossTab // as published: income is both among the classifying attributes and the sensitive one
	adultQuasi crossTab // by the six quasi-identifiers alone
	bankruptcy crossTab // by six quasi-identifiers, sensitive: class
	subset     crossTab // by five quasi-identifiers, sensitive: financial flexibility
}

func read(dir string) (source, error) {
	var s source
	var err error
	if s.adult, s.adultQuasi, err = readAdult(dir); err != nil {
		return s, err
	}
	s.bankruptcy, s.subset, err = readBankruptcy(dir)
	return s, err
}

var adultColumns = []string{"age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship", "race", "sex",
	"capital_gain", "capital_loss", "hours_per_week", "native_country", "income"}

// readAdult keeps the records of the training set without unknown values from the United States, with the age in groups of five years and the hours in
// groups of ten, and counts them by the six quasi-identifiers, with income among them and without.
func readAdult(dir string) (published, quasi crossTab, err error) {
	f, err := dataset.Read(dir, "adult_train.csv", adultColumns...)
	if err != nil {
		return published, quasi, err
	}
	incomes := []string{"<=50K", ">50K"}
	with, without := newTally(incomes...), newTally(incomes...)
	for i, row := range f.Rows {
		if slices.Contains(row, "?") || row[f.Column("native_country")] != "United-States" {
			continue
		}
		age, err := f.Int(i, "age", 16, 90)
		if err != nil {
			return published, quasi, err
		}
		hours, err := f.Int(i, "hours_per_week", 1, 100)
		if err != nil {
			return published, quasi, err
		}
		income, err := f.OneOf(i, "income", incomes...)
		if err != nil {
			return published, quasi, err
		}
		key := []string{group(age, 5), row[f.Column("relationship")], row[f.Column("education")], row[f.Column("race")], row[f.Column("sex")], group(hours, 10)}
		without.add(income, key...)
		with.add(income, append(key, incomes[income])...)
	}
	published, quasi = with.crossTab("Adult, as published"), without.crossTab("Adult, six quasi-identifiers")
	for _, e := range []error{
		f.Expect("rows", len(f.Rows), 32_561),
		f.Expect("records of the United States without unknown values", published.records(), 27_504),
		f.Expect("cells of seven attributes", len(published.counts), 5_974),
		f.Expect("cells of six attributes", len(quasi.counts), 5_009),
	} {
		if e != nil {
			return published, quasi, e
		}
	}
	return published, quasi, nil
}

// group names the right-closed interval of a width that a number is in: 16-20 is (15, 20].
func group(n, width int) string {
	low := (n-1)/width*width + 1
	return fmt.Sprintf("%02d-%02d", low, low+width-1)
}

var bankruptcyColumns = []string{"industrial_risk", "management_risk", "financial_flexibility", "credibility", "competitiveness", "operating_risk", "class"}

// readBankruptcy counts by all six attributes with the class as sensitive, and by five of them with the sixth, financial flexibility, as sensitive.
func readBankruptcy(dir string) (all, subset crossTab, err error) {
	f, err := dataset.Read(dir, "qualitative_bankruptcy.csv", bankruptcyColumns...)
	if err != nil {
		return all, subset, err
	}
	levels, classes := []string{"P", "A", "N"}, []string{"B", "NB"}
	byClass, byFlexibility := newTally(classes...), newTally(levels...)
	for i, row := range f.Rows {
		for _, column := range bankruptcyColumns[:6] {
			if _, err := f.OneOf(i, column, levels...); err != nil {
				return all, subset, err
			}
		}
		class, err := f.OneOf(i, "class", classes...)
		if err != nil {
			return all, subset, err
		}
		byClass.add(class, row[:6]...)
		const flexibility = 2
		level := slices.Index(levels, row[flexibility])
		byFlexibility.add(level, slices.Delete(slices.Clone(row[:6]), flexibility, flexibility+1)...)
	}
	all, subset = byClass.crossTab("Bankruptcy"), byFlexibility.crossTab("Bankruptcy subset")
	for _, e := range []error{
		f.Expect("rows", len(f.Rows), 250),
		f.Expect("cells of six attributes", len(all.counts), 103),
		f.Expect("cells of five attributes", len(subset.counts), 78),
	} {
		if e != nil {
			return all, subset, e
		}
	}
	return all, subset, nil
}
