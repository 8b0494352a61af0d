package main

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever started the proxy is told that it listens.
func TestNotifyReady(t *testing.T) {
	dir, err := os.MkdirTemp("", "tacit") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	notifyReady(slog.Default())(nil)
	message := make([]byte, 100)
	n, err := socket.Read(message)
	if err != nil || string(message[:n]) != "READY=1" {
		t.Errorf("told %q, %v", message[:n], err)
	}
}

// The unit that is installed is the one that the manual shows, but for the path of the program.
func TestUnitIsDocumented(t *testing.T) {
	unit, err := os.ReadFile("../../packaging/tacit.service")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```ini\n")
	shown, _, _ = strings.Cut(shown, "```")
	if shown != string(unit) {
		t.Errorf("docs/operations.md shows\n%s\nand packaging/tacit.service is\n%s", shown, unit)
	}
}
