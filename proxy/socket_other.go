//go:build !linux

package proxy

import "net"

func newSocket(conn net.Conn) net.Conn { return conn }
