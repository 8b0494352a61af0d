package reply

import "errors"

// What the context of a request can end with. Any other cause is that of an analyst who gave up.
var (
	// ErrUnawaited is the cause when the analyst waits no longer. What has been charged is counted and recorded all the same.
	ErrUnawaited = errors.New("release: nobody waits for the answer")
	// ErrGone is the cause when the analyst's session is over, so that she sees nothing of the answer. What has been charged is left to
	// whoever asks the same.
	ErrGone = errors.New("release: the session is over")
)
