package homogeneity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataDir is where DATA says that the data sets are.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DATA")
	if dir == "" {
		t.Skip("DATA does not name the directory with the papers' data sets, which are not part of this repository")
	}
	return dir
}

// The numbers that the papers state of their data sets, and those of the six quasi-identifiers of Adult alone.
func TestCells(t *testing.T) {
	s, err := read(dataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tab                                             crossTab
		records, cells, homogeneous, inHomogeneous, max int
	}{
		{s.adult, 27_504, 5_974, 5_974, 27_504, 240},
		{s.adultQuasi, 27_504, 5_009, 4_044, 11_112, 308},
		{s.bankruptcy, 250, 103, 103, 250, 11},
		{s.subset, 250, 78, 54, 142, 14},
	} {
		cells, in := c.tab.homogeneous()
		if c.tab.records() != c.records || len(c.tab.counts) != c.cells || cells != c.homogeneous || in != c.inHomogeneous {
			t.Errorf("%s: %d records, %d cells, %d homogeneous with %d records; want %+v", c.tab.name, c.tab.records(), len(c.tab.counts), cells, in, c)
		}
		largest := int64(0)
		for i := range c.tab.counts {
			largest = max(largest, c.tab.size(i))
		}
		if largest != int64(c.max) {
			t.Errorf("%s: the largest cell has %d records, want %d", c.tab.name, largest, c.max)
		}
	}
}

func TestGroupIsRightClosed(t *testing.T) {
	for _, c := range []struct {
		n, width int
		want     string
	}{{16, 5, "16-20"}, {20, 5, "16-20"}, {21, 5, "21-25"}, {90, 5, "86-90"}, {1, 10, "01-10"}, {10, 10, "01-10"}, {11, 10, "11-20"}, {99, 10, "91-100"}} {
		if got := group(c.n, c.width); got != c.want {
			t.Errorf("group(%d, %d) = %s, want %s", c.n, c.width, got, c.want)
		}
	}
}

const (
	adultHeader = "age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,capital_loss,hours_per_week,native_country,income\n"
	adultRow    = "39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States,<=50K\n"
	bankruptcy  = "industrial_risk,management_risk,financial_flexibility,credibility,competitiveness,operating_risk,class\n"
)

func TestReadRefusesOtherData(t *testing.T) {
	for _, c := range []struct{ name, file, content, want string }{
		{"no file", "", "", "adult_train.csv: no such file"},
		{"too few rows", "adult_train.csv", adultHeader + adultRow, "1 rows; there should be 32561"},
		{"an age that is none", "adult_train.csv", adultHeader + strings.Replace(adultRow, "39,", "x,", 1), `adult_train.csv:2: age is "x"`},
		{"another label", "adult_train.csv", adultHeader + strings.Replace(adultRow, "<=50K", "<=50K.", 1), `adult_train.csv:2: income is "<=50K."`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.file != "" {
				if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want %q in it", err, c.want)
			}
		})
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "qualitative_bankruptcy.csv"), []byte(bankruptcy+"P,P,A,A,A,X,NB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readBankruptcy(dir); err == nil || !strings.Contains(err.Error(), `qualitative_bankruptcy.csv:2: operating_risk is "X"`) {
		t.Errorf("an unknown level: %v", err)
	}
}
