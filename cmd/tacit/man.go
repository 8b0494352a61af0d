package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// developed is the version that this source will become.
const developed = "0.1.0"

// stamped is the version of a release, which is linked with it.
var stamped string

// released is the version of a commit that has a tag, as Go writes it; those of other commits have more behind it.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[a-z]+[.0-9]*)?$`)

// version is that of the program: a release's own, or the tag of the commit that Go built it from, or the one that is developed.
func version() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && released.MatchString(info.Main.Version) {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return developed
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of the program, and of what it was built from",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "tacit %s%s, %s %s/%s\n", version(), revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// revision is the commit that the program was built from, where the build knows it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text = " (" + s.Value[:min(12, len(s.Value))] + text
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", changed"
		}
	}
	if text == "" {
		return ""
	}
	return text + ")"
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "write a manual page for each command",
		Long: `man writes the manual pages of tacit and of its commands into a directory, which it makes if need be. With DIRECTORY
/usr/local/share/man/man1, "man tacit-log" shows one.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := cobra.ExactArgs(1)(cmd, args); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // which has the day, and the header has the month
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "tacit " + version(), Manual: "tacit"}, args[0])
		},
	}
}
