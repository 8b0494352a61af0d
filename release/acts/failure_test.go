package acts

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/seal"
)

// A serverError is an error as the server raises one.
type serverError struct{}

func (serverError) Error() string    { return "invalid input syntax: 4711" }
func (serverError) SQLState() string { return "22P02" }

// No page has a true count or a value of a row because an act has failed, and what a steward has to know to go on is there.
func TestFailureTexts(t *testing.T) {
	name := policy.TableName{Schema: "public", Name: "people"}
	ofServer := fmt.Errorf("reading: %w", serverError{})
	for _, c := range []struct {
		kind Kind
		err  error
		want string
	}{
		{Seal, &seal.ExchangeError{Table: name, Gone: 4711, Came: 4711}, "--distinct"},
		{Seal, &seal.SmallTotalsError{Table: name, Below: 5, Totals: []string{"4711 of blue"}}, "--publish-small-totals"},
		{Seal, &seal.AlarmError{Table: name, Alarm: "the first of March"}, "--acknowledge-alarm"},
		{Seal, errors.New("4711 people"), "in a terminal"},
		{Seal, ofServer, "in a terminal"},
		{Publish, ofServer, "22P02"},
		{Publish, errors.New("the price is another one now"), "the price is another one now"},
	} {
		text := (&Act{Kind: c.kind}).FailureText(fmt.Errorf("done: %w", c.err))
		if strings.Contains(text, "4711") || !strings.Contains(text, c.want) {
			t.Errorf("%s, %v: %q", c.kind, c.err, text)
		}
	}
}
