// Package report sets what a paper publishes beside what this repository regenerates, and writes it as a page and as Markdown.
//
// Each paper's package exports a Part. Write checks the sections of all parts (a number that differs needs its reason, a section that judges its rule), draws the figures as SVG and
// PNG, and writes index.html and summary.md beside them. Start with Section, Row and Verdict.
package report
