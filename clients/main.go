// Command clients runs real clients through the proxy: drivers and tools that analysts use (`make clients`), and the test suites
// of drivers (`make suites`). It starts a throwaway PostgreSQL and the proxy before it, and leaves nothing behind.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: clients [-v] tools [NAME...]
       clients [-v] suites [NAME...]

Runs bin/tacit, in the directory of the repository. -v shows all output.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	args, details := os.Args[1:], io.Discard
	if len(args) > 0 && args[0] == "-v" {
		args, details = args[1:], os.Stdout
	}
	var commands = map[string]func(ctx context.Context, names []string, details io.Writer) (ok bool, err error){
		"tools":  runTools,
		"suites": runSuites,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	ok, err := commands[args[0]](ctx, args[1:], details)
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}
