package risk

import (
	"math"
	"testing"

	"tacit/mechanisms"
	"tacit/policy"
)

// adultSizes are the sizes of the 5,974 cells of the 27,504 persons of the Adult data that Liu and Zhao 2023 look at, and how many cells
// have each. Income is one of the attributes that make the cells, so that all are homogeneous in it.
var adultSizes = [][2]int64{
	{1, 3309}, {2, 904}, {3, 433}, {4, 241}, {5, 166}, {6, 137}, {7, 101}, {8, 86}, {9, 64}, {10, 41}, {11, 40}, {12, 29}, {13, 30}, {14, 26},
	{15, 25}, {16, 18}, {17, 23}, {18, 19}, {19, 13}, {20, 12}, {21, 12}, {22, 14}, {23, 10}, {24, 9}, {25, 11}, {26, 7}, {27, 2}, {28, 3},
	{29, 6}, {30, 6}, {31, 9}, {32, 9}, {33, 2}, {34, 2}, {35, 8}, {36, 2}, {37, 10}, {38, 2}, {39, 7}, {40, 3}, {41, 8}, {42, 2}, {43, 4},
	{44, 3}, {45, 1}, {46, 5}, {47, 6}, {48, 4}, {49, 3}, {50, 2}, {51, 3}, {52, 2}, {54, 1}, {55, 1}, {56, 3}, {58, 4}, {60, 3}, {61, 3},
	{62, 2}, {63, 4}, {64, 1}, {65, 1}, {66, 2}, {67, 2}, {68, 5}, {69, 2}, {70, 1}, {71, 3}, {72, 1}, {74, 2}, {76, 1}, {77, 1}, {78, 1},
	{83, 4}, {84, 1}, {86, 1}, {87, 4}, {89, 1}, {90, 3}, {92, 2}, {94, 1}, {95, 1}, {97, 1}, {98, 1}, {100, 1}, {103, 2}, {108, 1}, {111, 1},
	{113, 1}, {114, 1}, {119, 1}, {120, 2}, {151, 1}, {158, 1}, {166, 1}, {193, 1}, {199, 1}, {240, 1},
}

// adult is that table: collapsed, or with its cells one by one. With mixed, every second cell of more than one record has a fifth of
// them of the other label.
func adult(collapsed, mixed bool) *Table {
	t := &Table{Labels: 2}
	for _, s := range adultSizes {
		size, cells := s[0], s[1]
		alike := Pattern{Counts: []int64{size}, Cells: cells}
		var split Pattern
		if mixed && size > 1 {
			other := (size + 4) / 5
			split = Pattern{Counts: []int64{size - other, other}, Cells: cells / 2}
			alike.Cells -= split.Cells
		}
		for _, p := range []Pattern{alike, split} {
			switch {
			case p.Cells == 0:
			case collapsed:
				t.Patterns = append(t.Patterns, p)
			default:
				for range p.Cells {
					t.Patterns = append(t.Patterns, Pattern{Counts: p.Counts, Cells: 1})
				}
			}
		}
	}
	return t
}

func TestAdultSizes(t *testing.T) {
	for _, collapsed := range []bool{true, false} {
		for _, mixed := range []bool{true, false} {
			if d := adult(collapsed, mixed).Describe(); d.All != (Group{5974, 27504}) || d.Unique.Cells != 3309 || d.Largest != 240 {
				t.Errorf("%+v", d)
			}
		}
	}
}

// calibrated is the survival of a mechanism at a delta of 10^-5, calibration of its noise included. Kinds that suppress withhold counts
// below 5.
func calibrated(kind policy.Kind, calibration policy.Calibration) SurvivalAt {
	return func(epsilon float64) (Survival, error) {
		c := mechanisms.Config{
			Kind: kind, Epsilon: policy.Epsilon(math.Round(epsilon * 1e9)), Calibration: calibration,
			Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, K: 5, Random: noBytes{},
		}
		if kind == policy.Gaussian || kind == policy.DiscreteGaussian {
			c.Delta = 1e13
		}
		m, err := mechanisms.New(c)
		if err != nil {
			return nil, err
		}
		s, _ := m.Survival()
		return s, nil
	}
}

// noBytes is for mechanisms that draw nothing.
type noBytes struct{}

func (noBytes) Read([]byte) (int, error) { panic("nothing is drawn") }
