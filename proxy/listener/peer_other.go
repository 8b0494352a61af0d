//go:build !linux

package listener

import (
	"errors"
	"net"
)

// Account would be the name of the account whose process connected to a socket of this machine.
func Account(net.Conn) (string, error) {
	return "", errors.New("which account connects can be told on Linux only")
}
