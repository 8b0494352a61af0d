// Package auditor decides which exact counts of a private attribute may be released: the simulatable auditor of Nabar and Mishra,
// "Releasing Private Contingency Tables", for any number of questions over any public attributes.
//
// What it guarantees: if the private values are drawn as the priors say, then with probability at least 1 - delta no answer ever moves
// the posterior of a person beyond epsilon of her prior (Definition 1 of the paper), whoever asks, in whatever order, with any number of
// helpers. Each decision computes u, the probability given all released answers that the answer in question makes somebody unsafe, and
// releases it only while the sum of all u stays within delta. Let B_t be the event that step t makes the first exit: P(union of B_t) =
// E[sum of P(B_t | released before)] <= E[sum of u_t] <= delta, because the sum is kept on every path.
//
// Suppressions say nothing. A decision is a function of the public sizes, the priors, the questions and the answers released before, so
// that an attacker could have computed it herself. The types see to that: [Statement.Next] decides, and has no way to reach a count;
// [Statement.Answer] takes the counts that the decision opened, and no others.
//
// Start at [Open], which makes a [State] from the public facts of a table; ask with [State.Begin]. Every step is an [Event] for a durable
// log, from which [Restore] makes the state again and [Replay] proves the decisions again without any data.
//
// Inside, from the ground up: internal/history keeps the released sums, and package posterior computes probabilities. A model has the public
// facts and the history, and asks the engines; a knowledge adds the certificates and the account of charges. A statement decides on it
// (laminar.go for questions that cut one block each, linked.go for the others), by the rule of its budget. The state is on top.
//
// What it leaves out: it trusts the priors. Where the true rates scatter around the declared ones, more people are exposed than delta
// says; published totals, intervals and spreads of priors are the remedies, and [State.Alarm] notices gross errors.
package auditor
