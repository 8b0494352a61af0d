// Command tacit is a PostgreSQL wire-protocol proxy that lets analysts count people without learning about any one of them.
//
// Its commands are flags and printing: what they do is done by packages below. Start at main.go, which lists them. Each command has a file
// of its name: serve.go, check.go, seal.go, budget.go and so on. stewardaction.go is what grant, freeze, thaw and epoch have in common,
// print.go how lines, tables and JSON are written.
//
// Exit status: 0 done, 1 failed or refused (not separate, not reachable, a difference found), 2 wrong command line or policy file.
package main
