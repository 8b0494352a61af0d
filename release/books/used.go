package books

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// UsedColumns are the columns of each table that a charged question of its present epoch has, in the proxy's canonical words, or a statement to an auditor.
// Others were never used: the steward may take them out of the policy. It reads the ledger alone.
//
// It goes by words: a column counts as used, too, if its name is another word of a question, as count, where, the table's own name or its schema. What was used
// is never missed.
func UsedColumns(ctx context.Context, p *policy.Policy) (map[policy.TableName]map[string]bool, error) {
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	all := make(map[policy.TableName]map[string]bool)
	for _, t := range p.Tables {
		texts, err := askedTexts(ctx, l, t)
		if err != nil {
			return nil, err
		}
		words := make(map[string]bool)
		for _, text := range texts {
			for word := range wordsOf(text) {
				words[word] = true
			}
		}
		used := make(map[string]bool)
		for _, c := range t.Columns {
			used[c.Name] = words[c.Name]
		}
		all[t.Name] = used
	}
	return all, nil
}

func askedTexts(ctx context.Context, l *ledger.Reader, t *policy.Table) (texts []string, err error) {
	if t.Mechanism.Kind == policy.Audit {
		events, err := l.AuditEvents(ctx, t.Name, 0)
		for _, e := range events {
			texts = append(texts, e.Statement)
		}
		return texts, err
	}
	charged, err := l.Charges(ctx, t.Name)
	for _, c := range charged {
		texts = append(texts, c.Text)
	}
	return texts, err
}

// wordsOf are the names in a text, outside of its quoted values: quoted ones as they are, and others in small letters.
func wordsOf(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			r, size := utf8.DecodeRuneInString(text)
			switch {
			case r == '\'' || r == '"':
				inside, rest := quotedPart(text, byte(r))
				if text = rest; r == '"' && !yield(inside) {
					return
				}
			case r == '_' || unicode.IsLetter(r):
				end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
				if end < 0 {
					end = len(text)
				}
				word := strings.ToLower(text[:end])
				if text = text[end:]; !yield(word) {
					return
				}
			default:
				text = text[size:]
			}
		}
	}
}

// quotedPart is what is between quotes at the beginning of a text, doubled ones taken as one, and what follows.
func quotedPart(text string, quote byte) (inside, rest string) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != quote:
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == quote:
			b.WriteByte(quote)
			i++
		default:
			return b.String(), text[i+1:]
		}
	}
	return b.String(), ""
}
