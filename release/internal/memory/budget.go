package memory

import (
	"context"
	"errors"
	"sync"
)

var (
	// ErrTooLarge is returned when one statement takes more than its share.
	ErrTooLarge = errors.New("release: a statement takes more memory than its share")
	// ErrFull is returned when others have what is left.
	ErrFull = errors.New("release: the memory for statements is taken")
)

// A Budget is shared by all statements. It may be used by many goroutines.
type Budget struct {
	most, share int64 // 0: no bound

	mu         sync.Mutex // protects what follows
	used, peak int64
}

// Of the whole, statements have a half, of which each has a half at most, and the cells that are remembered have an eighth. The rest is for
// connections, declared values, the ledger, and garbage.
const (
	statementsPart = 2
	sharePart      = 4
	cachePart      = 8
)

// New makes the budget of a process that may use so many bytes; 0: no bound.
func New(bytes int64) *Budget {
	return &Budget{most: bytes / statementsPart, share: bytes / sharePart}
}

// CacheBytes is how many bytes of cells are remembered by a process that may use so many.
func CacheBytes(bytes int64) int64 { return bytes / cachePart }

// Share is the most that one statement can take.
func (b *Budget) Share() int64 { return b.share }

// InUse is what is admitted, and the most that ever was.
func (b *Budget) InUse() (used, peak int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used, b.peak
}

// An admission is what one statement has been given.
type admission struct {
	budget *Budget
	held   int64 // protected by the budget's mu
}

type key struct{}

// Begin begins a statement, which takes what it needs by Take under the context. end gives all of it back.
func (b *Budget) Begin(ctx context.Context) (_ context.Context, end func()) {
	a := &admission{budget: b}
	return context.WithValue(ctx, key{}, a), a.end
}

func (a *admission) end() {
	a.budget.mu.Lock()
	defer a.budget.mu.Unlock()
	a.budget.used -= a.held
	a.held = 0
}

// Restart gives back what the statement of a context has, which begins anew.
func Restart(ctx context.Context) {
	if a, _ := ctx.Value(key{}).(*admission); a != nil {
		a.end()
	}
}

// Take admits so many more bytes to the statement of a context. Without a statement, as for the steward's commands, there is no bound.
func Take(ctx context.Context, bytes int64) error {
	a, _ := ctx.Value(key{}).(*admission)
	if a == nil || a.budget.most == 0 {
		return nil
	}
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case a.held+bytes > b.share:
		return ErrTooLarge
	case b.used+bytes > b.most:
		return ErrFull
	}
	a.held += bytes
	b.used += bytes
	b.peak = max(b.peak, b.used)
	return nil
}
