package proxy

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/proxy/listener"
	"tacit/release"
	"tacit/rewrite"
	"tacit/rewrite/mask"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	pgtest.Main(m, func(c *pgtest.Cluster) {
		cluster = c
		for _, role := range []string{"ana", "bob"} {
			if err := execute("postgres", "CREATE ROLE "+role+" LOGIN"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	})
}

// execute runs SQL as the superuser.
func execute(database, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// patients is the protected table of these tests. Analysts have no privilege on it.
const patients = `CREATE TABLE patients (region text NOT NULL, age int NOT NULL);
	GRANT CREATE, USAGE ON SCHEMA public TO ana;
	CREATE FUNCTION speak() RETURNS void LANGUAGE plpgsql AS $$BEGIN RAISE NOTICE 'a'; RAISE WARNING 'b'; END$$;
	CREATE FUNCTION cry(n int) RETURNS void LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION '%', repeat('z', n); END$$`

func testCatalog(version string) *rewrite.Catalog {
	name := policy.TableName{Schema: "public", Name: "patients"}
	table := &query.Table{
		Policy: &policy.Table{Name: name, Adjacency: policy.AddRemove, Columns: []policy.Column{
			{Name: "region", Domain: policy.Domain{Values: []string{"north", "south"}}},
			{Name: "age", Domain: policy.Domain{Range: &policy.Range{First: 0, Last: 2}}},
		}},
		Version: version,
		OID:     1,
		Columns: []query.Column{
			{Name: "region", TypeOID: 25, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "text", NotNull: true, Domain: []string{"north", "south"}},
			{Name: "age", TypeOID: 23, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer", NotNull: true, Domain: []string{"0", "1", "2"}},
		},
	}
	masks := mask.New(&mask.Withheld{
		Functions: []mask.Function{{Name: "pg_relation_size", Type: "int8", Argument: "regclass"}},
		Columns:   []mask.Column{{Name: "oid", Type: "oid"}, {Name: "relname", Type: "name"}, {Name: "reltuples", Type: "float4", Withheld: true}},
	})
	return &rewrite.Catalog{Version: version, Tables: map[policy.TableName]*query.Table{name: table}, Masks: masks}
}

// A fakeReleaser answers every question by fakeCount. Of more than one key it knows nothing.
type fakeReleaser struct {
	mu      sync.Mutex // protects what follows
	policy  *policy.Policy
	catalog *rewrite.Catalog
	asks    []release.Request
	// refusedIDs are the requests that were refused.
	refusedIDs []accountant.Request
	waiting    context.Context // of the Answer that waits
	// explained are those that were only to be explained.
	explained []release.Request
	refused   []*pgerror.Refusal
	// fail, if not nil, is what Answer returns; wait, if not nil, is closed when Answer waits for its context to end; meanwhile, if
	// not nil, is called while Answer counts.
	fail      error
	wait      chan struct{}
	meanwhile func()
	// suppress withholds the count of the first cell of every query.
	suppress bool
	// remembers says that every answer is there already; recalled counts those that were given so.
	remembers bool
	recalled  int
	// recalling, if not nil, is called when it is asked what is remembered.
	recalling func(context.Context)
	// telling says that counts tell under which policy, and with which settings, they were asked for.
	telling bool
	// moment is that of Look, and of LastLook if serves is set.
	moment uint64
	serves bool
	// finds, if not nil, is the barrier that the next Look sets up.
	finds *rewrite.Barrier
}

// look calls f with the releaser, which sessions do not use meanwhile: that a reply came after its cause is not known to the race
// detector, which sees no sockets.
func (d *fakeReleaser) look(f func(d *fakeReleaser)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
}

func (d *fakeReleaser) Policy() *policy.Policy {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.policy
}

func (d *fakeReleaser) Catalog() *rewrite.Catalog {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.catalog
}

func (d *fakeReleaser) Refused(_, _ string, id accountant.Request, r *pgerror.Refusal) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refusedIDs = append(d.refusedIDs, id)
	d.refused = append(d.refused, r)
}

func (d *fakeReleaser) Answer(ctx context.Context, ask release.Request) ([]*query.Cells, *release.Receipt, error) {
	d.mu.Lock()
	d.asks = append(d.asks, ask)
	fail, wait, meanwhile, suppress := d.fail, d.wait, d.meanwhile, d.suppress
	d.wait, d.waiting = nil, ctx
	d.mu.Unlock()
	if wait != nil {
		close(wait)
		<-ctx.Done()
		return nil, nil, ctx.Err()
	}
	if meanwhile != nil {
		meanwhile()
	}
	if fail != nil {
		return nil, nil, fail
	}
	cells := make([]*query.Cells, len(ask.Queries))
	for i := range cells {
		cells[i] = fakeCells(ask.Queries[i])
		for _, counts := range cells[i].Counts {
			if suppress {
				suppressed := make([]bool, len(counts))
				suppressed[0] = true
				cells[i].Suppressed = append(cells[i].Suppressed, suppressed)
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tell(ask, cells)
	return cells, &release.Receipt{}, nil
}

// Recall answers as Answer does, if everything is remembered.
func (d *fakeReleaser) Recall(ctx context.Context, ask release.Request) (cells []*query.Cells, receipt *release.Receipt, ok bool) {
	d.mu.Lock()
	recalling := d.recalling
	d.mu.Unlock()
	if recalling != nil {
		recalling(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.remembers {
		return nil, nil, false
	}
	d.recalled++
	for _, q := range ask.Queries {
		cells = append(cells, fakeCells(q))
	}
	d.tell(ask, cells)
	return cells, &release.Receipt{}, true
}

// tell makes counts tell what was asked for. The caller holds mu.
func (d *fakeReleaser) tell(ask release.Request, cells []*query.Cells) {
	if !d.telling {
		return
	}
	for i, q := range ask.Queries {
		told := int64(crc32.ChecksumIEEE([]byte(fmt.Sprint(q.Table.Version, ask.Analyst, ask.Fresh, ask.MaxAge, ask.Within, ask.Zone))))
		for _, counts := range cells[i].Counts {
			for cell := range counts {
				counts[cell] += 1e9 * told
			}
		}
	}
}

// Explain tells the questions only.
func (d *fakeReleaser) Explain(_ context.Context, ask release.Request) (*release.Explanation, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.explained = append(d.explained, ask)
	if d.fail != nil {
		return nil, d.fail
	}
	e := &release.Explanation{}
	for _, q := range ask.Queries {
		for _, c := range q.Counts {
			e.Questions = append(e.Questions, release.ExplainedQuestion{Tables: []policy.TableName{q.Table.Policy.Name}, Question: q.Question(c)})
		}
	}
	return e, nil
}

func fakeCells(q *query.BoundQuery) *query.Cells {
	cells, n := &query.Cells{}, 1
	for _, key := range q.Keys {
		var values []query.Value
		for _, text := range key.Domain {
			values = append(values, query.Value{Text: text})
		}
		cells.Keys, n = append(cells.Keys, values), len(values)
	}
	for _, c := range q.Counts {
		var counts []int64
		for cell := range n {
			counts = append(counts, fakeCount(q.Question(c), cell))
		}
		cells.Counts = append(cells.Counts, counts)
	}
	return cells
}

// fakeCount is 10 in the first cell, 20 in the second, and so on, plus a number that tells which condition the question has, if any.
func fakeCount(question string, cell int) int64 {
	count := int64(10 * (cell + 1))
	if strings.Contains(question, "WHERE") {
		count += 1000 * int64(crc32.ChecksumIEEE([]byte(question))%100_000)
	}
	return count
}

// reload puts another policy in force.
func (d *fakeReleaser) reload(version string, edit func(*policy.Policy)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed := *d.policy
	edit(&changed)
	d.policy, d.catalog = &changed, testCatalog(version)
}

func (d *fakeReleaser) answered() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.asks)
}

// A rig is a proxy in front of a fresh database.
type rig struct {
	// blames is what the proxy may log as an error, by the server; nothing if it is empty.
	blames   string
	t        testing.TB
	database string
	releaser *fakeReleaser
	proxy    *Proxy
	address  *net.TCPAddr
	log      *lockedBuffer
	served   chan error
}

// newRig starts a proxy of the test's own, so that the test may run beside others; edit, if not nil, may change its policy before.
func newRig(t *testing.T, edit func(*policy.Policy)) *rig {
	t.Helper()
	t.Parallel()
	return newRigAlone(t, edit)
}

// newRigAlone is newRig for a test that shares something else with others.
func newRigAlone(t testing.TB, edit func(*policy.Policy)) *rig {
	t.Helper()
	r := &rig{t: t, database: cluster.CreateDatabase(t), log: &lockedBuffer{}, served: make(chan error, 1)}
	if err := execute(r.database, patients); err != nil {
		t.Fatal(err)
	}
	pol := &policy.Policy{
		Upstream: policy.Upstream{Analyst: fmt.Sprintf("postgres://{analyst}@%s:%d/%s", cluster.Host, cluster.Port, r.database)},
		TLS:      policy.TLS{Mode: policy.TLSDisable},
		Auth:     policy.AuthTrust,
		Analysts: []policy.Analyst{{Name: "ana"}, {Name: "bob"}},
		Limits:   policy.Limits{Cells: 1000, StatementBytes: 1 << 20, Nesting: 500, Connections: 50},
	}
	if edit != nil {
		edit(pol)
	}
	r.releaser = &fakeReleaser{policy: pol, catalog: testCatalog("1")}
	var err error
	r.proxy, err = New(Config{Policy: pol, Releaser: r.releaser, Log: slog.New(slog.NewTextHandler(r.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	r.proxy.knownFor = time.Hour // so that nothing here depends on the time
	door, err := listener.Open(append([]string{"127.0.0.1:0"}, pol.Listen...), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.address = door.Addr().(*net.TCPAddr)
	go func() { r.served <- r.proxy.Serve(context.Background(), door) }()
	t.Cleanup(r.stop)
	return r
}

// stop ends the proxy and makes sure that it got stuck nowhere and found nothing odd.
func (r *rig) stop() {
	r.proxy.Close()
	select {
	case <-r.served:
	case <-time.After(20 * time.Second):
		r.t.Error("the proxy does not end")
	}
	if r.t.Failed() {
		return
	}
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, "level=ERROR") && (r.blames == "" || !strings.Contains(line, r.blames)) {
			r.t.Errorf("the proxy logged an error: %s", line)
		}
	}
}

// commit has somebody else change the server, as the next look finds.
func (r *rig) commit(sql string) {
	r.t.Helper()
	if err := execute(r.database, sql); err != nil {
		r.t.Fatal(err)
	}
	r.releaser.look(func(d *fakeReleaser) { d.moment++ })
}

// url is a connection string for an analyst through the proxy.
func (r *rig) url(analyst string) string {
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", analyst, r.address, r.database)
}

// direct is the address of the server itself.
func (r *rig) direct() string { return fmt.Sprintf("%s:%d", cluster.Host, cluster.Port) }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Look finds nothing, unless a test says what it is to find.
func (d *fakeReleaser) Look(context.Context) (moment uint64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.finds != nil {
		d.catalog, d.finds = d.catalog.Behind(d.finds), nil
	}
	return d.moment, nil
}

// LastLook serves only if a test wants it.
func (d *fakeReleaser) LastLook() (moment uint64, serves bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.serves {
		return 0, false
	}
	return d.moment, true
}

// Report makes two rows, of the analyst and the name of the report in columns of text, and of the row's number in most others.
func (d *fakeReleaser) Report(_ context.Context, analyst string, reports []*rewrite.Report) ([]*query.Cells, error) {
	cells := make([]*query.Cells, len(reports))
	for i, report := range reports {
		cells[i] = &query.Cells{}
		for _, c := range report.Columns {
			var values []query.Value
			for row := range 2 {
				text := fmt.Sprint(row + 1)
				switch c.Type {
				case "pg_catalog.text":
					text = analyst + "'s \\ " + report.Name
				case "pg_catalog.bool":
					text = fmt.Sprint(row == 0)
				case "pg_catalog.timestamptz":
					text = "2026-01-02 03:04:05Z"
				}
				values = append(values, query.Value{Text: text})
			}
			cells[i].Keys = append(cells[i].Keys, values)
		}
	}
	return cells, nil
}
