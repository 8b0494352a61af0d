package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"tacit/internal/pgtest"
	"tacit/policy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	data := flag.String("data", "", "directory with adult_train.csv; without it, rows are made up")
	out := flag.String("out", "examples/accuracy/out", "directory to write the table and the picture to")
	flag.Parse()
	err := run(ctx, *data, *out, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, out string, progress io.Writer) error {
	rows := syntheticRows(adultRows)
	source := fmt.Sprintf("%d rows that are made up", adultRows)
	if data != "" {
		var err error
		if rows, err = readRows(data); err != nil {
			return err
		}
		source = fmt.Sprintf("the %d rows of Adult's training file", adultRows)
	}
	cluster, err := pgtest.Start(pgtest.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = cluster.Stop() }()
	r, err := measure(ctx, cluster, rows, statements(), progress)
	if err != nil {
		return err
	}
	r.source = source
	return r.write(out)
}

// A result is what one run found.
type result struct {
	source string
	asked  []statement
	found  []*errorsOf // by way
	least  *errorsOf
}

// measure asks the statements in each way.
func measure(ctx context.Context, cluster *pgtest.Cluster, rows []row, asked []statement, progress io.Writer) (*result, error) {
	marginals := shownMarginals(asked)
	l, err := leastErrors(asked, marginals)
	if err != nil {
		return nil, err
	}
	r, err := start(ctx, cluster, rows, marginals)
	if err != nil {
		return nil, err
	}
	defer r.stop()
	result := &result{asked: asked, least: l.expected(rows, asked)}
	for _, w := range ways {
		began := time.Now()
		e, err := r.inWay(ctx, w, rows, asked)
		if err != nil {
			return nil, err
		}
		result.found = append(result.found, e)
		fmt.Fprintf(progress, "%s: mean error %.1f of a count, %.1f s\n", w.name, e.absolute, time.Since(began).Seconds())
	}
	return result, nil
}

// inWay asks the statements in one way. Each that is charged has the same share of the budget, as large as the accountant allows.
func (r *rig) inWay(ctx context.Context, w way, rows []row, asked []statement) (*errorsOf, error) {
	each := policy.Epsilon(1_000_000) // of what is not in the workload, which is nothing
	if !w.declared {
		charged, err := r.charged(ctx, w, asked)
		if err != nil {
			return nil, err
		}
		if each, err = r.share(w, charged); err != nil {
			return nil, err
		}
	}
	answers, err := r.ask(ctx, w, each, asked)
	if err != nil {
		return nil, err
	}
	return compare(rows, asked, answers)
}
