package live

import (
	"crypto/sha256"
	"fmt"
	"io"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/memory"
	"tacit/rewrite"
)

// A State is what answers are made under: the policy, and the tables as the server has them. It is immutable, but for its caches.
type State struct {
	Policy     *policy.Policy
	Mechanisms map[policy.TableName]map[Sensitivity]*mechanisms.Mechanism // by sensitivity
	Accounting map[policy.TableName]accountant.Accounting
	Calibrated *MechanismCache // all others
	Catalog    *rewrite.Catalog
	Domains    map[policy.ColumnName][32]byte
	Cells      *cellCache
	workloads  *workloads
	chosen     *chosenLosses
	random     io.Reader
	checked    curator.Digest // of the catalog when its separation was checked
	// unfitted leaves cells as they are counted, whatever the policy says of totals: for the steward, who compares mechanisms on them.
	Unfitted bool
}

// newState returns the state of a policy but for its catalog, see onCatalog.
func newState(p *policy.Policy, random io.Reader) (*State, error) {
	s := &State{
		Policy: p, random: random, Calibrated: &MechanismCache{}, Cells: newCellCache(p), workloads: &workloads{}, chosen: &chosenLosses{},
		Mechanisms: make(map[policy.TableName]map[Sensitivity]*mechanisms.Mechanism), Accounting: make(map[policy.TableName]accountant.Accounting),
	}
	for _, t := range p.Tables {
		m, err := NewMechanisms(t, random)
		if err != nil {
			return nil, err
		}
		s.Mechanisms[t.Name], s.Accounting[t.Name] = m, AccountingOf(t, MainTerm(m))
	}
	return s, nil
}

// defaultCacheBytes is for policies that name no bound.
const defaultCacheBytes = 256 << 20

func newCellCache(p *policy.Policy) *cellCache {
	if p.Limits.Memory == 0 {
		return &cellCache{most: defaultCacheBytes}
	}
	return &cellCache{most: memory.CacheBytes(p.Limits.Memory)}
}

// StewardState is a state without mechanisms, under which the steward looks at counts. See WithTerms.
func StewardState(p *policy.Policy, catalog *rewrite.Catalog, random io.Reader) *State {
	s := &State{Policy: p, random: random, Unfitted: true, Calibrated: &MechanismCache{}, Cells: newCellCache(p), workloads: &workloads{}, chosen: &chosenLosses{}}
	s.onCatalog(catalog)
	return s
}

// onCatalog takes in the tables as the server has them.
func (s *State) onCatalog(catalog *rewrite.Catalog) {
	s.Catalog, s.Domains = catalog, digestDomains(catalog)
}

// WithTerms is the state with the mechanisms of one table alone, under whatever terms are given for it.
func (s *State) WithTerms(t *policy.Table) (*State, error) {
	made, err := NewMechanisms(t, s.random)
	if err != nil {
		return nil, err
	}
	of := *s
	of.Mechanisms = map[policy.TableName]map[Sensitivity]*mechanisms.Mechanism{t.Name: made}
	return &of, nil
}

// digestDomains identifies the declared domains by what they declare; an unknown domain differs from an empty one.
func digestDomains(c *rewrite.Catalog) map[policy.ColumnName][32]byte {
	digests := make(map[policy.ColumnName][32]byte)
	for name, table := range c.Tables {
		for _, column := range table.Columns {
			h := sha256.New()
			fmt.Fprintf(h, "declared %t ", column.Domain != nil)
			column.WriteDomain(h)
			digests[policy.ColumnName{Table: name, Column: column.Name}] = [32]byte(h.Sum(nil))
		}
	}
	return digests
}
