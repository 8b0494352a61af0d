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
