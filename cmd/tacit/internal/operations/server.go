package operations

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tacit/internal/limited"
	"tacit/policy"
)

// This file serves metrics and health over HTTP. Start at New.

// A Server listens on an address of its own.
type Server struct {
	subject  Subject
	http     http.Server
	listener net.Listener

	mu    sync.Mutex // protects what follows, so that one look at a time serves all who ask
	until time.Time
	last  readiness
}

const (
	// answerTime bounds a request, and readyFor is how long a look whether the proxy is ready serves.
	answerTime = 10 * time.Second
	readyFor   = time.Second
	// maxScrapes is how many may read the metrics at one time.
	maxScrapes = 3
	// maxConnections leaves the descriptors of the process to sessions.
	maxConnections = 32
	maxBodyBytes   = 1 << 10 // nobody has a reason to send any
)

// New listens where a policy says. The caller serves, and closes.
func New(p *policy.Policy, metrics *Metrics, subject Subject, log *slog.Logger) (*Server, error) {
	s := &Server{subject: subject}
	metrics.registry.MustRegister(&state{subject: subject, began: time.Now()})
	var err error
	if s.listener, err = net.Listen("tcp", p.Operations.Metrics); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	s.listener = limited.New(s.listener, maxConnections)
	if p.Operations.ClientCA != "" {
		config, err := encrypted(p)
		if err != nil {
			s.listener.Close()
			return nil, err
		}
		s.listener = tls.NewListener(s.listener, config)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", known(promhttp.HandlerFor(metrics.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: maxScrapes, Timeout: answerTime, ErrorHandling: promhttp.ContinueOnError,
	})))
	s.http = http.Server{Handler: limited.Whole(ownName(s.listener, mux), maxBodyBytes), ReadTimeout: answerTime, WriteTimeout: 2 * answerTime, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	limited.Watch(&s.http)
	return s, nil
}

// encrypted asks for certificates of the policy's authority. Supervisors that ask for health alone need none.
func encrypted(p *policy.Policy) (*tls.Config, error) {
	authorities, err := os.ReadFile(p.Operations.ClientCA)
	if err != nil {
		return nil, fmt.Errorf("metrics.client_ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authorities) {
		return nil, fmt.Errorf("metrics.client_ca: %s holds no certificate in PEM form", p.Operations.ClientCA)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: pool,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { // read each time, so that a renewed one is used
			pair, err := tls.LoadX509KeyPair(p.TLS.Certificate, p.TLS.Key)
			return &pair, err
		},
	}, nil
}

// known refuses whoever has shown no certificate where one is asked for.
func known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil && len(r.TLS.VerifiedChains) == 0 {
			http.Error(w, "metrics are for those who show a certificate of metrics.client_ca", http.StatusForbidden)
			return
		}
		if r.TLS != nil {
			limited.Keep(r.Context())
		}
		next.ServeHTTP(w, r)
	})
}

// ownName refuses requests by other names than this machine's where the address is its own: a web page elsewhere may have got itself such a name.
// A browser always names the host. What names none is a check of health, such as HAProxy's.
func ownName(l net.Listener, next http.Handler) http.Handler {
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS == nil && r.Host != "" && !limited.IsThisMachine(r.Host) {
			http.Error(w, "this address is reached as localhost or 127.0.0.1", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Address is where the server listens.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Serve answers until Close.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends Serve, and all requests.
func (s *Server) Close() error { return s.http.Close() }

// readiness is what stands in the way of answers. The log has the reasons.
type readiness struct{ ledger, roles, upstream bool }

// look is a look that was made within the last second.
func (s *Server) look(ctx context.Context) readiness {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.After(s.until) {
		status := s.subject.Status(ctx)
		s.last = readiness{ledger: status.LedgerUsable, roles: status.Separate, upstream: s.subject.Reached(ctx)}
		s.until = time.Now().Add(readyFor)
	}
	return s.last
}

// ready says whether protected statements can be answered, and new clients are accepted.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	now, ending := s.look(context.WithoutCancel(r.Context())), s.subject.Draining()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !now.ledger || !now.roles || !now.upstream || ending {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	for _, part := range []struct {
		name string
		ok   bool
	}{{"ledger", now.ledger}, {"roles", now.roles}, {"upstream", now.upstream}, {"accepting", !ending}} {
		word := "ok"
		if !part.ok {
			word = "not ready"
		}
		fmt.Fprintf(w, "%s: %s\n", part.name, word)
	}
}
