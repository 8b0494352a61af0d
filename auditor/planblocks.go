package auditor

// Preliminary returns the blocks of the certified plan that queries cut, as queries. A statement that asks for them as well, for nothing,
// leaves the rest of the plan as it is: once the sum of a block is released, whatever is released of its people beside is about that block
// alone, and all unions of blocks are still answered. A finer answer about a block whose sum is open would end the certificate there (see
// planCover).
func (s *State) Preliminary(queries []Query) []Query {
	if len(s.plan.groups) == 0 {
		return nil
	}
	cut := make([]bool, len(s.plan.groups))
	for i := range queries {
		s.markCut(&queries[i], cut)
	}
	units := make([][]int32, len(s.plan.groups))
	for u := range s.units {
		if k := s.units[u].plan; k >= 0 && cut[k] && !s.units[u].gone {
			units[k] = append(units[k], int32(u))
		}
	}
	var blocks []Query
	for _, u := range units {
		if len(u) == 0 {
			continue
		}
		q := Query{Units: u, Values: s.eachValue()}
		if sh := s.shape(&q); s.certified(&sh, planLapsed) {
			blocks = append(blocks, q)
		}
	}
	return blocks
}

// markCut marks the blocks of which a query asks for some people and not for all.
func (s *State) markCut(q *Query, cut []bool) {
	sh := s.shape(q)
	if len(sh.Open) == 0 || s.certified(&sh, planLapsed) {
		return
	}
	people := make(map[int32]int)
	for i := range sh.Open {
		for _, u := range sh.Open[i].Units {
			if k := s.units[u].plan; k >= 0 {
				people[k] += s.history.People(u)
			}
		}
	}
	for k, n := range people {
		if n != s.plan.groups[k].people {
			cut[k] = true
		}
	}
}
