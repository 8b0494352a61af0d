package relay

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tacit/proxy/internal/wire"
)

// patience bounds every wait of a test for another goroutine. It is reached only by a test that fails.
const patience = 20 * time.Second

var malformed = wire.AppendError(nil, "ERROR", wire.ErrorFields{Code: "08P01", Message: "invalid message format"})

// sent queues requests.
func sent(t *testing.T, q *replies, kinds ...RequestKind) {
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
		p, b, ds, dp, e, c, s, q, end = ParseRequest, BindRequest, DescribeStatementRequest, DescribePortalRequest, ExecuteRequest,
			CloseRequest, SyncRequest, QueryRequest, copyEnd
	)
	for name, tt := range map[string]struct {
		sent []RequestKind
		good string
		bad  string // one more reply, which does not fit
	}{
		"nothing asked":                   {nil, "", "Z"},
		"row without request":             {nil, "", "D"},
		"one ReadyForQuery too many":      {[]RequestKind{s}, "Z", "Z"},
		"query":                           {[]RequestKind{q}, "TDDCTDCIZ", "C"},
		"parse twice":                     {[]RequestKind{p, p}, "1", "2"},
		"extended":                        {[]RequestKind{p, b, dp, e, c, s}, "12TDDC3Z", "1"},
		"no data":                         {[]RequestKind{ds, dp}, "tnn", "n"},
		"describe without parameters":     {[]RequestKind{ds}, "", "T"},
		"suspended":                       {[]RequestKind{e, e}, "DsD", "Z"},
		"execute describes nothing":       {[]RequestKind{e}, "", "T"},
		"error skips to Sync":             {[]RequestKind{p, b, e, s, q}, "eZC", "2"},
		"error swallows a query":          {[]RequestKind{p, q, s}, "eZ", "Z"},
		"error at Sync":                   {[]RequestKind{s}, "eZ", "e"},
		"error without request":           {[]RequestKind{q}, "CZ", "e"},
		"error between messages":          {[]RequestKind{p}, "1e", "1"},
		"two errors in a query":           {[]RequestKind{q}, "CeZ", "Z"},
		"copy in":                         {[]RequestKind{q, end, q}, "GCZC", "1"},
		"copy in ends early":              {[]RequestKind{q}, "G", "C"},
		"copy in twice at once":           {[]RequestKind{q}, "G", "G"},
		"copy in never ended":             {[]RequestKind{q}, "G", "Z"},
		"copy swallows Syncs":             {[]RequestKind{e, s, s, end, s}, "GCZ", "Z"},
		"failed copy swallows Syncs":      {[]RequestKind{e, s, end, s}, "GeZ", "Z"},
		"failed copy without end":         {[]RequestKind{q, s}, "GeZ", "Z"},
		"copy of a parse":                 {[]RequestKind{e, p, end}, "G", "C"},
		"copy both":                       {[]RequestKind{q}, "", "W"},
		"copy end outside of a copy":      {[]RequestKind{end, q, end, q, end}, "CZCZ", "C"},
		"suspended copy":                  {[]RequestKind{e}, "G", "s"},
		"asynchronous kinds are not here": {[]RequestKind{q}, "", "N"},
		"unknown":                         {[]RequestKind{q}, "", "x"},
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
	for kind, reply := range map[RequestKind]string{ParseRequest: "1", QueryRequest: "C"} {
		q := newReplies('I')
		q.push(kind, &Handling{Error: malformed})
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
		if err := q.push(ParseRequest, &Handling{Done: func(int, End) { done = append(done, n) }}); err != nil {
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
	if err := q.push(SyncRequest, nil); !errors.Is(err, ErrEnded) {
		t.Errorf("push after the end: %v", err)
	}
}

// What the server skips is done without success, also when it is sent after the error.
func TestSkippedIsDone(t *testing.T) {
	q := newReplies('I')
	var outcomes []End
	how := &Handling{Done: func(_ int, end End) { outcomes = append(outcomes, end) }}
	q.push(ParseRequest, how)
	q.push(BindRequest, how)
	if err := arrive(q, "e"); err != nil {
		t.Fatal(err)
	}
	if err := q.drain(); !errors.Is(err, ErrSkipped) {
		t.Errorf("drain: %v", err)
	}
	q.push(ExecuteRequest, how)
	q.push(QueryRequest, how)
	q.push(SyncRequest, how)
	if err := arrive(q, "Z"); err != nil {
		t.Fatal(err)
	}
	want := []End{Failed, Skipped, Skipped, Skipped, Succeeded}
	if !slices.Equal(outcomes, want) {
		t.Errorf("outcomes %v, want %v", outcomes, want)
	}
	if err := q.drain(); err != nil {
		t.Errorf("drain: %v", err)
	}
}

// A sender never waits for room that only its own next message could make, nor misses room that was made.
func TestFullOfSyncs(t *testing.T) {
	fill := func(q *replies) {
		for q.n < MaxOutstanding {
			sent(t, q, SyncRequest)
		}
	}
	push := func(q *replies) chan error {
		pushed := make(chan error, 1)
		go func() { pushed <- q.push(SyncRequest, nil) }()
		synctest.Wait() // until it waits, or is done
		return pushed
	}
	synctest.Test(t, func(t *testing.T) {
		q := newReplies('I')
		sent(t, q, QueryRequest)
		fill(q)
		pushed := push(q)
		if err := arrive(q, "G"); err != nil {
			t.Fatal(err)
		}
		if err := <-pushed; !errors.As(err, new(wire.Fatal)) {
			t.Errorf("the server begins to copy in: %v", err)
		}
		if err := <-push(q); !errors.As(err, new(wire.Fatal)) {
			t.Errorf("the server copies in: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		q := newReplies('I')
		sent(t, q, QueryRequest, SyncRequest, SyncRequest, copyEnd)
		fill(q)
		if err := arrive(q, "G"); err != nil {
			t.Fatal(err)
		}
		pushed := push(q)
		if err := arrive(q, "C"); err != nil {
			t.Fatal(err)
		}
		if err := <-pushed; err != nil {
			t.Errorf("the copy has ended: %v", err)
		}
	})
}
