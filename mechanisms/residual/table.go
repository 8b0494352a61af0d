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
	for place, column := range a.columns() {
		n := sizes[place]
		ask := centreLine
		if b := w.bases[column]; b != nil {
			ask = b.ask
		}
		line := make([]int64, n)
		lines(sizes, place, func(first, step int) {
			for j := range n {
				line[j] = sum[first+j*step]
			}
			for j, x := range ask(line) {
				sum[first+j*step] = x
			}
		})
	}
	return sum
}

// centreLine is (n I - J) x, in place.
func centreLine(x []int64) []int64 {
	total := int64(0)
	for _, v := range x {
		total += v
	}
	for j, v := range x {
		x[j] = int64(len(x))*v - total
	}
	return x
}

// centre is the residual table that is made of what was released: C_A/N_A, or the product of the Q_i^+.
func (w *Workload) centre(a set, noisy []int64) []float64 {
	table, scale := make([]float64, len(noisy)), w.scale(a)
	for j, n := range noisy {
		table[j] = float64(n) / scale
	}
	w.project(a, table, false)
	return table
}

// project is C_A, which subtracts, along each column of a, the mean of each line. Along a column with a base it is N_i Q_i^+, or its transpose.
func (w *Workload) project(a set, table []float64, transposed bool) {
	sizes := w.sizesOf(a)
	for place, column := range a.columns() {
		n := sizes[place]
		if b := w.bases[column]; b != nil {
			lines(sizes, place, func(first, step int) { b.invert(table, first, step, transposed) })
			continue
		}
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
