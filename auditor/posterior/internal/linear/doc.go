// Package linear has the linear algebra of sums over atoms: covariances of sums, most of which are of disjoint atoms ([Gram]), and lattices of
// integer vectors ([Hermite]), rational equations ([Echelon]), and sets that are nested, disjoint or linked ([TwoLaminar], [Disjoint], [Components]).
//
// A factorisation that is not clearly positive definite, and an integer beyond what a float64 holds exactly, are reported and never used.
// Left out is whatever knows of priors and limits, and elimination modulo a prime, which is in package modular.
package linear
