package journal

import "fmt"

const FormatVersion = 1

// OtherVersion is the fault of a ledger in a format that is not known here. Nothing of it is read or changed.
func OtherVersion(version int) error {
	return fmt.Errorf("its format is version %d, and this one knows version %d", version, FormatVersion)
}

// FirstEntry is the beginning of a ledger's chain.
func FirstEntry(id string, created int64) *Entry {
	e := &Entry{
		ID: 1, At: created, Kind: kindCreated, Operation: []byte{}, Body: Marshal(CreatedBody{Ledger: id, Version: FormatVersion}),
	}
	e.Hash = NewLinker().Entry(Digest{}, e)
	return e
}
