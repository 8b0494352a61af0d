package auditor

import (
	"math"
	"strings"
	"testing"
)

// One answer about a rare value, at the least deviation that is judged and at larger ones, is far enough out for an alarm with a probability
// below 1e-9: the tail of Poisson's law is summed.
func TestAlarmOfOneAnswer(t *testing.T) {
	for deviation := float64(leastDeviation); deviation <= 40; deviation++ {
		mean := deviation * deviation
		alarming := func(count float64) bool {
			z := (count - mean) / deviation
			return (&watch{answers: 1, squares: z * z}).alarm() != ""
		}
		tail := 0.0
		for count := math.Ceil(mean); count < 4*mean; count++ {
			gamma, _ := math.Lgamma(count + 1)
			if alarming(count) {
				tail += math.Exp(count*math.Log(mean) - mean - gamma)
			}
		}
		for count := 0.0; count < mean; count++ {
			gamma, _ := math.Lgamma(count + 1)
			if alarming(count) {
				tail += math.Exp(count*math.Log(mean) - mean - gamma)
			}
		}
		if !(tail > 0 && tail < 1e-9) {
			t.Errorf("deviation %v: an alarm with probability %v", deviation, tail)
		}
	}
}

// The alarm counts everybody once, also where several answers of a round are about the same people: no more than the table has.
func TestAlarmCountsPeopleOnce(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.5), PerDecision: risk(0.1), PerStatement: risk(0.5),
		Types: []Type{{Prior: boolean(0.3)}}}, Totals: [][]int64{{2000, 2000}}}
	data := &table{}
	for i := range 4 {
		yes := 200 + 200*i
		o.Units, data.counts = append(o.Units, Unit{0, 1000}), append(data.counts, []int{1000 - yes, yes})
	}
	s := open(t, o, data)
	s.ask(singles(4)...)
	if alarm := s.state.Alarm(); !strings.HasPrefix(alarm, "an answer about 4000 people") {
		t.Errorf("alarm %q", alarm)
	}
}
