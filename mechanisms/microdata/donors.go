package microdata

import "fmt"

// Donors says from which records a row may take its quasi-identifiers.
type Donors string

const (
	// OtherQuasi are the records with other quasi-identifiers than the row's (Das et al. 2024: "the closest records ... without the
	// same QIs"): every row that is chosen changes.
	OtherQuasi Donors = "other-quasi"
	// AnyRecord are all records but the row itself (Zhu et al. 2023, Algorithm 3): a row with a twin takes the twin's
	// quasi-identifiers, which changes nothing.
	AnyRecord Donors = "any-record"
)

func (d Donors) check() error {
	switch d {
	case OtherQuasi, AnyRecord:
		return nil
	default:
		return fmt.Errorf("unknown donors %q", d)
	}
}
