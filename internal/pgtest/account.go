package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// An account is what the server runs as.
type account struct {
	name       string
	credential *syscall.Credential // nil: as this process does
	// tempDir is a directory in which the account may make another.
	tempDir     string
	environment []string
}

// tunables have the memory of a backend come in large pages, and stay with it from one statement to the next. Otherwise a tenth of the time of
// tests that use the server goes into page faults.
const tunables = "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=1048576:glibc.malloc.trim_threshold=268435456:glibc.malloc.mmap_threshold=33554432"

// serverAccount returns the account of this process or, since PostgreSQL refuses to run as root, one without privileges.
// The environment is a fresh one: variables such as PGDATA, PGOPTIONS or LC_ALL would change the cluster.
func serverAccount() (account, error) {
	a := account{name: "the current user", tempDir: os.TempDir()}
	if inMemory() {
		a.tempDir = memoryDir
	}
	if os.Geteuid() == 0 {
		u, err := unprivilegedUser()
		if err != nil {
			return account{}, err
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return account{}, fmt.Errorf("user %s: %w", u.Username, err)
		}
		a.name = "user " + u.Username
		a.credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if !inMemory() {
			a.tempDir = "/tmp" // root's TMPDIR may be closed to others
		}
	}
	a.environment = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + a.tempDir, "GLIBC_TUNABLES=" + tunables}
	return a, nil
}

func unprivilegedUser() (*user.User, error) {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil && u.Uid != "0" {
			return u, nil
		}
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody; " +
		"run this as an ordinary user")
}
