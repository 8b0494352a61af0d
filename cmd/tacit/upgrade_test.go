package main

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUpgrade installs, upgrades and removes the packages with dpkg and rpm themselves, in a root directory that lies over this machine's own. A stub in the
// place of systemctl records what the packages' scripts ask of it.
func TestUpgrade(t *testing.T) {
	if testing.Short() {
		t.Skip("packages of two versions are made, which takes a minute")
	}
	needReleaseTools(t, "dpkg", "rpm", "unshare", "chroot", "systemd-analyze")
	if os.Getuid() != 0 {
		t.Skip("a root directory over this machine's own needs root")
	}
	t.Parallel()
	before, after := makeRelease(t, "9.8.7"), makeRelease(t, "9.9.0")
	for _, p := range []packager{{
		name: "deb", old: only(t, before, "*.deb"), next: only(t, after, "*.deb"),
		install: []string{"dpkg", "--force-unsafe-io", "--force-downgrade", "--install"}, remove: []string{"dpkg", "--remove", "tacit"},
		version: []string{"dpkg-query", "--show", "--showformat=${Version}", "tacit"},
		upgrade: []string{reloadUnits, "--quiet --system restart tacit.service"},
	}, {
		name: "rpm", old: only(t, before, "*.rpm"), next: only(t, after, "*.rpm"),
		install: []string{"rpm", "--upgrade", "--oldpackage", "--nodeps"}, remove: []string{"rpm", "--erase", "tacit"},
		version: []string{"rpm", "--query", "--queryformat=%{VERSION}", "tacit"},
		upgrade: []string{reloadUnits, reloadUnits, "--system try-restart tacit.service"}, // the second is for the units of the old version, which are gone then
	}} {
		t.Run(p.name, func(t *testing.T) { upgrade(t, p) })
	}
}

// A packager is dpkg or rpm, with two versions of the package.
type packager struct {
	name, old, next          string
	install, remove, version []string
	upgrade                  []string // what its scripts ask of systemctl when a proxy runs
}

const reloadUnits = "--system daemon-reload"

// upgrade goes through the life of a package. What is the steward's stays as it is through all of it.
func upgrade(t *testing.T, p packager) {
	const disable = "--system --no-reload disable --now tacit.socket tacit.service"
	s := newScratch(t)
	install := func(file string) string {
		t.Helper()
		return s.run(append(slices.Clone(p.install), file)...)
	}
	wantCalls := func(when string, want ...string) {
		t.Helper()
		// Whether the proxy runs may be asked before; try-restart asks that by itself.
		if got := slices.DeleteFunc(s.calls(), func(c string) bool { return strings.Contains(c, " is-") }); !slices.Equal(got, want) {
			t.Errorf("%s, systemctl is asked for %q, want %q", when, got, want)
		}
	}

	install(p.old)
	wantCalls("at the installation", reloadUnits)
	if out := s.run("getent", "passwd", "tacit"); !strings.HasSuffix(out, ":/var/lib/tacit:/usr/sbin/nologin\n") {
		t.Errorf("the account is %s", out)
	}
	if out := s.run("stat", "--format=%A %U %G", "/etc/tacit"); out != "drwxr-x--- root tacit\n" {
		t.Errorf("/etc/tacit is %s", out)
	}
	if out := s.run("systemd-analyze", "--man=no", "verify", "tacit.service", "tacit.socket"); out != "" {
		t.Errorf("the units:\n%s", out)
	}
	packaged := s.files()
	s.run("sh", "-c", `umask 077; mkdir /var/lib/tacit; for f in /etc/tacit/policy.yaml /var/lib/tacit/tacit.db; do echo mine >$f; chown tacit:tacit $f ${f%/*}; done`)
	mine := slices.Sorted(maps.Keys(s.files()))
	mine = slices.DeleteFunc(mine, func(f string) bool { return packaged[f] != "" })
	kept := func(when string) {
		t.Helper()
		files := s.files()
		for _, f := range mine {
			if files[f] != "mine\n" {
				t.Errorf("%s, %s is %q", when, f, files[f])
			}
			delete(files, f)
		}
		if want := len(packaged); files["/usr/bin/tacit"] == "" {
			if len(files) != 0 {
				t.Errorf("%s, there is %v", when, slices.Sorted(maps.Keys(files)))
			}
		} else if len(files) != want {
			t.Errorf("%s, there is %v", when, slices.Sorted(maps.Keys(files)))
		}
	}

	s.run("touch", "/runs")
	install(p.next)
	wantCalls("at the upgrade of a proxy that runs", p.upgrade...)
	kept("after the upgrade")
	if out := s.run(p.version...); out != "9.9.0" {
		t.Errorf("after the upgrade the version is %s", out)
	}
	s.run("rm", "/runs")
	install(p.old)
	if got := strings.Join(s.calls(), "\n"); strings.Contains(got, " restart ") {
		t.Errorf("a proxy that does not run is restarted: %s", got)
	}
	s.run(p.remove...)
	wantCalls("at the removal", disable, reloadUnits)
	kept("after the removal")
	install(p.next)
	wantCalls("when it comes back", reloadUnits)
	kept("when it is back")
	if p.name == "deb" {
		if out := s.run("dpkg", "--purge", "tacit"); !strings.Contains(out, "/var/lib/tacit is kept") {
			t.Errorf("purging says nothing of the ledger:\n%s", out)
		}
		wantCalls("at the purge", disable, reloadUnits, reloadUnits)
		kept("after the purge")
	}
}

// A scratch is a root directory that shows this machine's own files, and keeps in a directory of its own what is changed.
type scratch struct {
	t   *testing.T
	dir string
}

// newScratch has a systemctl that records how it is called in /calls, and that says a unit runs while there is /runs.
func newScratch(t *testing.T) scratch {
	t.Helper()
	s := scratch{t, t.TempDir()}
	for _, d := range []string{"upper/run/systemd/system", "upper/usr/bin", "upper/usr/sbin", "work", "root"} {
		if err := os.MkdirAll(filepath.Join(s.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		"usr/bin/systemctl":    "#!/bin/sh\necho \"$*\" >>/calls\ncase \" $* \" in *' is-active '*) [ -e /runs ] ;; *' is-enabled '*) echo enabled ;; esac\n",
		"usr/sbin/policy-rc.d": "#!/bin/sh\nexit 0\n",
	} {
		if err := os.WriteFile(filepath.Join(s.dir, "upper", path), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs a command in the root directory, which is mounted for it alone.
func (s scratch) run(args ...string) string {
	s.t.Helper()
	const enter = `cd "$1" && mount -t overlay overlay -o "lowerdir=/,upperdir=upper,workdir=work" root && mount -t proc proc root/proc && mount --rbind /dev root/dev && shift && exec chroot root "$@"`
	cmd := exec.Command("unshare", append([]string{"--mount", "sh", "-c", enter, "sh", s.dir}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// calls are those of systemctl since it was asked for last.
func (s scratch) calls() []string {
	s.t.Helper()
	path := filepath.Join(s.dir, "upper/calls")
	text, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		s.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// files are those of the package and of the steward, with the beginnings of their texts.
func (s scratch) files() map[string]string {
	s.t.Helper()
	upper, files := filepath.Join(s.dir, "upper"), map[string]string{}
	err := filepath.WalkDir(upper, func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, upper)
		if err != nil || !entry.Type().IsRegular() || !strings.Contains(name, "tacit") || strings.HasPrefix(name, "/var/lib/dpkg/") {
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = string(text[:min(len(text), 100)])
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return files
}
