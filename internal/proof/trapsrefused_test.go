package proof

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/traps"
)

// TestTrapsAreRefusedWhileServing makes each trap while a proxy serves, in a transaction that commits after the last check and before the
// statement that would learn by it. The statement is refused in a session that is older than the trap.
func TestTrapsAreRefusedWhileServing(t *testing.T) {
	s, place := trapPlace(t)
	ctx := context.Background()
	url := fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", place.For("sep_bob"), s.serve(s.gateway), s.database)
	for _, trap := range inTurn(t, traps.All(), 0) {
		trap = trap.For(place)
		if trap.Leak == "" {
			continue // nothing is learned by a statement
		}
		t.Run(trap.Name, func(t *testing.T) {
			old, err := pgconn.Connect(ctx, url)
			if err != nil {
				t.Fatal(err)
			}
			defer old.Close(ctx)
			if _, err := old.Exec(ctx, "SELECT 1").ReadAll(); err != nil {
				t.Fatal(err)
			}
			if err := execute(s.database, "BEGIN; "+trap.Make+"; COMMIT"); err != nil {
				t.Fatal(err)
			}
			_, err = old.Exec(ctx, trap.Statement).ReadAll()
			var refused *pgconn.PgError
			if !errors.As(err, &refused) || refused.Code != "42501" {
				t.Errorf("%s: %v", trap.Statement, err)
			}
			old.Close(ctx) // its temporary tables go before what they use
			if err := execute(s.database, trap.Undo); err != nil {
				t.Fatal(err)
			}
		})
	}
}
