package quickstart

import "embed"

// Files are the example's files, by their names in this directory: schema.sql and the CSV files that it loads with psql's \copy,
// roles.sql, and policy.yaml.
//
//go:embed *.csv *.sql policy.yaml
var Files embed.FS
