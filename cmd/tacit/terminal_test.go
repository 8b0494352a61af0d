package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/release/curator"
)

// What a terminal would obey, or show otherwise than it is, is escaped; all else stays.
func TestTerminalText(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[2Jb\r\a\x00": `a\u001b[2Jb\u000d\u0007\u0000`,
		"a\u009b31mb":       `a\u009b31mb`,
		"a\u202eb\u2066c":   `a\u202eb\u2066c`,
		"a\u2028b\u2029c":   `a\u2028b\u2029c`,
		"a\u200bb\u200d\ufeff\u00ad\u180e\u3164\u115f\u034f\ufe0f": `a\u200bb\u200d\ufeff\u00ad\u180e\u3164\u115f\u034f\ufe0f`,
		"a\U000e0041b": `a\udb40\udc41b`,
		"a\x9bb\xff":   `a\x9bb\xff`,
		"Größe → ±30 … € 漢字 é 👍": "Größe → ±30 … € 漢字 é 👍",
		"\ufffd": "\ufffd",
		"a\n\tb": "a\n\tb",
	} {
		if got := terminal.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := terminal.Printable("a\u2028 b\n-- \u202ec"); got != `a b -- \u202ec` {
		t.Errorf("in one line: %q", got)
	}
}

// A writer makes the same of a text whatever the pieces in which it comes.
func TestTerminalWriter(t *testing.T) {
	const text = "a\u202eb 漢 👍\U000e0041\u009b"
	for size := 1; size <= len(text); size++ {
		var b strings.Builder
		w := &terminal.Writer{Out: &b}
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			if n, err := io.WriteString(w, rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		if b.String() != terminal.Text(text) {
			t.Errorf("by %d bytes: %q", size, b.String())
		}
	}
}

// hostile is what an analyst may write into a statement.
const hostile = "SELECT '\u202e\u2066\u2028\u200b\u009b2J\x1b[1A' AS \"\u00ad\", count(*) FROM public.people GROUP BY 1, 2\r\n-- \U000e0041"

// FuzzLogText prints statements as tacit log does, as a table and as JSON: nothing reaches the terminal that is not shown, each entry is one
// line, and JSON holds the statement as it was.
func FuzzLogText(f *testing.F) {
	f.Add(hostile)
	f.Add("a\xffb\x9b")
	f.Add("\ufffd\ufeff")
	f.Fuzz(func(t *testing.T, sql string) {
		entries := []ledger.Entry{{ID: 1, Analyst: "ana", Verdict: ledger.Refused, SQL: sql}, {ID: 2, By: "root", Reason: sql, Verdict: ledger.Frozen, Questions: []string{sql}}}
		var table, objects strings.Builder
		if err := printLog(&terminal.Writer{Out: &table}, entries, true); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(table.String(), "\n"); lines != 4 {
			t.Errorf("%d lines of a title, two entries and a question", lines)
		}
		if err := printLogJSON(&terminal.Writer{Out: &objects}, entries); err != nil {
			t.Fatal(err)
		}
		checkShown(t, table.String())
		checkShown(t, objects.String())
		var read struct{ Statement string }
		if err := json.NewDecoder(strings.NewReader(objects.String())).Decode(&read); err != nil || read.Statement != strings.ToValidUTF8(sql, "\ufffd") && utf8.ValidString(sql) {
			t.Errorf("%v, %q of %q", err, read.Statement, sql)
		}
	})
}

// checkShown fails if a text has what a terminal does not show.
func checkShown(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Errorf("%U is printed raw in %q", r, text)
		}
	}
}

// Errors about a policy repeat what is in it.
func TestErrorsAreSafeForTerminals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte("\"a\\e[2J\\u202e\": 1\nanalysts: {\"\\x9b\": {password: \"\\u2028\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, stderr, status := run(t, "log", "--policy", path)
	if status != 2 || !strings.Contains(stderr, `\u001b[2J\u202e`) {
		t.Errorf("status %d: %q", status, stderr)
	}
	checkShown(t, stderr)
	if _, ok := rootCommand().OutOrStdout().(*terminal.Writer); !ok {
		t.Error("commands print to the terminal directly")
	}
	_, stderr, _ = run(t, "log", "--policy", "\u202e\x1b[2J")
	checkShown(t, stderr)
}

// Findings are comments of a script that may be run by a superuser. No name of an object ends the comment.
func TestFindingsStayComments(t *testing.T) {
	name := "\"v\nALTER ROLE ana SUPERUSER; --\u2028\r\x1b[2K\""
	var b strings.Builder
	printFindings(&b, []curator.Finding{{Severity: "high", What: name, Detail: name, Remedy: name}})
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "--") {
			t.Errorf("no comment: %q", line)
		}
	}
	checkShown(t, b.String())
}
