// Command mutants changes one place of the code at a time, and looks whether a test fails. A change that no test notices survives: a test is
// missing, the change means the same, or the code is not needed.
//
// Places are drawn at random from all files of the packages that are named, by a seed that is printed. A mutant is judged by its own package's
// tests, in short, and if it survives those by the tests of packages that import its package, up to -importers of them. Those in the directories
// above it come first. Nothing in the tree is written: the compiler is given the changed file in the original's place (go help build, -overlay).
// Run it by `make mutants`.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A verdict is what the tests make of a mutant.
type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "SURVIVED"
	invalid  verdict = "does not compile" // or go vet finds it: no mutant
)

func main() {
	number := flag.Int("n", 200, "how many mutants are judged")
	seed := flag.Uint64("seed", 1, "the seed by which places are drawn")
	limit := flag.Duration("limit", 5*time.Minute, "how long the tests of one package may take; a mutant that takes longer is killed")
	importers := flag.Int("importers", 3, "how many packages that import a mutant's package judge it, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, flag.Args(), *number, *seed, newJudge(*limit, *importers))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run judges mutants of the packages below some directories, and prints each with its verdict.
func run(ctx context.Context, directories []string, number int, seed uint64, j judge) error {
	files, err := sources(directories)
	if err != nil {
		return err
	}
	mutants, err := mutantsOf(files)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	fmt.Printf("%d places in %d files, seed %d\n", len(mutants), len(files), seed)
	counts := make(map[verdict]int)
	for _, m := range mutants {
		if counts[killed]+counts[survived] == number {
			break
		}
		v, err := j.verdict(ctx, m)
		if err != nil {
			return err
		}
		counts[v]++
		if v != invalid {
			fmt.Printf("%-8s %v\n", v, m)
		}
	}
	fmt.Printf("%d killed, %d survived; %d more did not compile\n", counts[killed], counts[survived], counts[invalid])
	return nil
}

// sources are the files of Go below some directories, without tests.
func sources(directories []string) ([]string, error) {
	var files []string
	for _, directory := range directories {
		err := filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				files = append(files, filepath.Clean(path))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no file of Go is below the directories that were named")
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// A judge runs tests.
type judge struct {
	limit     time.Duration
	importers int
	passed    map[string]bool // packages whose tests pass when nothing is changed
}

func newJudge(limit time.Duration, importers int) judge {
	return judge{limit, importers, make(map[string]bool)}
}

func (j judge) verdict(ctx context.Context, m mutant) (verdict, error) {
	overlay, err := m.overlay()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(filepath.Dir(overlay))
	own := "./" + filepath.Dir(m.file)
	packages := []string{own}
	if j.importers > 0 {
		more, err := importersOf(ctx, own, j.importers)
		if err != nil {
			return "", err
		}
		packages = append(packages, more...)
	}
	if err := command(ctx, "go", "vet", "-overlay", overlay, own).Run(); err != nil {
		return invalid, ctx.Err()
	}
	for _, p := range packages {
		if j.test(ctx, p, "-overlay", overlay) != nil {
			return killed, cmp.Or(ctx.Err(), j.passesUnchanged(ctx, p))
		}
	}
	return survived, nil
}

// passesUnchanged is an error if tests that failed for a mutant fail without it as well. It runs them once.
func (j judge) passesUnchanged(ctx context.Context, tests string) error {
	if j.passed[tests] {
		return nil
	}
	if err := j.test(ctx, tests); err != nil {
		return fmt.Errorf("the tests of %s fail though nothing is changed: %w", tests, err)
	}
	j.passed[tests] = true
	return nil
}

func (j judge) test(ctx context.Context, tests string, flags ...string) error {
	args := append([]string{"test", "-short", "-count=1", "-vet=off", "-failfast", "-timeout", j.limit.String()}, flags...)
	return command(ctx, "go", append(args, tests)...).Run()
}

// overlay writes the mutant and the file that has the compiler read it in the original's place. The directory is the caller's to remove.
func (m mutant) overlay() (path string, err error) {
	directory, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(directory, filepath.Base(m.file))
	text, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(directory, "overlay.json")
	return path, errors.Join(os.WriteFile(changed, m.text, 0o600), os.WriteFile(path, text, 0o600))
}

// importersOf are packages of the module that have tests and import one. Those of the directories above it come first, even if they import it by
// way of others, since what is in rewrite/query is tested in rewrite; then those with the fewest imports, since they are about it.
func importersOf(ctx context.Context, own string, number int) ([]string, error) {
	target, err := command(ctx, "go", "list", own).Output()
	if err != nil {
		return nil, err
	}
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}{{end}}`
	list, err := command(ctx, "go", "list", "-f", format, "./...").Output()
	if err != nil {
		return nil, err
	}
	path := strings.TrimSpace(string(target))
	var above, others []importer
	for line := range strings.Lines(string(list)) {
		fields := strings.SplitN(strings.TrimSpace(line), "|", 3)
		if len(fields) < 3 {
			continue
		}
		direct := strings.Fields(fields[1])
		switch p := (importer{fields[0], len(direct)}); {
		case strings.HasPrefix(path, p.path+"/") && slices.Contains(strings.Fields(fields[2]), path):
			above = append(above, p)
		case slices.Contains(direct, path):
			others = append(others, p)
		}
	}
	slices.SortFunc(above, func(a, b importer) int { return len(b.path) - len(a.path) })
	slices.SortStableFunc(others, func(a, b importer) int { return a.imports - b.imports })
	var paths []string
	for _, p := range append(above, others...) {
		paths = append(paths, p.path)
	}
	return paths[:min(number, len(paths))], nil
}

type importer struct {
	path    string
	imports int
}

// command is one that ends with all its children when the time is over: tests start servers.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = 20 * time.Second
	return c
}
