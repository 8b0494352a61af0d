package chaos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

// A site is a database with protected tables, a server for the ledger, and proxies in front of them.
type site struct {
	t       *testing.T
	data    *pgtest.Cluster
	ledger  *pgtest.Cluster
	small   bool // the ledger's server has a disk of its own, which can be filled
	proxies []*proxy
	dir     string
	broken  atomic.Int64 // how many faults have begun
}

var analysts = []string{"ana", "bob", "cyd", "dan"}

const dataSQL = `
CREATE TABLE public.people (id int PRIMARY KEY, sex text NOT NULL, age int NOT NULL);
INSERT INTO public.people SELECT i, (ARRAY['F','M'])[1 + i % 2], i % 90 FROM generate_series(1, 2000) AS i;
CREATE TABLE public.scarce AS SELECT * FROM public.people;
CREATE TABLE public.ward AS SELECT * FROM public.people;
CREATE TABLE public.members AS SELECT * FROM public.people; ALTER TABLE public.members ADD PRIMARY KEY (id);
CREATE TABLE public.stays AS SELECT * FROM public.people; ALTER TABLE public.stays ADD PRIMARY KEY (id);
VACUUM ANALYZE`

// A question costs an epsilon of price, of each table that it is about. The budget of scarce pays for scarceQuestions, the others are never
// exhausted.
const (
	price           = 0.01
	scarceQuestions = 25
)

const policyText = `
listen: 127.0.0.1:%[1]d
metrics: {listen: 127.0.0.1:%[4]d}
upstream:
  analyst: postgres://{analyst}@127.0.0.1:%[2]d/data?sslmode=disable
  curator: postgres://tacit_curator@127.0.0.1:%[5]d/data?sslmode=disable
ledger: postgres://tacit_ledger@127.0.0.1:%[3]d/tacit?sslmode=disable
auth: trust
analysts: {ana: {}, bob: {}, cyd: {}, dan: {}}
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000}
    derive: false
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}}
  public.scarce:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 0.25, composition: basic}
    derive: false
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}}
  public.ward:
    person: row
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000}
    derive: false
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}}
  public.members:
    person: {column: id, rows: 1, groups: 1}
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000}
    derive: false
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}}
  public.stays:
    person: {column: id, rows: 1, groups: 1}
    mechanism: {kind: geometric, epsilon: 0.01}
    budget: {epsilon: 1000}
    derive: false
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}}
`

// Disks in memory, in KiB: one that can be filled, with room for the ledger of some minutes, and one for the ledger of hours, which takes what is written.
const (
	smallDisk = 160 << 10
	largeDisk = 4 << 20
)

// siteOptions vary a site; the zero value is a good default, but for proxies.
type siteOptions struct {
	proxies     int
	diskKiB     int            // of the ledger's server, which has a disk of its own; default smallDisk
	sql, policy string         // of the data; default dataSQL and policyText
	data        pgtest.Options // of its server
	// ways are the ports by which proxies reach that server for analysts and as the curator; default its own port.
	ways func(data *pgtest.Cluster) (analysts, curator int)
}

// newSite starts both servers and so many proxies. The ledger's server has a disk of its own of so many KiB.
func newSite(t *testing.T, proxies, diskKiB int) *site {
	t.Helper()
	return newSiteOf(t, siteOptions{proxies: proxies, diskKiB: diskKiB})
}

func newSiteOf(t *testing.T, o siteOptions) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	s.data = s.cluster(o.data)
	s.startLedger(cmp.Or(o.diskKiB, smallDisk))
	s.execute(s.data, "postgres", "CREATE DATABASE data")
	for _, role := range append([]string{"tacit_curator"}, analysts...) {
		s.execute(s.data, "postgres", "CREATE ROLE "+role+" LOGIN")
	}
	for statement := range strings.SplitSeq(cmp.Or(o.sql, dataSQL), ";") {
		s.execute(s.data, "data", statement)
	}
	s.execute(s.ledger, "postgres", "CREATE ROLE tacit_ledger LOGIN")
	s.execute(s.ledger, "postgres", "CREATE DATABASE tacit OWNER tacit_ledger")
	binary := s.build()
	ways := [2]int{s.data.Port, s.data.Port}
	if o.ways != nil {
		ways[0], ways[1] = o.ways(s.data)
	}
	for i := range o.proxies {
		s.proxies = append(s.proxies, s.newProxy(i, binary, cmp.Or(o.policy, policyText), ways))
	}
	s.harden(s.proxies[0].policy)
	for _, p := range s.proxies {
		must(t, p.start())
	}
	for _, p := range s.proxies {
		p.awaitListening()
	}
	return s
}

// startLedger starts the ledger's server, on a disk of its own where there can be one.
func (s *site) startLedger(diskKiB int) {
	s.t.Helper()
	options := pgtest.Options{
		DiskKiB: diskKiB,
		// Where the ledger did not insist on synchronous commits, ten seconds of them would be lost with the server.
		Settings: map[string]string{
			"synchronous_commit": "off", "wal_writer_delay": "10s", "max_wal_size": "32MB", "min_wal_size": "2MB", "shared_buffers": "16MB",
		},
	}
	c, err := pgtest.Start(options)
	if s.small = err == nil; errors.Is(err, pgtest.ErrNoDisk) {
		s.t.Logf("the ledger's disk is not filled: %v", err)
		s.ledger = s.cluster(pgtest.Options{})
		return
	}
	must(s.t, err)
	s.ledger = c
	s.t.Cleanup(func() { must(s.t, c.Stop()) })
}

func (s *site) cluster(options pgtest.Options) *pgtest.Cluster {
	s.t.Helper()
	c, err := pgtest.Start(options)
	must(s.t, err)
	s.t.Cleanup(func() { must(s.t, c.Stop()) })
	return c
}

func (s *site) execute(c *pgtest.Cluster, database, sql string) {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres", database))
	must(s.t, err)
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		s.t.Fatalf("%s: %v", sql, err)
	}
}

// build makes the program that is tested.
func (s *site) build() string {
	s.t.Helper()
	binary := filepath.Join(s.dir, "tacit")
	out, err := exec.Command("go", "build", "-o", binary, "tacit/cmd/tacit").CombinedOutput()
	if err != nil {
		s.t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// harden makes the database fit the policy, as a steward would.
func (s *site) harden(path string) {
	s.t.Helper()
	p, err := policy.Load(path)
	must(s.t, err)
	psql, err := s.data.Psql()
	must(s.t, err)
	cmd := exec.Command(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", s.data.URL("postgres", "data"))
	cmd.Stdin = strings.NewReader(curator.HardeningSQL(p))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("hardening: %v\n%s", err, out)
	}
}

// newProxy writes a policy for a proxy with a directory, a port and a way to the ledger of its own.
func (s *site) newProxy(number int, binary, text string, ways [2]int) *proxy {
	s.t.Helper()
	relay, err := s.ledger.NewRelay()
	must(s.t, err)
	dir := filepath.Join(s.dir, fmt.Sprint("proxy", number))
	must(s.t, os.Mkdir(dir, 0o700))
	p := &proxy{t: s.t, number: number, binary: binary, policy: filepath.Join(dir, "policy.yaml"), relay: relay, port: freePort(s.t), metrics: freePort(s.t)}
	must(s.t, os.WriteFile(p.policy, fmt.Appendf(nil, text, p.port, ways[0], relay.Port, p.metrics, ways[1]), 0o600))
	s.t.Cleanup(func() {
		p.kill()
		relay.Close()
	})
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
