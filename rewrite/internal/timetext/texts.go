package timetext

import (
	"fmt"
	"strings"
	"time"
)

// Months, weekdays and hours repeat, and so do the texts in which to_char writes them: they are known whatever the times are. Names are English
// here, as to_char writes them unless it is told to translate (https://www.postgresql.org/docs/current/functions-formatting.html).

// maxFormatted bounds the texts that are listed of one format.
const maxFormatted = 10_000

// Texts are all texts that to_char makes of a time in a format of fields that repeat; nil if it has others. Texts may be among them that
// no time has, such as a 31st of February.
func Texts(format string) []string {
	texts, fill := []string{""}, true
	words, ok := Words(format)
	if !ok {
		return nil
	}
	for _, word := range words {
		if word == "FM" {
			fill = false
			continue
		}
		values := repeating(word, fill)
		if len(values) == 0 || len(values)*len(texts) > maxFormatted {
			return nil
		}
		fill = true // the modifier is of the next field alone
		var longer []string
		for _, text := range texts {
			for _, v := range values {
				longer = append(longer, text+v)
			}
		}
		texts = longer
	}
	return texts
}

// repeating are the texts of a word of a format; nil if they are not few. Without fill, they have no blanks and zeros.
func repeating(word string, fill bool) []string {
	numbers := func(least, greatest, digits int) []string {
		if !fill {
			digits = 1
		}
		var texts []string
		for n := least; n <= greatest; n++ {
			texts = append(texts, fmt.Sprintf("%0*d", digits, n))
		}
		return texts
	}
	switch word {
	case "HH24":
		return numbers(0, 23, 2)
	case "HH12", "HH":
		return numbers(1, 12, 2)
	case "MI":
		return numbers(0, 59, 2)
	case "MM":
		return numbers(1, 12, 2)
	case "DD":
		return numbers(1, 31, 2)
	case "DDD":
		return numbers(1, 366, 3)
	case "IDDD":
		return numbers(1, 371, 3)
	case "D", "ID":
		return numbers(1, 7, 1)
	case "Q":
		return numbers(1, 4, 1)
	case "W":
		return numbers(1, 5, 1)
	case "WW", "IW":
		return numbers(1, 53, 2)
	case "AM", "PM":
		return []string{"AM", "PM"}
	case "am", "pm":
		return []string{"am", "pm"}
	}
	if names := nameTexts(word, fill); names != nil {
		return names
	}
	if text := strings.Trim(word, `"`); text != word || strings.Trim(word, "-/.,:; _") == "" {
		return []string{text}
	}
	return nil
}

// nameTexts are the names of months or weekdays that a word stands for: upper case, capitalised or lower case as the word is, those in full
// filled up to nine characters.
func nameTexts(word string, fill bool) []string {
	var names []string
	switch strings.ToLower(word) {
	case "month", "mon":
		for m := time.January; m <= time.December; m++ {
			names = append(names, m.String())
		}
	case "day", "dy":
		for d := time.Sunday; d <= time.Saturday; d++ {
			names = append(names, d.String())
		}
	}
	for i, name := range names {
		switch {
		case strings.EqualFold(word, "mon"), strings.EqualFold(word, "dy"):
			name = name[:3]
		case fill:
			name = fmt.Sprintf("%-9s", name)
		}
		switch word {
		case strings.ToUpper(word):
			name = strings.ToUpper(name)
		case strings.ToLower(word):
			name = strings.ToLower(name)
		}
		names[i] = name
	}
	return names
}
