package auditor

import (
	"math"
	"testing"
)

// One answer about a rare value, at the least deviation that is judged and at larger ones, is far enough out for an alarm with a probability
// below 1e-9: the tail of Poisson's law is summed.
func TestAlarmOfOneAnswer(t *testing.T) {
	for deviation := float64(leastDeviation); deviation <= 40; deviation++ {
		mean := deviation * deviation
		alarming := func(count float64) bool {
			s := &State{}
			z := (count - mean) / deviation
			(&watch{answers: 1, squares: z * z}).judge(s)
			return s.alarm != ""
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
