package address

import "testing"

func TestCheck(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1:6432": true, ":0": true, "[::1]:5432": true, "db-1.example:65535": true, "127.0.0.1:65536": false, "127.0.0.1": false, "6432": false, "": false, "a b:1": false,
		"/run/tacit/.s.PGSQL.6432": true, "/.s.PGSQL.1": true, "/run/tacit": false, "/run/.s.PGSQL.": false, "/run/.s.PGSQL.70000": false, "/run/../.s.PGSQL.1": false,
		"run/.s.PGSQL.6432": false, "/" + longName + "/.s.PGSQL.6432": false, "/a\x00b/.s.PGSQL.6432": false,
	} {
		if err := Check(text); (err == nil) != want {
			t.Errorf("Check(%q): %v", text, err)
		}
	}
}

const longName = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

func TestIsLocal(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true, "localhost:1": true, "/run/.s.PGSQL.1": true,
		"0.0.0.0:1": false, ":1": false, "[::]:1": false, "10.0.0.7:1": false, "localhost.example:1": false,
	} {
		if got := IsLocal(text); got != want {
			t.Errorf("IsLocal(%q) = %v", text, got)
		}
	}
}

func TestNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.7": "10.0.0.7/32", "10.1.0.0/16": "10.1.0.0/16", "fd00::1": "fd00::1/128", "fd00::/8": "fd00::/8", "::ffff:10.0.0.7": "10.0.0.7/32",
		"10.1.2.3/16": "", "0.0.0.0/0": "", "::/0": "", "::ffff:10.0.0.0/104": "", "balancer": "", "": "", "fe80::1%eth0": "", "10.0.0.7:80": "",
	} {
		network, err := Network(text)
		if (err == nil) != (want != "") || err == nil && network.String() != want {
			t.Errorf("Network(%q) = %v, %v", text, network, err)
		}
	}
}
