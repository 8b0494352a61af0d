package chaos

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"
)

// A holding is what a process holds.
type holding struct{ memory, descriptors, goroutines, sessions int }

func (h holding) String() string {
	return fmt.Sprintf("%d MiB, %d descriptors, %d goroutines, %d sessions", h.memory>>20, h.descriptors, h.goroutines, h.sessions)
}

// holds reads what the proxy holds, from the kernel and from its metrics.
func (s *site) holds() (h holding) {
	s.t.Helper()
	p := s.proxies[0]
	p.mu.Lock()
	dir := fmt.Sprintf("/proc/%d", p.process.Process.Pid)
	p.mu.Unlock()
	status, err := os.ReadFile(dir + "/status")
	must(s.t, err)
	h.memory = s.number(string(status), `VmRSS:\s*(\d+) kB`) << 10
	files, err := os.ReadDir(dir + "/fd")
	must(s.t, err)
	h.descriptors = len(files)
	response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", p.metrics))
	must(s.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(s.t, err)
	h.goroutines = s.number(string(text), `(?m)^tacit_goroutines (\d+)$`)
	for _, state := range []string{"active", "idle", "idle in transaction", "logging in"} {
		h.sessions += s.number(string(text), `(?m)^tacit_connections\{state="`+state+`"\} (\d+)$`)
	}
	http.DefaultClient.CloseIdleConnections()
	return h
}

func (s *site) number(text, pattern string) int {
	s.t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		s.t.Fatalf("no %s in\n%s", pattern, text)
	}
	n, err := strconv.Atoi(found[1])
	must(s.t, err)
	return n
}

// settled waits until all sessions have ended, and nothing of them is left.
func (s *site) settled(before holding) (h holding) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		h = s.holds()
		if h.sessions == 0 && h.descriptors <= before.descriptors+spare && h.goroutines <= before.goroutines+spare {
			return h
		}
		if time.Now().After(deadline) {
			s.t.Errorf("left behind: %v; before: %v", h, before)
			return h
		}
	}
}
