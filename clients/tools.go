package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"tacit/policy"
)

// toolTimeout is how long one client may take. They take seconds, but for Evidence, which builds its page in minutes.
const toolTimeout = 15 * time.Minute

// debianPython is the interpreter that Debian's packages belong to; the python3 on the PATH may be another.
const debianPython = "/usr/bin/python3"

// A tool is a client with a script of what its users do. The script connects by libpq's environment variables, prints one line
// for each thing that it checks, as [readReport] reads them, and ends with status 0 if it got to its end.
type tool struct {
	name    string
	command []string
	env     []string
	// slow clients take a minute and more, to be installed or to run.
	slow bool
	// needs are Debian packages that scripts/install.sh installs, and files.
	needs []string
}

// nodeModules is where `make clients` has npm install what clients/NAME/package-lock.json lists.
func nodeModules(name string) string { return ".cache/clients/" + name + "/node_modules" }

var tools = []tool{
	{name: "psql", command: []string{"/bin/sh", "clients/scripts/psql.sh"}},
	newerPsql("17"),
	newerPsql("18"),
	{name: "pgcli", command: []string{debianPython, "clients/scripts/pgcli_session.py"}, needs: []string{"pgcli"}},
	{name: "pgx", command: []string{"go", "run", "./clients/pgx"}},
	{name: "lib/pq", command: []string{"go", "run", "./clients/pq"}},
	{name: "psycopg2", command: []string{debianPython, "clients/scripts/with_psycopg2.py"}, needs: []string{"python3-psycopg2"}},
	{name: "psycopg 3", command: []string{debianPython, "clients/scripts/with_psycopg3.py"}, needs: []string{"python3-psycopg"}},
	{name: "asyncpg", command: []string{debianPython, "clients/scripts/with_asyncpg.py"}, needs: []string{"python3-asyncpg"}},
	{name: "SQLAlchemy and pandas", command: []string{debianPython, "clients/scripts/with_sqlalchemy.py"}, needs: []string{"python3-sqlalchemy", "python3-pandas"}},
	{name: "psqlODBC", command: []string{debianPython, "clients/scripts/with_odbc.py"}, needs: []string{"python3-pyodbc", "odbc-postgresql"}},
	{
		name: "JDBC", command: []string{"java", "-cp", "/usr/share/java/postgresql.jar", "clients/jdbc/Client.java"},
		needs: []string{"libpostgresql-jdbc-java", "default-jdk-headless"},
	},
	{
		name: "node-postgres", command: []string{"node", "clients/node/client.js"}, env: []string{"NODE_PATH=" + nodeModules("node")},
		needs: []string{"nodejs", nodeModules("node") + "/pg"},
	},
	{
		name: "Prisma", command: []string{"node", "clients/node/prisma.js"}, env: []string{"NODE_PATH=" + nodeModules("node")},
		needs: []string{"nodejs", nodeModules("node") + "/prisma", nodeModules("node") + "/@prisma/client"},
	},
	{
		name: "Cube", slow: true, command: []string{"node", "clients/cube/session.js"}, env: []string{"NODE_PATH=" + nodeModules("cube")},
		needs: []string{"nodejs", nodeModules("cube") + "/@cubejs-backend/server"},
	},
	{
		name: "Evidence", slow: true, command: []string{"node", "clients/evidence/session.cjs"}, env: []string{"NODE_PATH=" + nodeModules("evidence")},
		needs: []string{"nodejs", nodeModules("evidence") + "/@evidence-dev/evidence"},
	},
	{name: "R", command: []string{"Rscript", "clients/scripts/with_r.R"}, needs: []string{"r-cran-dbplyr", "r-cran-rpostgresql"}},
	{
		name: "LibreOffice Base", slow: true, command: []string{debianPython, "clients/scripts/with_libreoffice.py"},
		needs: []string{"libreoffice-base-core", "libreoffice-base-drivers", "libreoffice-sdbc-postgresql", "python3-uno"},
	},
}

// newerPsql is psql of another major version, which clients/psql.sh installs.
func newerPsql(major string) tool {
	bin := ".cache/clients/psql-" + major + "/bin"
	return tool{
		name: "psql " + major, command: []string{"/bin/sh", "clients/scripts/psql.sh"}, env: []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, needs: []string{bin + "/psql"},
	}
}

// A report is what a tool's script found.
type report struct {
	version string
	passed  int
	failed  []string
	// answer is what the script was told to the question that all scripts ask.
	answer string
}

func runTools(ctx context.Context, names []string, details io.Writer) (ok bool, err error) {
	for _, name := range names {
		if !slices.ContainsFunc(tools, func(t tool) bool { return t.name == name }) {
			return false, fmt.Errorf("%q is not a client that is known here", name)
		}
	}
	missing, err := missingPackages(ctx)
	if err != nil {
		return false, err
	}
	s, err := startSite(ctx, siteOptions{database: "hospital", analyst: "ana", auth: policy.AuthSCRAM})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	ok = true
	answers := make(map[string][]string)
	for _, t := range tools {
		if len(names) > 0 && !slices.Contains(names, t.name) {
			continue
		}
		if t.slow && *short {
			fmt.Printf("NOT RUN %s: it takes long; `make clients` runs it\n", t.name)
			continue
		}
		if lacking := t.lacking(missing); len(lacking) > 0 {
			fmt.Printf("NOT RUN %s: this machine lacks %s\n", t.name, strings.Join(lacking, " and "))
			ok = ok && *goOn
			continue
		}
		r := t.run(ctx, s, details)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.print(os.Stdout, t.name)
		ok = ok && len(r.failed) == 0
		answers[r.answer] = append(answers[r.answer], t.name)
	}
	if len(answers) > 1 {
		ok = false
		fmt.Println("One question was answered in several ways:")
		for _, a := range slices.Sorted(maps.Keys(answers)) {
			fmt.Printf("  %s: %s\n", strings.Join(answers[a], ", "), a)
		}
	}
	return ok, nil
}

// missingPackages are those that scripts/install.sh could not install.
func missingPackages(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, "scripts/install.sh", "missing", "clients")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.Fields(string(out)), err
}

// lacking is what a tool needs and this machine does not have.
func (t tool) lacking(missing []string) []string {
	return slices.DeleteFunc(slices.Clone(t.needs), func(need string) bool {
		if strings.Contains(need, "/") {
			_, err := os.Stat(need)
			return err == nil
		}
		return !slices.Contains(missing, need)
	})
}

func (t tool) run(ctx context.Context, s *site, details io.Writer) report {
	ctx, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.command[0], t.command[1:]...)
	cmd.Env = s.environment(s.host, s.port, append(t.env, "PGPASSWORD="+password, "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1")...)
	cmd.WaitDelay = 5 * time.Second // for what the client has started and left
	var out bytes.Buffer
	cmd.Stdout = io.MultiWriter(&out, details)
	cmd.Stderr = cmd.Stdout
	err := cmd.Run()
	r := readReport(out.String())
	if err != nil {
		r.failed = append(r.failed, fmt.Sprintf("the script did not get to its end: %v\n%s", err, lastLines(out.String(), 15)))
	} else if r.version == "" || r.passed+len(r.failed) == 0 {
		r.failed = append(r.failed, "the script checked nothing")
	}
	return r
}

// readReport reads a script's lines "version: TEXT", "ok: CHECK", "failed: CHECK: WHY" and "answer: CELLS"; others are details.
func readReport(output string) (r report) {
	for line := range strings.Lines(output) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "version":
			r.version = value
		case "ok":
			r.passed++
		case "failed":
			r.failed = append(r.failed, value)
		case "answer":
			r.answer = value
		}
	}
	return r
}

func (r report) print(w io.Writer, name string) {
	verdict := "ok    "
	if len(r.failed) > 0 {
		verdict = "FAILED"
	}
	fmt.Fprintf(w, "%s %s (%s): %d passed, %d failed\n", verdict, name, r.version, r.passed, len(r.failed))
	for _, f := range r.failed {
		fmt.Fprintf(w, "       %s\n", strings.ReplaceAll(f, "\n", "\n       "))
	}
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
