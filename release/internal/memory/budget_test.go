package memory

import (
	"context"
	"errors"
	"testing"
)

func TestBudget(t *testing.T) {
	b := New(800)
	var ends []func()
	for range 2 {
		ctx, end := b.Begin(context.Background())
		ends = append(ends, end)
		if err := Take(ctx, 150); err != nil {
			t.Fatal(err)
		}
		if err := Take(ctx, 51); !errors.Is(err, ErrTooLarge) {
			t.Errorf("more than a share: %v", err)
		}
		if err := Take(ctx, 50); err != nil {
			t.Errorf("a share: %v", err)
		}
	}
	ctx, end := b.Begin(context.Background())
	if err := Take(ctx, 1); !errors.Is(err, ErrFull) {
		t.Errorf("more than there is: %v", err)
	}
	ends[0]()
	ends[0]() // gives nothing back twice
	if err := Take(ctx, 200); err != nil {
		t.Error(err)
	}
	if err := Take(ctx, 1); err == nil {
		t.Error("more than a share")
	}
	Restart(ctx)
	if err := Take(ctx, 200); err != nil {
		t.Errorf("begun anew: %v", err)
	}
	end()
	ends[1]()
	if used, peak := b.InUse(); used != 0 || peak != 400 {
		t.Errorf("%d used in the end, %d at most", used, peak)
	}
}

// The steward's commands have no statement, and a budget of 0 is none.
func TestNoBudget(t *testing.T) {
	if err := Take(context.Background(), 1<<60); err != nil {
		t.Error(err)
	}
	ctx, end := New(0).Begin(context.Background())
	defer end()
	if err := Take(ctx, 1<<60); err != nil {
		t.Error(err)
	}
}
