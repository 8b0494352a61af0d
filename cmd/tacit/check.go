package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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
		Long: `check logs in as the curator and proves on the live catalog that analysts' roles and the curator's role are separate. Of a ledger in
PostgreSQL it logs in as the ledger's user, too, and proves that analysts cannot become it, and can neither read nor write the ledger.
If they are not separate, it prints each finding as an SQL comment, then the SQL that establishes the separation, and exits
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
		found, err := check(cmd.Context(), p)
		if err != nil {
			return err
		}
		if *asJSON {
			if err := json.NewEncoder(out).Encode(map[string]any{"separate": found.none(), "findings": found.all()}); err != nil {
				return err
			}
		} else {
			report(out, p, found)
			if found.none() {
				reportTables(cmd.Context(), out, p)
			}
		}
		if findings := found.all(); len(findings) > 0 {
			err = errors.New("not separate: findings: " + strconv.Itoa(len(findings)))
		}
		return errors.Join(err, found.unchecked)
	}
	return cmd
}

// A separation is what a check has found.
type separation struct {
	ofTables, ofLedger []release.Finding
	unchecked          error // why the ledger could not be looked at; nil if it was
}

func (s *separation) all() []release.Finding { return slices.Concat(s.ofTables, s.ofLedger) }

// none says whether all was looked at, and nothing found.
func (s *separation) none() bool { return len(s.all()) == 0 && s.unchecked == nil }

// check fails if the protected tables cannot be looked at. That the ledger cannot does not take away what was found of them.
func check(ctx context.Context, p *policy.Policy) (*separation, error) {
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
	findings, err := release.CheckSeparation(ctx, conn, p)
	if err != nil {
		return nil, err
	}
	found := &separation{ofTables: findings}
	found.ofLedger, found.unchecked = release.CheckLedgerSeparation(ctx, p)
	return found, nil
}

// report prints the SQL, too, that closes what was found of the protected tables. What was found of the ledger is on another server.
func report(w io.Writer, p *policy.Policy, found *separation) {
	if found.none() {
		fmt.Fprintf(w, "separate: no analyst can reach protected rows except through the proxy (analysts: %d, protected tables: %d)\n", len(p.Analysts), len(p.Tables))
		for _, t := range p.Tables {
			if t.Mechanism.Kind != policy.Audit && !t.Mechanism.Kind.Guaranteed() {
				fmt.Fprintf(w, "note: answers about %s have no privacy guarantee (mechanism %s), as the policy accepts\n", t.Name, t.Mechanism.Kind)
			}
		}
		return
	}
	printFindings(w, found.all())
	if len(found.ofTables) > 0 {
		fmt.Fprintln(w)
		fmt.Fprint(w, release.HardeningSQL(p))
	}
}

// reportTables says of which tables nothing new is answered, for other reasons.
func reportTables(ctx context.Context, w io.Writer, p *policy.Policy) {
	for _, name := range release.UnsealedTables(ctx, p) {
		fmt.Fprintf(w, "note: counts of %s are refused until an epoch is sealed: tacit seal --policy %s --table %s\n", name, p.Path, name)
	}
	for _, a := range release.Alarms(ctx, p) {
		fmt.Fprintf(w, "note: nothing new is released of %s since %s\n", a.Table, a.Text)
	}
	for _, name := range release.TablesOfOtherAdjacency(ctx, p) {
		fmt.Fprintf(w, "note: new counts of %s are refused, since it was counted under another adjacency\n", name)
	}
}

// unprovedError shows why roles are not separate, and says what to do before a command that reads protected rows is tried again. Other errors
// are returned as they are, but where the server refuses the curator.
func unprovedError(w io.Writer, p *policy.Policy, err error) error {
	var separation *release.SeparationError
	if errors.As(err, &separation) {
		printFindings(w, separation.Findings)
		return fmt.Errorf("nothing was counted: %w; what analysts own would run as the curator, who reads protected rows. "+
			"Run what `tacit check --policy %s --sql` prints as a superuser, and then try again", err, p.Path)
	}
	var server *pgconn.PgError
	if errors.As(err, &server) && strings.HasPrefix(server.Code, classUnauthorized) {
		return fmt.Errorf("%w; if the role does not exist yet, run what `tacit check --policy %s --sql` prints as a superuser", err, p.Path)
	}
	return err
}

// classUnauthorized begins the SQLSTATEs of a server that refuses a role.
const classUnauthorized = "28"

// printFindings writes the findings as SQL comments.
func printFindings(w io.Writer, findings []release.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "-- %s: %s: %s\n", f.Severity, f.What, f.Detail)
		if f.Remedy != "" {
			fmt.Fprintf(w, "--    %s\n", f.Remedy)
		}
	}
}
