package seal

import (
	"context"
	"errors"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/audited"
	"tacit/rewrite"
)

// This file is for stewards who look before they seal: how the table stands, from the ledger alone, and whether its rows can be read.

// ErrSealedMeanwhile is returned when another epoch was sealed since the steward looked. Nothing was done.
var ErrSealedMeanwhile = errors.New("another epoch of the table was sealed meanwhile; nothing was done")

// Standing is how many epochs an audited table has, and its alarm, if there is one.
func Standing(ctx context.Context, l *ledger.Reader, name policy.TableName) (epochs int, alarm string, err error) {
	book, err := audited.OpenBook(ctx, l, name)
	if err != nil || book == nil {
		return 0, "", err
	}
	return book.Epochs, book.State.Alarm(), nil
}

func epochsOf(book *audited.Book) int {
	if book == nil {
		return 0
	}
	return book.Epochs
}

// Check proves that protected tables can be read as OpenEpoch does, by roles that are separate. It reads no row.
func Check(ctx context.Context, p *policy.Policy) error {
	c, err := curator.New(ctx, p)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Prove(ctx, p, func(*curator.Inspection, *rewrite.Catalog) error { return nil })
}
