package assessmentview

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"tacit/internal/chart"
	"tacit/internal/terminal"
	"tacit/release/assess"
)

// assessHTML is the page. It is XML as well as HTML, and its policy of content lets nothing be fetched or run.
//
//go:embed page.html
var assessHTML string

var assessTemplate = template.Must(template.New("assess").Parse(assessHTML))

// An assessPage is an assessment as one page that refers to nothing outside of itself.
type assessPage struct {
	*assess.Assessment
	at time.Time
}

// What the template is given.
type (
	pageContent struct {
		Notice, Table, Today, Adjacency, At string
		Questions                           []pageQuestion
		Measures                            []Measure
	}
	pageQuestion struct {
		Section
		Figures []pagePicture
	}
	pagePicture struct {
		Caption string
		SVG     template.HTML
	}
)

// What a page has of each question of an assessment.
type (
	// A Section is one question.
	Section struct {
		Question, Cells, Attack string
		Notes                   []string
		Marked                  bool // a row is what analysts get today
		Pictures                []Picture
		Tables                  []Table
	}
	// A Picture is drawn in its size.
	Picture struct {
		Caption string
		Size    chart.Size
		Drawing chart.Drawing
	}
	// A Table has a row for each mechanism and epsilon.
	Table struct {
		Title   string
		Columns []string
		Rows    []Row
	}
	// A Row has figures, or a problem in their place.
	Row struct {
		Cells   []string
		Today   bool
		Problem string // in place of so many columns
		Span    int
	}
	// A Measure is what a figure is.
	Measure struct{ Name, Definition, Source string }
)

// Measures are what the figures of a section are.
func Measures() []Measure { return assessMeasures }

// Sections are the questions of an assessment. Whoever shows them shows its notice above.
func Sections(a *assess.Assessment) (sections []Section) {
	p := &assessPage{Assessment: a}
	for i := range a.Questions {
		sections = append(sections, p.question(&a.Questions[i]))
	}
	for i := range a.Joints {
		sections = append(sections, p.joint(&a.Joints[i]))
	}
	return sections
}

// WritePage writes an assessment as a page that was made at a time.
func WritePage(w io.Writer, a *assess.Assessment, at time.Time) error {
	return (&assessPage{Assessment: a, at: at}).write(w)
}

func (p *assessPage) write(w io.Writer) error {
	content := pageContent{
		Notice: p.Notice(), Table: p.Table.String(), Adjacency: string(p.Adjacency), Today: todayText(p.Assessment),
		At: p.at.UTC().Format("2006-01-02 15:04 MST"), Measures: assessMeasures,
	}
	for _, s := range Sections(p.Assessment) {
		q, err := drawn(s)
		if err != nil {
			return err
		}
		content.Questions = append(content.Questions, q)
	}
	return assessTemplate.Execute(w, content)
}

// drawn has the pictures of a section as SVG.
func drawn(s Section) (pageQuestion, error) {
	out := pageQuestion{Section: s}
	for _, picture := range s.Pictures {
		var svg bytes.Buffer
		if err := chart.SVG(&svg, picture.Size, picture.Drawing); err != nil {
			return out, err
		}
		out.Figures = append(out.Figures, pagePicture{picture.Caption, template.HTML(svg.String())}) // chart escapes what it writes
	}
	return out, nil
}

func (p *assessPage) question(q *assess.Question) Section {
	out := Section{Question: q.Question, Cells: cellsText(p.Assessment, q), Attack: attackText(q), Tables: p.tables(q), Notes: assessedNotes(q), Marked: marked(*q)}
	for _, picture := range (&assessPictures{p.Assessment, q}).all() {
		out.Pictures = append(out.Pictures, Picture{picture.caption, picture.size, picture.drawing})
	}
	return out
}

// joint has the parts of a joint release as notes, and their errors as a table.
func (p *assessPage) joint(j *assess.Joint) Section {
	out := Section{Question: "A statement with sums", Cells: jointText(p.Assessment, j), Marked: markedJoint(*j)}
	for i, part := range j.Parts {
		out.Notes = append(out.Notes, fmt.Sprintf("%d. %s", i+1, partText(part)))
	}
	out.Notes = append(out.Notes, jointNotes(j)...)
	table := Table{Title: "Errors", Columns: []string{"Mechanism", "ε", "Part", "±95%", "Average ±95%: largest cell", "median", "smallest", "Deviation ±95%", "Step"}}
	for _, m := range j.Mechanisms {
		for _, row := range jointRows(m) {
			row[1] = strings.TrimPrefix(row[1], "*")
			if m.Problem != "" {
				table.Rows = append(table.Rows, Row{Cells: row[:2], Problem: m.Problem, Span: len(row) - 2})
				continue
			}
			table.Rows = append(table.Rows, Row{Cells: row, Today: m.Today})
		}
	}
	out.Tables = []Table{table}
	return out
}

// lossColumns and riskColumns have, besides those of the terminal, the error and all averages of risk.
var (
	lossColumns = []string{"Mechanism", "ε", "δ at ε", "ρ", "±95%", "Bias (l1)", "α", "Variance, largest", "Variance, mean", "Error (RMS)", "Suppressed"}
	riskColumns = []string{"Mechanism", "ε", "Risk: records, by size", "Risk: records", "Risk: event, by size", "Risk: event", "Uniques shown as 1", "Uniques shown as 1 or more"}
)

// tables have a row for each mechanism, first of loss and error, then of what is disclosed.
func (p *assessPage) tables(q *assess.Question) []Table {
	loss := Table{Title: "Loss, bias, fairness and variance", Columns: lossColumns}
	disclosed := Table{Title: "Risk and unique matches", Columns: riskColumns}
	for _, m := range q.Mechanisms {
		text := assessedRow(p.Assessment, m)
		name := []string{text[0], strings.TrimPrefix(text[1], "*")}
		if m.Problem != "" {
			loss.Rows = append(loss.Rows, Row{Cells: name, Problem: m.Problem, Span: len(lossColumns) - 2})
			continue
		}
		figures := slices.Concat(name, text[2:4], text[len(text)-1:], text[4:8], []string{fmt.Sprintf("%.2f", m.Error)}, text[8:9])
		loss.Rows = append(loss.Rows, Row{Cells: figures, Today: m.Today})
		disclosed.Rows = append(disclosed.Rows, Row{Cells: append(name, disclosedFigures(m)...), Today: m.Today})
	}
	return []Table{loss, disclosed}
}

func disclosedFigures(m assess.Mechanism) []string {
	figures := []string{"-", "-", "-", "-", "-", "-"}
	if r := m.Risk; r != nil {
		for i, p := range []float64{r.Records.Weighted, r.Records.Unweighted, r.Event.Weighted, r.Event.Unweighted} {
			figures[i] = terminal.Percent(p) + ofOneAttack(m.Kind)
		}
	}
	if u := m.Uniques; u.Uniques > 0 {
		copy(figures[4:], []string{terminal.Percent(u.ShareOfUniques()), terminal.Percent(u.PresentShareOfUniques())})
	}
	return figures
}

const (
	sourceZhu = "Zhu, Fioretto, Van Hentenryck, Das and Task, “Privacy and Bias Analysis of Disclosure Avoidance Systems”, 2023"
	sourceDas = "Das, Zhu, Task, Van Hentenryck and Fioretto, “Finding Epsilon and Delta of Traditional Disclosure Control Systems”, 2024"
	sourceLiu = "Liu and Zhao, “Disclosure Risk from Homogeneity Attack in Differentially Privately Sanitized Frequency Distribution”, 2023"
)

// assessMeasures say what each figure is.
var assessMeasures = []Measure{
	{"ε, δ, ρ", "Loss of privacy of one release: δ is that at ε under the table's adjacency, and ρ that of zero-concentrated differential privacy. A δ near 1 promises nothing, whatever the ε. " +
		"Kinds whose lines are dashed have no guarantee of use.", "Dwork and Roth, “The Algorithmic Foundations of Differential Privacy”, 2014; Bun and Steinke, “Concentrated Differential Privacy”, 2016"},
	{"Bias (l1)", "Sum over the cells of the absolute bias: of the expected shown count minus the true one. In what is counted, such as persons. Noise has one because counts below 0 are shown as 0.", sourceZhu},
	{"α", "α-fairness: the largest bias of a cell minus the smallest. The smaller, the more alike are cells treated.", "Definition 1 of " + sourceZhu},
	{"Variance", "Variance of the shown count of a cell: that of the cell with the largest one, and the mean of all cells. In the square of what is counted.", sourceZhu},
	{"Error (RMS)", "Root of the mean, over the cells, of variance plus squared bias: how far a shown count is from the true one.", "statistics"},
	{"Suppressed", "Expected share of cells that are withheld or filled. A withheld cell counts as k/2, and a key that a threshold does not show as 0.", "Definition 3 of " + sourceZhu},
	{"Risk", "Disclosure risk from homogeneity attack, local: an attacker knows all keys of a person but the sensitive one, and takes the only label that is shown, with 1 or more, for hers. " +
		"Event: the share of combinations of known keys of which exactly one label is shown, one that they have. Records: the share of records that have that label. By size: combinations count by their records. " +
		"It is the expectation, where the source has bounds. It does not fall to 0 with ε: noise alone shows one label now and then. It is of this one attack: kinds marked † have no " +
		"guarantee, and most of them show exact counts, so that a low risk of theirs is no reason to prefer them.", "Definition 6 and equations 11 and 12 of " + sourceLiu},
	{"Uniques", "Unique exact matches: the expected share of those alone in their cell who are shown in a count of 1 (or of 1 or more).", sourceDas},
	{"±95%", "The noise of a count is within this with probability 95%.", "the distribution of the noise"},
}
