package pgtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func startRelay(t *testing.T) (r *Relay, url string) {
	t.Helper()
	must(t, cluster.execute("DROP ROLE IF EXISTS relayed; CREATE ROLE relayed LOGIN"))
	r, err := cluster.NewRelay()
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	return r, fmt.Sprintf("postgres://relayed@127.0.0.1:%d/postgres?sslmode=disable", r.Port)
}

// connectAndAsk returns the text that a query yields through the relay.
func connectAndAsk(url string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, "SELECT repeat('x', 100)").Scan(&answer)
	return answer, err
}

// heardOfAll waits until the connections so far are gone, whose farewells would be counted with the next one.
func heardOfAll(r *Relay) Traffic {
	for {
		r.mu.Lock()
		open := len(r.open)
		r.mu.Unlock()
		if open == 0 {
			return r.Heard()
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRelay(t *testing.T) {
	r, url := startRelay(t)
	if answer, err := connectAndAsk(url); err != nil || answer != strings.Repeat("x", 100) {
		t.Fatalf("relayed: %q, %v", answer, err)
	}
	all := heardOfAll(r)
	if all.ToServer == 0 || all.ToClient < 100 {
		t.Fatalf("heard only %+v", all)
	}
	// The last bytes to the client tell it to go on; the last ones to the server only say farewell.
	for _, cut := range []Cut{{ToClient: 1}, {ToClient: all.ToClient / 2}, {ToClient: all.ToClient - 1}, {ToServer: 1}, {ToServer: all.ToServer / 2}} {
		r.Next(cut)
		before := heardOfAll(r)
		if _, err := connectAndAsk(url); err == nil {
			t.Errorf("not cut by %+v", cut)
		}
		after := heardOfAll(r)
		if got := after.ToClient - before.ToClient; cut.ToClient > 0 && got != cut.ToClient {
			t.Errorf("%+v: %d bytes came to the client", cut, got)
		}
		if got := after.ToServer - before.ToServer; cut.ToServer > 0 && got != cut.ToServer {
			t.Errorf("%+v: %d bytes came to the server", cut, got)
		}
		if _, err := connectAndAsk(url); err != nil {
			t.Errorf("behind %+v: %v", cut, err)
		}
	}
}

func TestRelayAway(t *testing.T) {
	r, url := startRelay(t)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	must(t, err)
	defer conn.Close(ctx)
	r.SetAway(true)
	if err := conn.Ping(ctx); err == nil {
		t.Error("an open connection was not cut")
	}
	if _, err := connectAndAsk(url); err == nil {
		t.Error("connected to what is away")
	}
	r.SetAway(false)
	if _, err := connectAndAsk(url); err != nil {
		t.Error(err)
	}
}
