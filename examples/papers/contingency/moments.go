package contingency

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// deviation is the standard deviation.
func deviation(values []float64) float64 { return stat.StdDev(values, nil) }

func sorted(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }
