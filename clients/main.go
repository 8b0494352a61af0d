// Command clients runs real clients through the proxy: drivers and tools that analysts use (`make clients`), and the test suites
// of drivers (`make suites`). It starts a throwaway PostgreSQL and the proxy before it, and leaves nothing behind.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: clients [-v] [-go-on] [-short] tools [NAME...]
       clients [-v] suites [NAME...]

Runs bin/tacit, in the directory of the repository.
`

var (
	verbose = flag.Bool("v", false, "show all output")
	short   = flag.Bool("short", false, "leave out clients that take a minute and more, and what they need; they are named")
	goOn    = flag.Bool("go-on", false, "do not fail for clients that are not installed; they are named")
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	var details io.Writer = io.Discard
	if *verbose {
		details = os.Stdout
	}
	var commands = map[string]func(ctx context.Context, names []string, details io.Writer) (ok bool, err error){
		"tools":  runTools,
		"suites": runSuites,
	}
	run := commands[flag.Arg(0)]
	if run == nil {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := run(ctx, flag.Args()[1:], details)
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}
