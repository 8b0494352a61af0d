package chaos

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// This file counts without noise, for tests of what may go wrong between the proxy and its server.

// exactSQL and exactPolicy are of tables that are counted nearly without noise, so that a wrong count is seen: by geometric noise with epsilon 20 a count is off by more than
// one with a probability of 2 exp(-40). A count ends after three seconds.
const exactSQL = `
CREATE TABLE public.exact (id int PRIMARY KEY, sex text NOT NULL, n int NOT NULL);
INSERT INTO public.exact SELECT i, CASE WHEN i % 3 = 0 THEN 'F' ELSE 'M' END, i % 50 FROM generate_series(1, 3000) AS i;
CREATE TABLE public.other (id int PRIMARY KEY, sex text NOT NULL, n int NOT NULL);
INSERT INTO public.other SELECT * FROM public.exact;
VACUUM ANALYZE`

const (
	exactFemale, exactMale = 1000, 2000
	exactPrice             = 20
)

const exactPolicy = `
listen: 127.0.0.1:%[1]d
metrics: {listen: 127.0.0.1:%[4]d}
upstream:
  analyst: postgres://{analyst}@127.0.0.1:%[2]d/data?sslmode=disable
  curator: postgres://tacit_curator@127.0.0.1:%[5]d/data?sslmode=disable&connect_timeout=8
ledger: postgres://tacit_ledger@127.0.0.1:%[3]d/tacit?sslmode=disable
auth: trust
analysts: {ana: {}, bob: {}, cyd: {}, dan: {}}
limits: {count_timeout: 3s}
tables:
  public.exact:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 1000000000}
    derive: false
    columns: {sex: {values: [F, M]}, n: {range: [0, 99999]}}
  public.other:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 1000000000}
    derive: false
    columns: {sex: {values: [F, M]}, n: {range: [0, 99999]}}
`

// exactly is a question about all rows of a table, of so many that mean different things.
func exactly(table string, number int) string {
	return fmt.Sprintf("SELECT sex, count(*) FROM %s WHERE n <> %d GROUP BY sex ORDER BY sex /* %s#%d */", table, 1000+number, table, number)
}

// An exact site has one proxy, whose counts are nearly without noise.
type exact struct {
	*site
	records  *pgx.Conn // to the ledger
	asked    int       // questions
	sessions []*pgx.Conn
}

// newExact makes a site of exactSQL.
func newExact(t *testing.T, o siteOptions) *exact {
	t.Helper()
	o.proxies, o.sql = 1, exactSQL
	e := &exact{site: newSiteOf(t, o)}
	var err error
	e.records, err = pgx.Connect(t.Context(), e.ledger.URL("postgres", "tacit"))
	must(t, err)
	t.Cleanup(func() { e.records.Close(context.Background()) })
	return e
}

func (e *exact) login(analyst string) *pgx.Conn {
	e.t.Helper()
	conn, err := pgx.Connect(e.t.Context(), fmt.Sprintf("postgres://%s@%s/data?sslmode=disable&default_query_exec_mode=exec", analyst, e.proxies[0].address()))
	must(e.t, err)
	e.sessions = append(e.sessions, conn)
	return conn
}

// ask asks about all rows of a table, and says that the counts are right.
func (e *exact) ask(conn *pgx.Conn, table string, number int) (shown string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askPatience)
	defer cancel()
	rows, err := conn.Query(ctx, exactly(table, number))
	if err != nil {
		return "", err
	}
	cells, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		Sex string
		N   int
	}])
	if err != nil {
		return "", err
	}
	shown = fmt.Sprint(cells)
	if len(cells) != 2 || abs(cells[0].N-exactFemale) > 1 || abs(cells[1].N-exactMale) > 1 {
		e.t.Errorf("question %d of %s is answered by %s", number, table, shown)
	}
	return shown, nil
}

func abs(n int) int { return max(n, -n) }

// charges are how many charges there are for a question.
func (e *exact) charges(number int) (n int) {
	e.t.Helper()
	const query = "SELECT count(*) FROM tacit_ledger.charge AS c JOIN tacit_ledger.entry AS e ON e.id = c.entry WHERE e.statement LIKE '%/* exact#' || $1::int || ' */'"
	must(e.t, e.records.QueryRow(context.Background(), query, number).Scan(&n))
	return n
}

// leaveNothing ends the sessions, after which the proxy holds no more than before.
func (e *exact) leaveNothing(before holding) {
	e.t.Helper()
	for _, conn := range e.sessions {
		conn.Close(context.Background()) // one may have been ended by the proxy
	}
	e.settled(before)
}
