package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tacit/policy"
)

// What password prints can be put into a policy.
func TestPassword(t *testing.T) {
	t.Parallel()
	for input, refusal := range map[string]string{
		"sesame\n": "", "sesame\r\n": "", "sesame": "", "": "empty", "\n": "empty", "one\ntwo\n": "more than one line",
		strings.Repeat("x", 1025): "longer than 1024 bytes",
	} {
		cmd := tacit(context.Background(), "password")
		var diagnostics bytes.Buffer
		cmd.Stdin, cmd.Stderr = strings.NewReader(input), &diagnostics
		stdout, err := cmd.Output()
		if refusal != "" {
			if err == nil || !strings.Contains(diagnostics.String(), refusal) || len(stdout) > 0 {
				t.Errorf("input %.10q: %v, %s%s", input, err, stdout, diagnostics.String())
			}
			continue
		}
		line, ok := strings.CutSuffix(string(stdout), "\n")
		if err != nil || !ok {
			t.Fatalf("input %q: %v, %s%s", input, err, stdout, diagnostics.String())
		}
		text := readText(t, "../../examples/quickstart/policy.yaml")
		text = strings.NewReplacer("\nauth: trust\n", "\nauth: scram\n", "\n  ana: {}\n", "\n  ana: {password: \""+line+"\"}\n",
			"bob: {budget", "bob: {password: \""+line+"\", budget").Replace(text)
		p, err := policy.Parse("policy.yaml", []byte(text))
		if err != nil || p.Analysts[0].Password != line {
			t.Errorf("input %q: %s: %v", input, line, err)
		}
	}
}

// A terminal does not show what is typed. script is util-linux's, which gives a command a terminal of its own.
func TestPasswordIsNotShown(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("script")
	if err != nil {
		t.Skip("script(1) of util-linux is not installed")
	}
	for typed, want := range map[string]string{"sesame\rsesame\r": "SCRAM-SHA-256$4096:", "sesame\rseasme\r": "the two passwords differ"} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, path, "--quiet", "--command", os.Args[0]+" password", "/dev/null")
		cmd.Env = append(os.Environ(), "TACIT_TEST_RUN_MAIN=1")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		screen := &prompted{typed: strings.SplitAfter(typed, "\r"), answer: func(s string) { _, _ = stdin.Write([]byte(s)) }}
		cmd.Stdout = screen
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if shown := screen.shown.String(); strings.Contains(shown, "sesame") || !strings.Contains(shown, want) {
			t.Errorf("typed %q, shown %q", typed, shown)
		}
	}
}

// prompted types a line after each prompt.
type prompted struct {
	shown    bytes.Buffer
	typed    []string
	answered int
	answer   func(string)
}

func (p *prompted) Write(b []byte) (int, error) {
	p.shown.Write(b)
	for ; p.answered < min(len(p.typed), bytes.Count(p.shown.Bytes(), []byte(": "))); p.answered++ {
		p.answer(p.typed[p.answered])
	}
	return len(b), nil
}
