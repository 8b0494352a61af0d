package release

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// TestAuditedWhileTheDoorCloses closes the door, or a table, or changes the policy, after a statement was prepared and before it is answered.
// It fails if the statement is charged or answered all the same.
func TestAuditedWhileTheDoorCloses(t *testing.T) {
	const sql = "SELECT count(*) FROM clinic.carriers WHERE gene AND hair = 'blonde'"
	for name, c := range map[string]struct {
		change  func(w *ward, d *Gateway)
		message string
	}{
		"separation": {func(w *ward, d *Gateway) {
			w.Exec("GRANT SELECT ON clinic.carriers TO ward_ana")
			if err := d.Refresh(context.Background()); err == nil {
				w.T.Error("an analyst who may read the table leaves the door open")
			}
		}, "protected tables are closed"},
		"table": {func(_ *ward, d *Gateway) {
			d.monitor.Mu.Lock()
			defer d.monitor.Mu.Unlock()
			d.monitor.Failed = map[policy.TableName]bool{carriers: true}
		}, "is closed, since a count of it failed"},
		"policy": {func(w *ward, d *Gateway) {
			w.reload(d, strings.Replace(site.CarrierPolicy, "delta: 0.2", "delta: 0.3", 1))
		}, "has just changed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCarriers(t)
			w.seal(false)
			d := w.open()
			ctx := context.Background()
			audit, err := d.audited.Begin(reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
			if err == nil {
				err = audit.Prepare(ctx)
			}
			if err != nil {
				t.Fatal(err)
			}
			c.change(w, d)
			err = audit.Answer(ctx)
			var refusal *pgerror.Refusal
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Message, c.message) {
				t.Errorf("%v, want a refusal that says %q", err, c.message)
			}
			if events, err := audit.Ledger.AuditEvents(ctx, carriers, 1); err != nil || len(events) > 0 {
				t.Errorf("%d events were written down, %v", len(events), err)
			}
		})
	}
}

// reload puts another policy in force.
func (w *ward) reload(d *Gateway, text string) {
	w.T.Helper()
	w.reloadPolicy(text)
	if err := d.Reload(context.Background(), w.Policy); err != nil {
		w.T.Fatal(err)
	}
}

// reloadPolicy reads another policy.
func (w *ward) reloadPolicy(text string) {
	w.T.Helper()
	text = fmt.Sprintf(text, site.Cluster.Host, site.Cluster.Port, w.Database)
	next, err := policy.Parse(filepath.Join(filepath.Dir(w.Policy.Ledger.SQLite), "policy.yaml"), []byte(text))
	if err != nil {
		w.T.Fatal(err)
	}
	w.Policy = next
}

// TestMembershipIsBounded asks for so many counts of so many combinations that finding out whom they count would take more memory than
// limits.cells allows, in one query, in several, and by a CUBE. It fails if any is evaluated, or if one that fits is refused.
func TestMembershipIsBounded(t *testing.T) {
	w := newWardOf(t, site.CarrierSchema, strings.Replace(site.CarrierPolicy, "public:", "limits: {cells: 500}\npublic:", 1))
	w.seal(false)
	d := w.open()
	counts := func(n int) string { // of 301 combinations of hair, eye and age, with two values
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", count(*) FILTER (WHERE gene AND age > %d)", i)
		}
		return b.String()
	}
	const where, fits = " FROM clinic.carriers WHERE hair = 'white' AND eye = 'red' AND age < 100", 5
	w.answers(d, "SELECT 1"+counts(fits)+where, "NULL NULL NULL NULL NULL")
	for _, sql := range []string{
		"SELECT 1" + counts(20) + where,
		"SELECT 1" + counts(fits+1) + where + " UNION ALL SELECT 2" + counts(fits+2) + where,
		"SELECT hair, eye, age" + counts(3) + where + " GROUP BY CUBE (hair, eye, age)",
	} {
		w.refuses(d, sql, "finding out whom the statement counts")
	}
}
