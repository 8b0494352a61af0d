package pgtree

import (
	"errors"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// Print prints a tree, and clears its locations. The parser's printer is not PostgreSQL's: what it prints is read again and must give
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
	ClearLocations(tree.ProtoReflect())
	ClearLocations(again.ProtoReflect())
	if !proto.Equal(tree, again) {
		return "", errors.New("the printed statement is not the same")
	}
	return text, nil
}
