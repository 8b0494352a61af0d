package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tacit/internal/terminal"
	"tacit/policy"
)

// Exit statuses. Everything else that goes wrong is exitFailed.
const (
	exitFailed = 1 // the command ran and the answer is no: not separate, not reachable, ...
	exitUsage  = 2 // the command line or the policy file is wrong
)

// usageError marks errors that are the caller's to mend in the command line or the policy file.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	stop()
	os.Exit(status(err))
}

func status(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(&terminal.Writer{Out: os.Stderr}, "tacit:", err)
		return exitUsage
	default:
		fmt.Fprintln(&terminal.Writer{Out: os.Stderr}, "tacit:", err)
		return exitFailed
	}
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "tacit",
		Short: "count people in PostgreSQL without learning about any one of them",
		Long: `tacit is a PostgreSQL proxy. Analysts connect to it with psql, a driver or a BI tool. Ordinary statements pass
through untouched; GROUP BY counts over protected tables come back with noise, under differential privacy, and
are charged to a durable budget; anything else that touches a protected table is refused with a hint.

Exit status: 0 done, 1 failed or refused, 2 wrong command line or policy file.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(&terminal.Writer{Out: os.Stdout})
	root.SetErr(&terminal.Writer{Out: os.Stderr})
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(serveCommand(), checkCommand(), initCommand(), passwordCommand(), sealCommand(), measureCommand(), replayCommand(), planCommand(), budgetCommand(), logCommand(), verifyCommand(), ledgerCommand(), adviseCommand(), riskCommand(), assessCommand(), publishCommand(), consoleCommand(), demoCommand(), manCommand(), versionCommand())
	return root
}

func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	return usageError{fmt.Errorf("unknown command %q%s; %s --help lists the commands", args[0], didYouMean("", cmd.SuggestionsFor(args[0])), cmd.CommandPath())}
}

// didYouMean names what somebody may have meant, each with a prefix.
func didYouMean(prefix string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (did you mean " + prefix + strings.Join(names, " or "+prefix) + "?)"
}

// flagError adds what flag was meant to the error about one that there is not. Cobra compares names of commands only.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError{err}
	}
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return usageError{fmt.Errorf("%w%s; %s --help lists the flags", err, didYouMean("--", flags.SuggestionsFor(unknown.GetSpecifiedName())), cmd.CommandPath())}
}

// noArguments is cobra.NoArgs with our exit status.
func noArguments(cmd *cobra.Command, args []string) error {
	if err := cobra.NoArgs(cmd, args); err != nil {
		return usageError{err}
	}
	return nil
}

// policyFlag adds the required flag --policy.
func policyFlag(cmd *cobra.Command) *string {
	path := cmd.Flags().StringP("policy", "p", "", "the policy `file` (required)")
	_ = cmd.MarkFlagFilename("policy", "yaml", "yml") // for completion; the flag is there
	return path
}

// withPolicy makes a command's RunE: it loads the policy that --policy names, and runs the command with it.
func withPolicy(path *string, run func(*cobra.Command, *policy.Policy) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		return run(cmd, p)
	}
}

func loadPolicy(path string) (*policy.Policy, error) {
	if path == "" {
		return nil, usageError{errors.New("--policy FILE is required")}
	}
	p, err := policy.Load(path)
	if err != nil {
		return nil, usageError{err}
	}
	return p.On(time.Now()), nil
}
