package main

import (
	"bytes"
	"strings"
	"testing"

	"tacit/accountant/journal"
	"tacit/accountant/ledger"
)

func TestVerifyText(t *testing.T) {
	head := journal.Mark{Entry: 12, Hash: [32]byte{0xab}}
	found := &ledger.Verification{Ledger: "5f3c", Entries: 12, Head: head, Charges: 3, Releases: 2, Checkpoints: 1}
	sound := &ledgerProof{location: "sqlite:tacit.db", found: found, noted: &journal.Mark{Entry: 7}}
	broken := &ledgerProof{location: "sqlite:tacit.db", found: found, problems: []ledger.Problem{{Entry: 5, Text: "a hash\nis wrong"}, {Text: "the head is gone"}}}
	cut := &ledger.Verification{Ledger: "5f3c", Entries: 4, Head: head, Charges: 1, Broken: true, Problems: []ledger.Problem{{Entry: 5, Text: "entry 5: a hash is wrong"}}}
	hash := "ab" + strings.Repeat("0", 62)
	for _, c := range []struct {
		proof      *ledgerProof
		text, json string
	}{
		{sound, `
ledger:     sqlite:tacit.db (5f3c)
entries:    12, among them 3 charges with 2 answers, and 1 checkpoints
head:       12:` + hash + `
noted:      entry 7 is the one that was noted
verified:   every entry follows from the one before it, every sum from the entries, and no budget was exceeded
`, `{"location":"sqlite:tacit.db","ledger":"5f3c","entries":12,"charges":3,"releases":2,"checkpoints":1,"head":"12:` + hash + `","verified":true,"problems":[]}
`},
		{broken, `
ledger:     sqlite:tacit.db (5f3c)
entries:    12, among them 3 charges with 2 answers, and 1 checkpoints
problem:    entry 5: a hash is wrong
problem:    the head is gone
verified:   NOT as it was written
`, `{"location":"sqlite:tacit.db","ledger":"5f3c","entries":12,"charges":3,"releases":2,"checkpoints":1,"verified":false,` +
			`"problems":[{"entry":5,"text":"a hash\nis wrong"},{"text":"the head is gone"}]}
`},
		{&ledgerProof{location: "sqlite:tacit.db", found: cut, problems: cut.Problems}, `
ledger:     sqlite:tacit.db (5f3c)
entries:    4 up to the one from which on the chain cannot be followed
problem:    entry 5: a hash is wrong
verified:   NOT as it was written
`, `{"location":"sqlite:tacit.db","ledger":"5f3c","entries":4,"charges":1,"releases":0,"checkpoints":0,"verified":false,` +
			`"problems":[{"entry":5,"text":"entry 5: a hash is wrong"}]}
`},
	} {
		var text, asJSON bytes.Buffer
		if err := c.proof.print(&text); err != nil {
			t.Fatal(err)
		}
		if err := printJSON(&asJSON, c.proof.jsonForm()); err != nil {
			t.Fatal(err)
		}
		same(t, strings.TrimLeft(c.text, "\n"), text.String())
		same(t, c.json, asJSON.String())
	}
}

// TestProgressIsForTerminals writes nothing into files and pipes.
func TestProgressIsForTerminals(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "entries")
	p.at(1, 2)
	p.end()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}
