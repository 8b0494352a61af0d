package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"

	"tacit/cmd/tacit/internal/operations"
	"tacit/console"
	"tacit/policy"
	"tacit/proxy"
	"tacit/proxy/encryption"
	"tacit/proxy/listener"
	"tacit/release"
	"tacit/release/curator"
	"tacit/release/seal"
)

func serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve --policy FILE",
		Short: "run the proxy",
		Long: `serve checks that analysts can reach protected rows in no other way (as tacit check does), opens the ledger and
listens. It logs to stderr. SIGINT and SIGTERM have it accept nobody and end once the statements that run have ended, a second one at once; SIGHUP reads the policy file again, and keeps the running
policy, saying why, if the new one cannot be put in force. At its start and every hour it drops from the ledger what old notes say, if the policy says so (log: {keep: 90d}).`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	verbose := cmd.Flags().BoolP("verbose", "v", false, "log what happens before a login, and internals, too")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		behind := &behindWriter{out: cmd.ErrOrStderr()}
		defer behind.Flush()
		log := console.KeepErrors(newLogger(behind, p.Operations, *verbose))
		return serve(cmd.Context(), p, log, notifyReady(log))
	})
	return cmd
}

// newLogger writes as a policy says. The zero value is text from level info on. What is written behind is so up to level info: warnings and errors are not.
func newLogger(w io.Writer, o policy.Operations, verbose bool) *slog.Logger {
	var level slog.Level
	if o.LogLevel != "" {
		_ = level.UnmarshalText([]byte(o.LogLevel)) // one of those that the policy allows
	}
	if verbose {
		level = slog.LevelDebug
	}
	options := &slog.HandlerOptions{Level: level}
	if o.LogJSON {
		options.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration {
				a.Value = slog.StringValue(a.Value.Duration().String()) // 50ms, as in text, and not 50000000
			}
			return a
		}
		return atOnceFromWarnings(slog.NewJSONHandler(w, options), w)
	}
	return atOnceFromWarnings(slog.NewTextHandler(w, options), w)
}

// lookFor is about how long a DBA's commit takes to be acknowledged: a hole is refused from then on.
const lookFor = 10 * time.Millisecond

// serve runs the proxy until ctx ends and it has drained. ready, if not nil, is called with the address when it listens.
func serve(ctx context.Context, p *policy.Policy, log *slog.Logger, ready func(net.Addr)) error {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(p.Limits.Memory)
	}
	gateway, err := openGateway(ctx, p)
	if err != nil {
		return err
	}
	defer gateway.Close()
	if err := gateway.LedgerError(); err != nil {
		log.Error("protected tables are closed until the ledger can be used", "ledger", p.Ledger.String(), "error", err)
	}
	warnOfLedger(gateway, p, log)
	metrics := operations.NewMetrics()
	front, err := proxy.New(proxy.Config{Policy: p, Releaser: gateway, Secret: gateway.LedgerIdentity, Log: log, Observer: metrics})
	if err != nil {
		return err
	}
	handedOver, err := activation.Listeners()
	if err != nil {
		return err
	}
	door, err := listener.Open(p.Listen, handedOver)
	if err != nil {
		return err
	}
	defer showOperations(p, metrics, observed{gateway, front}, log)()
	if few := operations.TooFewDescriptors(p.Limits.Connections); few != "" {
		log.Warn(few)
	}
	warnOfTables(p, log)
	warnOfAccepted(ctx, p, log)
	warnOfEncryption(front.Encryption(), p, log)
	warnOfClosed(ctx, gateway, p, log)
	for _, address := range door.Addresses() {
		log.Info("listening", "address", address, "tls", string(p.TLS.Mode), "tables", len(p.Tables), "analysts", len(p.Analysts))
	}
	if ready != nil {
		ready(door.Addr())
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var background sync.WaitGroup
	notes := newThinner(gateway, log)
	background.Go(func() { notes.run(running) })
	background.Go(func() { watch(running, gateway, front, p.Path, notes.look, log) })
	background.Go(func() { beat(running, front, log) })
	background.Go(func() { drain(ctx, running, front, p.Operations.Drain, log) })
	background.Go(func() {
		serveConsoleBeside(running, p, console.Config{Policy: gateway.Policy, Encryption: front.Encryption, Closed: gateway.Closed, Answered: front.AnsweredLately, Log: log})
	})
	defer background.Wait()
	defer cancel()
	defer log.Info("ended")
	return front.Serve(context.WithoutCancel(ctx), door)
}

// openGateway opens what answers, unless the roles are not separate.
func openGateway(ctx context.Context, p *policy.Policy) (*release.Gateway, error) {
	gateway, err := release.Open(ctx, release.Config{Policy: p, Random: rand.Reader, LookFor: lookFor})
	var separation *curator.SeparationError
	if errors.As(err, &separation) {
		printFindings(os.Stderr, separation.Findings)
		return nil, fmt.Errorf("refusing to serve: %w; `tacit check --sql --policy %s` prints the SQL that mends it", err, p.QuotedPath())
	}
	return gateway, err
}

// warnOfClosed names tables of which nothing new is told.
func warnOfClosed(ctx context.Context, gateway *release.Gateway, p *policy.Policy, log *slog.Logger) {
	for _, name := range gateway.Unsealed(ctx) {
		log.Warn("counts of this table are refused until an epoch is sealed by tacit seal", "table", name.String())
	}
	for _, a := range seal.Alarms(ctx, p) {
		log.Warn("nothing new is released of this table", "table", a.Table.String(), "since", a.Text)
	}
	for _, name := range gateway.OtherAdjacency(ctx) {
		log.Warn("new counts of this table are refused, since it was counted under another adjacency", "table", name.String())
	}
}

// drain waits until the proxy is told to end, and lets the statements that run end, for as long as they may. A second signal ends them. It returns
// when the proxy runs no more.
func drain(told, running context.Context, front *proxy.Proxy, patience time.Duration, log *slog.Logger) {
	select {
	case <-told.Done():
	case <-running.Done():
		return
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	front.Drain()
	notify(daemon.SdNotifyStopping, log)
	log.Info("accepting no more clients; sessions end when their statements have", "sessions", front.Sessions(), "within", patience)
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-running.Done():
		return
	case <-again:
		log.Warn("told to end a second time: ending the sessions that are left", "sessions", front.Sessions())
	case <-late.C:
		log.Warn("ending the sessions that are left", "sessions", front.Sessions())
	}
	front.Close()
}

// An observed proxy is what operators see.
type observed struct {
	*release.Gateway
	*proxy.Proxy
}

// CertificateEnds is when the certificate in force does.
func (s observed) CertificateEnds() time.Time { return s.Encryption().Ends() }

// showOperations listens for operators, if the policy says so, until the returned function is called. That it cannot is no reason not to serve analysts.
func showOperations(p *policy.Policy, metrics *operations.Metrics, of operations.Subject, log *slog.Logger) (end func()) {
	if p.Operations.Metrics == "" {
		return func() {}
	}
	server, err := operations.New(p, metrics, of, log)
	if err != nil {
		log.Error("there are no metrics", "error", err)
		return func() {}
	}
	log.Info("metrics", "address", server.Address())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(); err != nil {
			log.Error("metrics have ended", "error", err)
		}
	})
	return func() {
		server.Close()
		serving.Wait()
	}
}

// warnOfEncryption says what is odd about certificates, or that there are none where others could listen.
func warnOfEncryption(s *encryption.Server, p *policy.Policy, log *slog.Logger) {
	if p.TLS.Mode == policy.TLSDisable && !p.ListensHereOnly() {
		log.Warn("connections of analysts are not encrypted, as the policy says", "addresses", p.Listen)
	}
	for _, warning := range s.Warnings(time.Now()) {
		log.Warn(warning)
	}
}

// renew puts certificates in force whose files have changed. Where that fails, the former stay.
func renew(front *proxy.Proxy, log *slog.Logger) {
	old := front.Encryption()
	if !old.Changed() {
		return
	}
	s, err := old.Reload()
	if err != nil {
		log.Error("the former certificate stays in force", "error", err)
		return
	}
	front.Encrypt(s)
	log.Info("certificates were read again")
	for _, warning := range s.Warnings(time.Now()) {
		log.Warn(warning)
	}
}

// warnOfTables names the tables whose mechanism protects nobody in a way that can be stated.
func warnOfTables(p *policy.Policy, log *slog.Logger) {
	for _, t := range p.Tables {
		if t.Mechanism.Kind != policy.Audit && !t.Mechanism.Kind.Guaranteed() {
			log.Warn("answers about this table have no privacy guarantee", "table", t.Name.String(), "mechanism", string(t.Mechanism.Kind))
		}
	}
}

// warnOfAccepted names what was found of the separation and is accepted, and says why a standby cannot count.
func warnOfAccepted(ctx context.Context, p *policy.Policy, log *slog.Logger) {
	if len(p.Accept) == 0 && !strings.Contains(p.Upstream.Curator, "prefer-standby") {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	judged, err := curator.Check(ctx, p)
	if err != nil {
		log.Warn("what the policy accepts, and its standby, could not be looked at", "error", err)
		return
	}
	for _, f := range judged.Accepted {
		log.Warn("accepted, as the policy says", "finding", f.Name, "what", f.What, "detail", f.Detail)
	}
	if judged.Standby != "" {
		log.Warn("the primary counts, since no standby can", "why", judged.Standby)
	}
	for _, name := range judged.Unneeded {
		log.Info("nothing was found of what the policy accepts", "finding", name)
	}
}

// warnOfLedger says what was found of a ledger when it was opened.
func warnOfLedger(gateway *release.Gateway, p *policy.Policy, log *slog.Logger) {
	for _, warning := range gateway.LedgerWarnings() {
		log.Warn("the ledger can be used, but "+warning, "ledger", p.Ledger.String())
	}
}

func reload(ctx context.Context, gateway *release.Gateway, front *proxy.Proxy, path string, log *slog.Logger) {
	former := gateway.Policy()
	p, err := policy.Load(path)
	var encrypted *encryption.Server
	if err == nil {
		encrypted, err = encryption.Load(p.TLS)
	}
	if err == nil {
		err = gateway.Reload(ctx, p)
	}
	if err != nil {
		log.Error("the running policy stays in force", "file", path, "error", err)
		return
	}
	front.Encrypt(encrypted)
	warnOfTables(p, log)
	warnOfAccepted(ctx, p, log)
	warnOfEncryption(encrypted, p, log)
	changed := strings.Join(gateway.Policy().Changes(former), ", ")
	log.Info("policy reloaded", "file", path, "version", p.Version[:12], "changed", cmp.Or(changed, "nothing"))
}
