package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"tacit/console"
	"tacit/policy"
	"tacit/proxy/encryption"
)

func consoleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "console --policy FILE",
		Short: "serve the console's pages beside running proxies",
		Long: `console serves the pages of the policy's section console, from the policy and the ledger alone, until SIGINT or SIGTERM. It connects to no
database but the ledger's. tacit serve has the same pages: this is for another machine or account than a proxy's. SIGHUP reads
the policy file again, and keeps the former one, saying why, if the new one is wrong.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	verbose := cmd.Flags().BoolP("verbose", "v", false, "log connections too")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		if p.Console == nil {
			return usageError{errors.New("the policy has no section console; write console: {listen: 127.0.0.1:6480, officers: {NAME: {password: ...}}}")}
		}
		return serveConsoleAlone(cmd.Context(), p, console.KeepErrors(newLogger(cmd.ErrOrStderr(), p.Operations, *verbose)))
	})
	return cmd
}

// serveConsoleAlone serves pages without a proxy.
func serveConsoleAlone(ctx context.Context, p *policy.Policy, log *slog.Logger) error {
	certificate, err := encryption.Load(p.TLS)
	if err != nil {
		return err
	}
	var inForce atomic.Pointer[policy.Policy]
	inForce.Store(p)
	renewed := renewedCertificate{server: certificate, log: log}
	c, err := console.New(console.Config{Policy: inForce.Load, Encryption: renewed.current, Log: log})
	if err != nil {
		return err
	}
	defer c.Close()
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	ctx, cancel := context.WithCancel(ctx)
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangup:
				next, err := policy.Load(p.Path)
				if err == nil && next.Console == nil {
					err = errors.New("it has no section console")
				}
				if err != nil {
					log.Error("the former policy stays in force", "file", p.Path, "error", err)
					continue
				}
				inForce.Store(next)
				log.Info("policy reloaded", "file", p.Path, "version", next.Version[:12])
			}
		}
	})
	defer reading.Wait()
	defer cancel()
	return listenForPages(ctx, c, p.Console.Listen, log)
}

// listenForPages serves pages at an address until ctx ends.
func listenForPages(ctx context.Context, c *console.Console, address string, log *slog.Logger) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	log.Info("the console listens", "address", c.Scheme()+"://"+listener.Addr().String())
	return c.Serve(ctx, listener)
}

// serveConsoleBeside serves pages in a proxy's process until ctx ends. That they cannot be served is logged, and the proxy goes on.
func serveConsoleBeside(ctx context.Context, p *policy.Policy, c console.Config) {
	if p.Console == nil {
		return
	}
	pages, err := console.New(c)
	if err == nil {
		defer pages.Close()
		err = listenForPages(ctx, pages, p.Console.Listen, c.Log)
	}
	if err != nil {
		c.Log.Error("the console cannot be served; the proxy goes on without it", "address", p.Console.Listen, "error", err)
	}
}

// A renewedCertificate is read again when its files change.
type renewedCertificate struct {
	log    *slog.Logger
	mu     sync.Mutex // protects server
	server *encryption.Server
}

func (r *renewedCertificate) current() *encryption.Server {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server.Changed() {
		if next, err := r.server.Reload(); err == nil {
			r.server = next
		} else {
			r.log.Error("the former certificate stays in force", "error", err)
		}
	}
	return r.server
}
