package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/distribution/reference"
	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
	"github.com/opencontainers/go-digest"
)

// checkDockerfile says what is wrong with the Dockerfile of a directory.
func checkDockerfile(ctx context.Context, dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, "Dockerfile"))
	if err != nil {
		return []string{err.Error()}
	}
	empty := llb.Scratch()
	source := llb.NewSourceMap(&empty, "Dockerfile", "Dockerfile", text)
	if source.Definition, err = empty.Marshal(ctx); err != nil {
		return []string{err.Error()}
	}
	results, err := dockerfile2llb.DockerfileLint(ctx, text, dockerfile2llb.ConvertOpt{MetaResolver: anyImage{}, MainContext: &empty, SourceMap: source})
	if err != nil {
		return []string{err.Error()}
	}
	var findings []string
	for _, w := range results.Warnings {
		findings = append(findings, fmt.Sprintf("Dockerfile:%d: %s (%s)", w.Location.Ranges[0].Start.Line, w.Detail, w.RuleName))
	}
	if results.Error != nil {
		return append(findings, "Dockerfile: "+results.Error.Message)
	}
	return append(findings, checkCopies(text, dir)...)
}

// anyImage takes every image for one that is there, if a version of it is named. What is copied from a stage that there is not is taken for an image, and is
// found by that.
type anyImage struct{}

func (anyImage) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	named, err := reference.ParseNormalizedNamed(ref)
	if err != nil {
		return "", "", nil, err
	}
	if tagged, ok := reference.TagNameOnly(named).(reference.Tagged); ok && tagged.Tag() == "latest" {
		return "", "", nil, fmt.Errorf("%s is no stage, and an image without a version", reference.FamiliarName(named))
	}
	config := []byte(`{"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers"}, "config": {"Env": ["PATH=/usr/bin:/bin"]}}`)
	return ref, digest.FromBytes(config), config, nil
}

// checkCopies says what COPY and ADD would not find in a directory, since it is not there, or is left out by .dockerignore.
func checkCopies(text []byte, dir string) []string {
	file, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return []string{err.Error()}
	}
	stages, _, err := instructions.Parse(file.AST, nil)
	if err != nil {
		return []string{err.Error()}
	}
	ignored, err := ignoredBy(filepath.Join(dir, ".dockerignore"))
	if err != nil {
		return []string{err.Error()}
	}
	var findings []string
	for _, stage := range stages {
		for _, command := range stage.Commands {
			var sources []string
			switch c := command.(type) {
			case *instructions.CopyCommand:
				if c.From == "" {
					sources = c.SourcePaths
				}
			case *instructions.AddCommand:
				sources = c.SourcePaths
			}
			for _, s := range sources {
				if !isThere(dir, s, ignored) {
					findings = append(findings, fmt.Sprintf("Dockerfile:%d: %s is not there, or is left out by .dockerignore", command.Location()[0].Start.Line, s))
				}
			}
		}
	}
	return findings
}

func ignoredBy(path string) (*patternmatcher.PatternMatcher, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	patterns, err := ignorefile.ReadAll(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return patternmatcher.New(patterns)
}

func isThere(dir, source string, ignored *patternmatcher.PatternMatcher) bool {
	if strings.Contains(source, "://") {
		return true
	}
	found, err := filepath.Glob(filepath.Join(dir, source))
	for _, path := range found {
		name, _ := filepath.Rel(dir, path)
		if out, err := ignored.MatchesOrParentMatches(name); err == nil && !out {
			return true
		}
	}
	return err == nil && len(found) == 0 && strings.Contains(source, "$") // names of variables are known when it is built
}
