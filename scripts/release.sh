#!/bin/sh
# Makes what a release consists of, in a directory (dist/):
#
#   scripts/release.sh [DIRECTORY]
#
# For each platform that the C compilers of this machine build for: an archive of the program with its manual, completions, unit and licence, a .deb and
# an .rpm, and a bill of materials (SBOM, CycloneDX) of what the program was linked from; and SHA256SUMS of all. VERSION is the version without a v; by default the program's own. With
# PROGRAM=FILE that program is packaged for this machine, and none is built.
#
# nfpm and cyclonedx-gomod are Go programs, which `go run` fetches at the versions below and checks against Go's checksum database. They are no tools of
# go.mod: their dependencies would choose the versions of ours.
#
# Times in archives are that of the commit, so that the same commit, Go and C compiler make the same files, but for the time in bills.
set -eu

nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0
cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

dist=${1:-dist}
go=${GO:-go}
VERSION=${VERSION:-$(sed -n 's/^const developed = "\(.*\)"$/\1/p' cmd/tacit/man.go)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export VERSION SOURCE_DATE_EPOCH
case $VERSION in
'' | *[!0-9A-Za-z.~+-]*) echo "release: VERSION is \"$VERSION\"" >&2; exit 2 ;;
esac

say() {
    echo "release: $*" >&2
}

# compiler prints the C compiler for a platform of Go; nothing if this machine has none.
compiler() {
    case $1 in
    "$(uname -m)") echo gcc ;;
    x86_64 | aarch64) command -v "$1-linux-gnu-gcc" || true ;;
    esac
}

# try runs a program for $2, a machine as uname names it, if this machine can.
try() {
    runner=
    if [ "$2" != "$(uname -m)" ]; then
        runner=$(command -v "qemu-$2-static" || command -v "qemu-$2") || { echo "NOT RUN: the program for $2; there is no qemu-$2 (Debian: qemu-user-static)" && return; }
        runner="$runner -L /usr/$2-linux-gnu"
    fi
    $runner "$1" version >&2
}

# stage makes the tree of what is installed beside the program. $1 is a tacit that runs on this machine.
stage() {
    rm -rf "$work/share"
    mkdir -p "$work/share/man/man1" "$work/share/bash-completion/completions" "$work/share/zsh/vendor-completions" "$work/share/fish/vendor_completions.d"
    "$1" man "$work/share/man/man1"
    gzip -9 -n "$work"/share/man/man1/*.1
    "$1" completion bash >"$work/share/bash-completion/completions/tacit"
    "$1" completion zsh >"$work/share/zsh/vendor-completions/_tacit"
    "$1" completion fish >"$work/share/fish/vendor_completions.d/tacit.fish"
}

# package makes the archive and the packages of a program, $1, for $2, an architecture as Go names it.
package() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/tacit-$VERSION/bin"
    cp "$1" "$work/tree/tacit-$VERSION/bin/tacit"
    cp -R "$work/share" packaging/tacit.service packaging/tacit.socket examples/quickstart/policy.yaml LICENSE README.md CHANGELOG.md SECURITY.md "$work/tree/tacit-$VERSION/"
    tar -C "$work/tree" --sort=name --owner=0 --group=0 --numeric-owner --mode=go+rX,go-w --mtime="@$SOURCE_DATE_EPOCH" -cf - "tacit-$VERSION" |
        gzip -9 -n >"$dist/tacit-$VERSION-linux-$2.tar.gz"
    glibc=$(LC_ALL=C readelf --version-info --wide "$1" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*/\1/p' | sort -V | tail -n 1)
    [ -n "$glibc" ] || { say "$1 names no version of the C library" && exit 1; }
    for packager in deb rpm; do
        ARCH=$2 GLIBC=$glibc STAGE=$work/tree/tacit-$VERSION $go run "$nfpm" package --config packaging/nfpm.yaml --packager "$packager" --target "$dist/"
    done
    $go run "$cyclonedx" bin -json -std -noserial -version "v$VERSION" -output "$dist/tacit-$VERSION-linux-$2.cdx.json" "$1"
}

mkdir -p "$dist"
rm -f "$dist"/tacit-* "$dist"/tacit_* "$dist/SHA256SUMS"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

here=$($go env GOHOSTARCH)
if [ -n "${PROGRAM:-}" ]; then
    stage "$PROGRAM"
    package "$PROGRAM" "$here"
else
    for machine in "$(uname -m)" x86_64 aarch64; do
        case $machine in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) say "no packages for $machine"; continue ;; esac
        [ ! -e "$work/tacit-$arch" ] || continue
        cc=$(compiler "$machine")
        if [ -z "$cc" ]; then
            echo "NOT RUN: building for linux/$arch; there is no $machine-linux-gnu-gcc (Debian: gcc-$(echo "$machine" | tr _ -)-linux-gnu)"
            continue
        fi
        say "building for linux/$arch"
        CC=$cc CGO_ENABLED=1 GOOS=linux GOARCH=$arch $go build -trimpath -buildvcs=auto -ldflags "-s -w -X main.stamped=$VERSION" -o "$work/tacit-$arch" ./cmd/tacit
        try "$work/tacit-$arch" "$machine"
        [ "$arch" != "$here" ] || stage "$work/tacit-$arch"
        package "$work/tacit-$arch" "$arch"
    done
fi
(cd "$dist" && sha256sum -- tacit-* tacit_* >SHA256SUMS)
cat "$dist/SHA256SUMS"
