package proxy

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tacit/policy"
	"tacit/proxy/internal/wire"
)

// A tap stands between the proxy and the server, and sees what the server is sent.
type tap struct {
	mu    sync.Mutex // protects what follows
	kinds []byte
	texts []string // of Parse and Query
}

// newTappedRig is newRig with a tap.
func newTappedRig(t *testing.T) (*rig, *tap) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	tapped := &tap{}
	go tapped.serve(listener)
	return newRig(t, func(p *policy.Policy) {
		p.Upstream.Analyst = strings.Replace(p.Upstream.Analyst, fmt.Sprintf("%s:%d", cluster.Host, cluster.Port), listener.Addr().String(), 1)
	}), tapped
}

func (s *tap) serve(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer near.Close()
			far, err := net.Dial("tcp", net.JoinHostPort(cluster.Host, strconv.Itoa(int(cluster.Port))))
			if err != nil {
				return
			}
			go func() {
				io.Copy(near, far)
				near.Close()
			}()
			s.forward(near, far)
			far.Close()
		}()
	}
}

// forward copies what the server is sent. The start-up packet has no kind.
func (s *tap) forward(from io.Reader, to io.Writer) {
	head := make([]byte, wire.HeaderBytes)
	for begin := 1; ; begin = 0 {
		if _, err := io.ReadFull(from, head[begin:]); err != nil {
			return
		}
		kind, size := wire.Header(head)
		body := make([]byte, size-wire.HeaderBytes)
		if _, err := io.ReadFull(from, body); err != nil {
			return
		}
		s.note(kind, body)
		if _, err := to.Write(slices.Concat(head[begin:], body)); err != nil {
			return
		}
	}
}

func (s *tap) note(kind byte, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kinds = append(s.kinds, kind)
	if text := textOf(kind, body); kind == 'Q' || kind == 'P' {
		s.texts = append(s.texts, text)
	}
}

// seen are the kinds of what the server was sent since the last call, and the texts of its statements.
func (s *tap) seen() (kinds string, texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds, texts = string(s.kinds), s.texts
	s.kinds, s.texts = nil, nil
	return kinds, texts
}
