#!/bin/sh
# Installs what clients in JavaScript need, as the lists in clients/NAME/package-lock.json say, in .cache/clients/NAME:
#
#   clients/npm.sh NAME...
#
# It takes up to a minute each, and nothing where the list has not changed since. Scripts of packages are not run: some would
# download programs from elsewhere. With GO_ON=1 it goes on without what cannot be installed.
set -eu

for name; do
    from=clients/$name to=.cache/clients/$name
    if cmp -s "$from/package-lock.json" "$to/installed.json"; then
        continue
    fi
    echo "Installing what clients/$name needs, from npm"
    mkdir -p "$to"
    rm -f "$to/installed.json"
    cp "$from/package.json" "$from/package-lock.json" "$to/"
    if (cd "$to" && npm ci --silent --no-audit --no-fund --ignore-scripts); then
        cp "$from/package-lock.json" "$to/installed.json"
    elif [ -n "${GO_ON:-}" ]; then
        rm -rf "$to/node_modules"
        echo "npm ci has failed: going on without clients/$name"
    else
        echo "npm ci has failed in $to" >&2
        exit 1
    fi
done
