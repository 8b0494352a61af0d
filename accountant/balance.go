package accountant

import (
	"cmp"
	"slices"
	"time"

	"tacit/policy"
)

// A Standing is what was charged for a table, and what is left of its budget. All amounts are composed by the table's rule, on the side of
// those who are in the table: what is spent is rounded up, and what is left down.
type Balance struct {
	// Epoch is its present one, from 1, which began at Began; zero: with the ledger.
	Epoch int64
	Began time.Time
	// Frozen is why charges are stopped, for everybody or this analyst; empty if they are not.
	Frozen string
	// Budget is the policy's with what was granted in this epoch.
	Budget policy.Budget
	// Spent counts against the budget now, and Left is what is left of it. With blocks, they are of Block, of which most was spent, and Blocks
	// are all that something was charged to by name.
	Spent, Left Loss
	Block       string
	Blocks      []BlockBalance
	// Elsewhere is how each block stands that is not among them; without blocks, the table.
	Elsewhere BlockBalance
	// Cap is the analyst's with what she was granted; nil if she has none. OwnLeft is what is left of it, and of amounts that it does not name
	// what is left of the table's budget.
	Cap     *policy.Budget
	Own     Loss
	OwnLeft *Loss
	// OwnLifetime is as Lifetime.
	OwnLifetime Loss
	// Lifetime is all that was charged since the epoch began, whatever the window: a loss that has left the window still happened.
	Lifetime Loss
	// Earlier are the epochs before.
	Earlier []EpochTotal
}

// An EpochTotal is what was charged in an epoch that is over, composed by the table's present rule.
type EpochTotal struct {
	Epoch        int64
	Began, Ended time.Time // Began is zero of the first
	Reason       string    // why it ended
	Spent        Loss
}

// A BlockStanding is what was spent of the budget in one block, and what is left.
type BlockBalance struct {
	Name        string
	Spent, Left Loss
	// OwnLeft is what is left of the analyst's cap there; nil if she has none.
	OwnLeft *Loss
}

// Among says what is left in the fullest of some blocks: the least of each amount, with the name of the block of which least epsilon is
// left. No names are all blocks. The name is empty if it is any block that nothing was charged to by name.
func (s *Balance) Among(names []string) BlockBalance {
	if len(names) == 0 {
		return BlockBalance{Name: s.Block, Spent: s.Spent, Left: s.Left, OwnLeft: s.OwnLeft}
	}
	fullest := s.In(names[0])
	for _, name := range names[1:] {
		b := s.In(name)
		if b.Left.Epsilon < fullest.Left.Epsilon {
			fullest.Name = b.Name
		}
		fullest.Spent, fullest.Left = most(fullest.Spent, b.Spent), least(fullest.Left, b.Left)
		if b.OwnLeft != nil {
			own := least(*fullest.OwnLeft, *b.OwnLeft)
			fullest.OwnLeft = &own
		}
	}
	return fullest
}

// In is how one block stands.
func (s *Balance) In(name string) BlockBalance {
	i, found := slices.BinarySearchFunc(s.Blocks, name, func(b BlockBalance, name string) int { return cmp.Compare(b.Name, name) })
	if found {
		return s.Blocks[i]
	}
	b := s.Elsewhere
	b.Name = name
	return b
}
