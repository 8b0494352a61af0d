package homogeneity

import (
	"fmt"
	"runtime"
	"time"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// timedEpsilons is how many the timed curves have: from 0.001 to almost 100, evenly in the logarithm.
const timedEpsilons = 100

// times is a section by itself: nothing else in these pages differs between runs.
func (x experiments) times() (report.Section, error) {
	s := report.Section{
		ID: "homogeneity-times", Title: "Homogeneity attack: time", Source: paper2021 + ", section 4",
		Intro: fmt.Sprintf("The paper's times are of Python on an Intel Core i3-4010U at 1.7 GHz with 4 GB; how many values of ε its curves have is not said. Here: Go on %d processors, %d values of ε. "+
			"These are the only numbers in these pages that differ from run to run.", runtime.GOMAXPROCS(0), timedEpsilons),
	}
	grid := epsilons(-3, 2, curvePoints)[:timedEpsilons]
	closed, err := timed(func() error {
		_, err := x.adult.curve(local, laplace(), grid)
		return err
	})
	if err != nil {
		return s, err
	}
	laplaceTime, err := x.timeSimulation(laplace(), risk.StandardLaplace, grid)
	if err != nil {
		return s, err
	}
	gaussianTime, err := x.timeSimulation(gaussianPDP(1e-3), risk.StandardGaussian, grid)
	if err != nil {
		return s, err
	}
	faster := "One draw for each cell and label tells at which scales of the noise it is shown; the paper draws anew for each ε."
	elsewhere := "on another machine, in another language"
	s.Rows = []report.Row{
		{What: "Adult, Laplace, closed form of the whole curve", Published: "immediate", Regenerated: seconds(closed), Origin: elsewhere},
		{What: fmt.Sprintf("Adult, Laplace, %d simulations", simulations), Published: "about 27 s", Regenerated: seconds(laplaceTime), Origin: elsewhere, Reason: faster},
		{What: fmt.Sprintf("Adult, Gaussian, %d simulations", simulations), Published: "34 s", Regenerated: seconds(gaussianTime), Origin: elsewhere, Reason: faster},
	}
	return s, nil
}

func (x experiments) timeSimulation(s sanitizer, noise risk.StandardNoise, grid []float64) (time.Duration, error) {
	scales := make([]float64, len(grid))
	for i, e := range grid {
		scales[i] = s.scale(e)
	}
	return timed(func() error {
		_, err := x.adult.attacked(risk.OneLabel)(noise, scales, 1)
		return err
	})
}

func timed(do func() error) (time.Duration, error) {
	began := time.Now()
	err := do()
	return time.Since(began), err
}

func seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return digits(float64(d.Microseconds())/1e3, 1) + " ms"
	}
	return digits(d.Seconds(), 2) + " s"
}
