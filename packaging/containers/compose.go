package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/distribution/reference"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// checkCompose says what is wrong with the compose.yaml of a directory: what its schema forbids, networks, volumes and services that there are not, stages
// that the Dockerfile does not have, images without a version, and files that are not there.
func checkCompose(ctx context.Context, dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, "compose.yaml"))
	if err != nil {
		return []string{err.Error()}
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return []string{err.Error()}
	}
	project, err := loader.LoadWithContext(ctx, types.ConfigDetails{
		WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}}, Environment: types.Mapping{"TACIT_SUPERUSER": "x"},
	}, loader.WithProfiles([]string{"*"}))
	if err != nil {
		return []string{"compose.yaml: " + err.Error()}
	}
	var findings []string
	for _, name := range slices.Sorted(maps.Keys(project.Services)) {
		for _, f := range checkService(project.Services[name]) {
			findings = append(findings, fmt.Sprintf("compose.yaml: %s: %s", name, f))
		}
	}
	return findings
}

func checkService(s types.ServiceConfig) []string {
	var findings []string
	if s.Build != nil {
		stages, err := stagesOf(filepath.Join(s.Build.Context, s.Build.Dockerfile))
		if err != nil {
			findings = append(findings, err.Error())
		} else if s.Build.Target != "" && !slices.Contains(stages, strings.ToLower(s.Build.Target)) {
			findings = append(findings, "the Dockerfile has no stage "+s.Build.Target)
		}
	} else if named, err := reference.ParseNormalizedNamed(s.Image); err != nil {
		findings = append(findings, err.Error())
	} else if tagged, ok := reference.TagNameOnly(named).(reference.Tagged); ok && tagged.Tag() == "latest" {
		findings = append(findings, s.Image+" has no version")
	}
	for _, v := range s.Volumes {
		if v.Type == types.VolumeTypeBind {
			if _, err := os.Stat(v.Source); err != nil {
				findings = append(findings, err.Error())
			}
		}
	}
	return findings
}

func stagesOf(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	stages, _, err := instructions.Parse(file.AST, nil)
	var names []string
	for _, s := range stages {
		names = append(names, strings.ToLower(s.Name))
	}
	return names, err
}
