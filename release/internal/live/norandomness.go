package live

import "errors"

// NoRandomness is the source of mechanisms that are made to be asked for their guarantee.
type NoRandomness struct{}

func (NoRandomness) Read([]byte) (int, error) { return 0, errors.New("release: no randomness here") }
