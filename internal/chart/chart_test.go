package chart

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func size(name string) Size {
	if name == "panels" {
		return Size{Width: 900, Height: 640}
	}
	return Size{}
}

// The pictures are files for a person to look at; what a machine can check of them is in the other tests.
func TestGallery(t *testing.T) {
	dir := os.Getenv("CHART_GALLERY")
	if dir == "" {
		t.Skip("set CHART_GALLERY to a directory to have the pictures written")
	}
	for name, d := range gallery() {
		for ending, write := range map[string]func(io.Writer, Size, Drawing) error{".svg": SVG, ".png": PNG} {
			var b bytes.Buffer
			if err := write(&b, size(name), d); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+ending), b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestSameDrawingGivesTheSameBytes(t *testing.T) {
	first, second := gallery(), gallery()
	for i, name := range slices.Sorted(maps.Keys(first)) {
		if testing.Short() && i%2 != 0 {
			continue
		}
		var files [2]bytes.Buffer
		for j, d := range []Drawing{first[name], second[name]} {
			if err := SVG(&files[j], size(name), d); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := PNG(&files[j], size(name), d); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

// An SVG must be XML, refer to nothing outside itself, run nothing, and name fonts that every machine has.
func TestSVGStandsAlone(t *testing.T) {
	for name, d := range gallery() {
		var b bytes.Buffer
		if err := SVG(&b, size(name), d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		decoder := xml.NewDecoder(bytes.NewReader(b.Bytes()))
		for first := true; ; first = false {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: not XML: %v", name, err)
			}
			element, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if first && element.Name.Local != "svg" {
				t.Errorf("%s: begins with %s", name, element.Name.Local)
			}
			checkElement(t, name, element)
		}
	}
}

func checkElement(t *testing.T, name string, element xml.StartElement) {
	t.Helper()
	switch element.Name.Local {
	case "svg", "g", "path", "text", "title":
	default:
		t.Errorf("%s: element %s", name, element.Name.Local)
	}
	for _, a := range element.Attr {
		if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && strings.Contains(a.Value, "//") || strings.Contains(a.Value, "url(") {
			t.Errorf("%s: %s refers to %s", name, a.Name.Local, a.Value)
		}
		if strings.Contains(a.Value, "font-family") && !strings.Contains(a.Value, "sans-serif") {
			t.Errorf("%s: text without a generic family: %s", name, a.Value)
		}
		if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
			t.Errorf("%s: a coordinate is not a number: %s", name, a.Value)
		}
	}
}

func TestPNGIsOpaqueAndOfItsSize(t *testing.T) {
	var b bytes.Buffer
	if err := PNG(&b, Size{}, sCurve()); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := picture.Bounds().Size(); got.X != 1125 || got.Y != 750 {
		t.Errorf("%v pixels, want 1125 x 750: 540 x 360 points at 150 to the inch", got)
	}
	if r, g, bl, a := picture.At(0, 0).RGBA(); r&g&bl&a != 0xffff {
		t.Error("the corner is not white")
	}
}

func TestRefusesWhatCannotBeShown(t *testing.T) {
	nan := math.NaN()
	x, y := Axis{Label: "x"}, Axis{Label: "y"}
	line := []Line{{X: []float64{1, 2}, Y: []float64{1, 2}}}
	for name, c := range map[string]struct {
		d    Drawing
		want string
	}{
		"no title":        {Figure{X: x, Y: y, Lines: line}, "needs a title"},
		"no label":        {Figure{Title: "t", X: x, Lines: line}, "both axes a label"},
		"no values":       {Figure{Title: "t", X: x, Y: y}, "no values"},
		"only gaps":       {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{1}, Y: []float64{nan}}}}, "no values"},
		"lengths":         {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{1}, Y: []float64{1, 2}}}}, "1 values of x, 2 of y"},
		"error lengths":   {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{1}, Y: []float64{1}, Error: []float64{1, 2}}}}, "2 errors"},
		"negative error":  {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{1}, Y: []float64{1}, Error: []float64{-1}}}}, "the error of value 1 is -1"},
		"x is no number":  {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{nan}, Y: []float64{1}}}}, "no place"},
		"infinite":        {Figure{Title: "t", X: x, Y: y, Lines: []Line{{X: []float64{1}, Y: []float64{math.Inf(1)}}}}, "infinite"},
		"logarithm of 0":  {Figure{Title: "t", X: Axis{Label: "x", Log: true}, Y: y, Lines: []Line{{X: []float64{0, 1}, Y: []float64{1, 2}}}}, "logarithmic"},
		"log from 0":      {Figure{Title: "t", X: Axis{Label: "x", Log: true, Min: 0, Max: 1}, Y: y, Lines: line}, "cannot run from 0"},
		"backwards":       {Figure{Title: "t", X: Axis{Label: "x", Min: 2, Max: 1}, Y: y, Lines: line}, "cannot run from 2 to 1"},
		"mark outside":    {Figure{Title: "t", X: Axis{Label: "x", Min: 1, Max: 2}, Y: y, Lines: line, Marks: []Mark{{X: 3, Text: "today"}}}, `the mark "today" at 3 is outside`},
		"level outside":   {Figure{Title: "t", X: x, Y: Axis{Label: "y", Min: 1, Max: 2}, Lines: line, Levels: []Level{{Y: 0, Text: "target"}}}, `the level "target" at 0 is outside`},
		"empty box":       {Boxes{Title: "t", Y: y, Groups: []BoxGroup{{"g", []BoxSeries{{Name: "a", Values: []float64{1}}, {Name: "s"}}}}}, `"s" has no values`},
		"box of NaN":      {Boxes{Title: "t", Y: y, Groups: []BoxGroup{{"g", []BoxSeries{{"s", []float64{1, nan}}}}}}, "value 2 is not a number"},
		"bars and names":  {Bars{Title: "t", Y: y, Names: []string{"a"}, Series: []Line{{Y: []float64{1, 2}}}}, "2 values and 0 errors for 1 names"},
		"heat row":        {Heat{Title: "t", X: x, Y: y, Unit: "u", Rows: []string{"r"}, Columns: []string{"a", "b"}, Values: [][]float64{{1}}}, `row "r" has 1 values for 2 columns`},
		"heat rows":       {Heat{Title: "t", X: x, Y: y, Unit: "u", Rows: []string{"r"}, Columns: []string{"a"}}, "0 rows of values for 1"},
		"heat of nothing": {Heat{Title: "t", X: x, Y: y, Unit: "u", Rows: []string{"r"}, Columns: []string{"a"}, Values: [][]float64{{nan}}}, "no finite values"},
		"heat unit":       {Heat{Title: "t", X: x, Y: y, Rows: []string{"r"}, Columns: []string{"a"}, Values: [][]float64{{1}}}, "a unit"},
		"no panels":       {Panels{}, "none"},
		"a panel fails":   {Grid([][]Drawing{{sCurve(), Figure{}}}), "needs a title"},
	} {
		err := SVG(io.Discard, Size{}, c.d)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want one with %q", name, err, c.want)
		}
	}
	if err := SVG(io.Discard, Size{Width: 10, Height: 400}, sCurve()); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("tiny picture: %v", err)
	}
}

// The two ends of a turned scale are those of the plain one, the other way round.
func TestTurnedHeat(t *testing.T) {
	h := Heat{Title: "t", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Unit: "u", Columns: []string{"a", "b"}, Rows: []string{"c"}, Values: [][]float64{{-1, 1}}, Diverging: true}
	plain, err := h.scale()
	if err != nil {
		t.Fatal(err)
	}
	h.Turned = true
	turned, err := h.scale()
	if err != nil {
		t.Fatal(err)
	}
	if plain.colour(1) != turned.colour(-1) || plain.colour(-1) != turned.colour(1) || plain.colour(1) == turned.colour(1) {
		t.Errorf("1 is %v and %v, -1 is %v and %v", plain.colour(1), turned.colour(1), plain.colour(-1), turned.colour(-1))
	}
	if diverging[0] != plain.colour(-1) {
		t.Error("turning a scale turns the palette")
	}
}
