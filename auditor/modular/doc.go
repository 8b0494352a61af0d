// Package modular computes modulo the prime 2^61-1.
//
// Which counts follow from released ones is a question of linear algebra over the rationals. Elimination modulo a large prime answers it
// without fractions that grow: what is linearly independent modulo the prime is so over the rationals, and the converse fails only if the
// prime divides a minor of the matrix, which its users guard against by what they compute besides. The prime is fixed so that a decision can be
// made again from its log.
package modular
