// Package risk says what a release of counts discloses of persons, in terms that do not need an epsilon to be understood.
//
// # The attack
//
// An attacker knows her target's quasi-identifiers, such as sex, age and region, and wants the label of a sensitive attribute, such as
// a diagnosis. The persons of one combination of quasi-identifiers are a cell, and each of the K labels that the attribute can have holds a
// count of them, which may be 0. If all of a cell's persons have one label, the cell is homogeneous, and its label is known of all of
// them without telling them apart (Liu and Zhao 2023, Definition 4).
//
// In a release, noise makes labels appear and vanish. It discloses a cell if exactly one label is shown with 1 or more, and the cell
// has persons of that label.
//
// # The measures
//
// All are probabilities over the noise, or means of such, from 0 to 1. In order of what is averaged over:
//
//   - local: of one cell with its counts ([Local], [Table.Local], Definition 6);
//   - expected: counts drawn anew, n times among labels with probabilities p ([Expected], [Table.Expected], Definition 7);
//   - shrinkage: p drawn from a Dirichlet distribution ([Table.Shrinkage], Definition 8);
//   - marginal, and marginal shrinkage: n drawn, too ([Table.Marginal] and [MarginalShrinkage], Definitions 9 and 10).
//
// A [Table] has them averaged over its cells, each cell alike or each by its persons (Definition 11). Each measure has two versions,
// [Event] and [Records].
//
// Everything is exact for any mechanism whose cells survive independently: a [Survival] has all that matters of one, and those of
// package mechanisms have it. What the papers have instead, for rounded Laplace and Gaussian noise, are upper bounds: those that hold
// are in [Table.LocalBound], [Table.ExpectedBound] and [Table.ShrinkageBound], with the errors of those that do not.
//
// Several sensitive attributes are in a [JointTable], releases one after the other in a [Sequence], guesses from cells that are not
// homogeneous in [Attacks], and draws that use none of the formulas in a [Simulation].
//
// Start at [NewTable], [Curve] and [Largest]. The last turns a risk that is acceptable into an epsilon.
//
// # What it leaves out
//
// Risk is not a guarantee: it is of an attack by one who knows no more than quasi-identifiers, and it is a mean over cells. It is computed
// from true counts: what this package returns is for the steward, not for release.
//
// Sources: F. Liu and X. Zhao, "Disclosure risk from homogeneity attack in differentially privately sanitized frequency distribution",
// 2023, and its precursor of 2021, with the errors that are noted where they matter.
package risk
