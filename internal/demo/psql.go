package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A psqlSession is a real psql, fed one statement after the other, whose output is copied as it comes.
type psqlSession struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	show   io.Writer
	prompt string
}

// endOfOutput is what psql is asked to print after each statement. It prints it on stderr, which is not buffered, and stderr and
// stdout are one pipe; psql flushes stdout after each result.
const endOfOutput = "tacit-demo-end-of-output"

func startPsql(ctx context.Context, path, url, prompt string, show io.Writer) (*psqlSession, error) {
	cmd := exec.CommandContext(ctx, path, "-X", "--pset=pager=off", url)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PGAPPNAME=psql")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &psqlSession{cmd: cmd, in: in, out: bufio.NewReader(out), show: show, prompt: prompt}, nil
}

// run shows a statement behind psql's prompt, sends it, and shows what psql prints.
func (p *psqlSession) run(statement string) error {
	fmt.Fprintf(p.show, "%s%s\n", p.prompt, strings.ReplaceAll(statement, "\n", "\n"+continuation(p.prompt)))
	if _, err := fmt.Fprintf(p.in, "%s\n\\warn %s\n", statement, endOfOutput); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	blank := ""
	for {
		line, err := p.out.ReadString('\n')
		switch {
		case err != nil:
			return fmt.Errorf("psql ended: %w", err)
		case strings.TrimSpace(line) == endOfOutput:
			return nil
		case line == "\n": // shown if something follows
			blank += line
		default:
			fmt.Fprint(p.show, blank+line)
			blank = ""
		}
	}
}

// continuation is the prompt of a statement's further lines, as psql has it: demo=> becomes demo->.
func continuation(prompt string) string {
	if i := strings.LastIndexAny(prompt, "=-"); i >= 0 {
		return prompt[:i] + "-" + prompt[i+1:]
	}
	return prompt
}

func (p *psqlSession) close() error {
	p.in.Close()
	return p.cmd.Wait()
}
