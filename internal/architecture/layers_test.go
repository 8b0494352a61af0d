package architecture

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages from the ground up. A package imports only what stands before it.
var layers = []struct{ dir, reason string }{
	{"internal/limited", "so many connections of a listener, and who makes room for others"},
	{"internal/normal", "the normal distribution's quantiles, which both mechanisms and risk need"},
	{"internal/silence", "connections to servers that end when nobody is at the other end"},
	{"internal/stopwatch", "what the phases of a statement take, rounded up where that tells of rows"},
	{"policy/internal/weburl", "URLs that secrets may be sent to"},
	{"policy/internal/scram", "whether a text is a SCRAM verifier"},
	{"policy/internal/nesting", "how deep a parser of YAML may go down, told before it does"},
	{"policy/internal/document", "a policy file as a tree of values with their lines"},
	{"policy/internal/hosts", "whether a connection string leads to another machine"},
	{"policy/internal/name", "names of SQL: their parts, their limits, their quotes"},
	{"policy/internal/address", "addresses where a proxy may listen, and networks of load balancers"},
	{"policy", "the steward's file: types, checks and errors that name a line"},
	{"policy/edit", "single values changed in the text of a policy file"},
	{"rewrite/pgerror", "what a client is told: one type for rewrite, release and proxy"},
	{"rewrite/internal/scan", "limits on a statement's text, before the C parser sees it"},
	{"rewrite/internal/pgtree", "the nodes of PostgreSQL's parse tree"},
	{"rewrite/internal/pgvalue", "literals and binary values, read as PostgreSQL reads them"},
	{"rewrite/internal/bounds", "where the values of an expression can lie"},
	{"rewrite/internal/small", "conditions by which long values count as NULL"},
	{"rewrite/internal/pattern", "which regular expressions take little time"},
	{"rewrite/internal/work", "how much work a function is for one row"},
	{"rewrite/internal/timetext", "the formats in which to_char writes times"},
	{"rewrite/internal/extent", "sets of values of one column"},
	{"rewrite/internal/expr", "expressions and predicates that cannot fail, and their canonical form"},
	{"rewrite/internal/interval", "tacit.low and the like, brought to the counts that they are about"},
	{"rewrite/query", "a count query: bound, written for the curator, compared with earlier ones"},
	{"rewrite/internal/moment", "sums, averages and variances, made of the counts behind them"},
	{"rewrite/internal/norows", "protected tables of which no row can come out"},
	{"rewrite/setting", "values of the proxy's own settings"},
	{"rewrite/internal/forbidden", "statements that are refused whatever tables they mention"},
	{"rewrite/internal/countfirst", "outer joins with other rows, turned into joins of counts"},
	{"rewrite/mask", "the system catalog as analysts may see it"},
	{"rewrite", "SQL in, verdict out"},
	{"accountant/composition", "how losses add up"},
	{"accountant", "losses, charges, questions and the errors about them"},
	{"accountant/journal", "the ledger's entries, their hash chain and the state they add up to; no I/O"},
	{"accountant/ledger/store", "what a ledger asks of the database that keeps it"},
	{"accountant/ledger/guard", "the file beside a ledger that notices an older copy"},
	{"accountant/ledger/sqlite", "a ledger's rows in SQLite"},
	{"accountant/ledger/postgres", "a ledger's rows in PostgreSQL"},
	{"accountant/ledger/archive", "a ledger's entries as lines of JSON"},
	{"accountant/ledger", "reserve, record, read and verify; group commit"},
	{"mechanisms/sampling", "exact noise"},
	{"mechanisms/residual", "a workload of marginals, measured once with the least error"},
	{"mechanisms", "true counts in, sanitized counts out, with the loss and the error"},
	{"mechanisms/microdata", "sanitized copies of whole tables"},
	{"auditor/modular", "arithmetic modulo a prime"},
	{"auditor/posterior/internal/law", "laws of small counts"},
	{"auditor/posterior/internal/linear", "the linear algebra of the engines"},
	{"auditor/posterior", "what answers tell about a person, exactly"},
	{"auditor/internal/history", "what released sums determine"},
	{"auditor", "whether an exact count may be shown, decided before it is seen"},
	{"risk", "what an epsilon means for a table: the risk of homogeneity attacks"},
	{"release/curator", "the read-only login, the catalog, and the proof that analysts are kept apart"},
	{"release/draft", "tacit init: a policy drafted from the catalog"},
	{"release/internal/cells", "recorded cells"},
	{"release/internal/chosen", "values that are chosen for cells in place of counts"},
	{"release/internal/reply", "receipts, explanations and refusals"},
	{"release/internal/memory", "one budget of bytes for what statements keep"},
	{"release/internal/payments", "what a statement was charged for the blocks of a table"},
	{"release/internal/epoch", "public facts of a sealed table"},
	{"release/internal/marginals", "a workload of marginals, measured once, and the counts that follow from it"},
	{"release/internal/live", "what is in force: policy, catalog, mechanisms, ledger"},
	{"release/internal/passing", "how many declared values pass the conditions of a question"},
	{"release/internal/spent", "what charges add up to that were made, or could have been"},
	{"release/internal/combine", "one answer of what several recorded releases give"},
	{"release/internal/sources", "the recorded releases from which other answers may follow"},
	{"release/internal/noisy", "an answer with noise: plan, reserve, count, sanitize, record"},
	{"release/internal/audited", "an answer by the auditor, in rounds"},
	{"release", "the gateway: a question in, sanitized cells out"},
	{"release/publish", "tacit publish"},
	{"release/measure", "tacit measure"},
	{"release/seal", "tacit seal"},
	{"release/workloads", "which workloads are never measured, and which would have served what was asked"},
	{"release/advice", "tacit advise"},
	{"release/assess", "tacit assess and risk"},
	{"proxy/encryption", "TLS towards clients: certificates, and whom they name"},
	{"proxy/listener", "where clients connect: addresses, sockets handed over, load balancers, and the account behind a socket"},
	{"proxy/internal/wire", "single messages, the start-up packet and errors"},
	{"proxy/internal/relay", "bytes in both directions, and which reply belongs to which request; no statements"},
	{"proxy/internal/limits", "bounds of sessions, and spare descriptors"},
	{"proxy/internal/fingerprints", "fingerprints of statements for the log, remembered"},
	{"proxy/internal/repeats", "lines of the log that come again and again"},
	{"proxy", "the wire: log in, session, cancel, limits; the interceptor of statements"},
	{"internal/chart", "pictures"},
	{"internal/pgtest", "PostgreSQL servers for tests and for the demo"},
	{"examples/quickstart", "the demo's data and policy"},
	{"internal/terminal", "text and figures as a terminal shows them: what others wrote is not obeyed"},
	{"release/books", "how tables stand and what was asked, as commands and console show it"},
	{"release/acts", "what stewards do to budgets, by command and by the console"},
	{"release/assessmentview", "an assessment as text and as a page, as commands and console show it"},
	{"internal/demo", "tacit demo"},
	{"docs", "documents that programs show, too"},
	{"console/internal/instead", "what to ask instead of what was refused"},
	{"console/internal/sums", "sums of the log by day, table and analyst"},
	{"console/internal/openid", "logins at a provider of OpenID Connect"},
	{"console", "the web page of stewards, officers and analysts"},
	{"cmd/tacit/internal/adviceview", "a proposed workload as text and as a picture"},
	{"cmd/tacit/internal/operations", "metrics and health for operators"},
	{"cmd/tacit", "flags and printing"},
}

// tools are packages that are no part of the program: tests, their fixtures, benchmarks and examples. They may import all of it, and nothing of it imports them.
var tools = []string{
	"clients", "examples/accuracy", "examples/papers", "internal/architecture", "internal/battery", "internal/bench", "internal/mutants", "internal/chaos", "internal/proof", "internal/traps",
	"accountant/ledger/ledgertest", "proxy/encryption/encryptiontest", "release/internal/site",
}

// apart are packages of which neither may import the other, though the order would allow one of them to.
var apart = [][2]string{{"release/internal/noisy", "release/internal/audited"}}

func isTool(dir string) bool {
	return slices.ContainsFunc(tools, func(tool string) bool { return within(dir, tool) })
}

func within(dir, parent string) bool {
	return dir == parent || strings.HasPrefix(dir, parent+"/")
}

func layerOf(dir string) int {
	for i, layer := range layers {
		if layer.dir == dir {
			return i
		}
	}
	return -1
}

func TestImportsPointDown(t *testing.T) {
	files := goFiles(t)
	for _, dir := range directories(files) {
		if layerOf(dir) < 0 && !isTool(dir) {
			t.Errorf("%s is in no layer: add it to layers with its reason", dir)
		}
	}
	for _, layer := range layers {
		if !slices.Contains(directories(files), layer.dir) {
			t.Errorf("%s is listed and has no Go files", layer.dir)
		}
	}
	for _, f := range files {
		if f.isTest() || isTool(f.dir()) {
			continue
		}
		for _, imported := range f.imports {
			dir, ok := own(imported)
			if !ok {
				continue
			}
			if isTool(dir) || layerOf(dir) >= layerOf(f.dir()) {
				t.Errorf("%s imports %s, which does not stand below %s", f.path, dir, f.dir())
			}
			for _, pair := range apart {
				if f.dir() == pair[0] && dir == pair[1] || f.dir() == pair[1] && dir == pair[0] {
					t.Errorf("%s imports %s; the two are kept apart", f.path, dir)
				}
			}
		}
	}
}

// pure are the packages that compute: no files, no network, no clock, no randomness but what they are given.
var pure = []string{"policy", "accountant/composition", "accountant/journal", "mechanisms", "auditor", "risk"}

// exempt are files of pure packages that import what the others may not, with the reason.
var exempt = map[string]string{
	"policy/parse.go os":                     "Load reads the policy's file",
	"policy/internal/hosts/hosts.go net":     "splits a host from its port; opens nothing",
	"risk/simulate.go math/rand/v2":          "seeded repetitions of a risk that is shown to the steward; no release is drawn there",
	"policy/internal/address/address.go net": "splits an address into host and port; opens nothing",
}

// What a library or a part of the standard library is for is done in one place.
func TestWhoImportsWhat(t *testing.T) {
	computation := oneOf(pure...)
	rules := []struct {
		libraries []string
		allowed   func(dir string) bool
	}{
		{[]string{"github.com/jackc/pgx"}, oneOf("proxy", "release/curator", "release/publish", "accountant/ledger/postgres", "internal/pgtest")},
		{[]string{"github.com/pganalyze/pg_query_go"}, oneOf("rewrite")},
		{[]string{"github.com/spf13/cobra"}, oneOf("cmd")},
		{[]string{"os", "net", "net/http", "math/rand", "database/sql"}, func(dir string) bool { return !computation(dir) }},
	}
	unused := maps.Clone(exempt)
	for _, f := range goFiles(t) {
		if f.isTest() || isTool(f.dir()) {
			continue
		}
		for _, imported := range f.imports {
			for _, rule := range rules {
				for _, library := range rule.libraries {
					if !matches(imported, library) || rule.allowed(f.dir()) {
						continue
					}
					if _, ok := exempt[f.path+" "+imported]; ok {
						delete(unused, f.path+" "+imported)
						continue
					}
					t.Errorf("%s imports %s", f.path, imported)
				}
			}
		}
	}
	for what := range unused {
		t.Errorf("%s is exempt and is not there", what)
	}
}

// matches reports whether an import is a library or a part of it. Parts of net and os only read addresses and the like.
func matches(imported, library string) bool {
	return imported == library || library != "net" && library != "os" && within(imported, library)
}

func oneOf(parents ...string) func(string) bool {
	return func(dir string) bool {
		return slices.ContainsFunc(parents, func(parent string) bool { return within(dir, parent) })
	}
}

// A package of the program is imported by the program. What only the examples use lives beside them.
func TestProgramUsesItsPackages(t *testing.T) {
	used := map[string]bool{"cmd/tacit": true}
	for grew := true; grew; {
		grew = false
		for _, f := range goFiles(t) {
			if f.isTest() || !used[f.dir()] {
				continue
			}
			for _, imported := range f.imports {
				if dir, ok := own(imported); ok && !used[dir] {
					used[dir], grew = true, true
				}
			}
		}
	}
	for _, layer := range layers {
		if !used[layer.dir] {
			t.Errorf("%s is not imported by the program", layer.dir)
		}
	}
}

// Each package says what it guarantees and where to start.
func TestPackagesAreDocumented(t *testing.T) {
	for _, layer := range layers {
		doc, err := packageDoc(layer.dir)
		if err != nil {
			t.Errorf("%s: %v", layer.dir, err)
			continue
		}
		if len(strings.Fields(doc)) < 30 {
			t.Errorf("%s/doc.go does not say what the package guarantees, against whom, where to start and what it leaves out", layer.dir)
		}
	}
}

// maxLines and maxFiles are what a package may have without its tests.
const maxLines, maxFiles = 5000, 40

// long are packages that may have more lines, with the reason.
var long = map[string]string{"rewrite": "one pass over one parse tree, whose files share its state"}

// A package that nobody can hold in the head is two packages.
func TestPackagesAreSmall(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	for _, f := range goFiles(t) {
		if f.isTest() {
			continue
		}
		files[f.dir()]++
		lines[f.dir()] += f.lines
	}
	for dir := range files {
		if files[dir] > maxFiles {
			t.Errorf("%s has %d files; the limit is %d", dir, files[dir], maxFiles)
		}
		if _, ok := long[dir]; lines[dir] > maxLines && !ok {
			t.Errorf("%s has %d lines; the limit is %d: what is computed belongs to a package below", dir, lines[dir], maxLines)
		}
	}
	for dir := range long {
		if lines[dir] <= maxLines {
			t.Errorf("%s is exempt and has only %d lines", dir, lines[dir])
		}
	}
}
