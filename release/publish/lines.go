package publish

import "fmt"

// Lines tell of a publication, each with a name and a text.
func (made *Published) Lines() [][2]string {
	guarantee := made.Guarantee + ", under " + made.Adjacency
	if made.Charged.Releases > 0 {
		guarantee = "none: it protects nobody in a way that can be stated"
	}
	rows := fmt.Sprintf("%d published", made.Rows)
	if made.RowsRead > 0 {
		rows += fmt.Sprintf(" of %d", made.RowsRead)
	}
	if made.ExactDelta > 0 {
		guarantee += fmt.Sprintf(" (a bound: delta is %.3g exactly)", made.ExactDelta)
	}
	lines := [][2]string{
		{"published", made.Publication + ", of " + made.Of},
		{"mechanism", made.Mechanism},
		{"guarantee", guarantee},
		{"rows", rows},
	}
	if made.K > 0 {
		lines = append(lines, [2]string{"classes", fmt.Sprintf("%d, of at least %d rows", made.Classes, made.K)})
	}
	if made.Aside != "" {
		lines = append(lines, [2]string{"set aside", made.Aside + ", the former table, which something depends on; drop it when nothing does"})
	}
	return append(lines, [2]string{"charged", made.Charged.String()}, [2]string{"left", made.Left.Only(made.Charged)})
}
