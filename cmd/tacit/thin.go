package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/books"
)

// This file drops what old notes in the ledger say: beside the sessions of a running proxy, and by hand. Start at thinner and thinCommand.

// thinEvery is how often a running proxy looks which notes are old.
const thinEvery = time.Hour

// A thinned gateway drops what old notes say, as its policy says.
type thinned interface {
	Thin(context.Context) (ledger.Thinning, error)
}

// A thinner has a gateway drop what old notes say, at once and then every hour. That it cannot is no concern of sessions, and is logged once.
type thinner struct {
	gateway thinned
	log     *slog.Logger
	every   time.Duration
	asked   chan struct{}
	failed  bool // and that was logged
}

func newThinner(gateway thinned, log *slog.Logger) *thinner {
	return &thinner{gateway: gateway, log: log, every: thinEvery, asked: make(chan struct{}, 1)}
}

// look has it look soon, as when the policy has changed.
func (t *thinner) look() {
	select {
	case t.asked <- struct{}{}:
	default: // it will
	}
}

// run ends with ctx.
func (t *thinner) run(ctx context.Context) {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for {
		t.thin(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-t.asked:
		}
	}
}

// thin looks once.
func (t *thinner) thin(ctx context.Context) {
	done, err := t.gateway.Thin(ctx)
	if done.Sum() > 0 {
		t.log.Info("what old notes in the ledger said was dropped", "notes", done.Sum(), "through", done.Through)
	}
	switch {
	case ctx.Err() != nil:
	case err == nil:
		t.failed = false
	case !t.failed:
		t.failed = true
		t.log.Warn("what old notes in the ledger say could not be dropped; it is tried again every hour", "error", err)
	}
}

func thinCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "thin --policy FILE [--yes]",
		Short: "drop what old notes in the ledger say",
		Long: `thin tells which notes of replays, derived answers and refusals are due to be dropped by the policy's log.keep and log.notes, or by --keep and --notes in
their place. With --yes it drops what they say: the statement, the analyst, the table and the reason. Their rows stay, so that the ledger verifies as before, and an entry
says how many they were. Charges, answers and what stewards did stay as they are.

It cannot be taken back. If you may need them, make an archive before: tacit ledger export. Proxies may run meanwhile; they do the same each hour, if the policy says so.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	keep := cmd.Flags().String("keep", "", "keep notes that are no older than this `duration`, such as 90d, and at least 1d")
	notes := cmd.Flags().String("notes", "", "keep so many notes at most, the newest; this `number` is at least 1000")
	yes := cmd.Flags().Bool("yes", false, "drop it")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		asked, err := askedKeep(cmd, p, *keep, *notes)
		if err != nil {
			return usageError{err}
		}
		made, err := thinByHand(cmd.Context(), p, asked, *yes)
		if errors.Is(err, ledger.ErrFormerFormat) {
			return errors.New("the ledger's format is version 1, of which nothing can be dropped; tacit serve brings it up when it starts")
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), made.jsonForm())
		}
		return printFields(cmd.OutOrStdout(), 11, made.fields())
	})
	return cmd
}

// askedKeep is what is to be kept: what the flags say, or the policy.
func askedKeep(cmd *cobra.Command, p *policy.Policy, keep, notes string) (asked policy.Keep, err error) {
	byAge, byNumber := cmd.Flags().Changed("keep"), cmd.Flags().Changed("notes")
	if !byAge && !byNumber {
		asked = p.Keep
	}
	if byNumber {
		if asked.Notes, err = policy.ParseKeepNotes(notes); err != nil {
			return asked, fmt.Errorf("--notes: %w", err)
		}
	}
	if byAge {
		if asked.For, err = policy.ParseKeepFor(keep); err != nil {
			return asked, fmt.Errorf("--keep: %w", err)
		}
	}
	if asked == (policy.Keep{}) {
		return asked, errors.New("the policy keeps all notes: write log: {keep: 90d}, or give --keep or --notes")
	}
	return asked, nil
}

// A madeThinning is what the command has found, or done.
type madeThinning struct {
	ledger.Thinning
	Done bool
	Kept int64 // afterwards
}

func thinByHand(ctx context.Context, p *policy.Policy, keep policy.Keep, yes bool) (made madeThinning, err error) {
	made.Done = yes
	if !yes {
		l, err := ledger.OpenReadOnly(ctx, p.Ledger)
		if err != nil {
			return made, err
		}
		defer l.Close()
		if made.Thinning, err = l.Due(ctx, keep); err != nil {
			return made, err
		}
		o, err := l.Overview(ctx)
		made.Kept = o.Kept - made.Sum()
		return made, err
	}
	l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Steward, Existing: true})
	if err != nil {
		return made, err
	}
	if made.Thinning, err = l.Thin(ctx, keep); err != nil {
		return made, errors.Join(err, l.Close())
	}
	o, err := l.Overview(ctx)
	made.Kept = o.Kept
	return made, errors.Join(err, l.Close())
}

func (m madeThinning) fields() []field {
	what := "nothing"
	if m.Sum() > 0 {
		what = fmt.Sprintf("%d notes up to entry %d: %d replayed, %d derived, %d refused", m.Sum(), m.Through, m.Replayed, m.Derived, m.Refused)
	}
	if m.Done {
		return []field{{"dropped", what}, {"kept", fmt.Sprintf("%d notes", m.Kept)}}
	}
	fields := []field{{"due", what}, {"kept", fmt.Sprintf("%d notes would be", m.Kept)}}
	if m.Sum() > 0 {
		fields = append(fields, field{"to do", "--yes drops what they say; it cannot be taken back, and tacit ledger export makes an archive before"})
	}
	return fields
}

// jsonForm is for programs.
func (m madeThinning) jsonForm() any {
	return struct {
		*books.ThinnedLine
		Done bool  `json:"done"`
		Kept int64 `json:"kept"`
	}{books.NewThinnedLine(m.Thinning), m.Done, m.Kept}
}
