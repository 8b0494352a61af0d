package pgtest

import (
	"flag"
	"fmt"
	"os"
	"syscall"
)

const (
	// memoryDir is where Linux mounts a file system in memory in which every account may make files.
	memoryDir = "/dev/shm"
	// tmpfsMagic is how statfs(2) names such a file system.
	tmpfsMagic = 0x01021994
	// leastMemoryBytes is the room that the clusters of two packages' tests may need. Containers often have 64 MiB there.
	leastMemoryBytes = 2 << 30
)

// inMemory reports whether files of this process belong in memory: those of tests do, because on a disk each database that is
// made or dropped costs hundreds of fsyncs. Benchmarks measure a real disk, and so do programs.
func inMemory() bool {
	bench := flag.Lookup("test.bench")
	return bench != nil && bench.Value.String() == "" && hasMemory(memoryDir)
}

// hasMemory reports whether a directory is on a file system in memory with enough room.
func hasMemory(dir string) bool {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil || int64(s.Type) != tmpfsMagic {
		return false
	}
	return s.Bavail*uint64(s.Bsize) >= leastMemoryBytes
}

// TempInMemory has this process and its children make temporary files in memory (t.TempDir, os.TempDir), if it runs tests and
// this machine has a file system there. The caller runs remove when the tests are over. Main does so for its callers.
func TempInMemory() (remove func(), err error) {
	if !inMemory() || hasMemory(os.TempDir()) {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp(memoryDir, "tacit-test-")
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	return func() { os.RemoveAll(dir) }, nil
}
