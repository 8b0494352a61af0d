// Package microdata makes tables of single rows that may be published instead of the ones they come from: by swapping
// quasi-identifiers between rows, by replacing them at random, and by generalising them.
//
// A quasi-identifier is a column by which somebody who knows a person may find the person's row. Mechanisms see a [Table] of those
// columns, and of others if records are compared on them, and return numbers of rows, or generalised values for sets of rows:
// whoever calls them puts the published rows together. Everything is computed in memory, by integers where it is a matter of
// probability.
//
// # What is guaranteed
//
// Most of these mechanisms guarantee nothing. They are offered because statistical agencies use them and so that they can be
// compared; each has a function that says what it guarantees, under add-remove (one row more) and under replace-one (one row
// exchanged for another), to people who know everything else. Bounds of the papers that do not hold are in the tests.
//
//	mechanism                          add-remove          replace-one
//	[Swapping]                         delta 1             delta 1
//	[DPSwapping], other columns too    delta 1             delta 1
//	[DPSwapping], quasi only           delta 1             (epsilon, 0)
//	[DonorSwapping]                    delta 1             delta 1
//	[KAnonymity]                       delta 1             delta 1
//	[DPKAnonymity]                     (0, beta)           (0, beta)
//	[SafeKAnonymity], quasi only       SafeKAnonymity.Guarantee: delta falls with k
//	[SafeKAnonymity], others too       (0, beta)           (0, beta)
//
// beta is the probability with which a row is sampled: a delta of that size is that of publishing a few rows as they are.
// [Reconstruction] is post-processing.
//
// # How far apart records are
//
// Swapping looks for records near one another. Their distance is the sum over columns of 0 or 1 for categorical values that are equal or
// not, and of |a-b|/(Max-Min) for numbers (Zhu et al. 2023, Appendix B.2). NULL, of which the papers say nothing, is at 0 from NULL and
// at 1 from everything else.
//
// # Where it comes from
//
// Zhu, Fioretto, Van Hentenryck, Das and Task 2023, "Privacy and bias analysis of disclosure avoidance systems"; Das, Zhu, Task,
// Van Hentenryck and Fioretto 2024, "Finding epsilon and delta of statistical disclosure control systems"; LeFevre, DeWitt and
// Ramakrishnan 2006, "Mondrian multidimensional k-anonymity"; McKenna and Sheldon 2020, "Permute-and-flip"; Li, Qardaji and Su
// 2011, "On sampling, anonymization, and differential privacy". Where one of the first two is wrong, the mechanism's doc says so
// and has the right form.
//
// # What it leaves out
//
// Which columns are quasi-identifiers; homogeneous classes, in which everybody has the same value of another column; several
// publications of one table; and time: how long a search takes depends on the rows.
package microdata
