#!/bin/sh
# Installs what `make` needs and this machine lacks:
#
#   scripts/install.sh demo|test|bench|clients|servers|release
#
# finds out which Debian packages those are and installs them, with sudo if need be. It knows apt-get, so Debian and Ubuntu;
# elsewhere it says what is missing. It installs packages only: it creates no database cluster, leaves no service running, and
# changes no existing cluster and no existing configuration file.
#
# With GO_ON=1 it goes on without clients and other servers that cannot be installed, and with SHORT=1 without those that take long.
#
#   scripts/install.sh missing demo|test|bench|clients|servers|release
#
# prints the packages that this machine lacks, and installs nothing.
#
#   scripts/install.sh packages NAME...
#
# is the part that needs root. With DRY_RUN=1 nothing is run, but printed.
set -eu

say() {
    echo "install: $*" >&2
}

fail() {
    say "$*"
    exit 1
}

run() {
    say "running: $*"
    [ -n "${DRY_RUN:-}" ] || "$@"
}

has_command() {
    command -v "$1" >/dev/null 2>&1
}

# A C compiler with the headers of the C library, for PostgreSQL's parser.
has_compiler() {
    echo '#include <stdlib.h>' | ${CC:-gcc} -E - >/dev/null 2>&1
}

# has_server looks where internal/pgtest looks.
has_server() {
    if [ -n "${TACIT_PG_BIN:-}" ]; then
        [ -x "$TACIT_PG_BIN/initdb" ] && [ -x "$TACIT_PG_BIN/postgres" ]
        return
    fi
    if has_command initdb && has_command postgres; then
        return
    fi
    for initdb in /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$initdb" ] && [ -x "${initdb%/initdb}/postgres" ] && return
    done
    return 1
}

# has_psql does not count Debian's wrapper without a psql behind it.
has_psql() {
    psql --version >/dev/null 2>&1
}

# Debian's Python packages belong to Debian's interpreter, not to one that pyenv or conda put first on the PATH.
has_python_package() {
    [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "import $1" 2>/dev/null
}

# Java's compiler runs a program from its source.
has_java_compiler() {
    java --list-modules 2>/dev/null | grep -q '^jdk\.compiler'
}

has_odbc_driver() {
    has_command odbcinst && odbcinst -q -d -n 'PostgreSQL Unicode' >/dev/null 2>&1
}

has_r_package() {
    [ -e "/usr/lib/R/site-library/$1/DESCRIPTION" ]
}

# has_libreoffice looks for what one of Debian's packages of LibreOffice puts into its directory.
has_libreoffice() {
    [ -e "/usr/lib/libreoffice/program/$1" ]
}

# missing_clients prints the packages that the clients of `make clients` lack; those of JavaScript come from npm, see clients/npm.sh.
missing_clients() {
    [ -x /usr/bin/pgcli ] || echo pgcli
    has_python_package psycopg || echo python3-psycopg
    has_python_package asyncpg || echo python3-asyncpg
    has_python_package sqlalchemy || echo python3-sqlalchemy
    has_python_package pandas || echo python3-pandas
    has_python_package pyodbc || echo python3-pyodbc
    has_odbc_driver || echo odbc-postgresql odbcinst unixodbc
    [ -e /usr/share/java/postgresql.jar ] || echo libpostgresql-jdbc-java
    has_java_compiler || echo default-jdk-headless
    has_command node || echo nodejs
    has_command npm || echo npm
    has_r_package dbplyr || echo r-cran-dbplyr
    has_r_package RPostgreSQL || echo r-cran-rpostgresql
    has_command chromium || echo chromium
    [ -z "${SHORT:-}" ] || return 0
    has_libreoffice libdbalo.so || echo libreoffice-base-core
    has_libreoffice libsdbc2.so || echo libreoffice-base-drivers
    has_libreoffice libpostgresql-sdbclo.so || echo libreoffice-sdbc-postgresql
    has_python_package uno || echo python3-uno
}

has_pgbouncer() {
    has_command pgbouncer || [ -x /usr/sbin/pgbouncer ]
}

has_haproxy() {
    has_command haproxy || [ -x /usr/sbin/haproxy ]
}

# missing_release prints the packages that `make release` lacks: the C compiler of the other architecture, and what runs its programs to try them.
missing_release() {
    case $(uname -m) in
    x86_64)
        has_command aarch64-linux-gnu-gcc || echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        has_command qemu-aarch64-static || has_command qemu-aarch64 || echo qemu-user-static
        ;;
    aarch64)
        has_command x86_64-linux-gnu-gcc || echo gcc-x86-64-linux-gnu libc6-dev-amd64-cross
        has_command qemu-x86_64-static || has_command qemu-x86_64 || echo qemu-user-static
        ;;
    esac
}

# missing prints the packages that this machine lacks for a purpose, separated by blanks.
missing() {
    packages=
    if [ "$1" = servers ]; then # those of other versions, from npm
        has_command node || packages="$packages nodejs"
        has_command npm || packages="$packages npm"
        # shellcheck disable=SC2086 # names without blanks
        echo $packages
        return
    fi
    has_compiler || packages="$packages gcc libc6-dev"
    if [ "$1" = release ]; then
        packages="$packages $(missing_release | tr '\n' ' ')"
        # shellcheck disable=SC2086 # names without blanks
        echo $packages
        return
    fi
    has_server || packages="$packages postgresql"
    has_psql || packages="$packages postgresql-client"
    [ "$1" = demo ] || has_python_package psycopg2 || packages="$packages python3-psycopg2"
    [ "$1" != test ] || has_command openssl || packages="$packages openssl"
    [ "$1" != test ] || has_haproxy || packages="$packages haproxy"
    [ "$1" != test ] || has_command rpm || packages="$packages rpm"
    [ "$1" != test ] || has_command chromium || packages="$packages chromium"
    [ "$1" != bench ] || has_pgbouncer || packages="$packages pgbouncer"
    [ "$1" != clients ] || packages="$packages $(missing_clients | tr '\n' ' ')"
    # shellcheck disable=SC2086 # names without blanks, of which the blanks between are made one each
    echo $packages
}

# A cluster whose server was removed would be started by the server's package when it comes back.
refuse_sleeping_clusters() {
    for conf in /etc/postgresql/*/*/postgresql.conf; do
        [ ! -e "$conf" ] || fail "${conf%/*} is a PostgreSQL cluster without its server, and installing the server would start it;" \
            "install the server yourself (apt-get install postgresql), or set TACIT_PG_BIN to the directory of initdb and postgres"
    done
}

# The server's package makes and starts a cluster named main when it is new on the machine. A drop-in tells it not to; the drop-in
# is removed again.
dropin=/etc/postgresql-common/createcluster.d/tacit-no-main-cluster.conf

remove_dropin() {
    rm -f "$dropin"
    rmdir "${dropin%/*}" "${dropin%/*/*}" 2>/dev/null || true
}

# Another apt-get, such as that of unattended upgrades, may hold dpkg's lock: both installations below wait for it.
#
# install_each installs what can be installed, where one package that cannot keeps apt-get from installing the others.
install_each() {
    for package; do
        run apt-get install -q --yes -o DPkg::Lock::Timeout=300 --no-install-recommends "$package" || say "$package cannot be installed"
    done
}

# install_packages is the part that needs root.
install_packages() {
    export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
    case " $* " in *" postgresql "*)
        refuse_sleeping_clusters
        if [ -z "${DRY_RUN:-}" ]; then
            trap remove_dropin EXIT
            trap 'exit 1' HUP INT TERM
            mkdir -p "${dropin%/*}"
            echo 'create_main_cluster = false' >"$dropin"
        fi
        ;;
    esac
    run apt-get update -q || say "apt-get update failed; going on with the package lists there are"
    run apt-get install -q --yes -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" || install_each "$@"
    # A new pgbouncer starts by itself, and on the port that tacit takes by default; so does a new haproxy.
    for service in pgbouncer haproxy; do
        case " $* " in *" $service "*)
            run service "$service" stop || true
            run update-rc.d "$service" disable || true
            ;;
        esac
    done
}

# as_root runs a command with the privileges to install packages, or says how the reader can.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif has_command sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        run sudo "$@"
    else
        say "this needs root, and sudo cannot be used; as root, run: $*"
        return 1
    fi
}

# goes_on says whether only clients or other servers are missing, and the caller goes on without them.
goes_on() {
    [ -n "${GO_ON:-}" ] || return 1
    case $1 in
    clients) [ -z "$(missing test | sed 's/chromium//;s/ //g')" ] || return 1 ;;
    servers) ;;
    *) return 1 ;;
    esac
    say "going on without: $(missing "$1")"
}

install_for() {
    packages=$(missing "$1")
    [ -n "$packages" ] || return 0
    if ! has_command apt-get; then
        goes_on "$1" || fail "missing: $packages (Debian's names); install them with the package manager of this system"
        return 0
    fi
    say "missing: $packages; installing them, without creating a database cluster"
    # shellcheck disable=SC2086 # names without blanks
    as_root "$(realpath "$0")" packages $packages || say "the installation failed"
    [ -z "${DRY_RUN:-}" ] || return 0
    packages=
    for package in $(missing "$1"); do
        case $package in
        pgbouncer) say "going on without pgbouncer, which is one of the things that the benchmark compares with" ;;
        chromium)
            if [ "$1" = clients ]; then
                packages="$packages $package"
            else
                say "going on without chromium, in which the console's pages are tried"
            fi
            ;;
        haproxy) say "going on without haproxy, behind which proxies are tested" ;;
        rpm) say "going on without rpm, with which packages are tried" ;;
        gcc-*-linux-gnu | libc6-dev-*-cross) say "going on without $package, with which a release for another architecture is built" ;;
        qemu-user-static) say "going on without qemu-user-static, with which a program for another architecture is tried" ;;
        *) packages="$packages $package" ;;
        esac
    done
    [ -z "$packages" ] || goes_on "$1" || fail "still missing:$packages"
}

if [ $# = 1 ]; then
    case $1 in demo | test | bench | clients | servers | release)
        if [ -n "${TACIT_PG_BIN:-}" ] && ! has_server; then
            fail "TACIT_PG_BIN is $TACIT_PG_BIN, but no initdb and postgres are there"
        fi
        install_for "$1"
        exit
        ;;
    esac
elif [ $# = 2 ] && [ "$1" = missing ]; then
    case $2 in demo | test | bench | clients | servers | release)
        missing "$2"
        exit
        ;;
    esac
elif [ $# -gt 1 ] && [ "$1" = packages ]; then
    shift
    install_packages "$@"
    exit
fi
echo "usage: $0 [missing] demo|test|bench|clients|servers|release, or $0 packages NAME..." >&2
exit 2
