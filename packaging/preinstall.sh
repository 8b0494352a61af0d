#!/bin/sh
# Makes the account as which the proxy runs. Its home is the directory of the ledger.
set -e
if ! getent group tacit >/dev/null; then
    groupadd --system tacit
fi
if ! getent passwd tacit >/dev/null; then
    useradd --system --gid tacit --home-dir /var/lib/tacit --no-create-home --shell /usr/sbin/nologin tacit
fi
