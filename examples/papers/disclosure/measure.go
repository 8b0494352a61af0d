package disclosure

import (
	"context"
	"runtime"
	"sync"

	"tacit/examples/papers/internal/utility"
	"tacit/mechanisms"
)

// measured is what one mechanism does to one table.
type measured struct {
	utility.Empirical
	exact *mechanisms.Summary // nil if it is not known
}

// measure draws releases.
func (t *table) measure(s *sanitizer, releases int) (measured, error) {
	r := utility.NewRepetitions(t.histogram.Counts)
	for range releases {
		shown, err := s.release()
		if err != nil {
			return measured{}, err
		}
		if err := r.Add(floats(shown)); err != nil {
			return measured{}, err
		}
	}
	empirical, err := r.Summary()
	m := measured{Empirical: empirical}
	if s.expect != nil {
		exact := mechanisms.Summarize(s.expect)
		m.exact = &exact
	}
	return m, err
}

func floats(counts []int64) []float64 {
	values := make([]float64, len(counts))
	for i, n := range counts {
		values[i] = float64(n)
	}
	return values
}

// each does n jobs on all processors. Every job has its own stream of random bytes and its own place for the result, so that the order in which
// they are done changes nothing. The first error, by the job's number, is returned.
func each(ctx context.Context, n int, job func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = job(i)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
