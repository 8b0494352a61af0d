// Package architecture has no code of its own. Its tests hold the tree to docs/architecture.md: which package may import which, who may
// use pgx, the parser and the operating system, that switches over kinds are complete, and which names are exported. That counting needs a
// reservation is held by a test of package release.
//
// Start at layers_test.go, which lists all packages from the ground up. A new package is added there, with its reason.
package architecture
