package publish

import (
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"tacit/mechanisms/microdata"
	"tacit/rewrite/query"
)

// TestGeneralisedField pins how generalised values are written: an interval by its values and not by their places in the range, NULL
// never lost, and what stands between braces as an array that PostgreSQL reads.
func TestGeneralisedField(t *testing.T) {
	tree, err := microdata.NewHierarchy(microdata.Node{Label: "*", Children: []microdata.Node{
		{Label: "the coast", Children: []microdata.Node{{Label: "north"}, {Label: "west"}}}, {Label: "east"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	columns := []microdata.Column{
		{Name: "age", Numeric: true, Min: -5, Max: 120, Nullable: true, Quasi: true},
		{Name: "since", Numeric: true, Min: 18262, Max: 20000, Nullable: true, Quasi: true},
		{Name: "sex", Values: []string{"F", "M", "not known"}, Nullable: true, Quasi: true},
		{Name: "insured", Values: []string{"f", "t"}, Nullable: true, Quasi: true},
		{Name: "region", Hierarchy: tree, Nullable: true, Quasi: true},
	}
	table, err := microdata.NewTable(columns)
	if err != nil {
		t.Fatal(err)
	}
	m := &microRows{}
	for _, oid := range []uint32{pgtype.Int4OID, pgtype.DateOID, pgtype.TextOID, pgtype.BoolOID, pgtype.TextOID} {
		m.columns = append(m.columns, MicroColumn{Source: query.Column{TypeOID: oid}})
	}
	for _, c := range []struct {
		column    int
		low, high microdata.Cell
		null      bool
		want      string
	}{
		{0, 25, 34, false, "[20,29]"}, {0, 25, 25, false, "20"}, {0, 0, 5, false, "[-5,0]"}, {0, 25, 34, true, `{"[20,29]",NULL}`}, {0, 25, 25, true, "{20,NULL}"},
		{1, 0, 90, false, "[2020-01-01,2020-03-31]"}, {1, 0, 0, false, "2020-01-01"},
		{2, 0, 1, false, "{F,M}"}, {2, 0, 1, true, "{F,M,NULL}"}, {2, 1, 2, false, `{M,"not known"}`}, {2, 2, 2, false, "not known"},
		{3, 0, 1, false, "{false,true}"}, {3, 1, 1, false, "true"},
		{4, 0, 1, false, "the coast"}, {4, 0, 2, false, "*"}, {4, 1, 1, false, "west"}, {4, 0, 1, true, `{"the coast",NULL}`},
	} {
		if got := m.generalisedField(table, c.column, microdata.Generalised{Low: c.low, High: c.high, Null: c.null}); got != (field{text: c.want}) {
			t.Errorf("%s %d to %d, NULL %v: %+v, want %s", columns[c.column].Name, c.low, c.high, c.null, got, c.want)
		}
		if c.low == c.high && !c.null && c.column != 3 {
			if got := m.cellField(table, c.column, c.low); got != (field{text: c.want}) {
				t.Errorf("cell %d of %s: %+v, want %s", c.low, columns[c.column].Name, got, c.want)
			}
		}
	}
	if got := m.generalisedField(table, 0, microdata.Generalised{Low: microdata.Null, High: microdata.Null, Null: true}); got != (field{null: true}) {
		t.Errorf("NULL is %+v", got)
	}
}
