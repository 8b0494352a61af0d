package proxy

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestLargeOwnLists answers the largest list that a sub-select may give, and refuses several of them without an end of the session.
func TestLargeOwnLists(t *testing.T) {
	r := newRig(t, nil)
	conn, err := pgx.Connect(context.Background(), r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	const list = " OR region IN (SELECT repeat('x', 1048574))"
	for _, c := range []struct {
		lists int
		code  string
	}{{1, ""}, {2, "54000"}, {60, "54000"}, {1, ""}} {
		_, err := conn.PgConn().Exec(context.Background(), "SELECT count(*) FROM patients WHERE age = 1"+strings.Repeat(list, c.lists)).ReadAll()
		var server *pgconn.PgError
		errors.As(err, &server)
		if (err != nil) != (c.code != "") || server != nil && server.Code != c.code {
			t.Fatalf("%d lists: %v", c.lists, err)
		}
	}
}
