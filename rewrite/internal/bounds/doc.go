// Package bounds computes where the values of an expression can lie, from where those of its arguments lie: interval arithmetic over rationals.
//
// It guarantees that no value that an operation of PostgreSQL yields is beyond the bounds of the result, whichever values within their bounds the
// arguments have: rounding by the type of the result is counted in. So an expression whose bounds fit its type ([Fits]) cannot overflow, underflow or
// divide by zero, which is what package expr proves with them.
//
// Start at [Bounds]. What is known of the values of a type before anything is computed is in types.go.
package bounds
