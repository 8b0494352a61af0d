package release

import (
	"fmt"
	"io"

	"tacit/mechanisms"
	"tacit/policy"
)

// newMechanisms returns the mechanisms of a table's counts by their sensitivity (see rewrite.BoundQuery.Sensitivity). Every count
// costs the same epsilon; what grows with the sensitivity is the noise.
func newMechanisms(t *policy.Table, random io.Reader) (map[int]*mechanisms.Geometric, error) {
	made := make(map[int]*mechanisms.Geometric)
	for _, sensitivity := range sensitivities(t) {
		m, err := mechanisms.NewGeometric(mechanisms.GeometricConfig{
			Epsilon:      t.Mechanism.Epsilon,
			Delta:        t.Mechanism.Delta,
			Adjacency:    t.Adjacency,
			Sensitivity:  int64(sensitivity),
			KeepNegative: t.Mechanism.KeepNegative,
			Random:       random,
		})
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		made[sensitivity] = m
	}
	return made, nil
}

// sensitivities are those that counts of a table can have.
func sensitivities(t *policy.Table) []int {
	if t.Person == nil {
		return []int{1}
	}
	return []int{1, t.Person.Groups, t.Person.Rows}
}

// personColumn is the column that tells persons apart, none if a row is a person.
func personColumn(t *policy.Table) string {
	if t.Person == nil {
		return ""
	}
	return t.Person.Column
}
