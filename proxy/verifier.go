package proxy

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xdg-go/scram"
)

// This file makes and reads verifiers of passwords, in the form in which PostgreSQL keeps them and policies hold them:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey. Who reads one can check a password, and cannot compute it.

// NewVerifier makes the verifier of a password, with a fresh salt.
func NewVerifier(password string) (string, error) {
	salt := make([]byte, defaultSaltBytes)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	return makeVerifier(password, scram.KeyFactors{Salt: string(salt), Iters: defaultIterations})
}

// makeVerifier prepares the password by SASLprep. As in PostgreSQL and its clients, one that cannot be prepared is taken as it is.
func makeVerifier(password string, factors scram.KeyFactors) (string, error) {
	switch {
	case password == "":
		return "", errors.New("the password is empty")
	case strings.ContainsRune(password, 0):
		return "", errors.New("the password has a zero byte, which no client can send")
	}
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		if client, err = scram.SHA256.NewClientUnprepped("", password, ""); err != nil {
			return "", err
		}
	}
	c, err := client.GetStoredCredentialsWithError(factors)
	if err != nil {
		return "", err
	}
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", scramMechanism, c.Iters, encode([]byte(c.Salt)), encode(c.StoredKey), encode(c.ServerKey)), nil
}

var errVerifier = errors.New("not a SCRAM-SHA-256 verifier")

func parseVerifier(s string) (c scram.StoredCredentials, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 3 || parts[0] != scramMechanism {
		return c, errVerifier
	}
	iterations, salt, ok := strings.Cut(parts[1], ":")
	stored, server, ok2 := strings.Cut(parts[2], ":")
	if !ok || !ok2 {
		return c, errVerifier
	}
	if c.Iters, err = strconv.Atoi(iterations); err != nil || c.Iters < 1 {
		return c, errVerifier
	}
	decoded, err := base64.StdEncoding.DecodeString(salt)
	if err != nil || len(decoded) == 0 {
		return c, errVerifier
	}
	c.Salt = string(decoded)
	if c.StoredKey, err = base64.StdEncoding.DecodeString(stored); err != nil || len(c.StoredKey) != sha256.Size {
		return c, errVerifier
	}
	if c.ServerKey, err = base64.StdEncoding.DecodeString(server); err != nil || len(c.ServerKey) != sha256.Size {
		return c, errVerifier
	}
	return c, nil
}

// MatchesVerifier says whether a password is the one that a verifier was made of. It takes the same time if it is not.
func MatchesVerifier(verifier, password string) bool {
	want, err := parseVerifier(verifier)
	if err != nil {
		return false
	}
	made, err := makeVerifier(password, want.KeyFactors)
	if err != nil {
		return false
	}
	got, err := parseVerifier(made)
	return err == nil && subtle.ConstantTimeCompare(got.StoredKey, want.StoredKey) == 1
}

// Rounds is how many rounds of its hash a verifier takes; 0 if it is none.
func Rounds(verifier string) int {
	c, err := parseVerifier(verifier)
	if err != nil {
		return 0
	}
	return c.Iters
}
