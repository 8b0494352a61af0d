#!/bin/sh
# psql, in each of the ways to give it statements, and with the commands that make it do something special on the wire.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# say prints a line as it is; echo may take \d for a character.
say() {
    printf '%s\n' "$*"
}

say "version: $(psql --version | sed 's/.*PostgreSQL) //')"
question="SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST"

psql() {
    command psql -X -A -t "$@" 2>&1
}

# check NAME PATTERN... compares what is on standard input with patterns, all of which must be found in it.
check() {
    name=$1
    shift
    cat >"$work/out"
    for pattern; do
        if ! grep -q -e "$pattern" "$work/out"; then
            say "failed: $name: $pattern was not printed, but: $(tr '\n' ' ' <"$work/out")"
            return
        fi
    done
    say "ok: $name"
}

# lines NAME NUMBER compares the number of lines, notices apart.
lines() {
    n=$(grep -v '^NOTICE' | wc -l)
    if [ "$n" = "$2" ]; then say "ok: $1"; else say "failed: $1: $n lines instead of $2"; fi
}

PGPASSWORD=wrong psql -c 'SELECT 1' | check "wrong password" 'password authentication failed'
say "answer: $(psql -F ' ' -c "$question" | grep -v '^NOTICE' | awk -F ' ' 'NF == 3 {print $1 "/" $2 "=" $3} NF == 2 {print $1 "/=" $2}' | tr '\n' ' ' | sed 's/ $//')"

psql -c "$question" | check "-c" 'free (answered ' '^north|F|' '^west||'
psql -c "SET tacit.notices = off" -c "$question" | lines "two -c" 13
psql -c "SELECT 'one'; $question" | check "several statements in one -c" '^one' '^north|F|'
psql -1 -c "CREATE TEMP TABLE t AS $question" -c "SELECT 'cells ' || count(*) FROM t" | check "-1 and CREATE TABLE AS" '^cells 12'

cat >"$work/script.sql" <<'END'
\set low 30
SELECT region, count(*) FROM people WHERE age >= :low GROUP BY region;
SELECT region, count(*) FROM people WHERE age >= :'low' GROUP BY region \g
END
psql -f "$work/script.sql" | grep -v 'NOTICE:' >"$work/both"
sort -u "$work/both" | lines "-f with variables: the second answer is the first" 4
wc -l <"$work/both" | check "-f with variables" '^8$'

psql <<'END' | check "\\gdesc" '^region|text' '^count|bigint'
SELECT region, count(*) FROM people GROUP BY region \gdesc
END
psql <<'END' | check "\\gset" '^count above a thousand t'
SELECT count(*) AS n FROM people \gset
SELECT 'count above a thousand', :n > 1000 \g (fieldsep=' ')
END
psql <<'END' | check "\\gx and \\gexec" '^region|north' '^hello'
SELECT region, count(*) FROM people GROUP BY region \gx
SELECT 'SELECT ''hello''' FROM (SELECT count(*) FROM people) AS c \gexec
END
psql <<'END' | check "\\crosstabview" '^north|[0-9]*|[0-9]*|[0-9]*$'
SELECT region, coalesce(sex, '?') AS sex, n FROM (SELECT region, sex, count(*) AS n FROM people GROUP BY region, sex) AS c \crosstabview
END
# \watch goes on until it is interrupted, or its statement fails; psql 16 and later count with c=3.
psql <<'END' | check "\\watch" '^tick 1' '^tick 2' 'division by zero'
CREATE TEMP SEQUENCE tick;
SELECT 'tick ' || s || repeat('', 1 / (4 - s)::int), n > 1000 FROM (SELECT nextval('tick') AS s) AS t, (SELECT count(*) AS n FROM people) AS c \watch 0.1
END
psql -v FETCH_COUNT=5 -c "$question" | check "FETCH_COUNT" '^east|F|' '^north|F|' '^west||'
psql -v FETCH_COUNT=5 -c "SELECT 'row ' || i FROM generate_series(1, 12) AS i" | check "FETCH_COUNT on other statements" '^row 12'
psql <<'END' | check "DECLARE and FETCH" '^east|F|' '^west||' '^CLOSE CURSOR'
BEGIN;
DECLARE c CURSOR FOR SELECT region, sex, count(*) FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST;
FETCH 5 FROM c;
FETCH ALL FROM c;
CLOSE c;
COMMIT;
END
psql <<'END' | check "ON_ERROR_ROLLBACK" 'ERROR' '^still here' '^COMMIT'
\set ON_ERROR_ROLLBACK on
BEGIN;
SELECT name FROM people;
SELECT 'still here';
COMMIT;
END
psql <<'END' | check "refusal, and the failed block" 'ERROR:.*protected' 'HINT:' 'current transaction is aborted' '^after'
SELECT * FROM people;
BEGIN;
SELECT * FROM people;
SELECT 1;
ROLLBACK;
SELECT 'after';
END
psql -v VERBOSITY=sqlstate -c "SELECT * FROM people" | check "SQLSTATE" 'ERROR:  42501'
psql <<'END' | check "\\copy" '^COPY 2' '^2|b'
CREATE TEMP TABLE own (i int, t text);
\copy own FROM stdin WITH (FORMAT csv)
1,a
2,b
\.
SELECT * FROM own;
END
psql <<END | check "\\copy of files" '^COPY 1000' '^rows 1000'
CREATE TEMP TABLE own (i int);
\\copy (SELECT i FROM generate_series(1, 1000) AS i) TO '$work/numbers'
\\copy own FROM '$work/numbers'
SELECT 'rows ' || count(*) FROM own;
END
psql <<END | check "\\copy of a protected count" '^COPY 4'
\\copy (SELECT region, count(*) FROM people GROUP BY region) TO '$work/counts' WITH (FORMAT csv, HEADER)
END
psql <<'END' | check "EXPLAIN" '[0-9]'
EXPLAIN SELECT region, count(*) FROM people GROUP BY region;
END
psql <<'END' | check "PREPARE and EXECUTE" '^east|' '^DEALLOCATE'
PREPARE q(int) AS SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region;
EXECUTE q(40);
DEALLOCATE q;
END
major=$(command psql --version | sed 's/.*PostgreSQL) //; s/[^0-9].*//')
if [ "$major" -ge 16 ]; then
    psql <<'END' | check "\\bind" '^east|' '^west|'
SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region \bind 40 \g
END
fi
if [ "$major" -ge 18 ]; then
    psql <<'END' | check "\\startpipeline" '^east|' '^two 2' '^west|' 'ERROR:.*protected' '^after'
\startpipeline
SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region \bind 40 \sendpipeline
SELECT 'two ' || $1 \bind 2 \sendpipeline
\syncpipeline
SELECT name FROM people \bind \sendpipeline
SELECT region, count(*) FROM people GROUP BY region \bind \sendpipeline
\endpipeline
SELECT 'after';
END
    psql <<'END' | check "\\parse and \\bind_named" '^east|' '^again'
SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region \parse q
\bind_named q 40 \g
\close_prepared q
SELECT 'again';
END
fi
for command in '\d' '\d people' '\d+ people' '\dt' '\dt+ *.people' '\dn+' '\du' '\dp people' '\l' '\df abs' '\di public.*' '\dv' '\ds' '\dx' '\conninfo'; do
    psql -v ON_ERROR_STOP=1 -c "$command" >"$work/out"
    status=$?
    if [ $status = 0 ]; then say "ok: $command"; else say "failed: $command: $(tr '\n' ' ' <"$work/out")"; fi
done
pg_dump --schema-only 2>&1 | check "pg_dump is refused" 'HINT:  Write the name as a constant'
# A statement that is interrupted, as by Ctrl-C: psql sends a cancel request for it. Before it runs psql, Debian's wrapper would
# just end.
command psql -X -c "SELECT 'begun'" -c "SELECT pg_sleep(60)" >"$work/interrupted" 2>&1 &
pid=$!
until grep -q begun "$work/interrupted" || ! kill -0 $pid; do sleep 0.1; done
while kill -INT $pid 2>/dev/null; do sleep 0.3; done
wait $pid
check "cancel" 'canceling statement due to user request' <"$work/interrupted"
