// Package interval has the functions by which a statement asks how exact its counts are: tacit.low, tacit.high, tacit.within and
// tacit.suppressed.
//
// It guarantees that what it makes of a call holds the true value with the probability that the call names, if the measures do that it is
// given: an expression of several counts shares the probability to miss among them (the union bound), and is bounded by interval arithmetic,
// which assumes nothing of how their errors depend on one another. Where no bound is known both ends are NULL, never one of them.
//
// [Call] is a call, and [Call.Node] what takes its place, made of a [Measurer] that measures counts. [Push] brings calls about columns of a
// sub-select into the sub-select, so that in the end all stand beside the counts that they are about; the SELECTs on the way get a column
// more, which no star shows. By file: call.go, arithmetic.go, push.go, level.go (what a name in a SELECT refers to).
//
// It knows neither tables nor cells: what a count is, and how its ends come to the server, is for package rewrite.
package interval
