// Package check is what the Go clients have in common: checks that are reported one by one, in the lines that the runner reads.
package check

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
)

// Question is what every client asks. All must get the same answer, because it is one question.
const Question = "SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST"

// A Cell is a row of the answer to Question.
type Cell struct {
	Region string
	Sex    *string
	N      int64
}

// Run makes a check, which fails with an error.
func Run(name string, f func() error) {
	if err := f(); err != nil {
		fmt.Printf("failed: %s: %s\n", name, strings.Join(strings.Fields(err.Error()), " "))
		return
	}
	fmt.Println("ok:", name)
}

// Equal compares what a client got with what it should have got.
func Equal(got, want any) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("got %v instead of %v", got, want)
	}
	return nil
}

// SQLState demands an error with a SQLSTATE.
func SQLState(err error, want string) error {
	var e interface{ SQLState() string }
	if !errors.As(err, &e) || e.SQLState() != want {
		return fmt.Errorf("got %v instead of SQLSTATE %s", err, want)
	}
	return nil
}

// Answer prints the answer to Question.
func Answer(cells []Cell) {
	var parts []string
	for _, c := range cells {
		sex := ""
		if c.Sex != nil {
			sex = *c.Sex
		}
		parts = append(parts, fmt.Sprintf("%s/%s=%d", c.Region, sex, c.N))
	}
	fmt.Println("answer:", strings.Join(parts, " "))
}

// Version prints the version of the module that the driver comes from.
func Version(module string) {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == module {
			fmt.Println("version:", m.Version)
		}
	}
}
