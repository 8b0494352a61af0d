// Command pq is the script of github.com/lib/pq, by package database/sql.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lib/pq"

	"tacit/clients/check"
)

const counts = "SELECT region, count(*) FROM people WHERE age >= $1 AND region = ANY($2) AND admitted < $3 GROUP BY region"

func main() {
	check.Version("github.com/lib/pq")
	db, err := sql.Open("postgres", "sslmode=disable")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer db.Close()
	c := client{context.Background(), db}
	check.Run("wrong password", c.wrongPassword)
	check.Run("own tables and copy", c.ownTables)
	check.Run("protected count", c.count)
	check.Run("parameters and prepared statement", c.parameters)
	check.Run("binary parameters", c.binaryParameters)
	check.Run("refusal", c.refusal)
	check.Run("failed block and savepoint", c.failedBlock)
	check.Run("cursor", c.cursor)
	check.Run("cancel by context", c.cancel)
	check.Run("notifications", c.notifications)
}

type client struct {
	ctx context.Context
	db  *sql.DB
}

// inTransaction rolls back at the end.
func (c client) inTransaction(f func(tx *sql.Tx) error) error {
	tx, err := c.db.Begin()
	if err != nil {
		return err
	}
	return errors.Join(f(tx), tx.Rollback())
}

func (c client) wrongPassword() error {
	db, err := sql.Open("postgres", "sslmode=disable password=wrong")
	if err != nil {
		return err
	}
	defer db.Close()
	return check.SQLState(db.Ping(), "28P01")
}

func (c client) ownTables() error {
	return c.inTransaction(func(tx *sql.Tx) error {
		if _, err := tx.Exec("CREATE TEMP TABLE own (i int, t text, y bytea, a text[])"); err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT INTO own VALUES ($1, $2, $3, $4)", 1, "ä€", []byte{0, 255}, pq.Array([]string{"x", `"`})); err != nil {
			return err
		}
		var i int
		var t string
		var y []byte
		var a []string
		if err := tx.QueryRow("SELECT * FROM own").Scan(&i, &t, &y, pq.Array(&a)); err != nil {
			return err
		}
		statement, err := tx.Prepare("COPY own (i, t) FROM STDIN")
		if err != nil {
			return err
		}
		for i := range 10_000 {
			if _, err := statement.Exec(i, "copied"); err != nil {
				return err
			}
		}
		_, err = statement.Exec()
		if err := errors.Join(err, statement.Close()); err != nil {
			return err
		}
		var n int
		err = tx.QueryRow("SELECT count(*) FROM own").Scan(&n)
		return errors.Join(err, check.Equal([]any{i, t, y, a, n}, []any{1, "ä€", []byte{0, 255}, []string{"x", `"`}, 10_001}))
	})
}

// A querier is a database, a connection or a transaction.
type querier interface {
	Query(sql string, args ...any) (*sql.Rows, error)
}

func cells(q querier, sql string) ([]check.Cell, error) {
	rows, err := q.Query(sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []check.Cell
	for rows.Next() {
		var c check.Cell
		if err := rows.Scan(&c.Region, &c.Sex, &c.N); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

func (c client) count() error {
	got, err := cells(c.db, check.Question)
	check.Answer(got)
	return err
}

// grouped reads regions and counts.
func grouped(rows *sql.Rows, err error) (map[string]int64, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]int64)
	for rows.Next() {
		var region string
		var n int64
		if err := rows.Scan(&region, &n); err != nil {
			return nil, err
		}
		all[region] = n
	}
	return all, rows.Err()
}

func (c client) parameters() error {
	args := []any{20, pq.Array([]string{"north", "south"}), time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC)}
	first, err := grouped(c.db.Query(counts, args...))
	if err != nil {
		return err
	}
	statement, err := c.db.Prepare(counts)
	if err != nil {
		return err
	}
	defer statement.Close()
	for range 6 {
		again, err := grouped(statement.Query(args...))
		if err := errors.Join(err, check.Equal(again, first)); err != nil {
			return err
		}
	}
	return check.Equal(len(first), 2)
}

func (c client) binaryParameters() error {
	db, err := sql.Open("postgres", "sslmode=disable binary_parameters=yes")
	if err != nil {
		return err
	}
	defer db.Close()
	got, err := grouped(db.Query("SELECT region, count(*) FROM people WHERE region <> $1 AND age >= $2 GROUP BY region", "west", 20))
	return errors.Join(err, check.Equal(len(got), 3))
}

func (c client) refusal() error {
	_, err := c.db.Query("SELECT * FROM people WHERE age > $1", 3)
	var refusal *pq.Error
	if !errors.As(err, &refusal) || refusal.Code != "42501" || refusal.Hint == "" {
		return fmt.Errorf("got %v instead of a refusal with a hint", err)
	}
	return c.db.Ping()
}

func (c client) failedBlock() error {
	return c.inTransaction(func(tx *sql.Tx) error {
		exec := func(sql string) error {
			_, err := tx.Exec(sql)
			return err
		}
		if err := exec("SAVEPOINT here"); err != nil {
			return err
		}
		return errors.Join(
			check.SQLState(exec("SELECT name FROM people"), "42501"),
			check.SQLState(exec("SELECT 1"), "25P02"),
			exec("ROLLBACK TO SAVEPOINT here"),
			exec("SELECT sex, count(*) FROM people GROUP BY sex"),
		)
	})
}

func (c client) cursor() error {
	want, err := cells(c.db, check.Question)
	if err != nil {
		return err
	}
	return c.inTransaction(func(tx *sql.Tx) error {
		if _, err := tx.Exec("DECLARE c CURSOR FOR " + check.Question); err != nil {
			return err
		}
		got, err := cells(tx, "FETCH ALL FROM c")
		return errors.Join(err, check.Equal(got, want))
	})
}

func (c client) cancel() error {
	ctx, cancel := context.WithTimeout(c.ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := c.db.ExecContext(ctx, "SELECT pg_sleep(60)"); err == nil {
		return errors.New("the statement was not cancelled")
	}
	return c.db.Ping()
}

func (c client) notifications() error {
	listener := pq.NewListener("sslmode=disable", time.Second, time.Second, nil)
	defer listener.Close()
	if err := listener.Listen("pq_news"); err != nil {
		return err
	}
	if _, err := c.db.Exec("NOTIFY pq_news, 'x'"); err != nil {
		return err
	}
	select {
	case n := <-listener.Notify:
		return check.Equal(n.Extra, "x")
	case <-time.After(time.Minute):
		return errors.New("no notification came")
	}
}
