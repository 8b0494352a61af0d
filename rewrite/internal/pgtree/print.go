package pgtree

import (
	"errors"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// Print prints a tree. The parser's printer is not PostgreSQL's: what it prints is read again and must give
// the same tree, or there is an error.
func Print(tree *pg.ParseResult) (string, error) {
	text, err := pg.Deparse(tree)
	if err != nil {
		return "", err
	}
	again, err := pg.Parse(text)
	if err != nil {
		return "", err
	}
	if !Same(tree, again) {
		return "", errors.New("the printed statement is not the same")
	}
	return text, nil
}
