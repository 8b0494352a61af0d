package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.csv"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadKeepsRowsAndLines(t *testing.T) {
	f, err := Read(write(t, "a,b\n1,P\n2,N\n"), "x.csv", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.Int(1, "a", 0, 9); n != 2 || err != nil {
		t.Errorf("Int: %d, %v", n, err)
	}
	if i, err := f.OneOf(0, "b", "N", "P"); i != 1 || err != nil {
		t.Errorf("OneOf: %d, %v", i, err)
	}
	if _, err := f.Int(1, "a", 0, 1); err == nil || !strings.Contains(err.Error(), "x.csv:3:") {
		t.Errorf("out of limits: %v", err)
	}
	if _, err := f.OneOf(0, "b", "N"); err == nil || !strings.Contains(err.Error(), "x.csv:2:") {
		t.Errorf("unknown value: %v", err)
	}
	if f.Expect("rows", len(f.Rows), 2) != nil {
		t.Error("two rows are not two")
	}
	if err := f.Expect("rows", len(f.Rows), 3); err == nil || !strings.Contains(err.Error(), "2 rows; there should be 3") {
		t.Errorf("too few rows: %v", err)
	}
}

func TestReadErrorsNameFileAndLine(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "x.csv: the file is empty"},
		{"other columns", "a,c\n1,2\n", "x.csv:1: the columns are a,c; they should be a,b"},
		{"too few fields", "a,b\n1,2\n3\n", "x.csv:3: 1 fields"},
		{"too many fields", "a,b\n1,2,3\n", "x.csv:2: 3 fields"},
		{"a quote that is not closed", "a,b\n1,\"2\n", "x.csv: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(write(t, c.content), "x.csv", "a", "b")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want %q in it", err, c.want)
			}
		})
	}
}

func TestReadSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, "x.csv", "a"); err == nil || !strings.Contains(err.Error(), "x.csv: no such file") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none"), "x.csv", "a"); err == nil || !strings.Contains(err.Error(), "none: no such directory") {
		t.Errorf("missing directory: %v", err)
	}
}
