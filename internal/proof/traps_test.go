package proof

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tacit/internal/traps"
	"tacit/policy"
	"tacit/release"
	"tacit/release/curator"
)

// trapPlace is a database with the schema of the traps, and a gateway to it.
func trapPlace(t *testing.T) (*site, traps.Place) {
	t.Helper()
	s := &site{t: t, database: cluster.CreateDatabase(t)}
	place := traps.Place{Host: cluster.Host, Port: cluster.Port, Database: s.database, Prefix: "trapped_"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	s.policy, err = policy.Parse(filepath.Join(t.TempDir(), "policy.yaml"), []byte(place.For(traps.Policy)))
	must(err)
	must(execute(s.database, place.For(traps.Schema)))
	t.Cleanup(func() {
		for _, sql := range []string{traps.Drop, `DROP OWNED BY sep_ana, sep_bob, sep_curator; DROP ROLE sep_ana, sep_bob, sep_curator`} {
			if err := execute(s.database, place.For(sql)); err != nil {
				t.Error(err)
			}
		}
	})
	s.hardenFor(s.policy)
	s.gateway, err = release.Open(context.Background(), release.Config{Policy: s.policy, Random: rand.Reader})
	must(err)
	t.Cleanup(func() { s.gateway.Close() })
	return s, place
}

// inTurn is all traps, or with -short every forty-eighth, from the one with the number on.
func inTurn(t *testing.T, all []traps.Trap, first int) (some []traps.Trap) {
	version := cluster.Version(t) / 10000
	all = slices.DeleteFunc(slices.Clone(all), func(trap traps.Trap) bool { return trap.Since > version }) // the server has no such object
	if !testing.Short() {
		return all
	}
	for i := first; i < len(all); i += 48 {
		some = append(some, all[i])
	}
	return some
}

// finds reports whether an error has the finding of a trap.
func finds(err error, trap traps.Trap) bool {
	var holes *curator.SeparationError
	if !errors.As(err, &holes) {
		return false
	}
	for _, f := range holes.Findings {
		if f.What == trap.What && strings.Contains(f.Detail, trap.Detail) {
			return true
		}
	}
	return false
}

// TestServingAgreesWithTheCheck makes each trap that `tacit check` finds (curator.TestTrapsAreFound) before a proxy starts, which then does not,
// and while one serves, whose next check finds it, too, and refuses what could tell by it. At the end all are undone, and the proxy serves again.
func TestServingAgreesWithTheCheck(t *testing.T) {
	s, place := trapPlace(t)
	ctx := context.Background()
	for _, trap := range inTurn(t, traps.All(), 2) {
		trap = trap.For(place)
		t.Run(trap.Name, func(t *testing.T) {
			if err := execute(s.database, trap.Make); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := execute(s.database, trap.Undo); err != nil {
					t.Fatal(err)
				}
			}()
			started := *s.policy
			started.Ledger.SQLite = filepath.Join(t.TempDir(), "ledger.db")
			g, err := release.Open(ctx, release.Config{Policy: &started, Random: rand.Reader})
			if err == nil {
				g.Close()
			}
			if !finds(err, trap) {
				t.Errorf("at the start: %v", err)
			}
			if err := s.gateway.Refresh(ctx); !finds(err, trap) {
				t.Errorf("while serving: %v", err)
			}
			if trap.Leak != "" && s.gateway.Catalog().Barrier == nil {
				t.Error("the check refuses no statement")
			}
		})
	}
	if err := s.gateway.Refresh(ctx); err != nil || s.gateway.Catalog().Barrier != nil {
		t.Errorf("after all: %v, barrier %v", err, s.gateway.Catalog().Barrier)
	}
}
