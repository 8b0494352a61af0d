package proxy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"
)

// PostgreSQL itself and the proxy read the same settings in options.
func TestOptionsAreReadAsPostgresDoes(t *testing.T) {
	r := newRig(t, nil)
	shown := func(address string, params ...string) string {
		p := connectAs(t, address, "ana", r.database, params...)
		var all []string
		for _, setting := range []string{"application_name", "search_path", "statement_timeout", "work_mem", "TimeZone"} {
			p.send(encode(simpleQuery("SHOW " + setting)))
			all = append(all, p.until('Z', 1)[1])
		}
		return strings.Join(all, "\n")
	}
	seen := make(map[string]bool)
	for _, params := range [][]string{
		{"options", "-c search_path=pg_temp"},
		{"options", "-csearch_path=pg_temp,public"},
		{"options", "--search_path=public"},
		{"options", "--search-path=pg_catalog"},
		{"options", "-c statement-timeout=7s"},
		{"options", "  -c\tstatement_timeout=5s\n--work-mem=8MB  "},
		{"options", `-c application_name=two\ words`},
		{"options", `-c application_name=back\\slash`},
		{"options", `-c application_name=a\=b=c`},
		{"options", `-c application_name=end\`},
		{"options", `-c application_name=it's"quoted"`},
		{"options", `\-c application\_name=x`},
		{"options", `-c Search_Path=public,\ pg_temp -c APPLICATION_NAME=y`},
		{"options", "-c application_name="},
		{"options", "-c application_name=first -c application_name=second"},
		{"options", "-c application_name=option -c TimeZone=Asia/Tokyo", "application_name", "parameter"},
		{"application_name", "parameter", "options", "-c application_name=option"},
	} {
		through, directly := shown(r.address.String(), params...), shown(r.direct(), params...)
		if diff := cmp.Diff(directly, through); diff != "" {
			t.Errorf("%q (-PostgreSQL +proxy):\n%s", params, diff)
		}
		seen[through] = true
	}
	if len(seen) < 12 {
		t.Errorf("only %d ways of being set", len(seen))
	}
}

func checkRefusedOption(t *testing.T, r *rig, options, want string) {
	t.Helper()
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database, "options", options))
	if got := strings.Join(p.rest(), ""); !strings.HasPrefix(got, "E V=FATAL") || !strings.Contains(got, want) {
		t.Errorf("%q: got %q, want %q", options, got, want)
	}
}

// What options hold is set like parameters of their own: what these may not set, options may not either.
func TestOptionsRefused(t *testing.T) {
	r := newRig(t, nil)
	for options, want := range map[string]string{
		"-c role=postgres":                                   `C=42704 M=startup parameter "role"`,
		"-c session_authorization=postgres":                  `C=42704 M=startup parameter "session_authorization"`,
		"--standard-conforming-strings=off":                  `C=42704 M=startup parameter "standard_conforming_strings"`,
		`-c r\ole=postgres`:                                  `C=42704 M=startup parameter "role"`,
		"-c debug_print_plan=on":                             `C=42704 M=startup parameter "debug_print_plan"`,
		"-c client_encoding=LATIN1":                          `C=22023 M=client_encoding "LATIN1"`,
		"-c application_name=x -c local_preload_libraries=x": `C=42704 M=startup parameter "local_preload_libraries"`,
		"-c statement_timeout=soon":                          `C=22023 M=invalid value for parameter "statement_timeout"`,
		"-c user=bob":                                        `C=42704 M=startup parameter "user"`,
		"-c database=postgres":                               `C=42704 M=startup parameter "database"`,
		"-c options=-crole=postgres":                         `C=42704 M=startup parameter "options"`,
		"-c replication=1":                                   `C=42704 M=startup parameter "replication"`,
		"-c":                                                 `C=42601 M="-c" requires a value`,
		"-c search_path":                                     `requires a value`,
		"--search_path":                                      `C=42601 M="--search_path" requires a value`,
		"--=x":                                               `C=42601`,
		"-c=":                                                `C=42601`,
		"-c =":                                               `C=42601`,
		"-c =x":                                              `C=42601`,
		"--":                                                 `C=42601`,
		"-c -c statement_timeout=5s":                         `C=42601 M="-c" requires a value`,
		"-":                                                  `C=42601 M=invalid command-line argument for server process: "-"`,
		"-d 5":                                               `C=42601 M=invalid command-line argument for server process: "-d"`,
		"-O":                                                 `C=42601`,
		"search_path=public":                                 `C=42601`,
		"-c application_name=\xff":                           `C=22021`,
		"x\xff":                                              `C=42601`,
	} {
		checkRefusedOption(t, r, options, want)
	}
}

func FuzzOptions(f *testing.F) {
	for _, options := range []string{"-c a=b", `--a-b=c\ d`, `\`, " ", "-c", "-c x", "\\\\ \\", "--=", "-ca=\xff"} {
		f.Add(options)
	}
	f.Fuzz(func(t *testing.T, options string) {
		settings, refusal := readOptions(options)
		if refusal != nil && settings != nil {
			t.Error("settings and a refusal")
		}
		for _, s := range settings {
			if s.Name == "" || strings.ContainsAny(s.Name, "-=") || len(s.Name)+len(s.Value) > len(options) {
				t.Errorf("%q sets %q", options, s)
			}
		}
	})
}
