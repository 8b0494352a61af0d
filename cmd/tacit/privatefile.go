package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writePrivate puts a file of the steward's in the place of name: whole or not at all, and for its owner's eyes only, whatever was there
// before. Nothing is written through a link, or into a file that somebody else made and may read.
func writePrivate(name string, data []byte) error {
	was, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !was.Mode().IsRegular():
		return fmt.Errorf("%s is not a file (%s): remove it, or name another", name, was.Mode().Type())
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), ".tacit-*") // mode 0600, and O_EXCL
	if err != nil {
		return fmt.Errorf("beside %s: %w", name, err)
	}
	_, err = temporary.Write(data)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), name) // replaces a link, and does not follow it
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
	return err
}
