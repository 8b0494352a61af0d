package live

import (
	"sync"

	"tacit/policy"
	"tacit/release/internal/marginals"
	"tacit/rewrite/query"
)

// workloads are those of a state's tables, which take a while to make. The zero value is ready.
type workloads struct {
	mu   sync.Mutex // protects made
	made map[policy.TableName]madeWorkload
}

type madeWorkload struct {
	workload *marginals.Workload
	err      error
}

// Workload is what is measured together of a table; nil if the policy has nothing of the kind. An error says why it cannot be measured as the
// table is now: then each question is asked by itself.
func (s *State) Workload(t *policy.Table) (*marginals.Workload, error) {
	if t.Workload == nil || s.Catalog == nil {
		return nil, nil
	}
	s.workloads.mu.Lock()
	defer s.workloads.mu.Unlock()
	made, ok := s.workloads.made[t.Name]
	if !ok {
		made.workload, made.err = marginals.New(s.Catalog, s.Policy.Limits, t, s.random)
		if s.workloads.made == nil {
			s.workloads.made = make(map[policy.TableName]madeWorkload)
		}
		s.workloads.made[t.Name] = made
	}
	return made.workload, made.err
}

// checkWorkloads says which table's workload cannot be measured, before the policy is in force.
func (s *State) checkWorkloads() error {
	for _, t := range s.Policy.Tables {
		if _, err := s.Workload(t); err != nil {
			return err
		}
	}
	return nil
}

// Joint is a workload of counts that a statement asks for at once. Nothing is remembered of it.
func (s *State) Joint(q *query.BoundQuery, values [][]query.Value, sets [][]int, c marginals.JointConfig) (*marginals.Workload, error) {
	c.Random = s.random
	return marginals.NewJoint(q, values, sets, c)
}
