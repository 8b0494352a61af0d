package pgtest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// debianPattern matches the directories into which Debian and Ubuntu put the server's binaries, one for each major version.
const debianPattern = "/usr/lib/postgresql/*/bin"

// findBinaries returns a directory that holds initdb and postgres: the one that TACIT_PG_BIN names; else one on the PATH; else
// the newest of Debian's.
func findBinaries() (string, error) {
	if dir := os.Getenv("TACIT_PG_BIN"); dir != "" {
		if !hasServer(dir) {
			return "", fmt.Errorf("pgtest: TACIT_PG_BIN is %s, but no initdb and postgres are there", dir)
		}
		return filepath.Abs(dir)
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		// A link to initdb alone is common; its neighbours are where it points to.
		if path, err = filepath.EvalSymlinks(path); err == nil && hasServer(filepath.Dir(path)) {
			return filepath.Abs(filepath.Dir(path))
		}
	}
	dirs, err := filepath.Glob(debianPattern)
	if err != nil {
		return "", fmt.Errorf("pgtest: %w", err)
	}
	if dir, ok := newestServer(dirs); ok {
		return dir, nil
	}
	return "", errors.New("pgtest: PostgreSQL's server binaries, initdb and postgres, are neither on the PATH nor in " + debianPattern +
		"; install them (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; " +
		"macOS: brew install postgresql) or set TACIT_PG_BIN to their directory")
}

func hasServer(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// newestServer returns the directory .../VERSION/bin with the highest version among those that hold a server.
func newestServer(dirs []string) (string, bool) {
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !hasServer(dir) })
	if len(dirs) == 0 {
		return "", false
	}
	return slices.MaxFunc(dirs, func(a, b string) int { return cmp.Compare(majorVersion(a), majorVersion(b)) }), true
}

func majorVersion(dir string) float64 {
	version, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(dir)), 64) // 9.6 was a major version
	return version
}

// Psql returns the path of psql: the one beside the server, else the one on the PATH.
func (c *Cluster) Psql() (string, error) {
	if path, err := exec.LookPath(filepath.Join(c.bin, "psql")); err == nil {
		return path, nil
	}
	path, err := exec.LookPath("psql")
	if err != nil {
		return "", errors.New("pgtest: psql is not on the PATH; install it (Debian and Ubuntu: apt-get install postgresql-client)")
	}
	return path, nil
}
