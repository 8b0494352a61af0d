package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release"
)

func checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check --policy FILE",
		Short: "prove that analysts can reach protected rows in no other way",
		Long: `check logs in as the curator and proves on the live catalog that analysts' roles and the curator's role are separate.
If they are not, it prints each finding as an SQL comment, then the SQL that establishes the separation, and exits
with 1: the output can be read, and then run by psql as a superuser.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	sqlOnly := cmd.Flags().Bool("sql", false, "print the SQL that establishes the separation, without connecting")
	asJSON := cmd.Flags().Bool("json", false, "print the findings as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		if *sqlOnly {
			fmt.Fprint(out, release.HardeningSQL(p))
			return nil
		}
		if err := release.CheckKinds(cmd.Context(), p); err != nil {
			return err
		}
		findings, err := check(cmd.Context(), p)
		if err != nil {
			return err
		}
		if *asJSON {
			if err := json.NewEncoder(out).Encode(map[string]any{"separate": len(findings) == 0, "findings": findings}); err != nil {
				return err
			}
		} else {
			report(out, p, findings)
			if len(findings) == 0 {
				for _, name := range release.UnsealedTables(cmd.Context(), p) {
					fmt.Fprintf(out, "note: counts of %s are refused until an epoch is sealed: tacit seal --policy %s --table %s\n", name, p.Path, name)
				}
				for _, a := range release.Alarms(cmd.Context(), p) {
					fmt.Fprintf(out, "note: nothing new is released of %s since %s\n", a.Table, a.Text)
				}
				for _, name := range release.TablesOfOtherAdjacency(cmd.Context(), p) {
					fmt.Fprintf(out, "note: new counts of %s are refused, since it was counted under another adjacency\n", name)
				}
			}
		}
		if len(findings) > 0 {
			return errors.New("not separate: findings: " + strconv.Itoa(len(findings)))
		}
		return nil
	}
	return cmd
}

func check(ctx context.Context, p *policy.Policy) ([]release.Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, p.Upstream.Curator)
	if err != nil {
		var server *pgconn.PgError
		if errors.As(err, &server) { // it answered
			err = errors.Join(err, errors.New("if the role does not exist yet, `tacit check --sql` prints the SQL that creates and hardens it"))
		}
		return nil, fmt.Errorf("upstream.curator: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return release.CheckSeparation(ctx, conn, p)
}

func report(w io.Writer, p *policy.Policy, findings []release.Finding) {
	if len(findings) == 0 {
		fmt.Fprintf(w, "separate: no analyst can reach protected rows except through the proxy (analysts: %d, protected tables: %d)\n", len(p.Analysts), len(p.Tables))
		for _, t := range p.Tables {
			if t.Mechanism.Kind != policy.Audit && !t.Mechanism.Kind.Guaranteed() {
				fmt.Fprintf(w, "note: answers about %s have no privacy guarantee (mechanism %s), as the policy accepts\n", t.Name, t.Mechanism.Kind)
			}
		}
		return
	}
	printFindings(w, findings)
	fmt.Fprintln(w)
	fmt.Fprint(w, release.HardeningSQL(p))
}

// printFindings writes the findings as SQL comments.
func printFindings(w io.Writer, findings []release.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "-- %s: %s: %s\n", f.Severity, f.What, f.Detail)
		if f.Remedy != "" {
			fmt.Fprintf(w, "--    %s\n", f.Remedy)
		}
	}
}
