#!/bin/sh
# Runs targets of the Makefile one after the other, and prints a line for each, with its duration:
#
#   scripts/steps.sh 'TARGET [VARIABLE=VALUE]...' ...
#
# All are run, also when one fails; then the status is 1 in the end. What a step prints is kept in .cache/steps/TARGET.log, and is shown
# if it fails. Lines that begin with "NOT RUN" say what this machine cannot run. They are shown in any case.
set -u
logs=.cache/steps
mkdir -p "$logs"
failed=
for step; do
    target=${step%% *}
    log=$logs/$target.log
    began=$(date +%s)
    verdict='ok    '
    # shellcheck disable=SC2086 # a target and its variables are separate words
    ${MAKE:-make} --no-print-directory $step >"$log" 2>&1 </dev/null || verdict=FAILED
    printf '%s make %-24s %5d s\n' "$verdict" "$step" $(($(date +%s) - began))
    if [ "$verdict" = FAILED ]; then
        failed="$failed $target"
        echo "The end of $log:"
        tail -n 400 "$log" | sed 's/^/    /'
    else
        sed -n '/^NOT RUN/s/^/       /p' "$log"
    fi
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
