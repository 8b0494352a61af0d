package curator

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// With load_balance_hosts=random each connection to a standby begins with another server, whose ways to encrypt stay in their order. Of three servers each is
// the first in 200 connections but with probability 3 (2/3)^200, which is below 1e-34.
func TestServersAreShuffled(t *testing.T) {
	p := &policy.Policy{Upstream: policy.Upstream{
		Curator: "postgres://c@a,b,d:6000/x?sslmode=prefer&target_session_attrs=prefer-standby&load_balance_hosts=random"}}
	if !balances(p.Upstream.Curator) || balances("postgres://c@a,b/x?load_balance_hosts=disable") {
		t.Error("the order is not read")
	}
	first := make(map[string]int)
	for range 200 {
		config, err := pgx.ParseConfig(standby(p))
		if err != nil {
			t.Fatal(err)
		}
		if len(config.RuntimeParams) > 0 {
			t.Fatalf("the server is sent %v", config.RuntimeParams)
		}
		if err := shuffle(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		first[config.Host]++
		servers := map[string]bool{fmt.Sprint(config.Host, config.Port): true}
		if len(config.Fallbacks) != 5 || config.TLSConfig == nil || config.Fallbacks[0].TLSConfig != nil || config.Fallbacks[0].Host != config.Host {
			t.Fatalf("the ways to encrypt are in another order: %+v", config.Fallbacks)
		}
		for _, f := range config.Fallbacks {
			servers[fmt.Sprint(f.Host, f.Port)] = true
		}
		if len(servers) != 3 {
			t.Fatalf("the servers are %v", servers)
		}
	}
	if len(first) != 3 {
		t.Errorf("the first are %v", first)
	}
}
