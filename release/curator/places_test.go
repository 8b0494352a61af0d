package curator

import (
	"context"
	"slices"
	"testing"
)

// queued has analysts wait in an order, and tells who has been given a place since the last call.
type queued struct {
	t       *testing.T
	places  *places
	granted chan string
}

func (q *queued) wait(ctx context.Context, analyst string) {
	q.t.Helper()
	before := q.waiting()
	go func() {
		if q.places.take(ctx, analyst) == nil {
			q.granted <- analyst
		}
	}()
	for q.waiting() == before { // it has come: nobody is given a place here meanwhile
	}
}

func (q *queued) waiting() int {
	q.places.mu.Lock()
	defer q.places.mu.Unlock()
	return len(q.places.waiting)
}

// One analyst leaves places to others, and of those who wait the ones who have fewer are served first, in turn.
func TestPlacesAreShared(t *testing.T) {
	ctx := context.Background()
	q := &queued{t, newPlaces(4), make(chan string, 16)}
	for range 3 {
		if err := q.places.take(ctx, "ana"); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		q.wait(ctx, "ana") // though there is a place
	}
	if err := q.places.take(ctx, "bob"); err != nil {
		t.Fatal(err)
	}
	q.wait(ctx, "bob")
	q.wait(ctx, "eve")
	var order []string
	for _, leaves := range []string{"ana", "ana", "ana", "bob"} {
		q.places.giveBack(leaves)
		order = append(order, <-q.granted)
	}
	if want := []string{"eve", "ana", "ana", "bob"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
}

// Whoever gives up leaves the line, and loses no place.
func TestPlacesGivenUp(t *testing.T) {
	q := &queued{t, newPlaces(1), make(chan string, 16)}
	ctx, cancel := context.WithCancel(context.Background())
	if err := q.places.take(ctx, "ana"); err != nil {
		t.Fatal(err)
	}
	q.wait(ctx, "bob")
	cancel()
	for q.waiting() > 0 {
	}
	q.places.giveBack("ana")
	if err := q.places.take(context.Background(), "eve"); err != nil || len(q.places.held) != 1 {
		t.Errorf("%v, and places are held by %v", err, q.places.held)
	}
}

// The steward's own work has no share.
func TestPlacesOfTheSteward(t *testing.T) {
	places := newPlaces(4)
	for range 4 {
		if err := places.take(context.Background(), analystOf(context.Background())); err != nil {
			t.Fatal(err)
		}
	}
	if got := analystOf(For(context.Background(), "ana")); got != "ana" {
		t.Errorf("work is for %q", got)
	}
}
