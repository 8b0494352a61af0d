package books

import "strings"

// Statement is a statement that asks a question in the ledger's words again; empty for a question that no plain statement asks. Such words begin with what is
// counted, and name the keys at the end: "count(*) FROM public.people WHERE (age > 30) GROUP BY sex". What they say of a person's bounds is the policy's,
// and no part of a statement.
func Statement(question string) string {
	if !strings.HasPrefix(question, "count(") || strings.Contains(question, "\\") {
		return ""
	}
	parts := clauses(question, " FROM ", " PER ", " JOIN ", " WHERE ", " GROUP BY ")
	if parts[" FROM "] == "" || parts[" JOIN "] != "" {
		return ""
	}
	keys := parts[" GROUP BY "]
	sql := "SELECT "
	if keys != "" {
		sql += keys + ", "
	}
	sql += parts[""] + " FROM " + parts[" FROM "]
	if where := parts[" WHERE "]; where != "" {
		sql += " WHERE " + where
	}
	if keys != "" {
		sql += " GROUP BY " + keys
	}
	return sql
}

// clauses divides a text at words that are outside of quotes and parentheses, by the word before each part. A word that is there twice makes no parts.
func clauses(text string, words ...string) map[string]string {
	parts, last, begin, depth, quote := make(map[string]string), "", 0, 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0 // one that is doubled opens another text
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && c == ' ':
			for _, word := range words {
				if !strings.HasPrefix(text[i:], word) {
					continue
				}
				if _, twice := parts[word]; twice || word == last {
					return nil
				}
				parts[last] = text[begin:i]
				last, begin = word, i+len(word)
				i = begin - 1
				break
			}
		}
	}
	parts[last] = text[begin:]
	return parts
}
