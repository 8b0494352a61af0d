package accountant

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tacit/accountant/composition"
	"tacit/policy"
)

// Steward is the name under which charges of stewards are, such as those for publications. It is no role's name.
const Steward = "(steward)"

// A Question is one count, over one protected table, in canonical form: two statements that ask the same have equal questions.
type Question struct {
	Table policy.TableName
	// Key is the SHA-256 of the canonical form.
	Key [32]byte
	// Text is the canonical form, for people.
	Text string
}

// An Item is a question to be paid for.
type Item struct {
	Question
	Loss Loss
	// Term is what is known of the release's privacy loss. Default: nothing beyond Loss, composition.Approximate of it.
	Term      composition.Term
	Mechanism string
	// Blocks are those of the Charge's Partition that rows which can change the release are in. Default empty: all of them.
	Blocks []string
	// Shape says what may be derived from the release. Opaque here; empty: nothing. What stands behind a line end tells of this charge alone: one
	// without an answer is adopted by whoever asks the question with the same first line.
	Shape string
	// MaxAge is how old a recorded answer may be for the question not to be asked again, as in Lookup; 0: any age.
	MaxAge time.Duration
	// Fresh asks the question again, whatever was recorded.
	Fresh bool
}

// An Accounting is how the losses of a table add up, and to what. It comes from the policy, and is kept with the charges made under it.
type Accounting struct {
	Table policy.TableName
	// Adjacency is what the losses are stated under. Required. A table keeps the adjacency of its first charge for ever.
	Adjacency policy.Adjacency
	// Budget is for all analysts together. What stewards have granted is on top of it.
	Budget policy.Budget
	// Composition is the rule by which losses add up. Required.
	Composition policy.Composition
	// Thresholds is the part of Budget.Delta that is kept for terms' deltas.
	Thresholds policy.Delta
	// Window is how long a loss counts against the budget, in whole days. Default 0: for ever.
	Window time.Duration
	// Partition names the partition of the table that Blocks of items are of; each block has the Budget. Default "": none.
	Partition string
	// Main is the class of releases that the table's mechanism makes, see composition.Filter. Default zero: none.
	Main composition.Term
}

// Filter is what the accounting asks of the table's terms, apart from grants.
func (a Accounting) Filter() composition.Filter {
	return composition.Filter{
		Rule: a.Composition, Epsilon: a.Budget.Epsilon, Delta: a.Budget.Delta, Thresholds: a.Thresholds, Main: a.Main,
	}
}

// A Charge asks for a reservation.
type Charge struct {
	Analyst string // Required.
	// SQL is the analyst's statement, for the log.
	SQL string
	// Request is which of her statements it is. Default: none.
	Request Request
	Accounting
	// Cap is the most that the analyst may spend on this table. Default nil: no cap of her own.
	Cap *policy.Budget
	// Items are reserved together or not at all. At least one, all of them about Table, no question twice.
	Items []Item
	// Operation identifies the charge when it is tried again after ErrUnavailable: if it was made, its reservation is returned. Default: one
	// of its own.
	Operation Operation
}

// A Release is an answer that is on disk: it may be given, now and whenever the question is asked again.
type Release struct {
	ID    int64
	Entry int64 // of the ledger, that recorded it
	At    time.Time
	Question
	Epoch     int64 // of the table, in which it was charged
	Payload   []byte
	Loss      Loss // what it cost when it was reserved
	Mechanism string
	Term      composition.Term
	Shape     string
}

// Check says what is wrong with a charge.
func (c *Charge) Check() error {
	if err := c.checkAccounting(); err != nil {
		return err
	}
	seen := make(map[[32]byte]bool, len(c.Items))
	for i := range c.Items {
		item := &c.Items[i]
		switch {
		case item.Table != c.Table:
			return fmt.Errorf("accountant: a charge on %v for a question about %v", c.Table, item.Table)
		case seen[item.Key]:
			return errors.New("accountant: a question twice in one charge")
		case !item.Loss.IsChargeable():
			return fmt.Errorf("accountant: a loss of %v cannot be charged", item.Loss)
		case c.Partition == "" && len(item.Blocks) > 0:
			return errors.New("accountant: blocks of no partition")
		case item.Loss.Risk > 0:
			return errors.New("accountant: a risk is charged by AppendAudit")
		case item.Term != (composition.Term{}) && !parses(item.Term):
			return fmt.Errorf("accountant: a charge with the term %q", item.Term)
		}
		if err := CheckText(append([]string{item.Text, item.Mechanism, item.Shape}, item.Blocks...)...); err != nil {
			return err
		}
		seen[item.Key] = true
	}
	return nil
}

// checkAccounting says what is wrong with a charge, but for its items.
func (c *Charge) checkAccounting() error {
	switch {
	case c.Analyst == "":
		return errors.New("accountant: a charge without an analyst")
	case c.Adjacency != policy.AddRemove && c.Adjacency != policy.ReplaceOne:
		return fmt.Errorf("accountant: a charge under adjacency %q", c.Adjacency)
	case !slices.Contains(rules, c.Composition):
		return fmt.Errorf("accountant: a charge under composition %q", c.Composition)
	case c.Window < 0 || c.Window%(24*time.Hour) != 0:
		return fmt.Errorf("accountant: a window of %v is not of whole days", c.Window)
	case c.Partition != "" && c.Adjacency != policy.AddRemove:
		return errors.New("accountant: blocks under an adjacency by which a row may move from one to another")
	case c.Main != (composition.Term{}) && !parses(c.Main):
		return fmt.Errorf("accountant: a charge under the main term %q", c.Main)
	case c.Thresholds < 0:
		return errors.New("accountant: a negative delta for thresholds")
	case len(c.Items) == 0:
		return errors.New("accountant: a charge for nothing")
	}
	return CheckText(c.Analyst, c.Table.Schema, c.Table.Name, c.Partition)
}

// CheckText says whether every store can keep the texts: UTF-8 without zero bytes.
func CheckText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return errors.New("accountant: a text that is not UTF-8, or has a zero byte")
		}
	}
	return nil
}

var rules = []policy.Composition{policy.BasicComposition, policy.AdvancedComposition, policy.ZCDPComposition, policy.PLDComposition}

// parses says whether the ledger could read the term again.
func parses(t composition.Term) bool {
	_, err := composition.Parse(t.String())
	return err == nil
}
