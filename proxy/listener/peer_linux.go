package listener

import (
	"errors"
	"net"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// Account is the name of the account whose process connected to a socket of this machine (SO_PEERCRED of unix(7)).
func Account(conn net.Conn) (string, error) {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return "", errors.New("this is no socket of this machine")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return "", err
	}
	var peer *unix.Ucred
	var failure error
	if err := raw.Control(func(fd uintptr) { peer, failure = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return "", err
	}
	if failure != nil {
		return "", failure
	}
	account, err := user.LookupId(strconv.FormatUint(uint64(peer.Uid), 10))
	if err != nil {
		return "", err
	}
	return account.Username, nil
}
