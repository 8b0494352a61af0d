// Package quickstart holds a small example to try tacit on and to copy from: real data, roles and a policy. `tacit demo` plays
// with it; README.md tells where the data comes from.
package quickstart

import "embed"

// Files are the example's files, by their names in this directory: schema.sql and the CSV files that it loads with psql's \copy,
// roles.sql, and policy.yaml.
//
//go:embed *.csv *.sql policy.yaml
var Files embed.FS
