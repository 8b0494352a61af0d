// Package residual measures a workload of marginals once, with the least error that a given loss allows.
//
// It guarantees that one release of a [Mechanism] is rho-zCDP, with the rho, the adjacency and the most rows of a person that it was made for. That holds
// against anybody who sees the release and knows everything else but one person. Of a [Strategy] it guarantees the variance of every cell and of every sum of
// cells. These depend on sizes and weights alone, and on no data. Start at [NewWorkload], [Workload.LeastTotal] and [Strategy.Mechanism].
//
// It implements Xiao, He, Zhang and Kifer 2023, "An optimal and scalable matrix mechanism for noisy marginals under convex loss functions"
// (NeurIPS), with discrete noise (see [Mechanism]).
//
// # Words
//
// A column i has n_i values. The residual of a set A of columns is what the marginal over A tells beyond those over its subsets: along each
// column of A it adds up to 0. A marginal over S is the sum of the residuals over all subsets of S, each spread evenly over the columns of S
// that it lacks. So each residual is measured once, and all marginals that have it share it: they agree with one another.
//
// A base is how one column is measured within residuals. Columns of which ranges of successive values are asked ([NewRangeWorkload]) have one
// in which a range has little more noise than a cell (base.go). A strategy then has the least mean of the variances of ranges for this base.
// For one column of up to 150 values the base by itself is within 1% of the best, and within a tenth for up to 366.
//
// # What it leaves out
//
// Whoever counts makes sure that a person has no more rows than stated, and that all marginals count the same rows. Columns have
// declared values. Cells may be below 0, since showing them as 0 would make sums too large; [Measurement.Nonnegative] fits all of them together. Under
// replace-one the strategy is that of add-remove with more noise, which need not be the best. Of a joint release only its zCDP is known, not its
// privacy loss distribution.
package residual
