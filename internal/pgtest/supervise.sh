# Runs one throwaway PostgreSQL cluster for as long as standard input stays open, then removes every trace of it.
#
# The other end of standard input is held by the process that wants the cluster, and by nothing else, so it closes however that
# process ends, SIGKILL included. This script runs in a session of its own: signals meant for that process do not reach it.
#
# Arguments: directory of the server's binaries, new directory's template for mktemp, settings for postgresql.conf, and, for a
# cluster on a disk of its own, its size in KiB; then this runs in a user namespace and a mount namespace of its own. For a standby, a size that
# is empty, and the primary's directory and port: standard input first has "copy", upon which its files are copied and "copied" is said, then the lines of the label of
# the backup, and "end".
#
# Standard input takes commands, one a line: start (the server, which has ended), fill N (the disk, but for N KiB), free (what was
# filled). Standard output receives the new directory, in which the server's socket is; then "server PID" and "ended" for each life
# of the server, and "done" behind fill and free. Standard error receives the end of the logs when all is over.

bin=$1
settings=$3
size=$4
primary=$5
primary_port=$6
umask 077
dir=$(mktemp -d "$2") || exit 1
exec 3<&0 </dev/null 4>&1
echo "$dir"

# Within the namespace this is root, as which PostgreSQL does not run.
as_server=
if [ -n "$size" ]
then
    mkdir "$dir/data" && mount -t tmpfs -o "size=${size}k,mode=0700" tmpfs "$dir/data" || { rm -rf "$dir"; exit 1; }
    as_server='unshare --user --map-user=1 --map-group=1'
fi

# The file "server" is there while the server is, and empty until its process id is known.
serve() {
    : >"$dir/server"
    run_server &
}

# Nobody may read what it says any more: it waits for the server all the same.
run_server() {
    trap '' PIPE
    $as_server "$bin/postgres" -D "$dir/data" >>"$dir/log" 2>&1 3<&- 4>&- &
    echo $! >"$dir/server"
    echo "server $!"
    wait $!
    rm "$dir/server"
    echo ended
}

# is_server says whether a process is the server, where a system tells what processes run.
is_server() {
    [ ! -e /proc/self/cmdline ] || grep -q -F -e "$dir/data" "/proc/$server/cmdline"
}

fill() {
    available=$(df -k -P "$dir/data" | awk 'NR == 2 { print $4 }')
    dd if=/dev/zero of="$dir/data/filler" bs=1024 count=$((available > $1 ? available - $1 : 0)) 2>/dev/null
}

# A file that goes while it is copied is none that the standby needs. What stands in the log it gets from the primary.
copy_primary() {
    read -r line <&3 # until the primary is in backup mode
    cp -R "$primary/data" "$dir/data"
    rm -rf "$dir/data/postmaster.pid" "$dir/data/postmaster.opts" "$dir/data/pg_wal/"* "$dir/data/pg_replslot/"*
    echo copied >&4
    while read -r line <&3 && [ "$line" != end ]
    do
        printf '%s\n' "$line"
    done >"$dir/data/backup_label" &&
        : >"$dir/data/standby.signal" &&
        printf '%s\n' "primary_conninfo = 'host=$primary port=$primary_port user=postgres'" >>"$dir/data/postgresql.conf"
}

# Whoever can log in as the superuser can run programs as the account of the server. The superuser's way in is the socket, in a
# directory that nobody else can enter; from the port, which every account of the machine reaches, only other roles can log in.
# A disk of its own is small: so are the segments of the log on it.
make_data() {
    if [ -n "$primary" ]
    then
        copy_primary
    else
        $as_server "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync ${size:+--wal-segsize=1}
    fi
}

if make_data >"$dir/log" 2>&1 &&
    printf '%s\n' 'local all,replication all trust' 'host all postgres all reject' 'host all all 127.0.0.1/32 trust' >"$dir/data/pg_hba.conf" &&
    printf '%s\n' "$settings" "unix_socket_directories = '$dir'" >>"$dir/data/postgresql.conf"
then
    serve
    while read -r command argument <&3
    do
        case $command in
        start) wait; serve ;;
        fill) fill "$argument"; echo 'done' ;;
        free) rm -f "$dir/data/filler"; echo 'done' ;;
        esac
    done
    # SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint for data that is thrown away.
    # A server that has just begun ignores it, so it is sent again, and to this server alone: the process id of one that has ended is given to others.
    rounds=0
    while [ -e "$dir/server" ] && [ "$rounds" -lt 3000 ]
    do
        server=$(cat "$dir/server")
        if [ -n "$server" ] && is_server
        then
            kill -QUIT "$server"
        fi
        rounds=$((rounds + 1))
        sleep 0.1
    done 2>/dev/null
fi
tail -n 25 "$dir/log" >&2
[ -z "$size" ] || umount "$dir/data"
rm -rf "$dir"
