package proxy

import (
	"strings"

	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
)

// This file reads the start-up parameter options, which holds command-line switches of the server's, as PostgreSQL reads it. The invariant: what is
// set here is what could be set by a parameter of its own; other switches are refused. Start at readOptions.

// readOptions returns the settings that options hold, in their order.
func readOptions(options string) ([]wire.Param, *pgerror.Refusal) {
	var settings []wire.Param
	for words := splitOptions(options); len(words) > 0; words = words[1:] {
		word := words[0]
		setting, ok := strings.CutPrefix(word, "--")
		if !ok {
			setting, ok = strings.CutPrefix(word, "-c")
			if setting == "" && ok && len(words) > 1 {
				words = words[1:]
				setting = words[0]
			}
		}
		if !ok {
			return nil, switchOther.With(word)
		}
		name, value, hasValue := strings.Cut(setting, "=")
		if name == "" || !hasValue {
			return nil, switchIncomplete.With(word)
		}
		settings = append(settings, wire.Param{Name: strings.ReplaceAll(name, "-", "_"), Value: value})
	}
	return settings, nil
}

// splitOptions splits options at white space, and takes what follows a backslash as it is (pg_split_opts).
func splitOptions(options string) (words []string) {
	const space = " \t\n\v\f\r"
	for options = strings.TrimLeft(options, space); options != ""; options = strings.TrimLeft(options, space) {
		var word []byte
		i := 0
		for ; i < len(options) && !strings.ContainsRune(space, rune(options[i])); i++ {
			if options[i] == '\\' {
				if i++; i == len(options) {
					break
				}
			}
			word = append(word, options[i])
		}
		words, options = append(words, string(word)), options[i:]
	}
	return words
}
