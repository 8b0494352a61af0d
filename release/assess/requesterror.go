package assess

import "fmt"

// A RequestError says what is wrong with what a steward asked for: another request may do. Other errors are of the server, of the
// connection, or of what the data are like.
type RequestError struct{ text string }

func (e *RequestError) Error() string { return e.text }

func requestErrorf(format string, args ...any) error {
	return &RequestError{fmt.Sprintf(format, args...)}
}
