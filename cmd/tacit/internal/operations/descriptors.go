package operations

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Descriptors that sessions take, and that everything else may: the ledger, counts, checks, consoles, and connections that are not logged in.
const (
	descriptorsOfSession = 2
	otherDescriptors     = 600
)

// TooFewDescriptors tells what is wrong with this process's limit of open files, if it may have so many sessions; empty if nothing is.
func TooFewDescriptors(sessions int) string {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return ""
	}
	return tooFew(limit.Cur, sessions)
}

func tooFew(limit uint64, sessions int) string {
	needed := descriptorsOfSession*sessions + otherDescriptors
	if limit >= uint64(needed) {
		return ""
	}
	return fmt.Sprintf("at most %d files may be open, and limits.connections of %d needs %d: raise LimitNOFILE of the service, or lower limits.connections", limit, sessions, needed)
}
