// Package name reads the names of SQL: what PostgreSQL can hold, what needs double quotes, and names of several parts. It decides by the text alone, so
// that a name means the same whatever the server. What a name stands for, package policy says. Start at Split.
package name
