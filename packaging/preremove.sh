#!/bin/sh
# The last version that goes, and not one that another takes the place of, stops the proxy and takes its units out of what systemd starts.
#
# dpkg calls this with "remove"; rpm with the number of versions that stay.
set -e
case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
    systemctl --system --no-reload disable --now tacit.socket tacit.service || true
elif command -v systemctl >/dev/null; then
    systemctl --system --no-reload disable tacit.socket tacit.service || true
fi
