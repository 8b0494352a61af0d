package policy

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/policy/internal/document"
)

const verifier = "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="

func TestLoadEveryKey(t *testing.T) {
	path := filepath.Join("testdata", "full.yaml")
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &Policy{
		Path:      path,
		Version:   "checked below",
		Listen:    []string{"[::1]:6432", "/run/tacit/.s.PGSQL.6432"},
		Balancers: []netip.Prefix{netip.MustParsePrefix("10.0.0.7/32"), netip.MustParsePrefix("fd00::/8")},
		LocalAuth: AuthPeer,
		TLS: TLS{
			Mode: TLSVerifyFull, Certificate: filepath.Join("testdata", "server.crt"), Key: "/etc/tacit/server.key",
			ClientCA: filepath.Join("testdata", "analysts.crt"), Names: map[string]string{"Ana Álvarez": "ana", "carl@example.org": "carl_2"},
		},
		Upstream: Upstream{
			Analyst: "postgres://{analyst}@127.0.0.1:5432/hospital?sslmode=disable",
			Curator: "postgresql://tacit_curator:secret@127.0.0.1:5432/hospital",
		},
		Ledger: LedgerLocation{Postgres: "postgres://tacit_ledger:secret@127.0.0.1/tacit?sslmode=disable", Guard: filepath.Join("testdata", "ledgers")},
		Auth:   AuthSCRAM,

		WhenNotSeparate: Close,
		Accept:          []string{"table-sizes", "fsync"},
		Analysts: []Analyst{
			{Name: "ana", Password: verifier, Budget: &Budget{Epsilon: 4e9, Delta: 25e10, Releases: 3, Risk: NoRiskCap}},
			{Name: "bob", Password: verifier},
			{Name: "carl_2", Password: verifier, Budget: &Budget{Epsilon: 1e9, Delta: NoDeltaCap, Releases: NoReleasesCap, Risk: NoRiskCap}},
		},
		Public:      []TableName{{"public", "regions"}, {"geo", "Country codes"}},
		Limits:      Limits{Cells: 5000, StatementBytes: 65536, Nesting: 100, CountTimeout: 90 * time.Second, Connections: 20, Memory: 512 << 20},
		Sessions:    Sessions{PerAnalyst: 7, PerAddress: 15, Reserved: 2, ReservedFor: []string{"ana", "bob"}, Idle: 8 * time.Hour, IdleInTransaction: 10 * time.Minute},
		AnswerEvery: 100 * time.Millisecond,
		Operations: Operations{
			Metrics: "10.0.0.7:9187", ClientCA: filepath.Join("testdata", "prometheus.crt"), LogJSON: true, LogLevel: "warn", Drain: 45 * time.Second,
		},
		Keep: Keep{For: 90 * 24 * time.Hour, Notes: 1_000_000},
		Tables: []*Table{
			{
				Name:        TableName{"public", "patients"},
				Adjacency:   AddRemove,
				SizePublic:  true,
				Mechanism:   Mechanism{Kind: "geometric", Epsilon: 3e8, Delta: 1e10, KeepNegative: true},
				Budget:      Budget{Epsilon: 10e9, Delta: 1e12, Releases: 20},
				Composition: ZCDPComposition,
				Thresholds:  25e10,
				Window:      30 * 24 * time.Hour,
				Blocks:      &Blocks{Column: "admitted", By: ByMonth, Domain: Domain{Range: &Range{First: -1, Last: 1, Dates: true}}},
				Replay:      30 * 24 * time.Hour, ReplayStated: true,
				Columns: []Column{
					{Name: "sex", Domain: Domain{Values: []string{"F", "M"}}},
					{Name: "region", Domain: Domain{ValuesFrom: &ColumnName{TableName{"public", "regions"}, "region"}}},
					{Name: "country", Domain: Domain{ValuesFrom: &ColumnName{TableName{"geo", "Country codes"}, "code"}}},
					{Name: "age", Domain: Domain{Range: &Range{First: -1, Last: 120}}},
					{Name: "admitted", Domain: Domain{Range: &Range{First: -1, Last: 1, Dates: true}}},
					{Name: "diagnosis", Domain: Domain{}},
					{Name: "class", Domain: Domain{Values: []string{"1", "2", "1st", "017", "1_000", "1.50", "NO", "on", "true", "2020-01-01", "null", "it's", "", ".inf"}}},
					{Name: "Blood group", Domain: Domain{Values: []string{"A, B", "#0", ":"}}},
				},
			},
			{
				Name:        TableName{"stats", "Visits 2024"},
				Person:      &Person{Column: "Patient no.", Rows: 4, Groups: 2},
				Adjacency:   ReplaceOne,
				Mechanism:   Mechanism{Kind: "geometric", Epsilon: 3e8, Delta: 15e10},
				Budget:      Budget{Epsilon: 1e9, Delta: 1e12},
				Composition: PLDComposition,
				Thresholds:  5e11,
				Derive:      true,
			},
		},
	}
	want.Version = got.Version
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Errorf("wanted -, got +:\n%s", diff)
	}
	if len(got.Version) != 64 {
		t.Errorf("Version = %q", got.Version)
	}
}

// minimal is a good policy, from which the tables of the tests below make others.
const minimal = `listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@127.0.0.1/hospital
  curator: postgres://curator@127.0.0.1/hospital
ledger: sqlite:tacit.db
auth: trust
analysts:
  ana: {}
public: [public.regions]
tables:
  public.patients:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
    columns:
      sex: {values: [F, M]}
`

func edited(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(minimal, old) != 1 {
		t.Fatalf("the policy of the tests does not contain %q once", old)
	}
	return strings.Replace(minimal, old, new, 1)
}

func TestParseDefaults(t *testing.T) {
	p, err := Parse("/etc/tacit/policy.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if p.Ledger.SQLite != "/etc/tacit/tacit.db" {
		t.Errorf("Ledger.SQLite = %q", p.Ledger.SQLite)
	}
	want := Limits{Cells: 100_000, StatementBytes: 1 << 20, Nesting: 500, CountTimeout: 5 * time.Minute, Connections: 200, Memory: 2 << 30}
	if p.Limits != want {
		t.Errorf("Limits = %+v, want %+v", p.Limits, want)
	}
	table, ok := p.Table(TableName{"public", "patients"})
	if !ok {
		t.Fatal("Table does not find public.patients")
	}
	if table.Composition != PLDComposition || table.Window != 0 || table.Thresholds != 0 || table.Blocks != nil || !table.Derive {
		t.Errorf("defaults of a table's accounting: %+v", table)
	}
	if table.Adjacency != AddRemove || table.SizePublic || table.Replay != 0 || table.Mechanism.KeepNegative || table.Mechanism.Delta != 0 {
		t.Errorf("defaults of a table: %+v", table)
	}
	if _, ok := p.Table(TableName{"public", "regions"}); ok {
		t.Error("Table finds a table that is not protected")
	}
	if a, ok := p.Analyst("ana"); !ok || a.Name != "ana" || a.Budget != nil {
		t.Errorf("Analyst(ana) = %+v, %v", a, ok)
	}
	if _, ok := p.Analyst("Ana"); ok {
		t.Error("Analyst finds a name that is not there")
	}
}

func TestParseAccepts(t *testing.T) {
	tests := map[string]struct{ old, new string }{
		"trust on localhost":                           {"listen: 127.0.0.1:6432", "listen: localhost:0"},
		"trust on another loopback address":            {"listen: 127.0.0.1:6432", "listen: 127.8.0.1:6432"},
		"trust on IPv6":                                {"listen: 127.0.0.1:6432", "listen: '[::1]:6432'"},
		"a password that trust ignores":                {"ana: {}", "ana: {password: " + verifier + "}"},
		"scram on every address":                       {"listen: 127.0.0.1:6432", "listen: :6432\ntls: {certificate: a, key: b}"},
		"certificates in place of passwords":           {"auth: trust", "auth: certificate\ntls: {mode: verify-full, certificate: a, key: b, client_ca: c}"},
		"a Unix socket upstream":                       {"curator: postgres://curator@127.0.0.1/hospital", "curator: postgres://curator@/hospital?host=/run/postgresql"},
		"a cap above the table's budget":               {"ana: {}", "ana: {budget: {epsilon: 100}}"},
		"a cap that forbids thresholds":                {"ana: {}", "ana: {budget: {epsilon: 1, delta: 0}}"},
		"epsilon equal to the budget":                  {"epsilon: 0.5", "epsilon: 10"},
		"the smallest epsilon":                         {"epsilon: 0.5", "epsilon: 0.000000001"},
		"quoted amounts":                               {"epsilon: 0.5", "epsilon: '0.5'"},
		"the largest delta":                            {"budget: {epsilon: 10}", "budget: {epsilon: 10, delta: 0.1}"},
		"a budget of releases, too":                    {"budget: {epsilon: 10}", "budget: {epsilon: 10, releases: 1000000000}"},
		"a budget of releases alone":                   {bothLines, "mechanism: {kind: suppression, k: 6, accept: no-guarantee}\n    budget: {releases: 10}"},
		"a cap on epsilon and releases":                {"ana: {}", "ana: {budget: {epsilon: 1, releases: 100}}"},
		"replay for ever":                              {"person: row", "person: row\n    replay: forever"},
		"days and hours":                               {"person: row", "person: row\n    replay: 1d12h"},
		"an absolute ledger":                           {"sqlite:tacit.db", "sqlite:/var/lib/tacit/x.db"},
		"a person who is a column":                     {"person: row", "person: {column: sex, rows: 1, groups: 1}"},
		"a person whose column is not listed":          {"person: row", "person: {column: id, rows: 500, groups: 500}"},
		"no public tables":                             {"public: [public.regions]", "public: []"},
		"a table that is only counted":                 {"\n    columns:\n      sex: {values: [F, M]}", ""},
		"a range of one":                               {"{values: [F, M]}", "{range: [7, 7]}"},
		"a range as long as limits.cells":              {"{values: [F, M]}", "{range: [1, 100000]}"},
		"a range of all numbers":                       {"{values: [F, M]}", "{range: [-9223372036854775808, 9223372036854775807]}"},
		"a range of decimals":                          {"{values: [F, M]}", "{range: [-0.5, 2.25], outside: null}"},
		"a range of times":                             {"{values: [F, M]}", "{range: ['2020-01-01 08:00', 2026-12-31]}"},
		"a block list":                                 {"{values: [F, M]}", "\n        values:\n        - F\n        - M"},
		"a document header":                            {"listen: 127.0.0.1:6432", "---\nlisten: 127.0.0.1:6432"},
		"a byte order mark":                            {"listen: 127.0.0.1:6432", "\ufefflisten: 127.0.0.1:6432"},
		"column names that YAML 1.1 reads as booleans": {"sex: {values: [F, M]}", "no: {}\n      on: {}\n      1: {}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := edited(t, test.old, test.new)
			if strings.Contains(name, "scram") {
				text = strings.NewReplacer("auth: trust", "auth: scram", "ana: {}", "ana: {password: "+verifier+"}").Replace(text)
			}
			if _, err := Parse("policy.yaml", []byte(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// What a cap does not name is not capped, what a table's budget does not name is not to be had.
func TestBudgetsOfReleases(t *testing.T) {
	for _, test := range []struct {
		budget string
		table  Budget
		cap    Budget
	}{
		{"{epsilon: 10}", Budget{Epsilon: 10e9}, Budget{10e9, NoDeltaCap, NoReleasesCap, NoRiskCap}},
		{"{releases: 7}", Budget{Releases: 7}, Budget{NoEpsilonCap, NoDeltaCap, 7, NoRiskCap}},
		{"{epsilon: 10, releases: 7}", Budget{Epsilon: 10e9, Releases: 7}, Budget{10e9, NoDeltaCap, 7, NoRiskCap}},
		{"{epsilon: 10, delta: 1e-6, releases: 7}", Budget{10e9, 1e12, 7, 0}, Budget{10e9, 1e12, 7, NoRiskCap}},
	} {
		text := strings.Replace(edited(t, "budget: {epsilon: 10}", "budget: "+test.budget), "ana: {}", "ana: {budget: "+test.budget+"}", 1)
		if test.table.Epsilon == 0 {
			text = strings.Replace(text, mechLine, "mechanism: {kind: suppression, k: 6, accept: no-guarantee}", 1)
		}
		p, err := Parse("policy.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", test.budget, err)
			continue
		}
		if p.Tables[0].Budget != test.table || *p.Analysts[0].Budget != test.cap {
			t.Errorf("%s: the table's is %+v, the analyst's %+v", test.budget, p.Tables[0].Budget, *p.Analysts[0].Budget)
		}
	}
}

func TestParseWindowsLineEnds(t *testing.T) {
	got, err := Parse("policy.yaml", []byte(strings.ReplaceAll(minimal, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Parse("policy.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	want.Version = got.Version
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wanted -, got +:\n%s", diff)
	}
}

func TestPasswordIsEmptyUnderTrust(t *testing.T) {
	p, err := Parse("policy.yaml", []byte(edited(t, "ana: {}", "ana: {password: "+verifier+"}")))
	if err != nil {
		t.Fatal(err)
	}
	if p.Analysts[0].Password != "" {
		t.Error("a password under trust is kept")
	}
}

func TestProportionalDelta(t *testing.T) {
	tests := []struct {
		epsilon Epsilon
		budget  Budget
		want    Delta
	}{
		{5e8, Budget{Epsilon: 10e9, Delta: 1e12}, 5e10},
		{1e9, Budget{Epsilon: 3e9, Delta: 1e12}, 333333333333}, // rounded down
		{1e9, Budget{Epsilon: 1e9, Delta: 1e12}, 1e12},
		{1e9, Budget{Epsilon: 3e9, Delta: 2}, 0},
		{9e18, Budget{Epsilon: 9e18, Delta: 1e17}, 1e17}, // the product does not fit into 64 bits
	}
	for _, test := range tests {
		if got := proportionalDelta(test.epsilon, test.budget); got != test.want {
			t.Errorf("proportionalDelta(%v, %+v) = %v, want %v", test.epsilon, test.budget, got, test.want)
		}
	}
}

func TestLoadMissingFile(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "absent.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Load of an absent file: %v", err)
	}
}

func TestAllErrorsAreReportedInOrder(t *testing.T) {
	text := strings.NewReplacer("epsilon: 0.5", "epsilon: 0", "listen: 127.0.0.1:6432", "listen: 6432", "{values: [F, M]}", "{values: [F, F]}").Replace(minimal)
	_, err := Parse("p.yaml", []byte(text))
	var all document.Errors
	if !errors.As(err, &all) || len(all) != 3 || all[0].Line != 1 || all[1].Line != 13 || all[2].Line != 16 {
		t.Errorf("%v", err)
	}
	var one *Error
	if !errors.As(err, &one) || one.Error() != `p.yaml:1: listen: "6432" is not host:port; write an address and a port, such as 127.0.0.1:6432 or [::1]:6432` {
		t.Errorf("the first error is %v", one)
	}
}

// TestDeclaredSize: a number of rows is told to analysts, and opens no measures of the table.
func TestDeclaredSize(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(filepath.Join("testdata", "full.yaml"), []byte(strings.Replace(string(text), "size: public", "size: 48842", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if table := p.Tables[0]; table.DeclaredSize != 48_842 || table.SizePublic {
		t.Errorf("declared %d, public %t", table.DeclaredSize, table.SizePublic)
	}
}
