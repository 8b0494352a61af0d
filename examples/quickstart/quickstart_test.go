package quickstart

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) { pgtest.Main(m, func(c *pgtest.Cluster) { cluster = c }) }

func parsePolicy(t *testing.T) *policy.Policy {
	t.Helper()
	text, err := Files.ReadFile("policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Parse("policy.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPolicy(t *testing.T) {
	p := parsePolicy(t)
	var tables []string
	for _, table := range p.Tables {
		tables = append(tables, table.Name.String())
		if table.Mechanism.Kind == policy.Audit {
			continue
		}
		if counts := table.Budget.Epsilon / table.Mechanism.Epsilon; counts < 10 {
			t.Errorf("%v: the budget is for %d counts, which the demonstration's session and a few of one's own need", table.Name, counts)
		}
	}
	if diff := cmp.Diff([]string{"public.titanic", "public.admissions", "public.students", "public.carriers"}, tables); diff != "" {
		t.Error(diff)
	}
}

// psql runs a script in a directory that holds the example's files, as a reader of README.md would.
func psql(t *testing.T, dir, database, script string) {
	t.Helper()
	path, err := cluster.Psql()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname="+cluster.URL("postgres", database), "--file=-")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("psql: %v\n%s", err, out.String())
	}
}

func load(t *testing.T, database string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, Files); err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{`\i schema.sql`, `\i roles.sql`} {
		psql(t, dir, database, script)
	}
	t.Cleanup(func() {
		psql(t, dir, database, "DROP OWNED BY ana, bob, tacit_curator; DROP ROLE ana, bob, tacit_curator;")
	})
	psql(t, dir, database, curator.HardeningSQL(parsePolicy(t)))
}

// Sums that the sources of the data publish, and the values that the policy declares of each column.
func TestData(t *testing.T) {
	database := cluster.CreateDatabase(t)
	load(t, database)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for query, want := range map[string]string{
		`SELECT count(*) FROM titanic`:                                                         "2201",
		`SELECT count(*) FROM titanic WHERE survived = 'Yes'`:                                  "711",
		`SELECT count(*) FROM titanic WHERE class = 'Crew' AND age = 'Adult' AND sex = 'Male'`: "862",
		`SELECT count(*) FROM admissions`:                                                      "4526",
		`SELECT count(*) FROM admissions WHERE admit = 'Admitted' AND gender = 'Female'`:       "557",
		`SELECT count(*) FROM students`:                                                        "592",
		`SELECT count(*) FROM students WHERE eye = 'Green'`:                                    "64",
		`SELECT count(*) FROM carriers`:                                                        "1160",
		`SELECT count(*) FROM carriers WHERE has_gene`:                                         "450",
		`SELECT count(*) FROM carriers WHERE has_gene AND hair = 'brown'`:                      "116",
		`SELECT count(*) FROM carriers WHERE age > 60`:                                         "1",
		`SELECT count(*) FROM classes`:                                                         "4",
		`SELECT count(*) FROM titanic LEFT JOIN classes USING (class) WHERE classes IS NULL`:   "0",
		`SELECT string_agg(DISTINCT class, ',' ORDER BY class) FROM titanic`:                   "1st,2nd,3rd,Crew",
		`SELECT string_agg(DISTINCT sex, ',' ORDER BY sex) FROM titanic`:                       "Female,Male",
		`SELECT string_agg(DISTINCT age, ',' ORDER BY age) FROM titanic`:                       "Adult,Child",
		`SELECT string_agg(DISTINCT survived, ',' ORDER BY survived) FROM titanic`:             "No,Yes",
		`SELECT string_agg(DISTINCT admit, ',' ORDER BY admit) FROM admissions`:                "Admitted,Rejected",
		`SELECT string_agg(DISTINCT gender, ',' ORDER BY gender) FROM admissions`:              "Female,Male",
		`SELECT string_agg(DISTINCT dept, ',' ORDER BY dept) FROM admissions`:                  "A,B,C,D,E,F",
		`SELECT string_agg(DISTINCT sex, ',' ORDER BY sex) FROM students`:                      "Female,Male",
	} {
		var got string
		if err := conn.QueryRow(ctx, "SELECT ("+query+")::text").Scan(&got); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if got != want {
			t.Errorf("%s = %s, want %s", query, got, want)
		}
	}
}

func TestSeparation(t *testing.T) {
	database := cluster.CreateDatabase(t)
	load(t, database)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("tacit_curator", database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	found, err := curator.CheckSeparation(ctx, conn, parsePolicy(t))
	if err != nil || len(found) > 0 {
		t.Errorf("found %v, error %v", found, err)
	}
}
