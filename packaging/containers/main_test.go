package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOwnFiles wants nothing found in the files of this repository.
func TestOwnFiles(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, f := range append(checkDockerfile(ctx, "../.."), checkCompose(ctx, "../..")...) {
		t.Error(f)
	}
}

// TestBroken breaks them at one place, each time in another way that a build or a start would fail by.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, old, new, want string }{
		{"an unknown instruction", "Dockerfile", "EXPOSE 6432", "EXPOSES 6432", "unknown instruction: EXPOSES"},
		{"an unknown flag", "Dockerfile", "--chown=", "--chowned=", "unknown flag: --chowned"},
		{"an unknown stage", "Dockerfile", "COPY --from=build /tacit /usr/bin/tacit", "COPY --from=builder /tacit /usr/bin/tacit", "builder is no stage"},
		{"a base without a version", "Dockerfile", "FROM debian:bookworm-slim", "FROM debian", "debian is no stage, and an image without a version"},
		{"a file that is not there", "Dockerfile", "COPY go.mod go.sum ./", "COPY go.mod go.summary ./", "go.summary is not there"},
		{"a file that is left out", "Dockerfile", "COPY go.mod go.sum ./", "COPY go.mod bin/tacit ./", "bin/tacit is not there"},
		{"no file", "Dockerfile", "COPY go.mod go.sum ./", "COPY ./", "COPY requires at least two arguments"},
		{"a relative place of work", "Dockerfile", "WORKDIR /src", "WORKDIR src", "WorkdirRelativePath"},
		{"two stages of one name", "Dockerfile", " AS setup", " AS build", "DuplicateStageName"},
		{"a port that is none", "Dockerfile", "EXPOSE 6432", "EXPOSE 6432/htp", "invalid proto: htp"},
		{"an unknown key", "compose.yaml", "read_only: true", "readonly: true", "readonly"},
		{"a value of another type", "compose.yaml", "retries: 60", "retries: often", "healthcheck.retries"},
		{"an unknown network", "compose.yaml", "networks: [inside, analysts]", "networks: [inside, analyst]", `undefined network analyst`},
		{"an unknown volume", "compose.yaml", `"ledger:/var/lib/tacit"`, `"ledgers:/var/lib/tacit"`, `undefined volume ledgers`},
		{"an unknown service", "compose.yaml", "depends_on: [proxy]", "depends_on: [proxies]", `depends on undefined service "proxies"`},
		{"a stage that there is not", "compose.yaml", "target: setup", "target: set-up", "has no stage set-up"},
		{"an image without a version", "compose.yaml", "metabase/metabase:v0.55.1", "metabase/metabase", "metabase/metabase has no version"},
		{"a directory that is not there", "compose.yaml", "./examples:/examples", "./example:/examples", "example: no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, ctx := brokenCopy(t, c.file, c.old, c.new), context.Background()
			found := strings.Join(append(checkDockerfile(ctx, dir), checkCompose(ctx, dir)...), "\n")
			if !strings.Contains(found, c.want) {
				t.Errorf("%q is not in what is found:\n%s", c.want, found)
			}
		})
	}
}

// TestWithDocker has the script find a Docker that records how it is called: it builds the image, runs it, starts what compose.yaml says, asks, and removes all.
func TestWithDocker(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stub := "#!/bin/sh\necho \"$*\" >>" + dir + "/calls\ncase \"$*\" in *psql*) echo counted \"$ANSWER\" ;; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte(stub), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(answer string) error {
		cmd := exec.Command("scripts/containers.sh")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "GO=true", "PATH="+dir+":"+os.Getenv("PATH"), "ANSWER="+answer)
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		return err
	}
	if err := run("3"); err == nil {
		t.Error("a wrong count goes unnoticed")
	}
	if err := os.Remove(filepath.Join(dir, "calls")); err != nil {
		t.Fatal(err)
	}
	if err := run("2"); err != nil {
		t.Error(err)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	var verbs []string
	for line := range strings.Lines(string(calls)) {
		for _, verb := range []string{"info", "build", "run", "version", "up", "down", "image"} {
			if slices.Contains(strings.Fields(line), verb) {
				verbs = append(verbs, verb)
				break
			}
		}
	}
	if want := []string{"info", "build", "run", "version", "up", "run", "down", "image"}; !slices.Equal(verbs, want) {
		t.Errorf("the script has Docker %v, want %v:\n%s", verbs, want, calls)
	}
}

// brokenCopy is a directory with the files of this repository that are checked or named there, of which one has other text at its first place of old.
func brokenCopy(t *testing.T, broken, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"Dockerfile", "compose.yaml", ".dockerignore", "go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == broken {
			if !strings.Contains(string(text), old) {
				t.Fatalf("%s has no %q", name, old)
			}
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{"examples", "bin/tacit"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
