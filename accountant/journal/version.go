package journal

import "fmt"

// FormatVersion is the version of the format that is written. A ledger of version 1 is read as well, and gets an entry that says so when it is brought up.
//
// In version 2 the chain has of each note no more than a digest of what it says, so that what it says can be dropped: see note.go.
const FormatVersion = 2

// firstVersion is the version that ledgers began with.
const firstVersion = 1

// KnownVersion says whether ledgers of a version can be read.
func KnownVersion(version int) bool { return firstVersion <= version && version <= FormatVersion }

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

// FormatEntry says that the ledger has the present format from there on.
func FormatEntry() *Entry {
	return &Entry{Kind: KindFormat, Body: Marshal(formatBody{Version: FormatVersion})}
}
