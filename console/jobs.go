package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
	"tacit/release/acts"
)

// This file does acts that read rows, and may take minutes: publications and seals. They run in the background, one at a time for each table, and go on when
// the browser is gone. The ledger has the decision before one begins. Their pages are for stewards. Start at beginJob.

// jobs are those that run, and the newest of those that ended.
type jobs struct {
	mu      sync.Mutex // protects what follows, and the fields of jobs
	busy    map[string]bool
	byEntry *lru.Cache[int64, *job]
	looking chan struct{} // has room for as many as find out at once what an act would cost

	// prepare and perform are those of an act, except in tests.
	prepare func(*acts.Act, context.Context, *policy.Policy, *ledger.Reader) (acts.Data, error)
	perform func(*acts.Act, context.Context, *policy.Policy, func(step string)) ([][2]string, error)
}

const (
	keptJobs = 200
	mostJobs = 2
	// preparing bounds the time in which a page finds out what such an act would cost.
	preparing = 20 * time.Second
)

func newJobs() (jobs, error) {
	kept, err := lru.New[int64, *job](keptJobs)
	return jobs{busy: make(map[string]bool), byEntry: kept, looking: make(chan struct{}, mostJobs), prepare: (*acts.Act).Prepare, perform: (*acts.Act).Perform}, err
}

// A job is an act that is being done, or was.
type job struct {
	Entry            int64 // the decision
	Words, By, Table string
	Reason           string
	Began            time.Time
	Running          bool
	Steps            []string
	Failure          string
	Lines            [][2]string
	Took             time.Duration
}

// running are those that run, the newest first.
func (j *jobs) running() (all []job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, one := range slices.Backward(j.byEntry.Values()) {
		if one.Running {
			all = append(all, *one)
		}
	}
	return all
}

// take reserves a table for a job. Two at once would each find the other's work in its way.
func (j *jobs) take(table string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.busy[table]:
		return busyError(table)
	case len(j.busy) == mostJobs:
		return errors.New("two tables are being published or sealed already, see Acts; wait until one has ended")
	}
	j.busy[table] = true
	return nil
}

func busyError(table string) error {
	return fmt.Errorf("%s is being published or sealed already, see Acts; wait until it has ended", table)
}

// look waits until there is room to find out what an act would cost. It takes no table: somebody who only looks keeps nobody from doing it.
func (j *jobs) look(ctx context.Context, table string) error {
	j.mu.Lock()
	busy := j.busy[table]
	j.mu.Unlock()
	if busy {
		return busyError(table)
	}
	select {
	case j.looking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errors.New("others find out what their acts would cost; try again")
	}
}

func (j *jobs) free(table string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.busy, table)
}

// open says whether rows may be read now.
func (v *visit) open() error {
	if v.Closed == nil {
		return nil
	}
	if err := v.Closed(); err != nil {
		return fmt.Errorf("protected tables are closed: %w", err)
	}
	return nil
}

// prepareData finds out what an act would cost that reads rows, and whether this console can do it.
func (v *visit) prepareData(a *acts.Act) (acts.Data, error) {
	if err := v.open(); err != nil {
		return acts.Data{}, err
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), preparing)
	defer cancel()
	if err := v.jobs.look(ctx, a.Table); err != nil {
		return acts.Data{}, err
	}
	defer func() { <-v.jobs.looking }()
	data, err := v.jobs.prepare(a, ctx, v.policy, v.ledger)
	if err != nil {
		return data, fmt.Errorf("this console cannot do it: %w", err)
	}
	return data, nil
}

// beginJob writes the decision, and begins what was decided. It ends with the console, and not with the request.
func (v *visit) beginJob(a *acts.Act, write func(context.Context) error) error {
	if err := v.open(); err != nil {
		return err
	}
	if err := v.jobs.take(a.Table); err != nil {
		return err
	}
	if err := v.writes(write); a.Entry == 0 {
		v.jobs.free(a.Table)
		return err
	}
	one := &job{Entry: a.Entry, Words: a.Words(), By: a.By, Table: a.Table, Reason: a.Reason, Began: v.now, Running: true}
	v.jobs.byEntry.Add(a.Entry, one)
	p := v.policy
	v.background(func(ctx context.Context) {
		defer v.jobs.free(a.Table)
		v.jobs.run(ctx, one, a.FailureText, func(told func(string)) ([][2]string, error) { return v.jobs.perform(a, ctx, p, told) })
		say, how := v.Log.Info, "an act of a steward is done"
		if one.Failure != "" { // which is said to stewards alone
			say, how = v.Log.Warn, "an act of a steward has failed"
		}
		say(how, "name", one.By, "act", string(a.Kind), "table", a.Table, "entry", one.Entry)
	})
	return nil
}

// run does a job, and keeps what came of it. A fault is a failure like others.
func (j *jobs) run(ctx context.Context, one *job, text func(error) string, perform func(told func(string)) ([][2]string, error)) {
	began := time.Now()
	lines, failure := [][2]string(nil), "it was broken off by a fault"
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		one.Running, one.Took, one.Lines, one.Failure = false, time.Since(began), lines, failure
	}()
	made, err := perform(func(step string) {
		j.mu.Lock()
		defer j.mu.Unlock()
		one.Steps = append(one.Steps, step)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		failure = "the console was ended meanwhile"
	case err != nil:
		failure = text(err)
	default:
		lines, failure = made, ""
	}
}

// at is the job of a decision, as it is now.
func (j *jobs) at(entry int64) (one job, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	found, ok := j.byEntry.Peek(entry)
	if ok {
		one = *found
		one.Steps = slices.Clone(one.Steps)
	}
	return one, ok
}

type jobContent struct {
	job
	Made int64 // the entry of what was done; 0: there is none
}

// jobPage shows how far a job is, and what came of it.
func (v *visit) jobPage() (*page, error) {
	entry, err := strconv.ParseInt(v.r.PathValue("entry"), 10, 64)
	if err != nil {
		return nil, errNotFound
	}
	one, ok := v.jobs.at(entry)
	if !ok {
		return nil, &refusal{http.StatusNotFound, "This console knows nothing of it any more. It may have been started again meanwhile. What was charged or sealed stands among Questions."}
	}
	content := jobContent{job: one}
	if one.Running {
		v.w.Header().Set("Refresh", "1")
		return &page{"job", "Being done", content}, nil
	}
	content.Made, err = v.madeBy(&one)
	title := "Done"
	if one.Failure != "" {
		title = "Not done"
	}
	return &page{"job", title, content}, err
}

// madeBy is the entry that a job made: it names the decision's. It is one of stewards, since an analyst's statement can have any text.
func (v *visit) madeBy(one *job) (int64, error) {
	table, err := policy.ParseTableName(one.Table)
	if err != nil {
		return 0, err
	}
	found, err := v.ledger.Log(v.r.Context(), ledger.LogFilter{Analyst: release.Steward, Table: table, After: one.Entry, Before: one.Entry + actsReach, Text: fmt.Sprintf("entry %d, by ", one.Entry)})
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[len(found)-1].ID, nil
}

// entryPage shows an entry of the ledger: what an act made.
func (v *visit) entryPage() (*page, error) {
	id, err := strconv.ParseInt(v.r.PathValue("entry"), 10, 64)
	if err != nil || id < 1 {
		return nil, errNotFound
	}
	found, err := v.ledger.Log(v.r.Context(), ledger.LogFilter{After: id - 1, Before: id + 1})
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, errNotFound
	}
	_, known := v.jobs.at(id)
	return &page{"entry", fmt.Sprintf("Entry %d", id), entryContent{found[0], known && v.person.Role == steward}}, nil
}

type entryContent struct {
	ledger.Entry
	HasJob bool // it was done by a job that this person may see
}
