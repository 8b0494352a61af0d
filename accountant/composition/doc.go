// Package composition bounds what many releases tell together about one person.
package composition
