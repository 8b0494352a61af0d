package attack

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// read reads a file of the directory DATA by its header.
func read(t *testing.T, name string) []map[string]string {
	t.Helper()
	data := os.Getenv("DATA")
	if data == "" {
		t.Skip("set DATA to the directory of the public data sets")
	}
	f, err := os.Open(filepath.Join(data, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, column := range lines[0] {
			row[column] = line[k]
		}
		rows = append(rows, row)
	}
	return rows
}

// crossed is a table of a file. A combination that is not in it is an empty cell.
func crossed(t *testing.T, rows []map[string]string, ways []Way, count string, hide func(row map[string]string, v int64) bool) Publication {
	t.Helper()
	given := map[string]Cell{}
	for _, row := range rows {
		var codes []string
		for _, w := range ways {
			codes = append(codes, row[w.Name])
		}
		v, err := strconv.ParseInt(row[count], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		given[key(codes)] = Cell{Value: v, Hidden: hide(row, v)}
	}
	var entries []Entry
	var fill func(codes []string)
	fill = func(codes []string) {
		if len(codes) == len(ways) {
			entries = append(entries, Entry{slices.Clone(codes), given[key(codes)]})
			return
		}
		for _, code := range ways[len(codes)].Codes {
			fill(append(slices.Clone(codes), code))
		}
	}
	fill(nil)
	p, err := Cross(ways, entries)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tree is the way of a column with those codes of a hierarchy that occur.
func tree(name string, rows []map[string]string, parents map[string]string) Way {
	w := Way{Name: name, Parent: map[string]string{}}
	for _, row := range rows {
		if code := row[name]; !slices.Contains(w.Codes, code) {
			w.Codes = append(w.Codes, code)
			if parent, ok := parents[code]; ok {
				w.Parent[code] = parent
			}
		}
	}
	return w
}

// attacked attacks a table of which that many cells are hidden, and that many are recovered exactly.
func attacked(t *testing.T, p Publication, hidden, recovered int) {
	t.Helper()
	start := time.Now()
	intervals, err := p.Bounds()
	if err != nil {
		t.Fatal(err)
	}
	exact := 0
	for _, i := range intervals {
		v := ratio(p.Cells[i.Cell].Value)
		if i.Low.Value.Cmp(v) > 0 || i.High.Value != nil && i.High.Value.Cmp(v) < 0 {
			t.Errorf("%s is %v, and not %s", p.Cells[i.Cell].Name, v, i)
		}
		if i.Exact() {
			exact++
		}
	}
	t.Logf("%d cells, %d sums: %d hidden, %d recovered, in %v", len(p.Cells), len(p.Sums), len(intervals), exact, time.Since(start).Round(time.Millisecond))
	if len(intervals) != hidden || exact != recovered {
		t.Errorf("%d cells hidden and %d recovered, want %d and %d", len(intervals), exact, hidden, recovered)
	}
}

// Primary suppression alone protects nothing here: every unsafe cell is the only one of some sum, or becomes so.
func TestTauArgus(t *testing.T) {
	rows, parents := read(t, "tauargus_size_region.csv"), map[string]string{}
	for _, row := range read(t, "tauargus_region_hierarchy.csv") {
		parents[row["code"]] = row["parent"]
	}
	sizes := Flat("size", "Total", "2", "4", "5", "6", "7", "8", "9", "99")
	p := crossed(t, rows, []Way{sizes, tree("region", rows, parents)}, "freq", func(row map[string]string, _ int64) bool { return row["status"] == "U" })
	attacked(t, p, 9, 9)
}

func TestRTauArgus(t *testing.T) {
	parents := map[string]string{}
	for _, row := range read(t, "rtauargus_activity_hierarchy.csv") {
		if row["A21"] != row["A88"] {
			parents[row["A88"]] = row["A21"]
		}
		parents[row["A21"]], parents[row["A10"]] = row["A10"], "Total"
	}
	few := func(_ map[string]string, v int64) bool { return v < 3 }
	sizes := Flat("SIZE", "Total", "tr1", "tr2", "tr3")
	rows := read(t, "rtauargus_turnover_act_size.csv")
	attacked(t, crossed(t, rows, []Way{tree("ACTIVITY", rows, parents), sizes}, "N_OBS", few), 52, 44)

	nuts := map[string]string{}
	for _, region := range []string{"FR41", "FR42", "FR43"} {
		nuts[region] = "Total_EAST"
		for _, department := range []string{"1", "2", "3", "4"} {
			nuts[region+department] = region
		}
	}
	rows = read(t, "rtauargus_turnover_act_nuts_size.csv")
	attacked(t, crossed(t, rows, []Way{tree("ACTIVITY", rows, parents), tree("NUTS", rows, nuts), sizes}, "N_OBS", few), 1005, 923)
}
