package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"tacit/accountant/journal"
	"tacit/accountant/ledger"
	"tacit/accountant/ledger/archive"
	"tacit/internal/terminal"
	"tacit/policy"
)

func ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "export the whole ledger for an archive, or drop what old notes say",
		Args:  func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(exportCommand(), thinCommand())
	return cmd
}

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export --policy FILE",
		Short: "print the whole ledger as lines of JSON",
		Long: `export prints every entry of the ledger as one line of JSON, oldest first, as the ledger is at one moment, also while proxies run. A line has all
that the entry's hash covers: statements, charges, recorded answers. So keep an archive as you keep the ledger. docs/operations.md has the fields.

It follows the chain meanwhile, and exits with 1 where that breaks. At the end it says on stderr which entry was the last one: note it. What
is missing at the end of an archive, nothing in it tells. tacit verify --archive FILE --expect NUMBER:HASH verifies the archive.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		head, err := export(cmd, p)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "exported %d entries; note the last one: %s\n", head.Entry, head)
		return nil
	})
	return cmd
}

func export(cmd *cobra.Command, p *policy.Policy) (journal.Mark, error) {
	l, err := ledger.OpenReadOnly(cmd.Context(), p.Ledger)
	if err != nil {
		return journal.Mark{}, err
	}
	defer l.Close()
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	shown := newProgress(terminal.Raw(cmd.ErrOrStderr()), "entries")
	var line []byte
	head, err := l.Export(cmd.Context(), func(e *journal.Entry) (err error) {
		if line, err = archive.Append(line[:0], e); err == nil {
			_, err = out.Write(line)
		}
		return err
	}, shown.at)
	shown.end()
	if err == nil {
		err = out.Flush()
	}
	return head, err
}

// verifyArchive verifies lines that export printed, in a file or, for -, from stdin.
func verifyArchive(cmd *cobra.Command, path string, noted *journal.Mark) (*ledgerProof, error) {
	var lines io.Reader = cmd.InOrStdin()
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines = f
	}
	found, err := ledger.VerifyEntries(archive.NewReader(lines).Next, noted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &ledgerProof{location: path, found: found, noted: noted, problems: found.Problems}, nil
}
