// Command pgx is the script of github.com/jackc/pgx, which binds parameters and asks for rows in binary.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/clients/check"
)

const counts = "SELECT region, count(*) FROM people WHERE age >= $1 AND region <> $2 AND admitted < $3 GROUP BY region"

func main() {
	ctx := context.Background()
	check.Version("github.com/jackc/pgx/v5")
	conn, err := pgx.Connect(ctx, "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer conn.Close(ctx)
	c := client{ctx, conn}
	check.Run("wrong password", c.wrongPassword)
	check.Run("own tables and copy", c.ownTables)
	check.Run("protected count", c.count)
	check.Run("one answer in every mode", c.modes)
	check.Run("batch", c.batch)
	check.Run("refusal in a batch", c.refusedBatch)
	check.Run("pipeline", c.pipeline)
	check.Run("cursor", c.cursor)
	check.Run("refusal under a savepoint", c.savepoint)
	check.Run("cancel by context", c.cancel)
	check.Run("pool", c.pool)
}

type client struct {
	ctx  context.Context
	conn *pgx.Conn
}

func (c client) one() error {
	var one int
	if err := c.conn.QueryRow(c.ctx, "SELECT 1").Scan(&one); err != nil {
		return err
	}
	return check.Equal(one, 1)
}

func (c client) wrongPassword() error {
	config, err := pgx.ParseConfig("")
	if err != nil {
		return err
	}
	config.Password = "wrong"
	_, err = pgx.ConnectConfig(c.ctx, config)
	return check.SQLState(err, "28P01")
}

func (c client) ownTables() error {
	if _, err := c.conn.Exec(c.ctx, "CREATE TEMP TABLE own (i int, t text, d date, a int[])"); err != nil {
		return err
	}
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	if _, err := c.conn.Exec(c.ctx, "INSERT INTO own VALUES ($1, $2, $3, $4)", 1, "ä€", day, []int32{1, 2}); err != nil {
		return err
	}
	type row struct {
		I int
		T string
		D time.Time
		A []int32
	}
	rows, _ := c.conn.Query(c.ctx, "SELECT * FROM own")
	got, err := pgx.CollectOneRow(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return err
	}
	source := pgx.CopyFromSlice(10_000, func(i int) ([]any, error) { return []any{i, "copied"}, nil })
	n, err := c.conn.CopyFrom(c.ctx, pgx.Identifier{"own"}, []string{"i", "t"}, source)
	return errors.Join(err, check.Equal(n, int64(10_000)), check.Equal(got, row{1, "ä€", day, []int32{1, 2}}))
}

func (c client) cells() ([]check.Cell, error) {
	rows, _ := c.conn.Query(c.ctx, check.Question)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[check.Cell])
}

func (c client) count() error {
	cells, err := c.cells()
	check.Answer(cells)
	return err
}

type count struct {
	Region string
	N      int64
}

func (c client) modes() error {
	var first []count
	for _, mode := range []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec,
		pgx.QueryExecModeSimpleProtocol,
	} {
		for range 3 {
			rows, _ := c.conn.Query(c.ctx, counts, mode, 20, "west", time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC))
			got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[count])
			if err != nil {
				return fmt.Errorf("%v: %w", mode, err)
			}
			if first == nil {
				first = got
			}
			if err := check.Equal(got, first); err != nil {
				return fmt.Errorf("%v: %w", mode, err)
			}
		}
	}
	return check.Equal(len(first), 3)
}

func (c client) batch() error {
	var one, people, again int64
	var b pgx.Batch
	b.Queue("SELECT 1::int8").QueryRow(func(r pgx.Row) error { return r.Scan(&one) })
	b.Queue("SELECT count(*) FROM people WHERE age < $1", 50).QueryRow(func(r pgx.Row) error { return r.Scan(&people) })
	b.Queue("SELECT count(*) FROM people WHERE age < $1", 50).QueryRow(func(r pgx.Row) error { return r.Scan(&again) })
	err := c.conn.SendBatch(c.ctx, &b).Close()
	return errors.Join(err, check.Equal(one, int64(1)), check.Equal(people, again))
}

func (c client) refusedBatch() error {
	var b pgx.Batch
	b.Queue("SELECT 1")
	b.Queue("SELECT name FROM people")
	b.Queue("SELECT 2")
	return errors.Join(check.SQLState(c.conn.SendBatch(c.ctx, &b).Close(), "42501"), c.one())
}

// pipeline sends requests with a Sync of their own each, so that a refusal skips none of the others.
func (c client) pipeline() error {
	p := c.conn.PgConn().StartPipeline(c.ctx)
	for _, sql := range []string{"SELECT 1", check.Question, "SELECT name FROM people", check.Question} {
		p.SendQueryParams(sql, nil, nil, nil, nil)
		if err := p.Sync(); err != nil {
			return err
		}
	}
	var seen []string
	for {
		results, err := p.GetResults()
		if err != nil {
			if err := check.SQLState(err, "42501"); err != nil {
				return err
			}
			seen = append(seen, "refused")
			continue
		}
		if results == nil {
			break
		}
		if r, ok := results.(interface{ NextRow() bool }); ok {
			n := 0
			for r.NextRow() {
				n++
			}
			seen = append(seen, fmt.Sprint(n))
		}
	}
	return errors.Join(p.Close(), check.Equal(seen, []string{"1", "12", "refused", "12"}), c.one())
}

func (c client) cursor() error {
	want, err := c.cells()
	if err != nil {
		return err
	}
	tx, err := c.conn.Begin(c.ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(c.ctx)
	if _, err := tx.Exec(c.ctx, "DECLARE c SCROLL CURSOR FOR "+check.Question); err != nil {
		return err
	}
	var got []check.Cell
	for range 3 {
		rows, _ := tx.Query(c.ctx, "FETCH 5 FROM c")
		part, err := pgx.CollectRows(rows, pgx.RowToStructByPos[check.Cell])
		if err != nil {
			return err
		}
		got = append(got, part...)
	}
	return check.Equal(got, want)
}

func (c client) savepoint() error {
	return pgx.BeginFunc(c.ctx, c.conn, func(tx pgx.Tx) error {
		err := pgx.BeginFunc(c.ctx, tx, func(nested pgx.Tx) error {
			_, err := nested.Exec(c.ctx, "SELECT name FROM people")
			return err
		})
		if err := check.SQLState(err, "42501"); err != nil {
			return err
		}
		_, err = tx.Exec(c.ctx, "SELECT sex, count(*) FROM people GROUP BY sex")
		return err
	})
}

// cancel uses a connection of its own, which pgx closes when a context ends.
func (c client) cancel() error {
	conn, err := pgx.Connect(c.ctx, "")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, 300*time.Millisecond)
	defer cancel()
	if _, err := conn.Exec(ctx, "SELECT pg_sleep(60)"); err == nil {
		return errors.New("the statement was not cancelled")
	}
	return errors.Join(conn.Close(c.ctx), c.one())
}

func (c client) pool() error {
	pool, err := pgxpool.New(c.ctx, "pool_max_conns=3")
	if err != nil {
		return err
	}
	defer pool.Close()
	failures := make(chan error)
	for range 9 {
		go func() {
			rows, _ := pool.Query(c.ctx, check.Question)
			cells, err := pgx.CollectRows(rows, pgx.RowToStructByPos[check.Cell])
			failures <- errors.Join(err, check.Equal(len(cells), 12))
		}()
	}
	for range 9 {
		err = errors.Join(err, <-failures)
	}
	return err
}
