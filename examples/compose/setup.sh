#!/bin/sh
# Loads the quickstart's data, separates the roles, and makes what is secret, for compose.yaml: in /private for the proxy (the policy, the key, the
# passwords of its logins), in /handed for analysts (ana's password, the certificate to trust). It is run as the superuser, whose login PG... tell, and does
# nothing once it has ended well. Other directories than these are its arguments.
set -eu
umask 077
private=${1:-/private} handed=${2:-/handed}
cd "$(dirname "$0")"
[ ! -e "$private/policy.yaml" ] || exit 0

run_psql() {
    psql -X -q -v ON_ERROR_STOP=1 "$@"
}

password() {
    od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

[ -n "$(run_psql -At -c "SELECT FROM pg_catalog.pg_class WHERE relname = 'titanic'")" ] || (cd ../quickstart && run_psql -f schema.sql)
# Roles are made anew with new passwords if this was cut short.
for role in ana tacit_curator; do
    [ -n "$(run_psql -At -c "SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = '$role'")" ] || run_psql -c "CREATE ROLE $role LOGIN"
    password=$(password)
    run_psql -c "ALTER ROLE $role PASSWORD '$password'"
    echo "*:*:*:$role:$password"
done >"$private/pgpass"
run_psql -c 'GRANT SELECT ON public.classes TO ana'

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=proxy -addext 'subjectAltName=DNS:proxy,DNS:localhost,IP:127.0.0.1' \
    -keyout "$private/server.key" -out "$private/server.crt" 2>/dev/null
cp "$private/server.crt" "$handed/ca.crt"

password=$(password)
echo "*:*:*:ana:$password" >"$handed/pgpass"
verifier=$(echo "$password" | tacit password)
sed "s|VERIFIER|$verifier|; s|PRIVATE|$private|g" policy.yaml >"$private/new.yaml"
tacit check --sql --policy "$private/new.yaml" | run_psql -f -

# The proxy's account, and that of psql in its container, which is root.
[ "$(id -u)" != 0 ] || chown -R 65532:65532 "$private"
chmod 755 "$handed"
chmod 644 "$handed/ca.crt"
mv "$private/new.yaml" "$private/policy.yaml"
