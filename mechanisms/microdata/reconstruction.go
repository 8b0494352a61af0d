package microdata

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"

	"tacit/mechanisms/sampling"
)

// Numbers says how reconstruction draws a number of an interval [a, b].
type Numbers string

const (
	// UniformNumbers are uniform on the integers a to b: those that the interval stands for.
	UniformNumbers Numbers = "uniform"
	// GaussianNumbers are those of the paper: Gaussian with mean (a+b)/2 and standard deviation (b-a)/4, rounded. One in 22 is
	// outside the interval, though all rows were inside. The paper rounds to the nearest integer not below 0; here it is the
	// nearest that the column's range has.
	GaussianNumbers Numbers = "gaussian"
)

// ReconstructionConfig configures a [Reconstruction].
type ReconstructionConfig struct {
	// Columns are those of the tables. Required.
	Columns []Column
	// Numbers defaults to UniformNumbers.
	Numbers Numbers
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// Reconstruction draws values for generalised ones, so that k-anonymous rows can be counted like the rows they came from (Zhu et
// al. 2023, Algorithm 5): categories uniformly from those that were merged, and numbers as [Numbers] says. NULL, of which the paper
// says nothing, is one more of the values that were merged, in either form: as likely as each of them.
//
// It sees nothing but the classes: it is post-processing, which changes no guarantee. A row's values are drawn independently, so
// that whatever columns had to do with one another within a class is lost.
//
// Failure: if Random fails, sampling.ErrRandomness is returned and nothing else.
//
// A Reconstruction is for one goroutine at a time.
type Reconstruction struct {
	columns []Column // the quasi-identifiers
	numbers Numbers
	random  *sampling.Bits
	noise   map[int64]*sampling.Gaussian // by b-a
}

// NewReconstruction returns one, or says what is wrong with the configuration.
func NewReconstruction(c ReconstructionConfig) (*Reconstruction, error) {
	if c.Numbers == "" {
		c.Numbers = UniformNumbers
	}
	err := checkColumns(c.Columns)
	switch {
	case err != nil:
	case c.Random == nil:
		err = errNoRandom
	case c.Numbers != UniformNumbers && c.Numbers != GaussianNumbers:
		err = fmt.Errorf("unknown numbers %q", c.Numbers)
	}
	r := &Reconstruction{numbers: c.Numbers, random: sampling.NewBits(c.Random), noise: make(map[int64]*sampling.Gaussian)}
	for _, i := range quasi(c.Columns) {
		if err == nil && c.Numbers == GaussianNumbers && c.Columns[i].Numeric && c.Columns[i].size() > maxGaussianWidth {
			err = fmt.Errorf("column %q has more than %d values, too many for Gaussian numbers", c.Columns[i].Name, maxGaussianWidth)
		}
		r.columns = append(r.columns, c.Columns[i])
	}
	if err != nil {
		return nil, fmt.Errorf("microdata: reconstruction: %w", err)
	}
	return r, nil
}

// maxGaussianWidth keeps the variance of twice a number, (b-a)^2/4, below the most that sampling.Gaussian takes, 2^40.
const maxGaussianWidth = 1 << 21

// Row appends one row's cells for the generalised values of its class to dst, and returns it.
func (r *Reconstruction) Row(dst []Cell, class []Generalised) ([]Cell, error) {
	if len(class) != len(r.columns) {
		return nil, errors.New("microdata: reconstruction: the class has other columns")
	}
	dst = slices.Grow(dst, len(class))
	for i, g := range class {
		v, err := r.value(&r.columns[i], g)
		if err == nil {
			err = r.random.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("microdata: reconstruction: %w", err)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// value draws a cell. Everything is drawn uniformly but numbers of the Gaussian form, which are drawn twice: uniformly, which
// decides whether it is NULL, and then again.
func (r *Reconstruction) value(c *Column, g Generalised) (Cell, error) {
	if g.Low == Null {
		return Null, nil
	}
	merged := uint64(g.High-g.Low) + 1
	if g.Null {
		merged++
	}
	r.random.Start()
	v := g.Low + Cell(r.random.Below(merged))
	if v > g.High {
		return Null, nil
	}
	if !c.Numeric || r.numbers == UniformNumbers || g.Low == g.High {
		return v, nil
	}
	return r.gaussian(c, g)
}

// gaussian draws a number of [a, b]. If b-a is even, so is a+b, and the mean is an integer, to which rounded noise is added.
//
// If not, twice the number, which has mean a+b and standard deviation (b-a)/2, is drawn, rounded, and halved. A half is rounded up
// or down with probability 1/2 each, where the paper's normal variable decides by places that were rounded off.
func (r *Reconstruction) gaussian(c *Column, g Generalised) (Cell, error) {
	width := int64(g.High - g.Low)
	noise, err := r.noiseOf(width)
	if err != nil {
		return Null, err
	}
	v := int64(g.Low) + width/2 + noise.Rounded()
	if width%2 == 1 {
		twice := v + int64(g.Low) + width - width/2
		v = twice >> 1 // rounded down
		if twice&1 == 1 {
			v += int64(r.random.Take(1))
		}
	}
	return Cell(min(max(v, 0), c.size()-1)), nil
}

// noiseOf is that of a number of an interval of some width, or of twice the number if the width is odd.
func (r *Reconstruction) noiseOf(width int64) (*sampling.Gaussian, error) {
	noise, ok := r.noise[width]
	if ok {
		return noise, nil
	}
	variance := big.NewRat(width*width, 16)
	if width%2 == 1 {
		variance = big.NewRat(width*width, 4)
	}
	v, err := sampling.NewVariance(variance)
	if err != nil {
		return nil, err
	}
	noise = r.random.Gaussian(v)
	r.noise[width] = noise
	return noise, nil
}
