package residual

// Tables are in row-major order over the columns of a set, in ascending order.

// sizesOf are the sizes of a set's columns.
func (w *Workload) sizesOf(s set) []int {
	var sizes []int
	for _, i := range s.columns() {
		sizes = append(sizes, w.sizes[i])
	}
	return sizes
}

// steps says by how much the index in a table over a changes with each column of s: 0 for those that a lacks.
func (w *Workload) steps(s, a set) []int {
	columns := s.columns()
	steps := make([]int, len(columns))
	step := 1
	for i := len(columns) - 1; i >= 0; i-- {
		if a.has(columns[i]) {
			steps[i], step = step, step*w.sizes[columns[i]]
		}
	}
	return steps
}

// walk calls visit with the indexes of each cell of s: in the table over s, and in that over a subset a.
func (w *Workload) walk(s, a set, visit func(cell, part int)) {
	sizes, steps := w.sizesOf(s), w.steps(s, a)
	at := make([]int, len(sizes))
	part := 0
	for cell := 0; ; cell++ {
		visit(cell, part)
		i := len(sizes) - 1
		for ; i >= 0; i-- {
			at[i]++
			part += steps[i]
			if at[i] < sizes[i] {
				break
			}
			part -= steps[i] * sizes[i]
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// lines calls visit with the first cell and the step of each line of a table along the column with this place in sizes.
func lines(sizes []int, place int, visit func(first, step int)) {
	step, blocks := 1, 1
	for _, n := range sizes[place+1:] {
		step *= n
	}
	for _, n := range sizes[:place] {
		blocks *= n
	}
	for b := range blocks {
		for i := range step {
			visit(b*step*sizes[place]+i, step)
		}
	}
}

// residual is Q_A of the tables of one histogram: of the smallest marginal that has the columns of a. Sums are modulo 2^64.
func (w *Workload) residual(a set, tables [][]int64) []int64 {
	from := -1
	for k, s := range w.sets {
		if s&a == a && (from < 0 || len(tables[k]) < len(tables[from])) {
			from = k
		}
	}
	sizes := w.sizesOf(a)
	sum := make([]int64, int(w.product(a)))
	w.walk(w.sets[from], a, func(cell, part int) { sum[part] += tables[from][cell] })
	for place, n := range sizes {
		lines(sizes, place, func(first, step int) {
			total := int64(0)
			for j := range n {
				total += sum[first+j*step]
			}
			for j := range n {
				sum[first+j*step] = int64(n)*sum[first+j*step] - total
			}
		})
	}
	return sum
}

// centre is C_A/N_A of what was released.
func (w *Workload) centre(a set, noisy []int64) []float64 {
	table := make([]float64, len(noisy))
	for j, n := range noisy {
		table[j] = float64(n) / float64(len(noisy))
	}
	w.project(a, table)
	return table
}

// project subtracts, along each column of a, the mean of each line: C_A.
func (w *Workload) project(a set, table []float64) {
	sizes := w.sizesOf(a)
	for place, n := range sizes {
		lines(sizes, place, func(first, step int) {
			mean := 0.0
			for j := range n {
				mean += table[first+j*step] / float64(n)
			}
			for j := range n {
				table[first+j*step] -= mean
			}
		})
	}
}
