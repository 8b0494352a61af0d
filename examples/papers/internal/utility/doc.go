// Package utility measures what sanitizing a table costs in use. The papers use it; package risk counts the persons who are shown to be
// alone in their cell.
//
// Every measure compares a histogram with its sanitized form, so that it needs the true counts: it is for the steward, and for public data.
// Nothing here adds noise, and no release depends on it. Start at [NewHistogram]; [mechanisms.Mechanism] sanitizes its counts.
//
//   - [Repetitions]: bias, variance and alpha-fairness over repeated releases, with standard errors, in persons (variance: in persons squared).
//     [mechanisms.Summarize] of [mechanisms.Mechanism.Expect] is what they estimate, exactly, for the mechanisms of that package.
//   - [MarginalTVDs]: total variation distance of the marginals of tables, in [0, 1].
//   - [NewHeatMap]: the errors of a two-way marginal, and the regression lines of the original and of the sanitized one.
//   - [TrainLogistic]: the accuracy, in [0, 1], of a classifier that has seen sanitized counts only.
//
// Sources, which each measure cites with its errata:
//
//   - Liu and Zhao, "Disclosure risk from homogeneity attack in differentially private frequency distribution", 2023.
//   - Zhu, Fioretto, Van Hentenryck, Das and Task, "Privacy and Bias Analysis of Disclosure Avoidance Systems", 2023.
//   - Das, Zhu, Task, Van Hentenryck and Fioretto, "Finding epsilon and delta of Statistical Disclosure Control Systems", 2024.
//   - SDNist, the report tool of NIST's Diverse Community Excerpts, which the last one takes its measures of subgroups and matches from.
//
// # What it leaves out
//
// Counts are whole tables in memory, a float64 to each cell of the domain: a domain of more than 2^24 cells is refused. A float64 holds
// counts exactly up to 2^53.
package utility
