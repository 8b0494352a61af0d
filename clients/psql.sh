#!/bin/sh
# Installs psql and pg_dump of later versions of PostgreSQL than Debian 12 has, beside the system, in .cache/clients/psql-MAJOR/bin:
#
#   clients/psql.sh
#
# They are Debian's own packages of later releases, with all that they need, the C library among them; apt checks their signatures. Nothing of the system is
# changed, and nothing is done where they are. With GO_ON=1 it goes on without what cannot be installed.
set -eu

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# fetch unpacks a package and what it depends on.
fetch() {
    major=$1 release=$2 to=$3
    mkdir -p "$to/apt/lists/partial" "$to/apt/archives/partial" "$to/root"
    echo "deb [signed-by=$keyring] http://deb.debian.org/debian $release main" >"$to/apt/sources.list"
    set -- -qq -o "Dir::Etc::sourcelist=$to/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$to/apt/lists" -o "Dir::State=$to/apt" \
        -o "Dir::Cache=$to/apt" -o Dir::State::status=/dev/null -o Debug::NoLocking=1 -o APT::Sandbox::User=
    apt-get "$@" update && apt-get "$@" install --yes --download-only --no-install-recommends "postgresql-client-$major" >/dev/null || return 1
    for package in "$to"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$to/root" || return 1
    done
    libraries=$to/root/usr/lib/x86_64-linux-gnu
    for program in psql pg_dump; do
        printf '#!/bin/sh\nexec "%s/ld-linux-x86-64.so.2" --library-path "%s" "%s" "$@"\n' "$libraries" "$libraries" "$to/root/usr/lib/postgresql/$major/bin/$program" >"$to/$program"
        chmod +x "$to/$program"
    done
    "$to/psql" --version && mkdir "$to/bin" && mv "$to/psql" "$to/pg_dump" "$to/bin/" && rm -rf "$to/apt"
}

for client in 17:trixie 18:sid; do
    to=$PWD/.cache/clients/psql-${client%:*}
    [ ! -x "$to/bin/psql" ] || continue
    rm -rf "$to"
    if [ "$(uname -m)" = x86_64 ] && [ -e "$keyring" ] && fetch "${client%:*}" "${client#*:}" "$to"; then
        continue
    fi
    rm -rf "$to"
    echo "psql ${client%:*} cannot be installed" >&2
    [ -n "${GO_ON:-}" ] || exit 1
done
