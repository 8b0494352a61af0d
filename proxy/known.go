package proxy

import (
	"time"

	"tacit/policy"
	"tacit/rewrite"
)

// This file remembers what the server last said of the analyst's session, so that it need not be asked again at each statement. What names mean
// and which settings hold changes in three ways: the session executes something; somebody commits something; the server reads its
// settings again. The first the proxy sees, and the releaser's Look tells of the others, some milliseconds late.
//
// The invariant: what is remembered is used only if nothing was executed since that could change it, and if the catalog is the one that it was
// asked in. Start at remembered.

// knownFor bounds how long an answer of the server's serves, so that it sees now and then that the session is in use.
const knownFor = 100 * time.Millisecond

// knowledge is what the server said of the session.
type knowledge struct {
	executed uint64 // the session's when it was asked
	moment   uint64 // Look's
	at       time.Time
	names    map[string]policy.TableName
	parsed   map[string]bool // rests of statements that it could parse
}

const maxRests, maxRest = 8, 2 << 10 // of parsed; bytes of one

// holds reports whether the server would say the same again. The error is that of Look.
func (in *interceptor) holds() (bool, error) {
	state := in.inbound.State()
	if in.known.names == nil || in.known.executed != in.executed || state.InFailedBlock || time.Since(in.known.at) > in.knownFor {
		return false, nil
	}
	err := in.look()
	return err == nil && in.known.moment == in.moment, err
}

// look asks the releaser once for the message at hand whether something has changed in the server.
func (in *interceptor) look() error {
	if in.looked {
		return nil
	}
	var err error
	if in.moment, in.looked = in.releaser.LastLook(); !in.looked {
		in.moment, err = await(in, waitLimit{}, in.releaser.Look)
		in.looked = err == nil
	}
	return err
}

// remembered is what names mean, if that need not be asked. The session's settings are then those that were read last.
func (in *interceptor) remembered(names []string) (resolved []rewrite.Resolution, ok bool, err error) {
	if ok, err := in.holds(); !ok || err != nil {
		return nil, false, err
	}
	for _, name := range names {
		table, known := in.known.names[name]
		if !known {
			return nil, false, nil
		}
		resolved = append(resolved, rewrite.Resolution{Name: name, Table: table})
	}
	in.asked = true
	return resolved, true, nil
}

// remember keeps what the server said just now. Within a pipeline it may hold until the next Sync only, which ends a transaction; there nothing is
// kept. What is kept was asked after the last look, so that a later one which finds the same moment confirms it.
func (in *interceptor) remember(resolved []rewrite.Resolution) {
	if in.inbound.State().InPipeline || !in.looked {
		return
	}
	if k := in.known; k.names == nil || k.executed != in.executed || k.moment != in.moment {
		in.known = knowledge{executed: in.executed, moment: in.moment, names: make(map[string]policy.TableName), parsed: make(map[string]bool)}
	}
	in.known.at = time.Now()
	for _, r := range resolved {
		in.known.names[r.Name] = r.Table
	}
}

// judged is called when a message was dealt with. Unless it is known to change nothing in the session, what was remembered is forgotten.
func (in *interceptor) judged() {
	if !in.harmless {
		in.executed++
		in.known.names, in.boundPlain = nil, false
	}
	in.harmless, in.looked = false, false
}
