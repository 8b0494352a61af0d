package main

import (
	"log/slog"
	"net"
	"os"
)

// notifyReady tells systemd, if it has started this process and waits for that, that clients can connect (sd_notify, Type=notify). That it cannot be
// told does not end the proxy.
func notifyReady(log *slog.Logger) func(net.Addr) {
	path := os.Getenv("NOTIFY_SOCKET") // one that begins with @ has no file, as in package net
	if path == "" {
		return nil
	}
	return func(net.Addr) {
		conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
		if err == nil {
			defer conn.Close()
			_, err = conn.Write([]byte("READY=1"))
		}
		if err != nil {
			log.Warn("systemd could not be told that the proxy is ready", "error", err)
		}
	}
}
