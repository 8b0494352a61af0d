package accountant

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Recent calls visit with the log's entries of one analyst, newest first and without their questions, until it returns false.
func (r *Reader) Recent(ctx context.Context, analyst string, visit func(Entry) bool) error {
	rows, err := r.query(ctx, `SELECT id, at, table_schema, table_name, verdict, statement, sqlstate, epsilon, delta, releases, risk
		FROM entry WHERE analyst = ? ORDER BY id DESC`, analyst)
	if err != nil {
		return r.readError(ctx, err)
	}
	defer rows.Close()
	for more := true; more && rows.Next(); {
		e := Entry{Analyst: analyst}
		var at int64
		if err := rows.Scan(&e.ID, &at, &e.Table.Schema, &e.Table.Name, &e.Verdict, &e.SQL, &e.SQLState,
			&e.Loss.Epsilon, &e.Loss.Delta, &e.Loss.Releases, &e.Loss.Risk); err != nil {
			return r.readError(ctx, err)
		}
		e.At = time.Unix(0, at).UTC()
		more = visit(e)
	}
	return r.readError(ctx, rows.Err())
}

// Released calls visit with the releases, newest first and without their payloads, until it returns false.
func (r *Reader) Released(ctx context.Context, visit func(*Release) bool) error {
	rows, err := r.query(ctx, `
		SELECT r.id, r.at, e.table_schema, e.table_name, c.question_key, c.question, c.mechanism, c.epsilon, c.delta, c.releases
		FROM release r JOIN charge c ON c.id = r.charge JOIN entry e ON e.id = c.entry
		ORDER BY r.id DESC`)
	if err != nil {
		return r.readError(ctx, err)
	}
	defer rows.Close()
	for more := true; more && rows.Next(); {
		var release Release
		var at int64
		var key []byte
		if err := rows.Scan(&release.ID, &at, &release.Table.Schema, &release.Table.Name, &key, &release.Text, &release.Mechanism,
			&release.Loss.Epsilon, &release.Loss.Delta, &release.Loss.Releases); err != nil {
			return r.readError(ctx, err)
		}
		copy(release.Key[:], key)
		release.At = time.Unix(0, at).UTC()
		more = visit(&release)
	}
	return r.readError(ctx, rows.Err())
}

// Payload returns the answer of a release.
func (r *Reader) Payload(ctx context.Context, release int64) ([]byte, error) {
	var payload []byte
	err := r.db.QueryRowContext(ctx, `SELECT payload FROM release WHERE id = ?`, release).Scan(&payload)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, r.unavailable("it is damaged", err)
	}
	return payload, r.readError(ctx, err)
}
