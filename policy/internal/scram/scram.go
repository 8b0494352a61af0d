package scram

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// minIterations is the least that RFC 7677 recommends, and PostgreSQL's default.
const minIterations = 4096

// CheckVerifier reports whether a password has PostgreSQL's form SCRAM-SHA-256$ITERATIONS:SALT$STOREDKEY:SERVERKEY. Its errors do not
// repeat it, for it may be a password in clear.
func CheckVerifier(s string) error {
	rest, ok := strings.CutPrefix(s, "SCRAM-SHA-256$")
	if !ok {
		return errors.New("this is not a SCRAM-SHA-256 verifier")
	}
	parameters, keys, hasKeys := strings.Cut(rest, "$")
	iterations, salt, hasSalt := strings.Cut(parameters, ":")
	storedKey, serverKey, hasServerKey := strings.Cut(keys, ":")
	if !hasKeys || !hasSalt || !hasServerKey {
		return errors.New("the SCRAM-SHA-256 verifier is cut short")
	}
	if n, err := strconv.ParseInt(iterations, 10, 32); err != nil || n < minIterations {
		return errors.New("the SCRAM-SHA-256 verifier has fewer than 4096 iterations")
	}
	if n, ok := base64Length(salt); !ok || n == 0 {
		return errors.New("the SCRAM-SHA-256 verifier has a malformed salt")
	}
	for _, key := range []string{storedKey, serverKey} {
		if n, ok := base64Length(key); !ok || n != 32 {
			return errors.New("the SCRAM-SHA-256 verifier has a malformed key")
		}
	}
	return nil
}

func base64Length(s string) (bytes int, ok bool) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(s)
	return len(decoded), err == nil && !strings.ContainsAny(s, "\r\n")
}
