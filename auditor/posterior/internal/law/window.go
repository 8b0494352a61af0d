package law

// Floor is the weight, relative to the largest, from where windows are cut off: their values are divided by each other.
const Floor = 1e-30

// A Window is a law on the integers from First on, up to a factor near 1, without some values whose weights are at most Cut in all.
// Weights are added directly, never by a Fourier transform: its error is absolute, and would drown the tails that risks are made of.
type Window struct {
	First int
	Mass  []float64
	Cut   float64
}

// Certain is the law of the value 0.
func Certain() Window { return Window{Mass: []float64{1}} }

// At is the weight of a value.
func (w *Window) At(v int) float64 {
	if v -= w.First; v < 0 || v >= len(w.Mass) {
		return 0
	}
	return w.Mass[v]
}

// Most is the largest weight.
func (w *Window) Most() float64 {
	most := 0.0
	for _, x := range w.Mass {
		most = max(most, x)
	}
	return most
}

// Mean is the mean of the law.
func (w *Window) Mean() float64 {
	sum, total := 0.0, 0.0
	for i, x := range w.Mass {
		sum += x * float64(i)
		total += x
	}
	return float64(w.First) + sum/total
}

// Convolve is the law of the sum of two independent values.
func Convolve(f, g *Window) Window {
	w := Window{First: f.First + g.First, Mass: Products(f.Mass, g.Mass), Cut: f.Cut + g.Cut + f.Cut*g.Cut}
	w.trim()
	return w
}

// Sum is the law of the sum of independent values.
func Sum(laws []Window) Window {
	sum := Certain()
	for i := range laws {
		sum = Convolve(&sum, &laws[i])
	}
	return sum
}

// Outside is the weight of values that are not in low..high, and that of all.
func (w *Window) Outside(low, high int) (out, total float64) {
	for i, x := range w.Mass {
		total += x
		if v := w.First + i; v < low || v > high {
			out += x
		}
	}
	return out, total
}

// Given has the weights of values with another one that makes up a sum. What was cut off either law is not in it.
func (w *Window) Given(other *Window, sum int) Window {
	given := Window{First: w.First, Mass: make([]float64, len(w.Mass))}
	for i, x := range w.Mass {
		given.Mass[i] = x * other.At(sum-w.First-i)
	}
	return given
}

// Between has the weights of so many values from the first on, and the weight of all others and of what was cut.
func (w *Window) Between(first, values int) (weights []float64, rest float64) {
	weights, rest = make([]float64, values), w.Cut
	for i, x := range w.Mass {
		if v := w.First + i - first; v >= 0 && v < values {
			weights[v] = x
		} else {
			rest += x
		}
	}
	return weights, rest
}

// Products are the weights of the sum of two independent values.
func Products(f, g []float64) []float64 {
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

// Weighted is the sum of v f(v) g(s-v).
func (w *Window) Weighted(g *Window, s int) float64 {
	from, to := max(0, s-w.First-g.First-len(g.Mass)+1), min(len(w.Mass), s-w.First-g.First+1)
	total := 0.0
	for i := from; i < to; i++ {
		total += w.Mass[i] * float64(w.First+i) * g.Mass[s-w.First-i-g.First]
	}
	return total
}

// trim cuts the ends of a window off.
func (w *Window) trim() {
	floor := Floor * w.Most()
	low, high := 0, len(w.Mass)
	for low < high && w.Mass[low] < floor {
		w.Cut += w.Mass[low]
		low++
	}
	for high > low && w.Mass[high-1] < floor {
		high--
		w.Cut += w.Mass[high]
	}
	w.First += low
	w.Mass = w.Mass[low:high]
}

// beyond bounds what follows a term by the geometric series with the next ratio.
func beyond(term, ratio float64) float64 {
	if ratio >= 1 {
		return 1
	}
	return term * ratio / (1 - ratio)
}
