// Command accuracy asks the statements of some dashboards in several ways, each for the same total privacy loss, and compares the errors.
//
//	go run ./examples/accuracy [-data DIR] [-out DIR]
//
// It starts a PostgreSQL of its own, fills a table with rows like those of the Adult census file (or with that file itself), and opens the gateway of the
// proxy with one policy for each way. What it reports are differences between answers and true counts. Noise is drawn from seeds, so that
// every run writes the same. Begin with main.go; dashboards.go has the statements, ways.go the policies, and bound.go the least error that is possible.
package main
