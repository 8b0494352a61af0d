// Package contingency regenerates what S. U. Nabar and N. Mishra, "Releasing Private Contingency Tables" (2009), publish: the attack of section 3,
// the tables of figures 3 to 5, and the claims of section 6; and an attack on margins by linear programs, on a table that is used to test
// software for statistical disclosure control. Start with Sections.
//
// The algorithms are in suppressor (as published), auditor/posterior (the auditor that tacit uses), attack and fourier.
package contingency
