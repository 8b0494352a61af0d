package disclosure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacit/mechanisms/microdata"
)

// A cell is its levels, and with another level of one feature it is another cell.
func TestCells(t *testing.T) {
	cells := village(t)
	at := cells.position(race)
	for cell := range cells.counts {
		levels := cells.levels(cell)
		row := make([]microdata.Cell, len(levels))
		for i, l := range levels {
			row[i] = microdata.Cell(l)
		}
		if got := cells.cell(row); got != cell {
			t.Fatalf("cell %d has levels %v, which are those of %d", cell, levels, got)
		}
		moved := cells.withLevel(cell, at, 4)
		for i, l := range cells.levels(moved) {
			if want := levels[i]; i != at && l != want || i == at && l != 4 {
				t.Fatalf("cell %d with race 4 is %d, of levels %v", cell, moved, cells.levels(moved))
			}
		}
	}
}

// What the README of the data has verified.
func TestExcerpts(t *testing.T) {
	for i, want := range []struct {
		nonEmpty, ones int
		largest        int64
	}{{293, 76, 396}, {392, 94, 440}, {1228, 261, 508}} {
		s := realStudy(t, excerpts[i])
		cells, err := newTable(s.people, s.histogramFeatures(asThird)...)
		if err != nil {
			t.Fatal(err)
		}
		zeros, largest := cells.zeros()
		ones := 0
		for _, n := range cells.counts {
			if n == 1 {
				ones++
			}
		}
		if got := len(cells.counts) - zeros; got != want.nonEmpty || largest != want.largest || ones != want.ones {
			t.Errorf("%s: %d cells, the largest %d, %d of one person; want %d, %d, %d", s.name, got, largest, ones, want.nonEmpty, want.largest, want.ones)
		}
	}
}

// A file that is wrong is reported with its line, and what should be there.
func TestWrongFiles(t *testing.T) {
	header := strings.Join(columns, ",") + "\n"
	row := "25-00503,18,1,6,0,1,N,N,3,0,2872.7,8680,14,5,5000.0,1,N,N,2,2,2,2,72,0\n"
	for what, test := range map[string]struct{ content, want string }{
		"no file":        {"", "no such"},
		"other columns":  {"PUMA,AGE\n", "should be PUMA,AGEP"},
		"other records":  {header + row, "should be 2"},
		"a race":         {header + row + strings.Replace(row, ",0,1,N,N", ",0,10,N,N", 1), ":3: RAC1P"},
		"an income":      {header + row + strings.Replace(row, "5000.0", "5000.5", 1), ":3: PINCP"},
		"a decile":       {header + row + strings.Replace(row, "5000.0,1", "5000.0,N", 1), ":3: PINCP_DECILE"},
		"no education":   {header + row + strings.Replace(row, ",14,5,", ",14,,", 1), ":3: EDU"},
		"an age in text": {header + row + strings.Replace(row, ",18,1", ",old,1", 1), ":3: AGEP"},
	} {
		dir := t.TempDir()
		if test.content != "" {
			if err := os.WriteFile(filepath.Join(dir, "acs_excerpt_ma2019.csv"), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e := excerpt{id: "ma", records: 2}
		if err := e.read(dir); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want an error with %q", what, err, test.want)
		}
	}
}

// Groups of ages are of about the same size, in order, and everybody is in one.
func TestAgeGroups(t *testing.T) {
	e := excerpt{people: make([]person, 1000)}
	for i := range e.people {
		e.people[i].age = i % 100
	}
	f := ageFeature(&e, func(p *person) bool { return p.age >= 15 })
	sizes := make([]int, len(f.variable.Levels))
	for i := range e.people {
		if p := &e.people[i]; p.age >= 15 {
			sizes[f.level(p)]++
		}
	}
	if f.variable.Levels[0] != "0-32" || len(sizes) != 5 {
		t.Errorf("groups %v", f.variable.Levels)
	}
	for _, n := range sizes {
		if n < 150 || n > 190 {
			t.Errorf("groups of %v", sizes)
		}
	}
}
