package proxy

import (
	"errors"
	"testing"
	"time"
)

// sent queues requests.
func sent(t *testing.T, q *replies, kinds ...requestKind) {
	t.Helper()
	for _, k := range kinds {
		if err := q.push(k, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// arrive accounts for replies, of which 'e' is an error that leaves the connection in use.
func arrive(q *replies, kinds string) (err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range len(kinds) {
		if kinds[i] == 'e' {
			_, _, err = q.fail()
		} else {
			_, _, err = q.reply(kinds[i], 'I')
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestRepliesFitRequests(t *testing.T) {
	const (
		p, b, ds, dp, e, c, s, q, end = parseRequest, bindRequest, describeStatementRequest, describePortalRequest, executeRequest,
			closeRequest, syncRequest, queryRequest, copyEnd
	)
	for name, tt := range map[string]struct {
		sent []requestKind
		good string
		bad  string // one more reply, which does not fit
	}{
		"nothing asked":                   {nil, "", "Z"},
		"row without request":             {nil, "", "D"},
		"one ReadyForQuery too many":      {[]requestKind{s}, "Z", "Z"},
		"query":                           {[]requestKind{q}, "TDDCTDCIZ", "C"},
		"parse twice":                     {[]requestKind{p, p}, "1", "2"},
		"extended":                        {[]requestKind{p, b, dp, e, c, s}, "12TDDC3Z", "1"},
		"no data":                         {[]requestKind{ds, dp}, "tnn", "n"},
		"describe without parameters":     {[]requestKind{ds}, "", "T"},
		"suspended":                       {[]requestKind{e, e}, "DsD", "Z"},
		"execute describes nothing":       {[]requestKind{e}, "", "T"},
		"error skips to Sync":             {[]requestKind{p, b, e, s, q}, "eZC", "2"},
		"error swallows a query":          {[]requestKind{p, q, s}, "eZ", "Z"},
		"error at Sync":                   {[]requestKind{s}, "eZ", "e"},
		"error without request":           {[]requestKind{q}, "CZ", "e"},
		"error between messages":          {[]requestKind{p}, "1e", "1"},
		"two errors in a query":           {[]requestKind{q}, "CeZ", "Z"},
		"copy in":                         {[]requestKind{q, end, q}, "GCZC", "1"},
		"copy in ends early":              {[]requestKind{q}, "G", "C"},
		"copy in twice at once":           {[]requestKind{q}, "G", "G"},
		"copy in never ended":             {[]requestKind{q}, "G", "Z"},
		"copy swallows Syncs":             {[]requestKind{e, s, s, end, s}, "GCZ", "Z"},
		"failed copy swallows Syncs":      {[]requestKind{e, s, end, s}, "GeZ", "Z"},
		"failed copy without end":         {[]requestKind{q, s}, "GeZ", "Z"},
		"copy of a parse":                 {[]requestKind{e, p, end}, "G", "C"},
		"copy both":                       {[]requestKind{q}, "", "W"},
		"copy end outside of a copy":      {[]requestKind{end, q, end, q, end}, "CZCZ", "C"},
		"suspended copy":                  {[]requestKind{e}, "G", "s"},
		"asynchronous kinds are not here": {[]requestKind{q}, "", "N"},
		"unknown":                         {[]requestKind{q}, "", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReplies('I')
			sent(t, r, tt.sent...)
			if err := arrive(r, tt.good); err != nil {
				t.Fatal(err)
			}
			if err := arrive(r, tt.bad); !errors.As(err, new(stray)) && !errors.Is(err, errCopy) {
				t.Errorf("%q is taken: %v", tt.bad, err)
			}
		})
	}
}

// A message that was made to fail must not succeed.
func TestRefusedMustFail(t *testing.T) {
	for kind, reply := range map[requestKind]string{parseRequest: "1", queryRequest: "C"} {
		q := newReplies('I')
		q.push(kind, &handling{refusal: refuseMalformed()})
		if err := arrive(q, reply); err == nil {
			t.Errorf("a refused request of kind %d succeeded", kind)
		}
	}
}

// The ring grows while requests are in its middle, and every request gets its own reply.
func TestRing(t *testing.T) {
	q := newReplies('I')
	var done []int
	next := 0
	push := func() {
		n := next
		next++
		if err := q.push(parseRequest, &handling{done: func(int, bool) { done = append(done, n) }}); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		push()
	}
	for range 200 {
		push()
		push()
		if err := arrive(q, "1"); err != nil {
			t.Fatal(err)
		}
	}
	q.end()
	for i, n := range done {
		if i != n {
			t.Fatalf("request %d was the %dth to end", n, i)
		}
	}
	if len(done) != next || q.outstanding != 0 {
		t.Errorf("%d of %d ended, %d outstanding", len(done), next, q.outstanding)
	}
	if err := q.push(syncRequest, nil); !errors.Is(err, errEnded) {
		t.Errorf("push after the end: %v", err)
	}
}

// What the server skips is done without success, also when it is sent after the error.
func TestSkippedIsDone(t *testing.T) {
	q := newReplies('I')
	var outcomes []bool
	how := &handling{done: func(_ int, ok bool) { outcomes = append(outcomes, ok) }}
	q.push(parseRequest, how)
	q.push(bindRequest, how)
	if err := arrive(q, "e"); err != nil {
		t.Fatal(err)
	}
	if err := q.settle(); !errors.Is(err, errSkipped) {
		t.Errorf("settle: %v", err)
	}
	q.push(executeRequest, how)
	q.push(queryRequest, how)
	q.push(syncRequest, how)
	if err := arrive(q, "Z"); err != nil {
		t.Fatal(err)
	}
	want := []bool{false, false, false, false, true}
	if len(outcomes) != len(want) || outcomes[4] != true || outcomes[0] || outcomes[1] || outcomes[2] || outcomes[3] {
		t.Errorf("outcomes %v, want %v", outcomes, want)
	}
	if err := q.settle(); err != nil {
		t.Errorf("settle: %v", err)
	}
}

// A sender never waits for room that only its own next message could make, nor misses room that was made.
func TestFullOfSyncs(t *testing.T) {
	fill := func(q *replies) {
		for q.n < maxOutstanding {
			sent(t, q, syncRequest)
		}
	}
	push := func(q *replies) chan error {
		pushed := make(chan error, 1)
		go func() { pushed <- q.push(syncRequest, nil) }()
		return pushed
	}
	await := func(pushed chan error) error {
		select {
		case err := <-pushed:
			return err
		case <-time.After(patience):
			return errors.New("push waits for ever")
		}
	}
	q := newReplies('I')
	sent(t, q, queryRequest)
	fill(q)
	pushed := push(q)
	if err := arrive(q, "G"); err != nil {
		t.Fatal(err)
	}
	if err := await(pushed); !errors.As(err, new(fatal)) {
		t.Errorf("the server begins to copy in: %v", err)
	}
	if err := await(push(q)); !errors.As(err, new(fatal)) {
		t.Errorf("the server copies in: %v", err)
	}

	q = newReplies('I')
	sent(t, q, queryRequest, syncRequest, syncRequest, copyEnd)
	fill(q)
	if err := arrive(q, "G"); err != nil {
		t.Fatal(err)
	}
	pushed = push(q)
	time.Sleep(10 * time.Millisecond) // so that it waits
	if err := arrive(q, "C"); err != nil {
		t.Fatal(err)
	}
	if err := await(pushed); err != nil {
		t.Errorf("the copy has ended: %v", err)
	}
}
