#!/bin/sh
# systemd reads the units again. After an upgrade of the .deb a proxy that runs is restarted, as debhelper's packages are; one that is stopped stays
# stopped. A new installation starts nothing, since there is no policy yet.
#
# dpkg calls this with "configure" and the version before, if there was one; rpm with the number of versions that are installed then.
set -e
[ -d /run/systemd/system ] || exit 0
systemctl --system daemon-reload || true
if [ "$1" = configure ] && [ -n "$2" ] && systemctl --system --quiet is-active tacit.service; then
    deb-systemd-invoke restart tacit.service || true
fi
