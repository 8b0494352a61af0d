package publish

import (
	"fmt"
	"testing"

	"tacit/accountant"
	"tacit/mechanisms/microdata"
	"tacit/policy"
)

// guaranteeCase is a publication of a table with the columns sex and age, of which sex is the quasi-identifier.
type guaranteeCase struct {
	publication policy.Publication
	table       policy.Table
	learnt      bool // the values of sex are not declared
}

func (c *guaranteeCase) loss() (accountant.Loss, error) {
	m := &microRows{publication: &c.publication, columns: make([]MicroColumn, 2), seen: 1}
	m.columns[0] = MicroColumn{quasi: true}
	m.columns[0].Source.Name, m.columns[1].Source.Name = "sex", "age"
	if !c.learnt {
		m.columns[0].declared = &microdata.Column{Name: "sex", Values: []string{"F", "M"}, Nullable: true, Quasi: true}
	}
	return publicationLoss(&c.publication, &c.table, m)
}

// eachGuaranteeCase is every kind under both adjacencies, with and without other columns, persons of several rows and learnt values, and
// with parameters on both sides of where a sample's delta is that of a budget.
func eachGuaranteeCase(do func(name string, c *guaranteeCase)) {
	parameters := []struct {
		epsilon policy.Epsilon
		beta    policy.Share
	}{{1e9, 2e8}, {105_360_515, 1e8}, {105_360_516, 1e8 + 1}, {1, 1}}
	for _, kind := range policy.PublicationKinds {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			for _, columns := range [][]string{{"sex"}, {"sex", "age"}} {
				for _, person := range []*policy.Person{nil, {Column: "patient", Rows: 4, Groups: 2}} {
					for _, learnt := range []bool{false, true} {
						for _, p := range parameters {
							if learnt && (kind == policy.PublishDPSwapping || kind == policy.PublishSafeKAnonymity) {
								continue // the policy refuses that
							}
							do(fmt.Sprintf("%s, %s, %v, person %v, learnt %v, epsilon %v, beta %v", kind, adjacency, columns, person != nil, learnt, p.epsilon, p.beta), &guaranteeCase{
								policy.Publication{Kind: kind, Quasi: []string{"sex"}, Columns: columns, K: 30, Epsilon: p.epsilon, Rate: 5e8, Beta: p.beta, Generalise: []int64{1}},
								policy.Table{
									Adjacency: adjacency, Person: person,
									Columns: []policy.Column{{Name: "sex", Domain: domainUnless(learnt)}, {Name: "age"}},
								}, learnt,
							})
						}
					}
				}
			}
		}
	}
}

func domainUnless(learnt bool) policy.Domain {
	if learnt {
		return policy.Domain{}
	}
	return policy.Domain{Values: []string{"F", "M"}}
}

// TestPolicyKnowsGuarantees fails if the policy asks to accept that there is no guarantee where the mechanism has one, or does not ask
// where it has none.
func TestPolicyKnowsGuarantees(t *testing.T) {
	charged := make(map[policy.PublicationKind][2]int)
	eachGuaranteeCase(func(name string, c *guaranteeCase) {
		loss, err := c.loss()
		stated, why := c.publication.Guaranteed(&c.table)
		n := charged[c.publication.Kind]
		switch {
		case err != nil && c.publication.Kind == policy.PublishSafeKAnonymity && stated && len(c.publication.Columns) == 1:
			// Refused for a delta that the policy does not compute.
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case stated != (loss.Releases == 0), stated && (why != "" || loss.Epsilon+policy.Epsilon(loss.Delta) == 0), loss.Delta > policy.MaxDelta:
			t.Errorf("%s: charged %v, the policy says %v, %q", name, loss, stated, why)
		case stated:
			n[0]++
		default:
			n[1]++
		}
		charged[c.publication.Kind] = n
	})
	// Of 64 cases of a kind, or 32 of those that are never learnt.
	for kind, want := range map[policy.PublicationKind][2]int{
		policy.PublishSwapping: {0, 64}, policy.PublishDonorSwapping: {0, 64}, policy.PublishKAnonymity: {0, 64},
		policy.PublishDPSwapping:   {4, 28}, // replace-one, sex only, person: row
		policy.PublishDPKAnonymity: {0, 64}, // a sample, however small
	} {
		if charged[kind] != want {
			t.Errorf("%s: %v with and without a guarantee, want %v", kind, charged[kind], want)
		}
	}
}

// TestPublicationLoss pins what is charged.
func TestPublicationLoss(t *testing.T) {
	sample := guaranteeCase{
		policy.Publication{Kind: policy.PublishSafeKAnonymity, Quasi: []string{"sex"}, Columns: []string{"sex", "age"}, K: 30, Epsilon: 1e9, Beta: 1e8, Generalise: []int64{1}},
		policy.Table{Adjacency: policy.AddRemove}, false,
	}
	if loss, err := sample.loss(); err != nil || loss != (accountant.Loss{Releases: 1}) {
		t.Errorf("a sample with its other columns is charged %v (%v)", loss, err)
	}
	sample.publication.Columns = sample.publication.Columns[:1]
	if loss, err := sample.loss(); err != nil || loss.Epsilon != 1e9 || loss.Delta <= 0 || loss.Delta >= 1e12 {
		t.Errorf("safe-k-anonymity is charged %v (%v)", loss, err)
	}
}

// TestExactDelta is of the smallest delta beside the bound that is charged.
func TestExactDelta(t *testing.T) {
	p := policy.Publication{Kind: policy.PublishSafeKAnonymity, Quasi: []string{"sex"}, Columns: []string{"sex"}, K: 5, Epsilon: 7e8, Beta: 3e8, Generalise: []int64{1}}
	sample := guaranteeCase{p, policy.Table{Adjacency: policy.AddRemove}, false}
	charged, err := sample.loss()
	if err != nil || charged.Epsilon != p.Epsilon {
		t.Fatal(charged, err)
	}
	if d := exactDelta(&p, &sample.table, charged); fmt.Sprintf("%.6g", d) != "0.00677511" || fmt.Sprintf("%.6g", float64(charged.Delta)/float64(policy.OneDelta)) != "0.0287955" {
		t.Errorf("delta %.6g of %v", d, charged)
	}
	for name, d := range map[string]float64{
		"replace-one":  exactDelta(&p, &policy.Table{Adjacency: policy.ReplaceOne}, charged),
		"a sample":     exactDelta(&p, &sample.table, accountant.Loss{Delta: charged.Delta}),
		"no guarantee": exactDelta(&p, &sample.table, accountant.Loss{Releases: 1}),
	} {
		if d != 0 {
			t.Errorf("%s: %v", name, d)
		}
	}
}
