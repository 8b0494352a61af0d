package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tacit/internal/terminal"
	"tacit/proxy"
)

func passwordCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "password",
		Short: "make the verifier of an analyst's password",
		Long: `password asks for a password, twice and without showing it, and prints its SCRAM-SHA-256 verifier: what a policy with auth: scram
has in analysts.NAME.password. If the input is no terminal, its one line is the password. Nobody can compute the password from the
verifier, but whoever reads the verifier can try guesses. So choose a long password, and keep the policy readable by few.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(os.Stdin, terminal.Raw(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			verifier, err := proxy.NewVerifier(password)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), verifier)
			return err
		},
	}
}

func readPassword(in *os.File, prompts io.Writer) (string, error) {
	fd := int(in.Fd())
	if !term.IsTerminal(fd) {
		return passwordLine(in)
	}
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer term.Restore(fd, before)
	terminal := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, prompts}, "")
	password, err := terminal.ReadPassword("Password: ")
	if err != nil {
		return "", errors.New("no password was typed")
	}
	again, err := terminal.ReadPassword("Again: ")
	if err != nil || again != password {
		return "", errors.New("the two passwords differ")
	}
	return password, nil
}

// passwordLine reads the one line of an input.
func passwordLine(in io.Reader) (string, error) {
	const longest = 1 << 10
	text, err := io.ReadAll(io.LimitReader(bufio.NewReader(in), longest+1))
	if err != nil {
		return "", err
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case len(text) > longest:
		return "", fmt.Errorf("the password is longer than %d bytes", longest)
	case strings.ContainsAny(line, "\r\n"):
		return "", errors.New("the input has more than one line, of which one would be the password")
	}
	return line, nil
}
