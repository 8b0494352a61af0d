package weburl

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// Check says what is wrong with a URL. If path is not empty, it is the URL's.
func Check(text, path string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || u.String() != text:
		return errors.New("this is no URL")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(text, "#"):
		return errors.New("this URL has more than an address and a path")
	case u.Scheme != "https" && (u.Scheme != "http" || !isThisMachine(u.Hostname())):
		return errors.New("secrets would be sent there in clear")
	case path != "" && u.Path != path:
		return errors.New("this URL has another path")
	}
	return nil
}

func isThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
