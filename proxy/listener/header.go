package listener

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
)

// This file reads headers of the PROXY protocol, version 2 (proxy-protocol.txt of HAProxy, section 2.2). The invariant: not a byte behind the header is
// read. Start at ReadHeader.

const (
	signature = "\r\n\r\n\x00\r\nQUIT\n"
	// maxHeader bounds what follows the first 16 bytes: addresses, of sockets up to 216 bytes, and what balancers add of their own.
	maxHeader = 2048

	version2       = 0x20
	commandLocal   = version2
	commandProxied = version2 | 1
	tcp4           = 0x11
	tcp6           = 0x21
)

// errHeader says that a balancer's connection does not begin as it must.
var errHeader = errors.New("the connection of a load balancer does not begin with a header of the PROXY protocol, version 2")

// ReadHeader reads from where a balancer's connection comes. It is nil if it comes from the balancer itself, as that of a health check.
func ReadHeader(conn io.Reader) (from net.Addr, err error) {
	var head [16]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return nil, err
	}
	size := int(binary.BigEndian.Uint16(head[14:]))
	if string(head[:12]) != signature || size > maxHeader {
		return nil, errHeader
	}
	rest := make([]byte, size)
	if _, err := io.ReadFull(conn, rest); err != nil {
		return nil, err
	}
	if head[12] == commandLocal {
		return nil, nil
	}
	var width int
	switch {
	case head[12] != commandProxied:
		return nil, errHeader
	case head[13] == tcp4:
		width = 4
	case head[13] == tcp6:
		width = 16
	default:
		return nil, errHeader
	}
	if len(rest) < 2*width+4 {
		return nil, errHeader
	}
	ip, _ := netip.AddrFromSlice(rest[:width])
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(ip.Unmap(), binary.BigEndian.Uint16(rest[2*width:]))), nil
}

// IsBalancer says whether an address is in one of the networks.
func IsBalancer(address net.Addr, networks []netip.Prefix) bool {
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return false
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	for _, network := range networks {
		if network.Contains(ip) {
			return true
		}
	}
	return false
}
