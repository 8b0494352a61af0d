package curator

import (
	"strings"
	"testing"
)

// A server that ended, or one that nobody tried, is refused by its number.
func TestServerVersions(t *testing.T) {
	for number, want := range map[string]string{
		"130023": "PostgreSQL 13", "90624": "PostgreSQL 9", "140000": "", "150018": "", "180004": "", "190000": "PostgreSQL 19", "many": "server_version_num",
	} {
		if err := checkVersion(number); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", number, err, want)
		}
	}
}

// YugabyteDB has numbers of PostgreSQL. What distributors add is no reason to refuse.
func TestServerForks(t *testing.T) {
	for version, refused := range map[string]bool{
		"15.2-YB-2025.1.0.0-b0": true, "15.18 (Debian 15.18-0+deb12u1)": false, "18.4": false, "16.3 - Percona Server for PostgreSQL 16.3.1": false, "17beta1": false,
	} {
		if err := checkFork(version); (err != nil) != refused {
			t.Errorf("%s: %v", version, err)
		}
	}
}
