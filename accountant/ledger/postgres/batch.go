package postgres

import (
	"github.com/jackc/pgx/v5"

	"tacit/accountant/ledger/store"
)

// A batchReader takes the results of a batch in their order. After an error it takes none.
type batchReader struct {
	results pgx.BatchResults
	err     error
}

// skip takes a result without looking at it.
func (r *batchReader) skip() {
	if r.err == nil {
		_, r.err = r.results.Exec()
	}
}

// allOf takes a result of many rows.
func allOf[Row any](r *batchReader, scan func(store.Scanner) (Row, error)) (all []Row) {
	if r.err != nil {
		return nil
	}
	rows, err := r.results.Query()
	if err != nil {
		r.err = err
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			r.err = err
			return nil
		}
		all = append(all, row)
	}
	r.err = rows.Err()
	return all
}

// firstOf takes a result of one row, or of none.
func firstOf[Row any](r *batchReader, scan func(store.Scanner) (Row, error)) (row Row, found bool) {
	if all := allOf(r, scan); len(all) > 0 {
		return all[0], true
	}
	return row, false
}
