#!/bin/sh
# Runs each fuzz target of the module for a time, such as 20s:
#
#   scripts/fuzz.sh DURATION
#
# The duration is one of Go, such as 90s or 1h30m, or a number of inputs, such as 100x. A target that has not ended some minutes after it is stopped.
# A target that fails is shown with the input that it fails on. The others are run all the same, and the status is 1 in the end.
set -u
duration=${1:?usage: scripts/fuzz.sh DURATION}
# The limit is the duration and ten minutes, for the first target, which compiles all packages, and for inputs that are made smaller at the end.
limit=$(printf '%s\n' "$duration" | awk '
    BEGIN { second["h"] = 3600; second["m"] = 60; second["s"] = 1; second["ms"] = 0.001; second["us"] = second["ns"] = 0.000001 }
    /^[0-9]+x$/ { print 600; exit }
    !/^([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|ms|s|m|h)(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|ms|s|m|h))*$/ { exit }
    {
        for (; match($0, /^[0-9.]+[a-z]+/); $0 = substr($0, RLENGTH + 1)) {
            part = substr($0, 1, RLENGTH)
            unit = part
            gsub(/[0-9.]/, "", unit)
            sum += (part + 0) * second[unit]
        }
        printf "%d\n", sum + 600
    }')
[ -n "$limit" ] || { echo "fuzz: $duration is no duration of Go, such as 20s or 10m" >&2; exit 2; }
output=$(mktemp)
trap 'rm -f "$output"' EXIT
trap 'exit 1' HUP INT TERM

# Lines "PACKAGE TARGET". Caches of Go may be in the tree, with the fuzz targets of other modules.
targets=$(grep -r --include='*_test.go' --exclude-dir=.cache '^func Fuzz' . |
    sed -n 's|^\(.*\)/[^/]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|p' | sort -u)
[ -n "$targets" ] || { echo 'fuzz: there are no fuzz targets' >&2; exit 1; }

failed=
while read -r package target; do
    began=$(date +%s)
    # The coordinator of a fuzz target may wait for ever for a worker that ended while it began, and at the end of the time may report its own
    # deadline as a failure, without an input. Then the target runs again. The first target compiles all packages.
    for attempt in 1 2 3; do
        verdict='ok    '
        timeout -s QUIT -k 20 "$limit" "${GO:-go}" test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 20x "$package" >"$output" 2>&1 </dev/null || verdict=FAILED
        if [ "$verdict" != FAILED ] || grep -q 'Failing input' "$output" || ! grep -q '^ *context deadline exceeded$' "$output"; then
            break
        fi
    done
    printf '%s %-52s %4d s\n' "$verdict" "$package $target" $(($(date +%s) - began))
    if [ "$verdict" = FAILED ]; then
        failed="$failed $target"
        head -n 200 "$output" | sed 's/^/    /'
        # The input is kept in the package, where later runs and `go test` try it again.
        for input in $(sed -n 's|^ *Failing input written to ||p' "$output"); do
            echo "    $package/$input:"
            sed 's/^/        /' "$package/$input"
        done
    fi
done <<EOF
$targets
EOF
[ -z "$failed" ] || { echo "fuzz: failed:$failed" >&2; exit 1; }
