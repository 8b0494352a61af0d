package publish

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/rewrite/query"
)

// A publisher is a session of the role that owns publications. It reads no protected row: the curator reads them, and this program
// carries what the mechanism made of them from one to the other.
type publisher struct {
	conn *pgx.Conn
}

// publisherSettings make texts mean what they do on the curator's connections.
var publisherSettings = map[string]string{
	"application_name":                    "tacit publisher",
	"client_encoding":                     "UTF8",
	"client_min_messages":                 "error",
	"datestyle":                           "ISO, MDY",
	"default_transaction_isolation":       "read committed",
	"default_transaction_read_only":       "off",
	"idle_in_transaction_session_timeout": "0",
	"intervalstyle":                       "postgres",
	"lock_timeout":                        "10000",
	"search_path":                         "pg_catalog",
	"standard_conforming_strings":         "on",
	"statement_timeout":                   "0",
	"timezone":                            "UTC",
}

func connectPublisher(ctx context.Context, url string) (*publisher, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("upstream.publisher: %w", err)
	}
	config.RuntimeParams = publisherSettings
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("upstream.publisher: %w", err)
	}
	return &publisher{conn}, nil
}

// close ends the session, and takes back what was not committed.
func (p *publisher) close() {
	ctx, cancel := context.WithTimeout(context.Background(), curator.CloseTimeout)
	defer cancel()
	_ = p.conn.Close(ctx)
}

// A publishedTable is what the publisher makes.
type publishedTable struct {
	name     policy.TableName
	replace  bool
	columns  []publishedColumn
	comment  string
	analysts []string
	charged  bool // it is no rehearsal
}

type publishedColumn struct {
	name, typ string
	// collates says that values are put in order byte by byte.
	collates bool
}

// target describes the table that a publication becomes.
func (w *Publishing) target(replace bool) publishedTable {
	t := publishedTable{name: w.publication.Name, replace: replace, comment: publishedMark}
	for _, i := range w.rows.order() {
		c := &w.rows.columns[i]
		column := publishedColumn{name: c.Source.Name, typ: c.Source.Formatted, collates: isText(c.Source.TypeOID)}
		if c.Source.TypeOID == query.EnumOID || c.quasi && w.publication.Kind.Generalises() && !w.publication.Reconstruct { // the readers may not use an enum's schema
			column.typ, column.collates = "text", true
		} else if strings.HasPrefix(c.Source.Collation, "pg_catalog.") {
			column.typ += " COLLATE " + c.Source.Collation
		}
		t.columns = append(t.columns, column)
	}
	for _, a := range w.policy.Analysts {
		t.analysts = append(t.analysts, a.Name)
	}
	return t
}

// preflight makes the table without rows and takes it back, so that what is in its way is found before anything is charged. It leaves open the transaction in
// which write is called again. A table that is replaced is locked in it: nobody can begin to read it after the charge, and hold up the exchange.
func (p *publisher) preflight(ctx context.Context, t publishedTable) error {
	if err := curator.Execute(ctx, p.conn, "BEGIN"); err != nil {
		return err
	}
	there, err := p.checkTarget(ctx, t)
	if err != nil {
		return err
	}
	err = p.tryOut(ctx, t, there)
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code {
		case dependentObjects:
			err = fmt.Errorf("%v cannot be replaced: %s; drop what depends on it", t.name, server.Detail)
		case "55P03": // lock_not_available
			err = fmt.Errorf("%v cannot be replaced while somebody reads it; try again", t.name)
		}
	}
	if err != nil {
		return fmt.Errorf("rehearsing the publication: %w", err)
	}
	return nil
}

const dependentObjects = "2BP01" // dependent_objects_still_exist

func (p *publisher) tryOut(ctx context.Context, t publishedTable, there bool) error {
	if there {
		if err := curator.Execute(ctx, p.conn, "LOCK TABLE "+curator.QuoteTable(t.name)+" IN ACCESS EXCLUSIVE MODE"); err != nil {
			return err
		}
	}
	if err := curator.Execute(ctx, p.conn, "SAVEPOINT rehearsal"); err != nil {
		return err
	}
	if _, err := p.write(ctx, t, func(*copyWriter) error { return nil }); err != nil {
		return err
	}
	return curator.Execute(ctx, p.conn, "ROLLBACK TO SAVEPOINT rehearsal; RELEASE SAVEPOINT rehearsal")
}

const targetQuery = `
SELECT c.relkind = 'r', c.relowner = r.oid, coalesce(pg_catalog.obj_description(c.oid, 'pg_class'), '')
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_roles AS r ON r.rolname = current_user
WHERE n.nspname = $1 AND c.relname = $2`

// checkTarget refuses to replace what was not published, and says whether there is something to be replaced.
func (p *publisher) checkTarget(ctx context.Context, t publishedTable) (there bool, err error) {
	var table, owned bool
	var comment string
	err = p.conn.QueryRow(ctx, targetQuery, t.name.Schema, t.name.Name).Scan(&table, &owned, &comment)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	before, published := parseComment(comment)
	switch {
	case !table || !owned || !published || before.Publication != t.name.String():
		return false, fmt.Errorf("%v exists already, and was not published by tacit: rename it or drop it, or publish under another name", t.name)
	case !t.replace:
		return false, fmt.Errorf("%v was published already; --replace publishes it anew, which is charged again", t.name)
	}
	return true, nil
}

// unfinished is the name under which a table is filled, in the schema of the publication. No other transaction sees it.
const unfinished = "tacit_unfinished_publication"

// write makes the table and fills it, with its comment and its privileges, and puts it in the place of what it replaces, in the transaction that preflight began. If
// the former table had to be set aside, aside is its name.
func (p *publisher) write(ctx context.Context, t publishedTable, rows func(*copyWriter) error) (aside string, err error) {
	const heap = "pg_temp.tacit_publication"
	if err := curator.Execute(ctx, p.conn, "CREATE TEMPORARY TABLE tacit_publication ("+t.definitions()+") ON COMMIT DROP"); err != nil {
		return "", err
	}
	if err := p.copyRows(ctx, "COPY "+heap+" FROM STDIN (FORMAT text, ENCODING 'UTF8')", rows); err != nil {
		return "", err
	}
	made := policy.TableName{Schema: t.name.Schema, Name: unfinished}
	if err := curator.Execute(ctx, p.conn, "CREATE TABLE "+curator.QuoteTable(made)+" AS SELECT * FROM "+heap+" ORDER BY "+t.order()+
		";\nCOMMENT ON TABLE "+curator.QuoteTable(made)+" IS "+curator.QuoteLiteral(t.comment)); err != nil {
		return "", err
	}
	if err := p.revoke(ctx, made); err != nil {
		return "", err
	}
	if err := p.grant(ctx, made, t.analysts); err != nil {
		return "", err
	}
	if there, err := p.checkTarget(ctx, t); err != nil {
		return "", err
	} else if there {
		if aside, err = p.remove(ctx, t); err != nil {
			return "", err
		}
	}
	return aside, curator.Execute(ctx, p.conn, "ALTER TABLE "+curator.QuoteTable(made)+" RENAME TO "+curator.QuoteIdentifier(t.name.Name))
}

// remove drops what is replaced. Its lock keeps views away since the rehearsal, but not functions of its rows, which PostgreSQL makes without any lock. After the
// charge, these are no reason to fail: the former table is set aside, where nobody reads it.
func (p *publisher) remove(ctx context.Context, t publishedTable) (aside string, err error) {
	err = curator.Execute(ctx, p.conn, "SAVEPOINT removal; DROP TABLE "+curator.QuoteTable(t.name)+"; RELEASE SAVEPOINT removal")
	var server *pgconn.PgError
	if !t.charged || !errors.As(err, &server) || server.Code != dependentObjects {
		return "", err
	}
	if err := curator.Execute(ctx, p.conn, "ROLLBACK TO SAVEPOINT removal; RELEASE SAVEPOINT removal"); err != nil {
		return "", err
	}
	former := policy.TableName{Schema: t.name.Schema, Name: "tacit_former_" + strings.ToLower(rand.Text())}
	if err := p.revoke(ctx, t.name); err != nil {
		return "", err
	}
	return former.String(), curator.Execute(ctx, p.conn, "ALTER TABLE "+curator.QuoteTable(t.name)+" RENAME TO "+curator.QuoteIdentifier(former.Name)+
		";\nCOMMENT ON TABLE "+curator.QuoteTable(former)+" IS 'Replaced by tacit, and kept because something depends on it'")
}

func (t *publishedTable) definitions() string {
	items := make([]string, len(t.columns))
	for i, c := range t.columns {
		items[i] = curator.QuoteIdentifier(c.name) + " " + c.typ
	}
	return strings.Join(items, ", ")
}

// order is by all columns, so that rows that cannot be told apart are the only ones whose places tell of anything else.
func (t *publishedTable) order() string {
	items := make([]string, len(t.columns))
	for i, c := range t.columns {
		items[i] = curator.QuoteIdentifier(c.name)
		if c.collates {
			items[i] += ` COLLATE pg_catalog."C"`
		}
	}
	return strings.Join(items, ", ")
}

const granteesQuery = `
SELECT DISTINCT CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(x.grantee)) END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) AS x
WHERE n.nspname = $1 AND c.relname = $2 AND x.grantee <> c.relowner`

// revoke takes a table from everybody but its owner: default privileges may have given it to others.
func (p *publisher) revoke(ctx context.Context, t policy.TableName) error {
	rows, err := p.conn.Query(ctx, granteesQuery, t.Schema, t.Name)
	if err != nil {
		return err
	}
	grantees, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var statements []string
	for _, grantee := range grantees {
		statements = append(statements, "REVOKE ALL ON "+curator.QuoteTable(t)+" FROM "+grantee)
	}
	return curator.Execute(ctx, p.conn, strings.Join(statements, "; "))
}

// grant lets the analysts read.
func (p *publisher) grant(ctx context.Context, t policy.TableName, analysts []string) error {
	readers := make([]string, len(analysts))
	for i, a := range analysts {
		readers[i] = curator.QuoteIdentifier(a)
	}
	return curator.Execute(ctx, p.conn, "GRANT SELECT ON "+curator.QuoteTable(t)+" TO "+strings.Join(readers, ", "))
}

func (p *publisher) commit(ctx context.Context) error { return curator.Execute(ctx, p.conn, "COMMIT") }

// copyRows streams rows into the server.
func (p *publisher) copyRows(ctx context.Context, sql string, rows func(*copyWriter) error) error {
	from, to := io.Pipe()
	done := make(chan error, 1)
	go func() {
		out := &copyWriter{to: to}
		err := rows(out)
		if err == nil {
			err = out.flush()
		}
		_ = to.CloseWithError(err) // nil ends the rows
		done <- err
	}()
	_, err := p.conn.PgConn().CopyFrom(ctx, from, sql)
	_ = from.CloseWithError(io.ErrClosedPipe) // so that a writer nobody reads from ends
	if failed := <-done; failed != nil && !errors.Is(failed, io.ErrClosedPipe) {
		return failed
	}
	return err
}

// A copyWriter writes rows in the text format of COPY.
type copyWriter struct {
	to     io.Writer
	buffer []byte
}

const copyChunk = 1 << 16

func (c *copyWriter) separate() { c.buffer = append(c.buffer, '\t') }

func (c *copyWriter) null() { c.buffer = append(c.buffer, `\N`...) }

func (c *copyWriter) text(s string) {
	for i := range len(s) {
		switch b := s[i]; b {
		case '\\':
			c.buffer = append(c.buffer, `\\`...)
		case '\t':
			c.buffer = append(c.buffer, `\t`...)
		case '\n':
			c.buffer = append(c.buffer, `\n`...)
		case '\r':
			c.buffer = append(c.buffer, `\r`...)
		default:
			c.buffer = append(c.buffer, b)
		}
	}
}

// end ends a row.
func (c *copyWriter) end() error {
	c.buffer = append(c.buffer, '\n')
	if len(c.buffer) < copyChunk {
		return nil
	}
	return c.flush()
}

func (c *copyWriter) flush() error {
	_, err := c.to.Write(c.buffer)
	c.buffer = c.buffer[:0]
	return err
}
