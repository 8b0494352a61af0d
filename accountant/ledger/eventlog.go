package ledger

import (
	"sync/atomic"
	"time"
)

const (
	eventCapacity = 1024                   // events that wait; more are dropped
	eventBatch    = 256                    // events in one transaction
	eventPause    = 100 * time.Millisecond // between transactions, so that a flood of refusals does not occupy the disk
)

// An eventLog writes events to the log in the background, in groups. What cannot be written is counted as dropped.
type eventLog struct {
	append  func([]loggedEvent) error
	queue   chan loggedEvent
	quota   quota
	dropped atomic.Int64
	stopped atomic.Bool
	halt    chan struct{} // closed to stop the goroutine
	done    chan struct{} // closed when it has ended
}

type loggedEvent struct {
	at int64
	Event
}

// start begins to append events.
func (j *eventLog) start(append func([]loggedEvent) error) {
	j.append = append
	j.queue = make(chan loggedEvent, eventCapacity)
	j.halt, j.done = make(chan struct{}), make(chan struct{})
	go j.run()
}

// stop writes out what is queued and ends the goroutine.
func (j *eventLog) stop() {
	if !j.stopped.Swap(true) {
		close(j.halt)
	}
	<-j.done
}

func (j *eventLog) run() {
	defer close(j.done)
	for {
		select {
		case e := <-j.queue:
			j.write(e)
		case <-j.halt:
			j.finalise()
			return
		}
		select {
		case <-time.After(eventPause):
		case <-j.halt:
		}
	}
}

func (j *eventLog) finalise() {
	for {
		select {
		case e := <-j.queue:
			j.write(e)
		default:
			return
		}
	}
}

// write writes one event and those that wait behind it.
func (j *eventLog) write(first loggedEvent) {
	group := []loggedEvent{first}
	for waiting := true; waiting && len(group) < eventBatch; {
		select {
		case e := <-j.queue:
			group = append(group, e)
		default:
			waiting = false
		}
	}
	if err := j.append(group); err != nil {
		j.dropped.Add(int64(len(group)))
	}
}
