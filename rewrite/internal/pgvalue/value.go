package pgvalue

// A Value is a parameter's value in text form.
type Value struct {
	Text string
	Null bool
	// TypeOID is the type of a constant that is an argument of EXECUTE, and is to be converted to the parameter's type; 0 for text
	// that the parameter's type reads, and for what is in no parameter.
	TypeOID uint32
}
