package assess_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"tacit/accountant/composition"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/internal/site"
)

// TestWorkloadOfPersons: R rows of a person have R times the standard deviation of one, under both adjacencies, and the loss is the one that
// was asked for.
func TestWorkloadOfPersons(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, strings.Replace(site.VisitsPolicy, "illness: {}", "illness: {values: [flu, cold, gout]}", 1))
	table := w.Policy.Tables[0]
	groupings, err := assess.ParseWorkload("house; illness; house, illness * 2")
	if err != nil {
		t.Fatal(err)
	}
	of := func(adjacency policy.Adjacency, rows int) *assess.WorkloadReport {
		t.Helper()
		table.Adjacency, table.Person = adjacency, &policy.Person{Column: "patient", Rows: rows, Groups: min(rows, 2)}
		r, err := assess.Workload(context.Background(), w.Policy, assess.WorkloadRequest{Table: table.Name, Groupings: groupings, Epsilon: 2e9, Delta: 1e12})
		if err != nil {
			t.Fatal(err)
		}
		if e := composition.EpsilonOfRho(r.Rho, 1e-6); e > 2 || e < 2*(1-1e-9) {
			t.Errorf("rho %v is epsilon %v", r.Rho, e)
		}
		if r.Rows != rows || r.Adjacency != adjacency {
			t.Errorf("%d rows, %s", r.Rows, r.Adjacency)
		}
		return r
	}
	for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		one, four := of(adjacency, 1), of(adjacency, 4)
		for k := range groupings {
			a, b := one.Groupings[k].Errors, four.Groupings[k].Errors
			for _, pair := range [][2]float64{{a.EqualSplit, b.EqualSplit}, {a.BestSplit, b.BestSplit}, {a.FinestCells, b.FinestCells}, {a.LeastTotal, b.LeastTotal}, {a.LeastGreatest, b.LeastGreatest}} {
				if math.Abs(pair[1]/pair[0]-4) > 1e-9 {
					t.Errorf("%s, %v: %v with one row, %v with four", adjacency, groupings[k], pair[0], pair[1])
				}
			}
		}
		if one.All.LeastTotal < one.AllBound*(1-1e-9) || one.Greatest.LeastGreatest < one.GreatestBound*(1-1e-9) {
			t.Errorf("%s: %v and %v are below the bounds %v and %v", adjacency, one.All, one.Greatest, one.AllBound, one.GreatestBound)
		}
		if one.All.LeastTotal > one.All.BestSplit || one.All.BestSplit > one.All.EqualSplit {
			t.Errorf("%s: %+v", adjacency, one.All)
		}
	}
	add, replace := of(policy.AddRemove, 1), of(policy.ReplaceOne, 1)
	if ratio := replace.All.EqualSplit / add.All.EqualSplit; math.Abs(ratio-math.Sqrt2) > 1e-9 {
		t.Errorf("replace-one has %v times the noise of add-remove", ratio)
	}
}

// TestWorkloadsThatHaveNone: an auditor's table, and one that is not there.
func TestWorkloadsThatHaveNone(t *testing.T) {
	w := newWardOf(t, site.VisitsSchema, site.VisitsPolicy)
	table := *w.Policy.Tables[0]
	ask := func(name policy.TableName, says string) {
		t.Helper()
		_, err := assess.Workload(context.Background(), w.Policy, assess.WorkloadRequest{Table: name, Groupings: []assess.Grouping{{Keys: []string{"house"}, Weight: 1}}})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", name, err)
		}
	}
	ask(policy.TableName{Schema: "clinic", Name: "beds"}, "not a protected table")
	w.Policy.Tables[0].Mechanism.Kind = policy.Audit
	ask(table.Name, "by an auditor")
	w.Policy.Tables[0].Mechanism.Kind, w.Policy.Tables[0].Budget.Epsilon = policy.Geometric, 0
	ask(table.Name, "no epsilon")
}
