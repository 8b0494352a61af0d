// Package assess tells the steward what mechanisms do to answers: [Assess] compares them on one statement, [Workload] compares ways to
// measure several groupings together, and [Homogeneity] counts the cells from which package risk computes disclosure risks.
//
// Assess and Homogeneity compute from true counts, charged to nobody and recorded nowhere: their results are for the steward alone.
// Nothing is read before the roles are proved to be separate. Workload reads declared values only.
//
// Begin with assess.go, workload.go or homogeneity.go.
package assess
