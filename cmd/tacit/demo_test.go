package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDemo plays the demonstration to its end. Nothing in it fails but what it says is refused.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	out := output(t, "demo", "--once")
	var refused []string
	for _, m := range regexp.MustCompile(`(?m)^ERROR:  (.*)$`).FindAllStringSubmatch(out, -1) {
		refused = append(refused, m[1])
	}
	want := []string{
		"rows of protected table titanic cannot be read",
		"aggregate max is not supported on protected tables",
		"your privacy budget on table public.titanic does not cover this answer",
	}
	if strings.Join(refused, "\n") != strings.Join(want, "\n") {
		t.Errorf("refused:\n%s\nwant:\n%s", strings.Join(refused, "\n"), strings.Join(want, "\n"))
	}
	age := regexp.MustCompile(`answered [a-z0-9 ]+, [0-9-]+ [0-9:]+[0-9]( UTC)?`) // another in each run
	out = age.ReplaceAllString(out, "answered before")
	for _, line := range readmeTranscript(t) {
		if !strings.Contains(out, age.ReplaceAllString(line, "answered before")+"\n") {
			t.Errorf("README.md shows what the demonstration does not: %s", line)
		}
	}
}

// readmeTranscript are the lines of README.md's excerpt that are the same in each run: what is said, and what is refused.
func readmeTranscript(t *testing.T) (lines []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, excerpt, _ := strings.Cut(string(text), "## What it looks like")
	excerpt, _, _ = strings.Cut(excerpt, "\n## ")
	same := regexp.MustCompile(`^(# |quickstart[-=]|\$ tacit|NOTICE|ERROR|DETAIL|HINT|public\.)`)
	for line := range strings.Lines(excerpt) {
		if same.MatchString(line) {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	if len(lines) < 20 {
		t.Fatalf("README.md has no excerpt of the demonstration: %q", lines)
	}
	return lines
}
