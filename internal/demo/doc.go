// Package demo plays `tacit demo`: a throwaway PostgreSQL with the data of examples/quickstart, the proxy before it, and sessions of analysts
// and of the steward with the real psql and the real commands.
//
// It guarantees that nothing is left behind, and nothing about privacy: its server lets everybody in. Statements that the demonstration shows are
// Steps, which tests ask under other mechanisms, too.
//
// Begin with demo.go. What the data is, package quickstart says.
package demo
