# Runs one throwaway PostgreSQL cluster for as long as standard input stays open, then removes every trace of it.
#
# The other end of standard input is held by the process that wants the cluster, and by nothing else, so it closes however that
# process ends, SIGKILL included. This script runs in a session of its own: signals meant for that process do not reach it.
#
# Arguments: directory of the server's binaries, new directory's template for mktemp, settings for postgresql.conf.
# Standard output receives the new directory, in which the server's socket is. Standard error receives the end of the logs when the
# server has ended by itself.

bin=$1
settings=$3
umask 077
dir=$(mktemp -d "$2") || exit 1
exec 3<&0 </dev/null
echo "$dir"

# Whoever can log in as the superuser can run programs as the account of the server. The superuser's way in is the socket, in a
# directory that nobody else can enter; from the port, which every account of the machine reaches, only other roles can log in.
if "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >"$dir/log" 2>&1 &&
    printf '%s\n' 'local all all trust' 'host all postgres all reject' 'host all all 127.0.0.1/32 trust' >"$dir/data/pg_hba.conf" &&
    printf '%s\n' "$settings" "unix_socket_directories = '$dir'" >>"$dir/data/postgresql.conf"
then
    "$bin/postgres" -D "$dir/data" >>"$dir/log" 2>&1 3<&- &
    server=$!
    # SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint for data that is thrown away.
    { read -r _ <&3; kill -QUIT $server; } 2>/dev/null &
    watcher=$!
    wait $server
    kill $watcher 2>/dev/null
fi
tail -n 25 "$dir/log" >&2
rm -rf "$dir"
