package listener

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Open listens at all addresses, or at none: host:port, or a path, which begins with a slash. Sockets that were handed over (sd_listen_fds(3)) are used
// for the addresses that they have. One that has none of them is an error: what holds for the policy's addresses, such as that others must encrypt,
// need not hold for it.
func Open(addresses []string, handedOver []net.Listener) (*Listener, error) {
	l := &Listener{incoming: make(chan accepted)}
	for _, address := range addresses {
		one, rest, err := open(address, handedOver)
		if err != nil {
			l.Close()
			return nil, err
		}
		l.all, handedOver = append(l.all, one), rest
	}
	if len(handedOver) > 0 {
		l.Close()
		if handedOver[0] == nil {
			return nil, errors.New("what was handed over is no socket that listens")
		}
		return nil, fmt.Errorf("a socket was handed over for %s, and the policy does not listen there", handedOver[0].Addr())
	}
	var accepting sync.WaitGroup
	for _, one := range l.all {
		accepting.Go(func() { l.accept(one) })
	}
	go func() {
		accepting.Wait()
		close(l.incoming)
	}()
	return l, nil
}

// open takes a listener from those handed over, or makes one.
func open(address string, handedOver []net.Listener) (one net.Listener, rest []net.Listener, err error) {
	path := strings.HasPrefix(address, "/")
	for i, given := range handedOver {
		if given != nil && given.Addr().String() == resolved(address, path) {
			return given, slices.Concat(handedOver[:i], handedOver[i+1:]), nil
		}
	}
	if path {
		one, err = openPath(address)
	} else {
		one, err = net.Listen("tcp", address)
	}
	return one, handedOver, err
}

// resolved is an address as a listener of it says it.
func resolved(address string, path bool) string {
	if path {
		return address
	}
	tcp, err := net.ResolveTCPAddr("tcp", address)
	switch {
	case err != nil:
		return ""
	case tcp.IP == nil:
		tcp.IP = net.IPv6unspecified
	}
	return tcp.String()
}

// openPath listens at a path. What a process left behind that has died is removed. Every account may connect, as at PostgreSQL's own socket: who may
// log in is another question.
func openPath(path string) (net.Listener, error) {
	switch conn, err := net.Dial("unix", path); {
	case err == nil:
		conn.Close()
		return nil, fmt.Errorf("somebody listens at %s already", path)
	case errors.Is(err, syscall.ECONNREFUSED):
		if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o777); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// A Listener accepts the connections of several. Whoever calls Accept does so until it returns net.ErrClosed: what was accepted before Close comes first.
type Listener struct {
	all      []net.Listener
	incoming chan accepted // closed when nothing more comes
}

type accepted struct {
	conn net.Conn
	err  error
}

// accept hands over what one listener accepts, one after another: while nobody takes it, clients wait in the kernel.
func (l *Listener) accept(one net.Listener) {
	for {
		conn, err := one.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		l.incoming <- accepted{conn, err}
	}
}

// Accept returns the next connection of any.
func (l *Listener) Accept() (net.Conn, error) {
	a, ok := <-l.incoming
	if !ok {
		return nil, net.ErrClosed
	}
	return a.conn, a.err
}

// Close closes all.
func (l *Listener) Close() error {
	var errs []error
	for _, one := range l.all {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// Addr is the first address.
func (l *Listener) Addr() net.Addr { return l.all[0].Addr() }

// Addresses are all of them.
func (l *Listener) Addresses() (texts []string) {
	for _, one := range l.all {
		texts = append(texts, one.Addr().String())
	}
	return texts
}
