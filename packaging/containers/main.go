// Containers checks a Dockerfile and a compose.yaml without Docker, as far as that goes:
//
//	go run . DIRECTORY
//
// The Dockerfile is read, checked and translated by BuildKit's own packages, which `docker build` runs. What a build would find beyond that is checked here:
// whether what is copied from the directory is there. compose.yaml is read by the package that `docker compose` reads it with. Images are not fetched, and no
// command is run.
package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: containers DIRECTORY")
		os.Exit(2)
	}
	findings := append(checkDockerfile(context.Background(), os.Args[1]), checkCompose(context.Background(), os.Args[1])...)
	for _, f := range findings {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(findings) > 0 {
		os.Exit(1)
	}
	fmt.Println("Dockerfile and compose.yaml: nothing found")
}
