package terminal

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Paragraph writes text in lines of a terminal's width.
func Paragraph(w io.Writer, text string) {
	for _, line := range Wrap(text, 118) {
		fmt.Fprintln(w, line)
	}
}

// Wrap breaks text into lines of at most width characters: between words, and words that are longer than a line. What does not print is escaped.
func Wrap(text string, width int) []string {
	var lines []string
	line := []rune{}
	for _, word := range strings.Fields(Text(text)) {
		runes := []rune(word)
		if len(line) > 0 && len(line)+1+len(runes) > width {
			lines, line = append(lines, string(line)), line[:0]
		}
		if len(line) > 0 {
			line = append(line, ' ')
		}
		for len(runes) > width {
			lines, runes = append(lines, string(runes[:width])), runes[width:]
		}
		line = append(line, runes...)
	}
	return append(lines, string(line))
}

// Percent writes a probability in three digits.
func Percent(p float64) string {
	switch {
	case p == 0:
		return "0%"
	case p < 1e-5:
		return "<0.001%"
	case p < 1 && p > 0.9995:
		return ">99.95%"
	}
	return strconv.FormatFloat(100*p, 'g', 3, 64) + "%"
}

// Mean writes a mean in four digits, and all of those before the point.
func Mean(mean float64) string {
	if mean >= 1000 {
		return strconv.FormatFloat(mean, 'f', 0, 64)
	}
	return strconv.FormatFloat(mean, 'g', 4, 64)
}

// Figure writes a number in four digits, and - for one that is infinite.
func Figure(x float64) string {
	if math.IsInf(x, 1) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
