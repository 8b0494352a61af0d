package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/cmd/tacit/internal/adviceview"
	"tacit/internal/chart"
	"tacit/policy"
	"tacit/policy/edit"
	"tacit/release/workloads"
)

// workloadFlags are those of advise --workload.
type workloadFlags struct {
	wanted, write              bool
	table, epsilon, delta, svg string
}

func (f *workloadFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.wanted, "workload", false, "propose the workload that would have served the questions, with its cost and errors")
	flags.StringVarP(&f.table, "table", "t", "", "with --workload, the `table`'s name, schema.name (default: all that can have one)")
	flags.StringVar(&f.epsilon, "epsilon", "", "with --workload, what it costs (default: the least by which answers are as exact as they were)")
	flags.StringVar(&f.delta, "delta", "", "with --workload and --epsilon, its delta")
	flags.StringVar(&f.svg, "svg", "", "with --workload, draw the errors into this `file`")
	flags.BoolVar(&f.write, "write", false, "with --workload and --table, put the workload into the policy file")
}

// loss is what the workload is to cost; zero if it is to be chosen.
func (f *workloadFlags) loss() (l accountant.Loss, err error) {
	switch {
	case f.epsilon == "" && f.delta == "":
		return l, nil
	case f.epsilon == "" || f.delta == "":
		return l, usageError{errors.New("--epsilon and --delta go together")}
	}
	if l.Epsilon, err = policy.ParseEpsilon(f.epsilon); err != nil || l.Epsilon == 0 {
		return l, usageError{fmt.Errorf("--epsilon: %q is no amount above 0", f.epsilon)}
	}
	if l.Delta, err = policy.ParseDelta(f.delta); err != nil || l.Delta == 0 || l.Delta > policy.MaxDelta {
		return l, usageError{fmt.Errorf("--delta: %q is no amount above 0 and up to %v", f.delta, policy.MaxDelta)}
	}
	return l, nil
}

// propose prints, draws and writes what is proposed.
func (f *workloadFlags) propose(cmd *cobra.Command, p *policy.Policy, asJSON bool) error {
	loss, err := f.loss()
	if err != nil {
		return err
	}
	var table policy.TableName
	if f.table != "" {
		if table, err = policy.ParseTableName(f.table); err != nil {
			return usageError{fmt.Errorf("--table: %w", err)}
		}
		if _, ok := p.Table(table); !ok {
			return usageError{fmt.Errorf("--table: %v is no protected table of the policy", table)}
		}
	} else if f.write {
		return usageError{errors.New("--write goes with --table")}
	}
	proposals, err := workloads.Propose(cmd.Context(), p, table, loss)
	if err != nil {
		return err
	}
	warnOfHeadMismatch(cmd, p)
	if asJSON {
		err = printJSON(cmd.OutOrStdout(), proposals)
	} else {
		for _, made := range proposals {
			err = errors.Join(err, adviceview.Write(cmd.OutOrStdout(), made))
		}
	}
	if err != nil {
		return err
	}
	if f.svg != "" {
		if err := f.draw(cmd, proposals); err != nil {
			return err
		}
	}
	if !f.write {
		return nil
	}
	if len(proposals) != 1 || proposals[0].Why != "" {
		return errors.New("there is no workload to write")
	}
	return writeWorkload(p.Path, proposals[0])
}

func (f *workloadFlags) draw(cmd *cobra.Command, proposals []*workloads.Proposal) error {
	drawing, size, err := adviceview.Picture(proposals)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := chart.SVG(&b, size, drawing); err != nil {
		return err
	}
	if err := writePrivate(f.svg, b.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", f.svg)
	return err
}

// writeWorkload puts the workload into the policy file.
func writeWorkload(path string, p *workloads.Proposal) error {
	return changeFile(path, func(text []byte) ([]byte, error) { return edit.Workload(path, text, p.Table, p.YAML()) })
}

// changeFile changes a file by way of another one, so that nobody reads half of it.
func changeFile(path string, change func([]byte) ([]byte, error)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := change(text)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tacit")
	if err := os.WriteFile(temporary, changed, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
