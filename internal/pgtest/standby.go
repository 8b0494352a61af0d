package pgtest

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// This file makes a streaming standby without pg_basebackup, which the servers from npm come without. The invariant: the primary is in backup mode in
// one session for as long as its files are copied. Start at backUp.

// backUp has a new cluster begin with the files of a primary.
func (c *Cluster) backUp(primary *Cluster) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if err := c.backUpFrom(ctx, primary); err != nil {
		return fmt.Errorf("pgtest: backup: %w", err)
	}
	return nil
}

func (c *Cluster) backUpFrom(ctx context.Context, primary *Cluster) error {
	conn, err := pgx.Connect(ctx, primary.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	start, stop := "pg_backup_start('pgtest', true)", "pg_backup_stop(false)"
	var renamed bool
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int >= 150000").Scan(&renamed); err != nil {
		return err
	}
	if !renamed {
		start, stop = "pg_start_backup('pgtest', true, false)", "pg_stop_backup(false, false)"
	}
	if _, err := conn.Exec(ctx, "SELECT "+start); err != nil {
		return err
	}
	if err := c.supervisor.order("copy"); err != nil {
		return err
	}
	var label string
	if err := conn.QueryRow(ctx, "SELECT labelfile FROM "+stop).Scan(&label); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.supervisor.lifeline, "%s\nend\n", strings.TrimSpace(label))
	return err
}
