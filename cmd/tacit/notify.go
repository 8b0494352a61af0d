package main

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"tacit/proxy"
)

// This file tells systemd, if it has started this process and waits for that, how the proxy is (sd_notify(3)). That it cannot be told does not end the
// proxy. Start at notify.

// notify tells systemd a state.
func notify(state string, log *slog.Logger) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd could not be told how the proxy is", "state", state, "error", err)
	}
}

// notifyReady tells that clients can connect.
func notifyReady(log *slog.Logger) func(net.Addr) {
	return func(net.Addr) { notify(daemon.SdNotifyReady, log) }
}

// beat tells systemd's watchdog (WatchdogSec=) until ctx ends that the proxy is alive: that it can count its connections, for which no lock may be stuck that
// sessions take. A server or a ledger that is away is no reason to start the proxy again.
func beat(ctx context.Context, front *proxy.Proxy, log *slog.Logger) {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("systemd's watchdog is not told that the proxy is alive", "error", err)
	}
	if err != nil || every == 0 {
		return
	}
	ticker := time.NewTicker(every / 3)
	defer ticker.Stop()
	for ctx.Err() == nil {
		front.Connections()
		notify(daemon.SdNotifyWatchdog, log)
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
}
