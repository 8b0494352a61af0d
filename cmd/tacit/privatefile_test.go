package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWritePrivate fails if a file that others may read, or that is elsewhere, gets the figures, or if something is left behind.
func TestWritePrivate(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	mustWrite := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(at(name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite("open", "old", 0o644)
	mustWrite("others", "theirs", 0o644)
	if err := os.Symlink(at("others"), at("link")); err != nil {
		t.Fatal(err)
	}
	read, err := os.Open(at("open")) // by somebody who waits for what comes
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for _, name := range []string{"open", "new"} {
		if err := writePrivate(at(name), []byte("figures")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(at(name))
		if err != nil || info.Mode() != 0o600 || readText(t, at(name)) != "figures" {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	var seen [16]byte
	if n, _ := read.Read(seen[:]); string(seen[:n]) != "old" {
		t.Errorf("who had the old file open reads %q", seen[:n])
	}
	for _, name := range []string{"link", ".", "nowhere/file"} {
		if err := writePrivate(at(name), []byte("figures")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if text := readText(t, at("others")); text != "theirs" {
		t.Errorf("the link was followed: %q", text)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
}
