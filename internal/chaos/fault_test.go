package chaos

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"tacit/internal/pgtest"
)

// A chaos breaks things in an order that follows from the seed.
type chaos struct {
	*site
	random *rand.Rand
	faults []fault // that are chosen from
	done   map[string]int
}

// A fault breaks something, and mends it again so far that the next one finds something to break.
type fault struct {
	name   string
	weight int
	do     func(*chaos)
}

var faults = []fault{
	{"kill a proxy", 5, (*chaos).killProxy},
	{"kill the ledger's server", 3, (*chaos).crashServer},
	{"cut a proxy's connections to the ledger", 4, (*chaos).cutNow},
	{"cut a proxy's next connections to the ledger", 6, (*chaos).cutLater},
	{"silence a proxy's connections to the ledger", 1, (*chaos).silence},
	{"cut a proxy off from the ledger", 2, (*chaos).cutOff},
	{"fill the ledger's disk", 2, (*chaos).fillDisk},
	{"stop a proxy for a moment", 2, (*chaos).pause},
	{"stop a proxy for longer than the others wait", 1, (*chaos).freeze},
}

// slowest is the number of the last fault, which takes as long as all others: -short leaves it out.
var slowest = len(faults) - 1

// run breaks so many things, at random moments: each kind of fault once, as far as there is room, and then by weight.
func (c *chaos) run(number int) {
	order := c.random.Perm(len(c.faults))
	for i := range number {
		c.sleep(150 * time.Millisecond)
		f := c.choose()
		if i < len(order) {
			f = &c.faults[order[i]]
		}
		c.t.Logf("%3d: %s", i+1, f.name)
		c.done[f.name]++
		c.broken.Add(1)
		f.do(c)
		if c.t.Failed() {
			c.t.Fatalf("after %d faults", i+1)
		}
	}
}

// choose chooses a fault by weight.
func (c *chaos) choose() *fault {
	total := 0
	for _, f := range c.faults {
		total += f.weight
	}
	n := c.random.IntN(total)
	for i := range c.faults {
		if n -= c.faults[i].weight; n < 0 {
			return &c.faults[i]
		}
	}
	panic("unreachable")
}

// sleep sleeps for a random time up to a limit.
func (c *chaos) sleep(limit time.Duration) { time.Sleep(time.Duration(c.random.Int64N(int64(limit)))) }

func (c *chaos) proxy() *proxy { return c.proxies[c.random.IntN(len(c.proxies))] }

func (c *chaos) killProxy() {
	p := c.proxy()
	p.kill()
	c.sleep(300 * time.Millisecond)
	must(c.t, p.start())
	if c.random.IntN(2) == 0 {
		p.awaitListening()
	}
}

func (c *chaos) crashServer() {
	must(c.t, c.ledger.Crash())
	c.sleep(700 * time.Millisecond)
	must(c.t, c.ledger.Restart())
}

func (c *chaos) cutNow() { c.proxy().relay.CutAll() }

// cutLater breaks connections within their first turns, at any byte of a question or an answer.
func (c *chaos) cutLater() {
	p := c.proxy()
	var cuts []pgtest.Cut
	for range 1 + c.random.IntN(4) {
		cut := pgtest.Cut{ToServer: 1 + c.random.Int64N(20_000)}
		if c.random.IntN(2) == 0 {
			cut = pgtest.Cut{ToClient: 1 + c.random.Int64N(20_000)}
		}
		cuts = append(cuts, cut)
	}
	p.relay.Next(cuts...)
	p.relay.CutAll()
}

// silence has a proxy's connections fall silent, without an end: it has to find out by itself, and to make others.
func (c *chaos) silence() { c.proxy().relay.Stall() }

func (c *chaos) cutOff() {
	p := c.proxy()
	p.relay.SetAway(true)
	c.sleep(1500 * time.Millisecond)
	p.relay.SetAway(false)
}

func (c *chaos) fillDisk() {
	if !c.small {
		c.crashServer()
		return
	}
	must(c.t, c.ledger.FillDisk(c.random.IntN(300)))
	c.sleep(time.Second)
	must(c.t, c.ledger.FreeDisk())
	c.revive()
}

// revive starts a server that has ended because its disk was full. It may take a moment to find that out.
func (c *chaos) revive() {
	for range 20 {
		if !c.ledger.Running() {
			must(c.t, c.ledger.Restart())
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *chaos) pause() {
	p := c.proxy()
	p.signal(syscall.SIGSTOP)
	c.sleep(time.Second)
	p.signal(syscall.SIGCONT)
}

// freeze stops a proxy until the others have adopted its charges: what it wants to answer afterwards is no longer its own.
func (c *chaos) freeze() {
	p := c.proxy()
	p.signal(syscall.SIGSTOP)
	time.Sleep(11 * time.Second)
	p.signal(syscall.SIGCONT)
}

// mend leaves everything running.
func (c *chaos) mend() {
	c.revive()
	for _, p := range c.proxies {
		p.relay.Next()
		p.relay.SetAway(false)
		p.awaitListening()
	}
}

// summary says what was done.
func (c *chaos) summary() string {
	text := ""
	for _, f := range c.faults {
		text += fmt.Sprintf("%4d x %s\n", c.done[f.name], f.name)
	}
	return text
}
