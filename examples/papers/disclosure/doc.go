// Package disclosure regenerates the results of two papers that set randomised forms of classical disclosure avoidance beside differential privacy:
//
//   - Zhu, Fioretto, Van Hentenryck, Das and Task 2023, "Privacy and Bias Analysis of Disclosure Avoidance Systems";
//   - Das, Zhu, Task, Van Hentenryck and Fioretto 2024, "Finding epsilon and delta of Statistical Disclosure Control Systems".
//
// The data are NIST's Diverse Community Excerpts of the American Community Survey 2019: Massachusetts, Texas and National. The papers used an
// earlier coding of the same persons, so that numbers agree in size, shape and order, not in digits; [Sections] says of each what agrees, and why
// not where it does not. Reasons are computed, or say that they are not known.
//
// Noise and choices are drawn by the samplers and mechanisms of this module from seeded streams, one for each mechanism, setting and excerpt:
// every run gives the same. Everything here sees true counts, of public data.
package disclosure
