package timetext

import "regexp"

// word is what a format is made of here: fields that exist for every date and time, and what stands between them.
var word = regexp.MustCompile(`^(?:FM|IYYY|YYYY|IYY|YYY|IY|YY|Month|MONTH|month|Mon|MON|mon|Day|DAY|day|Dy|DY|dy|IDDD|DDD|DD|ID|D|HH24|HH12|HH|MI|MM|MS|US|SS|IW|WW|W|CC|Q|AM|PM|am|pm|"[^"\\]*"|[-/.,:; _])`)

// Words are those of a format; ok is false if it has anything else.
func Words(format string) (words []string, ok bool) {
	for format != "" {
		next := word.FindString(format)
		if next == "" {
			return nil, false
		}
		words, format = append(words, next), format[len(next):]
	}
	return words, true
}
