package reply

import (
	"fmt"
	"strings"
)

// ChargedBlocks says which blocks of a table a statement is charged to; if all of it is free, to which it would have been.
type ChargedBlocks struct {
	// Names are those of the blocks; nil: all of them.
	Names []string
	// Fullest is the one of which least is left; empty if as much is left of every block.
	Fullest string
}

// shownBlocks is how many blocks people are shown by name.
const shownBlocks = 3

// list names the blocks, the first of them if there are many.
func (b *ChargedBlocks) list() string {
	switch more := len(b.Names) - shownBlocks; {
	case len(b.Names) == 0:
		return "all"
	case more > 1:
		return fmt.Sprintf("%s and %d others", strings.Join(b.Names[:shownBlocks], ", "), more)
	}
	return strings.Join(b.Names, ", ")
}

// String says which blocks they are, within a sentence.
func (b *ChargedBlocks) String() string {
	switch len(b.Names) {
	case 0:
		return "all blocks"
	case 1:
		return "block " + b.list()
	}
	return "blocks " + b.list()
}

// FullestText says of what so much is left as is told, within a sentence.
func (b *ChargedBlocks) FullestText() string {
	switch {
	case len(b.Names) == 1:
		return "block " + b.Names[0]
	case len(b.Names) > 1:
		return "the fullest of them, " + b.Fullest
	case b.Fullest != "":
		return "the fullest block, " + b.Fullest
	}
	return "every block"
}
