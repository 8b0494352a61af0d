package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tacit/cmd/tacit/internal/operations"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/proxy/encryption"
	"tacit/release"
	"tacit/release/curator"
	"tacit/release/seal"
	"tacit/release/workloads"
)

func checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check --policy FILE",
		Short: "prove that analysts can reach protected rows in no other way",
		Long: `check logs in as the curator and proves on the live catalog that analysts' roles and the curator's role are separate. Of a ledger in
PostgreSQL it logs in as the ledger's user, too, and proves that analysts cannot become it, and can neither read nor write the ledger.
Then it logs in as each analyst, as the proxy does, and reads the certificates of the section tls. It exits with 1 if the roles are not
separate, a login fails, or a certificate cannot be used.

With --sql it prints a psql script that a superuser runs to separate the roles, and as comments the remedies of what was found. The
script begins by showing which login roles lose what; psql -v look=1 -f FILE shows that and changes nothing. With --sql --managed it
is a weaker one, which the owner of the database runs where nobody is a superuser; what remains open then the policy can accept, by
the names that stand in brackets. With --sql --undo it prints the script that takes back what a superuser's script changed of privileges.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	asSQL := cmd.Flags().Bool("sql", false, "print the SQL that establishes the separation")
	undo := cmd.Flags().Bool("undo", false, "with --sql, print the SQL that takes it back")
	managed := cmd.Flags().Bool("managed", false, "with --sql, print the SQL for an owner of the database who is no superuser")
	asJSON := cmd.Flags().Bool("json", false, "print the findings as JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		out := cmd.OutOrStdout()
		switch {
		case (*undo || *managed) && !*asSQL:
			return usageError{errors.New("--undo and --managed are for --sql")}
		case *undo && *managed:
			return usageError{errors.New("nothing takes back what the script of --managed changed, since it keeps no record")}
		case *undo:
			_, err := fmt.Fprint(out, curator.UndoSQL())
			return err
		case *managed:
			return printSQL(cmd.Context(), out, p, curator.ManagedHardeningSQL(p))
		case *asSQL:
			return printSQL(cmd.Context(), out, p, curator.HardeningSQL(p))
		}
		if err := release.CheckKinds(cmd.Context(), p); err != nil {
			return err
		}
		found, err := check(cmd.Context(), p)
		if err != nil {
			return err
		}
		if *asJSON {
			err = printJSON(out, found.jsonForm(p))
		} else {
			found.report(cmd.Context(), out, p)
		}
		return errors.Join(err, found.failure())
	})
	return cmd
}

// A separation is what a check has found.
type separation struct {
	ofTables, ofLedger []curator.Finding
	accepted           []curator.Finding
	unneeded           []string // names that the policy accepts for nothing
	standby            string   // why it cannot count; empty if it can, or there is none
	unchecked          error    // why the ledger could not be looked at; nil if it was
	logins             []curator.FailedLogin
	encryption         error // why serve could not listen as the policy says; nil if it could
}

func (s *separation) all() []curator.Finding { return slices.Concat(s.ofTables, s.ofLedger) }

// separate says whether all was looked at, and nothing found.
func (s *separation) separate() bool { return len(s.all()) == 0 && s.unchecked == nil }

// failure is nil if the policy can be served to all analysts.
func (s *separation) failure() error {
	var err error
	if n := len(s.all()); n > 0 {
		err = errors.New("not separate: findings: " + strconv.Itoa(n))
	}
	if n := len(s.logins); n > 0 {
		err = errors.Join(err, errors.New("logins that fail: "+strconv.Itoa(n)))
	}
	return errors.Join(err, s.unchecked, s.encryption)
}

// jsonForm is what was found, for programs.
func (s *separation) jsonForm(p *policy.Policy) any {
	form := map[string]any{"separate": s.separate(), "findings": s.all(), "accepted": s.accepted, "logins": s.logins, "notes": operatorNotes(p)}
	if certificates, err := encryption.Load(p.TLS); err == nil && !certificates.Ends().IsZero() {
		form["certificate_ends"] = certificates.Ends().UTC()
	}
	return form
}

// checkTimeout bounds a check of roles, and one of all logins.
const checkTimeout = time.Minute

// check fails if the protected tables cannot be looked at. That the ledger cannot does not take away what was found of them.
func check(ctx context.Context, p *policy.Policy) (*separation, error) {
	roles, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	judged, err := curator.Check(roles, p)
	if err != nil {
		return nil, err
	}
	found := &separation{ofTables: judged.Open, accepted: judged.Accepted, unneeded: judged.Unneeded, standby: judged.Standby}
	found.ofLedger, found.unchecked = curator.CheckLedgerSeparation(roles, p)
	logins, cancelLogins := context.WithTimeout(ctx, checkTimeout)
	defer cancelLogins()
	found.logins = curator.CheckLogins(logins, p)
	_, found.encryption = encryption.Load(p.TLS)
	return found, nil
}

// report prints a summary, a table of what was found, one of logins that fail, and notes.
func (s *separation) report(ctx context.Context, w io.Writer, p *policy.Policy) {
	scope := fmt.Sprintf("(analysts: %d, protected tables: %d)", len(p.Analysts), len(p.Tables))
	findings := s.all()
	switch high := countHigh(findings); {
	case s.separate() && len(s.accepted) > 0:
		fmt.Fprintf(w, "separate but for what the policy accepts: %d %s\n", len(s.accepted), scope)
	case s.separate():
		fmt.Fprintf(w, "separate: no analyst can reach protected rows except through the proxy %s\n", scope)
	case len(findings) == 0:
		fmt.Fprintf(w, "tables separate, ledger not looked at %s\n", scope)
	default:
		fmt.Fprintf(w, "not separate: %d HIGH, %d MED %s\n", high, len(findings)-high, scope)
	}
	if n := len(s.logins); n > 0 {
		fmt.Fprintf(w, "logins that fail: %d; check reads the pgpass file of the account that runs it, which should be that of serve\n", n)
	}
	if len(findings) > 0 {
		rows := [][]string{{"SEVERITY", "FINDING", "WHERE"}}
		for _, f := range findings {
			rows = append(rows, []string{f.Severity, f.What + " [" + f.Name + "]", f.Detail + remedyText(f.Remedy)})
		}
		fmt.Fprintln(w)
		printWrapped(w, []int{8, 40, 68}, rows)
		fmt.Fprintf(w, "\ntacit check --sql --policy %s prints the script, which closes some of this, and at its end, as comments, the SQL that closes each finding.\n", p.QuotedPath())
	}
	if len(s.logins) > 0 {
		rows := [][]string{{"LOGIN", "PROBLEM", "REMEDY"}}
		for _, l := range s.logins {
			rows = append(rows, []string{l.Role, l.Problem, l.Remedy})
		}
		fmt.Fprintln(w)
		printWrapped(w, []int{16, 40, 60}, rows)
	}
	s.printAccepted(w, findings)
	for _, note := range operatorNotes(p) {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	if len(findings) == 0 {
		printNotes(ctx, w, p)
	}
}

// printAccepted says what the policy accepts, and what it could.
func (s *separation) printAccepted(w io.Writer, open []curator.Finding) {
	for _, f := range s.accepted {
		fmt.Fprintf(w, "note: accepted: %s [%s]: %s\n", f.What, f.Name, f.Detail)
	}
	for _, name := range s.unneeded {
		fmt.Fprintf(w, "note: %s is accepted, and nothing of it was found; take it out of accept\n", name)
	}
	if s.standby != "" {
		fmt.Fprintf(w, "note: the primary counts, since no standby can: %s\n", s.standby)
	}
	var names []string
	for _, f := range open {
		if f.Acceptable() && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		fmt.Fprintf(w, "where nobody is a superuser, the policy can accept some of this, at a cost that docs/privacy.md states: accept: [%s]\n", strings.Join(names, ", "))
	}
}

func countHigh(findings []curator.Finding) int {
	high := 0
	for _, f := range findings {
		if f.Severity == "HIGH" {
			high++
		}
	}
	return high
}

// remedyText is a remedy that is no SQL.
func remedyText(remedy string) string {
	if remedy == "" || strings.HasSuffix(remedy, ";") {
		return ""
	}
	return "; " + remedy
}

// operatorNotes say how connections are encrypted that are not, or not for long, and whether there may be as many as the policy says. The limit is that of
// this process, which the service's should not be below.
func operatorNotes(p *policy.Policy) []string {
	notes := []string{}
	if keys := p.UnverifiedServers(); len(keys) > 0 && !strings.HasPrefix(os.Getenv("PGSSLMODE"), "verify-") {
		notes = append(notes, "of another machine it is not proved that it is the one meant: write sslmode=verify-full and sslrootcert in "+strings.Join(keys, ", "))
	}
	if few := operations.TooFewDescriptors(p.Limits.Connections); few != "" {
		notes = append(notes, few)
	}
	s, err := encryption.Load(p.TLS)
	if err != nil {
		return notes // which is told as a failure
	}
	if p.TLS.Mode == policy.TLSDisable && !p.ListensHereOnly() {
		notes = append(notes, fmt.Sprintf("connections of analysts to %s are not encrypted, as the policy says", strings.Join(p.Listen, ", ")))
	}
	return append(notes, s.Warnings(time.Now())...)
}

// printNotes says what is true of separate tables, too.
func printNotes(ctx context.Context, w io.Writer, p *policy.Policy) {
	for _, t := range p.Tables {
		if t.Mechanism.Kind != policy.Audit && !t.Mechanism.Kind.Guaranteed() {
			fmt.Fprintf(w, "note: answers about %s have no privacy guarantee (mechanism %s), as the policy accepts\n", t.Name, t.Mechanism.Kind)
		}
	}
	for _, t := range p.Tables {
		printGrowth(w, t)
	}
	unreadable, err := curator.UnreadablePublic(ctx, p)
	if err != nil {
		fmt.Fprintf(w, "note: whether analysts may read the public tables is not known: %v\n", err)
	}
	for _, note := range unreadable {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	problems, err := workloads.Problems(ctx, p)
	if err != nil {
		fmt.Fprintf(w, "note: whether workloads can be measured is not known: %v\n", err)
	}
	for _, problem := range problems {
		fmt.Fprintf(w, "note: %s\n", problem)
	}
	for _, name := range release.UnsealedTables(ctx, p) {
		fmt.Fprintf(w, "note: counts of %s are refused until an epoch is sealed: tacit seal --policy %s --table %s\n", name, p.QuotedPath(), name)
	}
	for _, a := range seal.Alarms(ctx, p) {
		fmt.Fprintf(w, "note: nothing new is released of %s since %s\n", a.Table, a.Text)
	}
	for _, name := range release.TablesOfOtherAdjacency(ctx, p) {
		fmt.Fprintf(w, "note: new counts of %s are refused, since it was counted under another adjacency\n", name)
	}
}

// printGrowth says what becomes of answers about a table whose rows may still arrive.
func printGrowth(w io.Writer, t *policy.Table) {
	columns, moving := t.Grows(time.Now())
	if len(columns) > 0 && t.RepeatsForEver() {
		ranges := fmt.Sprintf("range of %s.%s has", t.Name, columns[0])
		if len(columns) > 1 {
			ranges = fmt.Sprintf("ranges of %s of %s have", strings.Join(columns, ", "), t.Name)
		}
		fmt.Fprintf(w, "note: the declared %s not ended, so that rows of %s may still arrive, and its answers are repeated for ever: "+
			"write replay: 7d, or replay: forever if that is meant\n", ranges, t.Name)
	}
	for _, column := range moving {
		if t.Blocks == nil || t.Blocks.Column != column {
			fmt.Fprintf(w, "note: the declared range of %s.%s ends today, so that a count by it is another question on each day, and is charged on each, whatever replay says\n", t.Name, column)
		}
	}
}

// printSQL prints the script, and behind it the remedies of what is found now, as comments. Before the first run of the script there is no
// curator to look.
func printSQL(ctx context.Context, w io.Writer, p *policy.Policy, script string) error {
	if _, err := fmt.Fprint(terminal.Raw(w), script); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	judged, err := curator.Check(ctx, p)
	findings := slices.Concat(judged.Open, judged.Accepted)
	switch {
	case err != nil:
		fmt.Fprintf(w, "\n-- What else is open could not be looked at, since the curator cannot log in yet. Then ask again.\n")
	case len(findings) > 0:
		fmt.Fprintf(w, "\n-- What was found when this was printed, with its remedies. The script closes some of it. What stands afterwards somebody\n"+
			"-- granted or built on purpose. Decide what it is for, and run the remedy.\n")
		printFindings(w, findings)
	}
	return nil
}

// unprovedError shows why roles are not separate, and says what to do before a command that reads protected rows is tried again. Other errors
// are returned as they are.
func unprovedError(w io.Writer, p *policy.Policy, err error) error {
	var separation *curator.SeparationError
	if errors.As(err, &separation) {
		printFindings(w, separation.Findings)
		return fmt.Errorf("nothing was counted: %w; what analysts own would run as the curator, who reads protected rows. "+
			"Run what `tacit check --policy %s --sql` prints as a superuser, and then try again", err, p.QuotedPath())
	}
	return err
}

// printFindings writes the findings as SQL comments, each in one line, whatever names of objects hold: what is behind them may be run by psql.
func printFindings(w io.Writer, findings []curator.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "-- %s: %s [%s]: %s\n", f.Severity, terminal.Printable(f.What), f.Name, terminal.Printable(f.Detail))
		if f.Remedy != "" {
			fmt.Fprintf(w, "--    %s\n", terminal.Printable(f.Remedy))
		}
	}
}
