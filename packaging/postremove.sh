#!/bin/sh
# systemd forgets the units. After an upgrade of the .rpm a proxy that runs is restarted; the .deb does so in its other script.
#
# The ledger in /var/lib/tacit stays, and so do the policy and the account that they belong to: a new ledger would give all budgets anew.
#
# dpkg calls this with "remove" and "purge"; rpm with the number of versions that stay.
set -e
if [ -d /run/systemd/system ]; then
    case "$1" in
    remove | purge | 0)
        systemctl --system daemon-reload || true
        ;;
    [1-9]*)
        systemctl --system daemon-reload || true
        systemctl --system try-restart tacit.service || true
        ;;
    esac
fi
if [ "$1" = purge ] && [ -d /var/lib/tacit ]; then
    echo "tacit: /var/lib/tacit is kept. Without the ledger that may be there, the same policy would grant all budgets anew." >&2
fi
