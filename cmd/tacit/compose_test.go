package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"tacit/internal/pgtest"
)

// TestComposeSetup does, without containers, what compose.yaml does with them: it sets up a new server by examples/compose/setup.sh, serves with the
// policy that this makes, and connects as the analyst with what was handed to her.
func TestComposeSetup(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is missing; scripts/install.sh test installs it")
	}
	c, err := pgtest.Start(pgtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Stop() })
	dir, s := t.TempDir(), &site{t: t, addr: freeAddress(t), database: "quickstart"}
	for _, part := range []string{"compose", "quickstart"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS("../../examples/"+part)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	there := strings.NewReplacer("0.0.0.0:6432", s.addr, "postgres:5432", strings.TrimPrefix(c.URL("x", "")[:strings.LastIndex(c.URL("x", ""), "/")], "postgres://x@"),
		"/var/lib/tacit", dir)
	write("compose/policy.yaml", there.Replace(readText(t, filepath.Join(dir, "compose/policy.yaml"))), 0o600)
	for _, made := range []string{"bin", "private", "handed"} {
		if err := os.Mkdir(filepath.Join(dir, made), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("bin/tacit", "#!/bin/sh\nTACIT_TEST_RUN_MAIN=1 exec '"+os.Args[0]+"' \"$@\"\n", 0o700)
	s.mustPsql(c.URL("postgres", "postgres"), "CREATE DATABASE quickstart")
	superuser, err := url.Parse(c.URL("postgres", "quickstart"))
	if err != nil {
		t.Fatal(err)
	}
	psql, err := c.Psql()
	if err != nil {
		t.Fatal(err)
	}
	setup := func() string {
		t.Helper()
		script := exec.Command("sh", filepath.Join(dir, "compose/setup.sh"), filepath.Join(dir, "private"), filepath.Join(dir, "handed"))
		script.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+filepath.Dir(psql)+":"+os.Getenv("PATH"),
			"PGHOST="+superuser.Query().Get("host"), "PGPORT="+superuser.Query().Get("port"), "PGUSER=postgres", "PGDATABASE=quickstart")
		if out, err := script.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return readText(t, filepath.Join(dir, "handed/pgpass"))
	}
	handed := setup()
	if again := setup(); again != handed {
		t.Error("the second time, something is made anew")
	}
	s.policy = filepath.Join(dir, "private/policy.yaml")
	s.serve()
	host, port, _ := strings.Cut(s.addr, ":")
	out := s.mustPsql("host="+host+" port="+port+" user=ana dbname=quickstart sslmode=verify-full sslrootcert="+filepath.Join(dir, "handed/ca.crt")+" passfile="+filepath.Join(dir, "handed/pgpass"),
		"SELECT 'encrypted ' || count(*) FROM (SELECT sex, count(*) FROM titanic GROUP BY sex) AS t; TABLE titanic;")
	if !strings.Contains(out, "encrypted 2") || !strings.Contains(out, "rows of protected table titanic cannot be read") {
		t.Error(out)
	}
}

// TestComposeFile holds compose.yaml to what its comments say, and to what is there.
func TestComposeFile(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Image    string
			Build    *struct{ Context, Target string }
			Volumes  []string
			Networks []string
			Ports    []string
			Depends  any `yaml:"depends_on"`
		}
		Networks, Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(readText(t, "../../compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	dockerfile := readText(t, "../../Dockerfile")
	for name, s := range file.Services {
		if (s.Image == "") == (s.Build == nil) || s.Image != "" && !strings.Contains(s.Image, ":") {
			t.Errorf("%s has no image of a version, and no build, or both", name)
		}
		if s.Build != nil && s.Build.Target != "" && !strings.Contains(dockerfile, " AS "+s.Build.Target+"\n") {
			t.Errorf("%s: the Dockerfile has no %s", name, s.Build.Target)
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			_, named := file.Volumes[from]
			if _, err := os.Stat("../../" + from); !named && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, n := range s.Networks {
			if _, ok := file.Networks[n]; !ok {
				t.Errorf("%s: there is no network %s", name, n)
			}
		}
		for _, p := range s.Ports {
			if !strings.HasPrefix(p, "127.0.0.1:") {
				t.Errorf("%s is open to other machines: %s", name, p)
			}
		}
		switch needed := s.Depends.(type) {
		case []any:
			for _, other := range needed {
				if _, ok := file.Services[other.(string)]; !ok {
					t.Errorf("%s depends on %s", name, other)
				}
			}
		case map[string]any:
			for other := range needed {
				if _, ok := file.Services[other]; !ok {
					t.Errorf("%s depends on %s", name, other)
				}
			}
		}
		if inside := slices.Contains(s.Networks, "inside"); inside != slices.Contains([]string{"postgres", "setup", "proxy"}, name) {
			t.Errorf("%s is in the network of PostgreSQL: %v", name, inside)
		}
	}
}
