package encryption

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
)

// endPoint is the identity of a certificate by RFC 5929, section 4.1: its hash, by the function with which its signature was made, or by SHA-256 in
// place of MD5 and SHA-1. Of other signatures, as those of Ed25519, no identity is defined, and clients compute none.
func endPoint(leaf *x509.Certificate) []byte {
	switch leaf.SignatureAlgorithm {
	case x509.MD5WithRSA, x509.SHA1WithRSA, x509.ECDSAWithSHA1, x509.SHA256WithRSA, x509.SHA256WithRSAPSS, x509.ECDSAWithSHA256:
		sum := sha256.Sum256(leaf.Raw)
		return sum[:]
	case x509.SHA384WithRSA, x509.SHA384WithRSAPSS, x509.ECDSAWithSHA384:
		sum := sha512.Sum384(leaf.Raw)
		return sum[:]
	case x509.SHA512WithRSA, x509.SHA512WithRSAPSS, x509.ECDSAWithSHA512:
		sum := sha512.Sum512(leaf.Raw)
		return sum[:]
	default:
		return nil
	}
}
