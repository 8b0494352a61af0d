// Package assessmentview shows the steward an assessment of package release/assess: as text, as sections for a page, and as one page that refers to nothing
// outside of itself.
//
// It guarantees that whatever it shows begins with the notice that figures from true counts are for the steward, and that names are shown as text.
// It computes nothing.
//
// Begin with Print, Sections or WritePage.
package assessmentview
