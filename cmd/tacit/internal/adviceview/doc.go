// Package adviceview shows the steward the workload that package release/workloads proposes: as text, and as a picture.
//
// It guarantees that what is spent is shown rounded up, and that names of columns are shown as text. It computes nothing, and reads no table. Start at
// Write and Picture.
package adviceview
