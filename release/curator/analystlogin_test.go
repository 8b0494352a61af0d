package curator_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// Logins that fail are found for every analyst, with what to do about each. pg_hba.conf of the shared server asks these roles alone for
// their passwords.
func TestCheckLogins(t *testing.T) {
	ctx := context.Background()
	passfile := filepath.Join(t.TempDir(), "pgpass")
	t.Setenv("PGPASSFILE", passfile)
	t.Setenv("PGPASSWORD", "")
	text := rolesNamed("login_").Replace(clinicPolicy)
	database := hardenedClinic(t, parsePolicy(t, text))
	text = strings.ReplaceAll(text, "@127.0.0.1:5432/clinic", "@"+strings.TrimPrefix(site.Cluster.URL("x", database), "postgres://x@"))
	p := parsePolicy(t, text)
	names := analystNames(p)
	super := site.Connect(t, "postgres", database)
	run := func(sql string) {
		t.Helper()
		if _, err := super.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	ana, bob := names[0], names[1]
	if failed := curator.CheckLogins(ctx, p); len(failed) > 0 {
		t.Fatalf("a server that trusts refused %v", failed)
	}
	var hba string
	if err := super.QueryRow(ctx, "SHOW hba_file").Scan(&hba); err != nil {
		t.Fatal(err)
	}
	prepend := func(line string) {
		run("COPY (SELECT '" + line + "') TO PROGRAM 'cat - \"" + hba + "\" >\"" + hba + ".new\" && cat \"" + hba + ".new\" >\"" + hba + "\"'; SELECT pg_reload_conf()")
	}
	prepend("host all " + ana + "," + bob + " 127.0.0.1/32 scram-sha-256")
	t.Cleanup(func() {
		run("COPY (SELECT) TO PROGRAM 'cat >/dev/null; grep -v " + ana + " \"" + hba + "\" >\"" + hba + ".new\"; cat \"" + hba + ".new\" >\"" + hba + "\"'; SELECT pg_reload_conf()")
	})
	failed := curator.CheckLogins(ctx, p)
	for len(failed) == 0 { // the server reads the file when it gets to it
		failed = curator.CheckLogins(ctx, p)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(site.Cluster.URL("x", database), "postgres://x@"), "/")
	missing := func(role string) curator.FailedLogin {
		return curator.FailedLogin{Role: role, Problem: "the server asks for a password, and tacit finds none",
			Remedy: `set one by \password ` + role + ` in psql, and add the line ` + address + ":" + database + ":" + role + ":PASSWORD to " + passfile}
	}
	if diff := cmp.Diff([]curator.FailedLogin{missing(ana), missing(bob)}, failed); diff != "" {
		t.Errorf("without a pgpass file: %s", diff)
	}
	run("ALTER ROLE " + ana + " PASSWORD 'one'; ALTER ROLE " + bob + " PASSWORD 'two'")
	lines := "*:*:*:" + ana + ":one\n*:*:*:" + bob + ":other\n"
	if err := os.WriteFile(passfile, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []curator.FailedLogin{{Role: bob, Problem: "the server refuses the password that tacit has from " + passfile,
		Remedy: `set the same password by \password ` + bob + ` in psql, or correct it in ` + passfile}}
	if diff := cmp.Diff(want, curator.CheckLogins(ctx, p)); diff != "" {
		t.Errorf("with a wrong password: %s", diff)
	}
	if err := os.WriteFile(passfile, []byte(strings.Replace(lines, "other", "two", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if failed := curator.CheckLogins(ctx, p); len(failed) > 0 {
		t.Errorf("with both passwords: %v", failed)
	}
	run("ALTER ROLE " + bob + " NOLOGIN")
	failed = curator.CheckLogins(ctx, p)
	if len(failed) != 1 || failed[0].Role != bob || !strings.Contains(failed[0].Problem, "is not permitted to log in") || !strings.Contains(failed[0].Remedy, "has LOGIN") {
		t.Errorf("without LOGIN: %v", failed)
	}
}

// TestRefusedCurator has a server refuse the curator's login for several reasons. Whoever starts a proxy must be told which command makes the
// curator if the server does not know the role, and only then.
func TestRefusedCurator(t *testing.T) {
	ctx := context.Background()
	super := site.Connect(t, "postgres", "postgres")
	if _, err := super.Exec(ctx, "CREATE ROLE full_curator LOGIN CONNECTION LIMIT 0; CREATE ROLE astray_curator LOGIN"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = super.Exec(ctx, "DROP ROLE full_curator, astray_curator") })
	for _, c := range []struct {
		path, roles, database, want string
		made                        bool // told which command makes the curator
	}{
		{"clinic.yaml", "missing_", "postgres", "upstream.curator: missing_curator: the server does not let it in: ", true},
		{"the clinic's.yaml", "missing_", "postgres", "upstream.curator: missing_curator: the server does not let it in: ", true},
		{"clinic.yaml", "full_", "postgres", "upstream.curator: full_curator: the server has no connection left for it: ", false},
		{"clinic.yaml", "astray_", "no_such_database", "(SQLSTATE 3D000); see the server's log", false},
	} {
		text := strings.ReplaceAll(rolesNamed(c.roles).Replace(clinicPolicy), "@127.0.0.1:5432/clinic", "@"+strings.TrimPrefix(site.Cluster.URL("x", c.database), "postgres://x@"))
		p, err := policy.Parse(c.path, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := curator.New(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = conn.Separate(ctx, p)
		var login *curator.LoginError
		if !errors.As(err, &login) || !login.Answered() || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v", c.roles, c.database, err)
			continue
		}
		if made := strings.Contains(err.Error(), "`tacit check --policy "+p.QuotedPath()+" --sql`"); made != c.made {
			t.Errorf("%s in %s: %v", c.roles, c.database, err)
		}
	}
}

// TestCuratorThatCannotBegin fails if an error of the server on a connection of the curator does not say whose it is.
func TestCuratorThatCannotBegin(t *testing.T) {
	ctx := context.Background()
	p := parsePolicy(t, strings.ReplaceAll(rolesNamed("unverified_").Replace(clinicPolicy), "@127.0.0.1:5432/clinic", "@"+strings.TrimPrefix(site.Cluster.URL("x", "postgres"), "postgres://x@")))
	super := site.Connect(t, "postgres", "postgres")
	role := curator.CuratorName(p)
	// a role that is no superuser, and has not been hardened: its counts would move counters
	if _, err := super.Exec(ctx, "CREATE ROLE "+role+" LOGIN"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = super.Exec(ctx, "DROP ROLE "+role) })
	c, err := curator.New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var login *curator.LoginError
	if _, err := c.Separate(ctx, p); err == nil || errors.As(err, &login) || !strings.HasPrefix(err.Error(), "curator: ") {
		t.Errorf("%v", err)
	}
}
