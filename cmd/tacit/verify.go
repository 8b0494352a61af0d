package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant/journal"
	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/policy"
)

func verifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify --policy FILE",
		Short: "prove that the ledger is as it was written: its chain, its sums and its budgets",
		Long: `verify reads the whole ledger, also while proxies run, and computes everything anew: the hash of each entry, which
covers the entry, all rows that belong to it, and the hash of the entry before; every sum and every composition; the checkpoints; and that
no charge was admitted beyond its budget. It exits with 1 if anything is not as it was written, and names the first entry that breaks the chain.

Who can write all of a ledger can compute its chain anew. So note the head that verify prints in another place, and compare
it next time: --expect NUMBER:HASH fails unless that entry is still there and the same. Without it, a ledger of SQLite needs its guard
file beside it, by which an older copy is told. With --archive it verifies what tacit ledger export printed, without a policy.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	expect := expectFlag(cmd)
	archived := cmd.Flags().String("archive", "", "verify the `file` that tacit ledger export has printed, - for stdin, in place of a policy's ledger")
	_ = cmd.MarkFlagFilename("archive") // for completion; the flag is there
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		noted, err := notedHead(cmd, *expect)
		if err != nil {
			return err
		}
		var proof *ledgerProof
		switch {
		case *archived == "":
			err = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) (err error) {
				proof, err = verify(cmd, p, noted)
				return err
			})(cmd, args)
		case *path != "":
			err = usageError{errors.New("--archive is in place of --policy")}
		default:
			proof, err = verifyArchive(cmd, *archived, noted)
		}
		if err != nil {
			return err
		}
		return proof.show(cmd.OutOrStdout(), *asJSON)
	}
	return cmd
}

// show prints the proof. It is an error if the ledger is not as it was written.
func (p *ledgerProof) show(w io.Writer, asJSON bool) (err error) {
	if asJSON {
		err = printJSON(w, p.jsonForm())
	} else {
		err = p.print(w)
	}
	return errors.Join(err, p.verdict())
}

func expectFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("expect", "", "a head that was noted before, `NUMBER:HASH`")
}

// notedHead is the head that --expect names; nil without one.
func notedHead(cmd *cobra.Command, text string) (*journal.Mark, error) {
	if !cmd.Flags().Changed("expect") {
		return nil, nil
	}
	mark, err := journal.ParseMark(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("--expect: %w", err)}
	}
	return &mark, nil
}

// verdict is an error if the ledger is not as it was written.
func (p *ledgerProof) verdict() error {
	if len(p.problems) == 0 {
		return nil
	}
	return errors.New("the ledger is not as it was written: problems: " + fmt.Sprint(len(p.problems)))
}

// A ledgerProof is what verify found.
type ledgerProof struct {
	location string
	found    *ledger.Verification
	noted    *journal.Mark
	problems []ledger.Problem
}

func verify(cmd *cobra.Command, p *policy.Policy, noted *journal.Mark) (*ledgerProof, error) {
	ctx := cmd.Context()
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	shown := newProgress(terminal.Raw(cmd.ErrOrStderr()), "entries")
	found, err := l.Verify(ctx, shown.at)
	shown.end()
	if err != nil {
		return nil, err
	}
	proof := &ledgerProof{location: p.Ledger.String(), found: found, noted: noted, problems: found.Problems}
	if noted == nil {
		if found.Unguarded && p.Ledger.SQLite != "" { // one in PostgreSQL has its guard where its proxies run
			proof.problems = append(proof.problems, ledger.Problem{
				Text: "its guard file is missing, so that an older copy would not be told; restore it, or give a head that was noted by --expect",
			})
		}
		return proof, nil
	}
	hash, ok, err := l.HashOf(ctx, noted.Entry)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		proof.problems = append(proof.problems, ledger.Problem{Entry: noted.Entry, Text: "it was noted, and the ledger has not got so far"})
	case hash != noted.Hash:
		proof.problems = append(proof.problems, ledger.Problem{Entry: noted.Entry, Text: "it is another one than was noted"})
	}
	return proof, nil
}

func (p *ledgerProof) print(w io.Writer) error {
	lines := []field{
		{"ledger", fmt.Sprintf("%s (%s)", p.location, p.found.Ledger)},
		{"entries", p.entriesText()},
	}
	for _, problem := range p.problems {
		lines = append(lines, field{"problem", terminal.Printable(problem.String())})
	}
	if len(p.problems) > 0 { // and so no head: nobody should note that of a ledger which is in doubt
		lines = append(lines, field{"verified", "NOT as it was written"})
	} else {
		lines = append(lines, field{"head", p.found.Head.String()})
		if p.noted != nil {
			lines = append(lines, field{"noted", fmt.Sprintf("entry %d is the one that was noted", p.noted.Entry)})
		}
		lines = append(lines, field{"verified", "every entry follows from the one before it, every sum from the entries, and no budget was exceeded"})
	}
	return printFields(w, 11, lines)
}

func (p *ledgerProof) entriesText() string {
	f := p.found
	if f.Broken {
		return fmt.Sprintf("%d up to the one from which on the chain cannot be followed", f.Entries)
	}
	text := fmt.Sprintf("%d, among them %d charges with %d answers, and %d checkpoints", f.Entries, f.Charges, f.Releases, f.Checkpoints)
	if f.Dropped > 0 {
		text += fmt.Sprintf("; what %d notes said was dropped", f.Dropped)
	}
	return text
}

// jsonForm is the proof for programs.
func (p *ledgerProof) jsonForm() any {
	type problem struct {
		Entry int64  `json:"entry,omitempty"`
		Text  string `json:"text"`
	}
	problems := []problem{}
	for _, found := range p.problems {
		problems = append(problems, problem{found.Entry, found.Text})
	}
	head := ""
	if len(problems) == 0 {
		head = p.found.Head.String()
	}
	return struct {
		Location    string    `json:"location"`
		Ledger      string    `json:"ledger"`
		Entries     int64     `json:"entries"`
		Charges     int64     `json:"charges"`
		Releases    int64     `json:"releases"`
		Checkpoints int64     `json:"checkpoints"`
		Dropped     int64     `json:"dropped,omitempty"` // notes of which what they said was dropped
		Head        string    `json:"head,omitempty"`    // of a ledger that is as it was written
		Verified    bool      `json:"verified"`
		Problems    []problem `json:"problems"`
	}{p.location, p.found.Ledger, p.found.Entries, p.found.Charges, p.found.Releases, p.found.Checkpoints, p.found.Dropped, head, len(problems) == 0, problems}
}

// A progress shows how far long work has come, in one line of a terminal; elsewhere it shows nothing.
type progress struct {
	w       io.Writer // nil: not shown
	of      string
	shown   time.Time
	visible bool
}

const progressEvery = 200 * time.Millisecond

func newProgress(w io.Writer, of string) *progress {
	if !isTerminal(w) {
		return &progress{}
	}
	return &progress{w: w, of: of, shown: time.Now()}
}

func (p *progress) at(done, total int64) {
	if p.w == nil || time.Since(p.shown) < progressEvery {
		return
	}
	p.shown, p.visible = time.Now(), true
	fmt.Fprintf(p.w, "\r%d of %d %s", done, total, p.of)
}

// end clears the line.
func (p *progress) end() {
	if p.visible {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
