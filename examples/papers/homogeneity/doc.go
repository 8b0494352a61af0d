// Package homogeneity regenerates the results of two papers on disclosure risk from homogeneity attack (DR-HA) with the measures of package risk:
//
//   - F. Liu, X. Zhao, "Disclosure Risk from Homogeneity Attack in Differentially Privately Sanitized Frequency Distribution", 2023 (here: the 2023 paper)
//   - F. Liu, X. Zhao, G. Zhang, "Disclosure Risk from Homogeneity Attack in Differentially Private Frequency Distribution", 2021 (the 2021 paper)
//
// The data sets are Adult and Qualitative Bankruptcy of the UCI repository. Every number that the papers state becomes a row, every figure a figure; where
// a result differs, the row says why. Start with Sections. What the papers print of theorems that do not hold is in errata.go.
package homogeneity
