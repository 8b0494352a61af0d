package policy

import (
	"slices"
	"testing"
)

func TestUnverifiedServers(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:5432/x": false, "localhost/x": false, "[::1]:5432/x": false, "/x?host=/run/postgresql": false, "127.8.8.8/x?sslmode=disable": false,
		"db.example.org/x": true, "10.0.0.8:5432/x?sslmode=require": true, "[2001:db8::1]:5432/x": true, "/x?host=10.0.0.8": true,
		"db.example.org/x?sslmode=verify-full": false, "db.example.org/x?sslmode=verify-ca&sslrootcert=/y": false,
		"127.0.0.1,10.0.0.8:5433/x": true, "127.0.0.1:5432,localhost:5433/x": false, "localhost.example.org/x": true,
	} {
		p := &Policy{Upstream: Upstream{Analyst: "postgres://{analyst}@" + host, Curator: "postgres://c@127.0.0.1/x"}, Ledger: LedgerLocation{Postgres: "postgres://l@" + host}}
		got := p.UnverifiedServers()
		if want != slices.Equal(got, []string{"upstream.analyst", "ledger"}) || !want && got != nil {
			t.Errorf("%s: %v", host, got)
		}
	}
}
