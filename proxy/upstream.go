package proxy

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/setting"
)

// This file connects a session to the server. The invariant: pgconn logs in and has read nothing further when its connection is taken
// over. Start at connectUpstream.

// An upstream is a session's own connection to the server, logged in as the analyst.
type upstream struct {
	conn     net.Conn
	hijacked *pgconn.HijackedConn
	// reported are the settings that the server reported at login, sorted by name.
	reported []wire.Param
	status   byte
	process  uint32 // the server's process; 0 if it did not say
}

// upstreamConfig says how an analyst is connected. Nothing of the proxy's own environment (PGOPTIONS, PGAPPNAME, PGTZ) gets into
// the session: its settings are the client's.
func upstreamConfig(upstream policy.Upstream, analyst string, settings map[string]string) (*pgconn.Config, error) {
	config, err := pgconn.ParseConfig(upstream.AnalystURL(analyst))
	if err != nil {
		return nil, err
	}
	config.RuntimeParams = maps.Clone(settings)
	if config.RuntimeParams == nil {
		config.RuntimeParams = make(map[string]string)
	}
	config.RuntimeParams["client_encoding"] = "UTF8"
	config.RuntimeParams["tacit.notices"] = "on" // so that SET, SHOW and RESET of it are the server's own
	config.RuntimeParams["tacit.fresh"] = "off"
	config.RuntimeParams["tacit.intervals"] = "off"
	config.RuntimeParams["tacit.max_age"] = setting.AnyAge
	config.RuntimeParams["tacit.within"] = setting.NotWithin
	return config, nil
}

// connectUpstream logs an analyst in and takes the connection over.
func connectUpstream(ctx context.Context, config *pgconn.Config) (*upstream, error) {
	pg, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	up, err := takeOver(ctx, pg)
	if err != nil {
		pg.Close(ctx)
		return nil, err
	}
	for _, p := range up.reported {
		if err := relay.CheckReported(p.Name, p.Value); err != nil {
			up.conn.Close()
			return nil, err
		}
	}
	return up, nil
}

// takeOver gets the bare connection out of pgconn, which must not have read further than we know.
func takeOver(ctx context.Context, pg *pgconn.PgConn) (*upstream, error) {
	if err := pg.SyncConn(ctx); err != nil {
		return nil, err
	}
	h, err := pg.Hijack()
	if err != nil {
		return nil, err
	}
	h.Frontend = nil // with its buffer: nothing is read by it any more
	up := &upstream{conn: h.Conn, hijacked: h, status: h.TxStatus, process: h.PID}
	for _, name := range slices.Sorted(maps.Keys(h.ParameterStatuses)) {
		up.reported = append(up.reported, wire.Param{Name: name, Value: h.ParameterStatuses[name]})
	}
	return up, nil
}

// cancel asks the server to cancel what the connection is doing, and returns when the server has passed the request on.
func (u *upstream) cancel(ctx context.Context) error {
	pg, err := pgconn.Construct(u.hijacked)
	if err != nil {
		return err
	}
	return pg.CancelRequest(ctx) // on a connection of its own
}

// refuseUpstream tells a client why it could not be connected to the server. What concerns the client (its own settings, limits on its
// role) is passed on; the rest is for the operator's log.
func refuseUpstream(analyst string, err error) *pgerror.Refusal {
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &pg):
	case strings.HasPrefix(pg.Code, "28"):
		return upstreamRefuses.With(analyst)
	case strings.HasPrefix(pg.Code, "22"), strings.HasPrefix(pg.Code, "42"), pg.Code == "53300", pg.Code == "3D000":
		return &pgerror.Refusal{Code: pg.Code, Message: pg.Message, Detail: pg.Detail, Hint: pg.Hint}
	}
	return upstreamAway.With()
}
