package assess

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tacit/accountant/composition"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/noisy"
	"tacit/rewrite/query"
)

// A workload is the groupings that dashboards ask for again and again. What their cells' errors would be follows from the numbers of declared
// values alone: no row is read.

// A WorkloadRequest says which groupings of a table are wanted.
type WorkloadRequest struct {
	// Table is a protected one. Required.
	Table policy.TableName
	// Groupings are as ParseWorkload reads them. Required.
	Groupings []Grouping
	// Epsilon and Delta are what all groupings together may cost. Default: the table's budget, with a delta of 1e-6 if it has none.
	Epsilon policy.Epsilon
	Delta   policy.Delta
}

// A Grouping is one GROUP BY of a workload.
type Grouping struct {
	// Keys are columns, or whatever else an analyst could GROUP BY. None at all is the total.
	Keys []string `json:"keys"`
	// Ranges are those of the keys, stored columns, of which ranges of successive values are asked.
	Ranges []string `json:"ranges,omitempty"`
	// Weight says how much the variance of its cells counts: 1, or another number from 1e-6 to 1e6.
	Weight float64 `json:"weight"`
}

// String is as it is asked for, without a weight.
func (g Grouping) String() string {
	if len(g.Keys) == 0 {
		return "()"
	}
	names := slices.Clone(g.Keys)
	for i, name := range names {
		if slices.Contains(g.Ranges, name) {
			names[i] += " in ranges"
		}
	}
	return strings.Join(names, ", ")
}

// mostGroupings bounds the time of the search for the least greatest error.
const mostGroupings = 1024

// mostRanged is how many keys of one grouping are asked in ranges at most, as in a policy.
const mostRanged = 2

var inRanges = regexp.MustCompile(`(?i)^(.*\S)\s+in\s+ranges$`)

var weightAtEnd = regexp.MustCompile(`^(.*\S)\s*\*\s*([0-9]+(?:\.[0-9]+)?)$`)

// ParseWorkload reads groupings with semicolons between them: keys with commas, "in ranges" behind a key of which ranges are asked, () for the total, and
// *NUMBER behind a grouping for its weight.
func ParseWorkload(text string) ([]Grouping, error) {
	var groupings []Grouping
	seen := map[string]bool{}
	for _, part := range splitOutside(text, ';') {
		g := Grouping{Keys: []string{}, Weight: 1}
		if m := weightAtEnd.FindStringSubmatch(part); m != nil {
			var err error
			if g.Weight, err = strconv.ParseFloat(m[2], 64); err != nil || g.Weight < 1e-6 || g.Weight > 1e6 {
				return nil, fmt.Errorf("--workload: the weight %s is not between 0.000001 and 1000000", m[2])
			}
			part = m[1]
		}
		switch {
		case part == "":
			return nil, fmt.Errorf("--workload: a grouping is empty; write keys with commas between them, groupings with semicolons, and () for the total: \"region, sex; age; ()\"")
		case part != "()":
			keys, err := SplitExpressions("--workload", []string{part})
			if err != nil {
				return nil, err
			}
			for i, key := range keys {
				if m := inRanges.FindStringSubmatch(key); m != nil {
					keys[i], g.Ranges = m[1], append(g.Ranges, m[1])
				}
			}
			g.Keys = keys
		}
		if len(g.Ranges) > mostRanged {
			return nil, fmt.Errorf("--workload: ranges of %d keys in one grouping; at most %d", len(g.Ranges), mostRanged)
		}
		if err := (HomogeneityRequest{Quasi: g.Keys}).CheckKeys(); err != nil {
			return nil, fmt.Errorf("--workload: %w", err)
		}
		sorted := fmt.Sprintf("%q", slices.Sorted(slices.Values(g.Keys)))
		if seen[sorted] {
			return nil, fmt.Errorf("--workload: the grouping %v is there twice; give it a larger weight", g)
		}
		seen[sorted] = true
		groupings = append(groupings, g)
	}
	if len(groupings) > mostGroupings {
		return nil, fmt.Errorf("--workload: %d groupings; at most %d", len(groupings), mostGroupings)
	}
	return groupings, nil
}

// A WorkloadReport has the errors of a workload's cells if all groupings together cost Epsilon and Delta, by ways to measure them.
type WorkloadReport struct {
	Table     string           `json:"table"`
	Adjacency policy.Adjacency `json:"adjacency"`
	Epsilon   float64          `json:"epsilon"`
	Delta     float64          `json:"delta"`
	// Rho is that of zCDP that implies them.
	Rho float64 `json:"rho"`
	// Rows is how many rows of a person are counted at most.
	Rows      int              `json:"rows_of_a_person"`
	Groupings []GroupingErrors `json:"groupings"`
	// All is the root of the weighted mean of all cells' variances, and Greatest of the greatest weighted variance.
	All      WorkloadErrors `json:"all"`
	Greatest WorkloadErrors `json:"greatest"`
	// AllBound and GreatestBound are what no linear strategy with Gaussian noise is below.
	AllBound      float64 `json:"all_bound"`
	GreatestBound float64 `json:"greatest_bound"`
}

// GroupingErrors are those of one grouping's cells.
type GroupingErrors struct {
	Grouping
	Cells  float64        `json:"cells"`
	Errors WorkloadErrors `json:"standard_deviation"`
}

// WorkloadErrors are standard deviations of a cell. Where ranges are asked, they are roots of the mean variance of all ranges, with each value of the
// other keys.
type WorkloadErrors struct {
	// EqualSplit and BestSplit: each grouping by itself, with equal shares of the loss, and with those that make All the least.
	EqualSplit float64 `json:"equal_split"`
	BestSplit  float64 `json:"best_split"`
	// LeastSquares: as BestSplit, and then fitted to all that was measured.
	LeastSquares float64 `json:"least_squares"`
	// FinestCells: the cells of all keys together are counted, and added up.
	FinestCells float64 `json:"finest_cells"`
	// LeastTotal and LeastGreatest are of the residual strategies with the least All and the least Greatest.
	LeastTotal    float64 `json:"least_total"`
	LeastGreatest float64 `json:"least_greatest"`
}

// Workload compares ways to measure a workload. It reads the catalog, and the public tables that declared values come from. Nothing is read before
// the roles are known to be separate.
func Workload(ctx context.Context, p *policy.Policy, request WorkloadRequest) (*WorkloadReport, error) {
	i := slices.IndexFunc(p.Tables, func(t *policy.Table) bool { return t.Name == request.Table })
	switch {
	case i < 0:
		return nil, requestErrorf("%v is not a protected table of the policy", request.Table)
	case p.Tables[i].Mechanism.Kind == policy.Audit:
		return nil, requestErrorf("counts of %v are exact or withheld by an auditor: they have no noise that a workload could share", request.Table)
	}
	t := p.Tables[i]
	epsilon, delta := cmp.Or(request.Epsilon, t.Budget.Epsilon), cmp.Or(request.Delta, t.Budget.Delta, 1e12)
	if epsilon == 0 {
		return nil, requestErrorf("the budget of %v has no epsilon; say with --epsilon what all groupings together may cost", t.Name)
	}
	r := &WorkloadReport{Table: t.Name.String(), Adjacency: t.Adjacency, Epsilon: epsilon.Float(), Delta: float64(delta) / float64(policy.OneDelta), Rows: 1}
	r.Rho = rhoOf(r.Epsilon, r.Delta)
	if t.Person != nil {
		r.Rows = t.Person.Rows
	}
	var domains *keyDomains
	err := inspect(ctx, p, func(i inspecting) (err error) {
		domains, err = i.domainsOf(ctx, request)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, r.compute(domains, request.Groupings)
}

// rhoOf is the largest rho that implies epsilon at delta. It is for reports.
func rhoOf(epsilon, delta float64) float64 {
	low, high := 0.0, epsilon
	for range 100 {
		if middle := (low + high) / 2; composition.EpsilonOfRho(middle, delta) <= epsilon {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// keyDomains are the different keys of a workload with the numbers of their values.
type keyDomains struct {
	names   []string
	sizes   []int
	origins [][]string
}

// domainsOf finds the values of all keys. Keys that follow from the same column are no marginals of one table: their combinations are not all possible.
func (w *inspecting) domainsOf(ctx context.Context, request WorkloadRequest) (*keyDomains, error) {
	d := &keyDomains{}
	for _, g := range request.Groupings {
		for _, name := range g.Keys {
			if slices.Contains(d.names, name) {
				continue
			}
			origins, size, stored, err := w.domainOf(ctx, request.Table, name)
			if err != nil {
				return nil, err
			}
			if !stored && slices.ContainsFunc(request.Groupings, func(g Grouping) bool { return slices.Contains(g.Ranges, name) }) {
				return nil, requestErrorf("ranges are asked of columns, whose values have an order, and %s is computed; write the column in its place", name)
			}
			for i, other := range d.origins {
				if slices.ContainsFunc(origins, func(o string) bool { return slices.Contains(other, o) }) {
					return nil, requestErrorf("%s and %s follow from the same column, so that not all of their combinations are possible; take the finer one alone, and add its cells up", d.names[i], name)
				}
			}
			d.names, d.sizes, d.origins = append(d.names, name), append(d.sizes, size), append(d.origins, origins)
		}
	}
	return d, nil
}

// domainOf is how many values a key has that the policy declares, which columns it follows from, and whether it is one of them.
func (w *inspecting) domainOf(ctx context.Context, table policy.TableName, name string) (origins []string, size int, stored bool, err error) {
	if !query.IsExpression(name) {
		return nil, 0, false, requestErrorf("each key of a workload must be one column or expression, which this is not: %s", name)
	}
	queries, err := w.bind(ctx, fmt.Sprintf("SELECT pg_catalog.count(*) FROM %s GROUP BY (%s\n)", table, name))
	if err != nil {
		return nil, 0, false, err
	}
	if len(queries) != 1 || len(queries[0].Keys) != 1 {
		return nil, 0, false, requestErrorf("each key of a workload must be one column or expression, which this is not: %s", name)
	}
	q := queries[0]
	values, ok, err := w.declaredTogether(ctx, &noisy.QueryPlan{Query: q, Limit: w.state.Policy.Limits.Cells}, q.KeyGroups()[0])
	switch {
	case err != nil:
		return nil, 0, false, err
	case !ok:
		return nil, 0, false, requestErrorf("the values of %s are not declared, or too many to list: a workload has the cells of declared values", name)
	}
	for _, column := range q.Keys[0].Origins() {
		origins = append(origins, column.Name)
	}
	return origins, len(values[0]), q.Keys[0].Stored(), nil
}

// compute fills in the errors.
//
// A person with so many rows moves each vector of counts by at most so many times what one row moves it by, and 2 rho is the square of a distance.
func (r *WorkloadReport) compute(d *keyDomains, groupings []Grouping) error {
	marginals, ranges := make([]residual.Marginal, len(groupings)), make([][]int, len(groupings))
	for i, g := range groupings {
		marginals[i].Weight = g.Weight
		for _, name := range g.Keys {
			marginals[i].Columns = append(marginals[i].Columns, slices.Index(d.names, name))
		}
		for _, name := range g.Ranges {
			ranges[i] = append(ranges[i], slices.Index(d.names, name))
		}
	}
	w, err := residual.NewRangeWorkload(d.sizes, marginals, ranges)
	if err != nil {
		return &RequestError{"the workload: " + err.Error()}
	}
	total := w.LeastTotal()
	greatest, bound, err := w.LeastGreatest()
	if err != nil {
		return err
	}
	scale := float64(r.Rows*r.Rows) / (2 * r.Rho)
	if w.HasRanges() {
		bound = greatest.GreatestBound(policy.AddRemove)
	}
	equal, best, fitted, finest := w.EqualSplit(r.Adjacency), w.BestSplit(r.Adjacency), w.LeastSquares(r.Adjacency), w.FinestCells(r.Adjacency)
	var sums, most WorkloadErrors // of weighted variances
	weight := 0.0
	for k, g := range groupings {
		variances := WorkloadErrors{
			EqualSplit: equal[k], BestSplit: best[k], LeastSquares: fitted[k], FinestCells: finest[k],
			LeastTotal: total.Variance(k) * total.Loss(r.Adjacency), LeastGreatest: greatest.Variance(k) * greatest.Loss(r.Adjacency),
		}.times(scale)
		cells := w.Cells(k)
		r.Groupings = append(r.Groupings, GroupingErrors{g, cells, variances.roots()})
		sums = sums.with(variances.times(g.Weight*cells), func(a, b float64) float64 { return a + b })
		most = most.with(variances.times(g.Weight), func(a, b float64) float64 { return max(a, b) })
		weight += g.Weight * cells
	}
	r.All, r.Greatest = sums.times(1/weight).roots(), most.roots()
	r.AllBound = math.Sqrt(w.LeastBound(r.Adjacency) * scale / weight)
	// The loss of a removal is one of replace-one, too.
	r.GreatestBound = math.Sqrt(bound * scale)
	return nil
}

// with combines two, way by way.
func (e WorkloadErrors) with(o WorkloadErrors, combine func(a, b float64) float64) WorkloadErrors {
	return WorkloadErrors{
		EqualSplit: combine(e.EqualSplit, o.EqualSplit), BestSplit: combine(e.BestSplit, o.BestSplit), FinestCells: combine(e.FinestCells, o.FinestCells),
		LeastSquares: combine(e.LeastSquares, o.LeastSquares),
		LeastTotal:   combine(e.LeastTotal, o.LeastTotal), LeastGreatest: combine(e.LeastGreatest, o.LeastGreatest),
	}
}

func (e WorkloadErrors) times(factor float64) WorkloadErrors {
	return e.with(WorkloadErrors{}, func(a, _ float64) float64 { return a * factor })
}

func (e WorkloadErrors) roots() WorkloadErrors {
	return e.with(WorkloadErrors{}, func(a, _ float64) float64 { return math.Sqrt(a) })
}
