// Package pgtest runs a throwaway PostgreSQL cluster for the demonstration and for tests.
//
// A cluster is made by [Start] from the binaries that [FindBinaries] finds, listens on a free port of 127.0.0.1 and nowhere else,
// and has its files in a new temporary directory.
//
// # In tests
//
// Start at [Main], the body of a package's TestMain. It starts one cluster for the package. Each test takes a database of its own:
//   - [Cluster.CreateDatabase] makes an empty one.
//   - [Cluster.CloneDatabase] makes a copy of one that was filled once, for all tests that name the same key. Prefer it where a
//     test would load a schema or run the hardening SQL.
//
// Both may run in parallel tests. Roles and settings of roles belong to the whole cluster: make roles in the function that Main
// calls, and let only one test at a time run SQL that changes them. (The hardening SQL waits for others of its kind.)
//
// In the process of a test binary, all clusters are in memory if this machine has a file system there (/dev/shm with 2 GiB of
// room), and so are t.TempDir's directories under Main or [TempInMemory]. On a disk most of a test's time goes into fsync, because
// each new or dropped database costs some hundred of them, and fsync stays on: `tacit check` insists on it. A crash of the server
// loses the same there as on a disk, namely what was not written to files. Benchmarks and programs use the disk.
//
// For tests of what survives, a server dies by [Cluster.Crash] and comes back by [Cluster.Restart], its disk fills up
// ([Cluster.FillDisk]), and connections to it break where a test says so ([Relay]).
//
// # What is left
//
// When the process that started it ends, the cluster and its directory go, whether by [Cluster.Stop], failure, panic, signal or
// SIGKILL. A supervising shell (supervise.sh) holds one end of a pipe whose other end only this process holds; the kernel closes
// it whatever happens, and the shell, in a session of its own, shuts the server down and removes the directory. Only after Stop
// is that sure to be complete; otherwise it follows within moments.
//
// PostgreSQL refuses to run as root. When this process does, the shell and the server run as the user postgres or else nobody.
//
// It is not a place for secrets: every account of this machine may log in without a password, as any role but postgres.
package pgtest
