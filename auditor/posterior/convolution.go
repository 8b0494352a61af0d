package posterior

// A window is a law on the integers from first on, up to a factor near 1, without some values whose weights are at most cut in all.
// Weights are added directly, never by a Fourier transform: its error is absolute, and would drown the tails that risks are made of.
type window struct {
	first int
	mass  []float64
	cut   float64
}

// certain is the law of the value 0.
func certain() window { return window{mass: []float64{1}} }

func (w *window) at(v int) float64 {
	if v -= w.first; v < 0 || v >= len(w.mass) {
		return 0
	}
	return w.mass[v]
}

func (w *window) most() float64 {
	most := 0.0
	for _, x := range w.mass {
		most = max(most, x)
	}
	return most
}

func (w *window) mean() float64 {
	sum, total := 0.0, 0.0
	for i, x := range w.mass {
		sum += x * float64(i)
		total += x
	}
	return float64(w.first) + sum/total
}

// convolve is the law of the sum of two independent values.
func convolve(f, g *window) window {
	w := window{first: f.first + g.first, mass: products(f.mass, g.mass), cut: f.cut + g.cut + f.cut*g.cut}
	w.trim()
	return w
}

func products(f, g []float64) []float64 {
	if len(f) > len(g) {
		f, g = g, f
	}
	out := make([]float64, len(f)+len(g)-1)
	for i, x := range f {
		row := out[i : i+len(g)]
		for j, y := range g {
			row[j] += x * y
		}
	}
	return out
}

// trim cuts the ends of a window off.
func (w *window) trim() {
	floor := windowFloor * w.most()
	low, high := 0, len(w.mass)
	for low < high && w.mass[low] < floor {
		w.cut += w.mass[low]
		low++
	}
	for high > low && w.mass[high-1] < floor {
		high--
		w.cut += w.mass[high]
	}
	w.first += low
	w.mass = w.mass[low:high]
}
