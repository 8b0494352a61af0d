package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	faultsFlag = flag.Int("faults", 20, "how many things are broken, in all, without -short")
	seedFlag   = flag.Uint64("seed", 0, "repeats the faults of a run; 0: new ones")
)

func TestChaos(t *testing.T) {
	numbers, number, kinds := []int{2, 4}, *faultsFlag, faults
	if testing.Short() {
		numbers, kinds = []int{3}, faults[:slowest]
		number = len(kinds)
	}
	for _, proxies := range numbers {
		t.Run(fmt.Sprintf("%d proxies", proxies), func(t *testing.T) {
			seed := *seedFlag
			if seed == 0 {
				seed = uint64(time.Now().UnixNano())
			}
			t.Logf("-seed %d", seed)
			s := newSite(t, proxies, smallDisk)
			l := s.startLoad(seed)
			st := s.startSteward(seed)
			c := &chaos{site: s, random: rand.New(rand.NewPCG(seed, 0)), faults: kinds, done: make(map[string]int)}
			stopped := false
			stop := func() {
				if !stopped {
					stopped = true
					st.stop()
					l.stop()
				}
			}
			defer stop() // also when a fault has failed
			c.run((number + len(numbers) - 1) / len(numbers))
			c.mend()
			time.Sleep(2 * time.Second)
			l.served()
			stop()
			l.awaitOpen()
			l.askOrphans()
			l.exhaust()
			l.askAgain()
			st.acted()
			l.reconcile()
			st.reconcile()
			s.verify()
			t.Logf("\n%s", c.summary())
		})
	}
}
