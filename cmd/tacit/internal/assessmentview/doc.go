// Package assessmentview shows the steward an assessment of package release/assess: as text, and as one page with pictures that refers to nothing
// outside of itself.
//
// It guarantees that whatever it shows begins with the notice that figures from true counts are for the steward, and that names are shown as text.
// It computes nothing.
//
// Begin with Print, or with WritePage.
package assessmentview
