#!/bin/sh
# Runs what touches a PostgreSQL server against the servers that scripts/servers.sh has installed, one major version after the other:
#
#   scripts/matrix.sh MAJOR...
#
# It fails if one of them is missing. With GO_ON=1 it names those that are missing, and goes on. With SHORT=1 it runs a short form: the
# demo's session, the proof of separation, statements compared with PostgreSQL's own result, and one planted person. With PACKAGES='PACKAGE...'
# it runs the tests of these packages alone.
set -eu

servers=$PWD/.cache/servers
status=0
copy=
trap '[ -z "$copy" ] || rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM

# PostgreSQL does not run as root, and root's directories may be closed to the account as which it runs instead.
reachable() {
    [ "$(id -u)" != 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$1/postgres" 2>/dev/null
}

run() {
    echo "PostgreSQL $major: $*"
    "$@" || { echo "FAILED on PostgreSQL $major: $*"; status=1; }
}

in_full() {
    # shellcheck disable=SC2086 # several packages
    run ${GO:-go} test -short -count=1 -timeout 40m -p 2 ${PACKAGES:-./internal/pgtest ./internal/proof ./internal/chaos ./internal/demo ./rewrite/... \
        ./release/... ./proxy/... ./accountant/ledger/... ./cmd/tacit ./clients/...}
}

in_short() {
    run ${GO:-go} run ./cmd/tacit demo --once
    run ${GO:-go} test -short -count=1 -timeout 20m ./release/curator -run 'FindsHoles|RaisesNoFalseAlarm|TestHardeningSQL|AfterHardening|Newer|Temporal|TestStandby'
    run ${GO:-go} test -short -count=1 -timeout 20m ./internal/proof -run 'TestAnswersArePostgresOwn|TestAnswersHideWhoIsThere'
}

for major; do
    bin=$servers/$major/bin
    if [ ! -x "$bin/postgres" ]; then
        echo "NOT RUN PostgreSQL $major: it is not in .cache/servers, see \`make servers\`"
        [ -n "${GO_ON:-}" ] || status=1
        continue
    fi
    if ! reachable "$bin"; then
        copy=$(mktemp -d /tmp/tacit-servers.XXXXXXXX)
        chmod 755 "$copy"
        cp -R "$servers/$major" "$copy/"
        bin=$copy/$major/bin
    fi
    export TACIT_PG_BIN="$bin"
    if [ -n "${SHORT:-}" ]; then in_short; else in_full; fi
    [ -z "$copy" ] || rm -rf "$copy"
    copy=
done
exit $status
