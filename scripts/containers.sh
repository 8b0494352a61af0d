#!/bin/sh
# Checks the Dockerfile and compose.yaml, and tries them where Docker runs:
#
#   scripts/containers.sh
#
# What needs no Docker is checked by the Go module in packaging/containers. Where `docker info` finds a daemon, the image is built, the program in it says its
# version, and, with the plug-in compose, PostgreSQL and the proxy are started as compose.yaml says, and an analyst asks for a count. All that is removed again.
set -eu
export GOFLAGS=-buildvcs=false
(cd packaging/containers && ${GO:-go} vet . && ${GO:-go} test -count=1 . && ${GO:-go} run . ../..)

if ! docker info >/dev/null 2>&1; then
    echo 'NOT RUN: building the image and starting compose.yaml; no Docker runs here'
    exit
fi
image=tacit-check:$$ project=tacit-check-$$
docker build --quiet --tag "$image" .
trap 'docker image rm --force "$image" >/dev/null' EXIT
trap 'exit 1' HUP INT TERM
docker run --rm --read-only --cap-drop ALL "$image" version

if ! docker compose version >/dev/null 2>&1; then
    echo 'NOT RUN: starting compose.yaml; Docker has no plug-in compose here'
    exit
fi
TACIT_SUPERUSER=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export TACIT_SUPERUSER
compose() {
    docker compose --project-name "$project" "$@"
}
trap 'compose down --volumes --rmi local --timeout 5 >/dev/null 2>&1; docker image rm --force "$image" >/dev/null' EXIT
compose up --detach --build --wait proxy
count="SELECT 'counted ' || count(*) FROM (SELECT sex, count(*) FROM titanic GROUP BY sex) AS t"
compose run --rm -T client psql "host=proxy port=6432 user=ana dbname=quickstart sslmode=verify-full" --command "$count" | tee /dev/stderr | grep -q 'counted 2'
