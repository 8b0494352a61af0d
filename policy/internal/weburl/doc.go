// Package weburl says whether a URL is one that secrets may be sent to. It guarantees HTTPS, but for this machine, and that the URL is written in one way only: what
// is compared with it elsewhere is compared as text. Nothing is opened. Start at Check.
package weburl
