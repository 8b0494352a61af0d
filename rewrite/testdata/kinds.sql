# EXPLAIN is answered by the proxy: what stood behind it never runs.
EXPLAIN SELECT city, count(*) FROM members GROUP BY city
----
answer explain json=false
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

EXPLAIN (FORMAT json, verbose, costs off, ANALYZE off) SELECT count(*) FROM members WHERE birth_year > $1
----
answer explain json=true
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

EXPLAIN INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city
----
answer explain json=false
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
rest: INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

EXPLAIN CREATE TABLE t AS SELECT count(*) FROM members
----
answer explain json=false
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
rest: CREATE TABLE t AS SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

EXPLAIN DECLARE c CURSOR FOR SELECT count(*) FROM members
----
answer explain json=false
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
rest: DECLARE c CURSOR FOR SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

EXPLAIN ANALYZE SELECT count(*) FROM members
----
refuse 0A000 at 9: EXPLAIN ANALYZE is not supported for statements about protected tables
hint: EXPLAIN without ANALYZE tells what an answer costs; send the statement itself to run it.

EXPLAIN (FORMAT yaml) SELECT count(*) FROM members
----
refuse 0A000 at 10: EXPLAIN in the format YAML is not supported for statements about protected tables
hint: Use FORMAT TEXT or FORMAT JSON.

EXPLAIN (FORMAT nosuch) SELECT count(*) FROM members
----
refuse 22023 at 10: unrecognized value for EXPLAIN option "format": "nosuch"

EXPLAIN (verbose, nosuch) SELECT count(*) FROM members
----
refuse 42601 at 19: unrecognized EXPLAIN option "nosuch"

EXPLAIN SELECT * FROM members
----
refuse 42501 at 23: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# Cursors.
DECLARE "C" SCROLL CURSOR WITH HOLD FOR SELECT city, count(*) FROM members GROUP BY city
----
answer cursor=true inline=false trial=["DECLARE \"C\" SCROLL CURSOR WITH HOLD FOR SELECT 1" "CLOSE \"C\""]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: DECLARE "C" SCROLL CURSOR WITH HOLD FOR SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

DECLARE c BINARY INSENSITIVE NO SCROLL CURSOR FOR SELECT count(*) FROM members WHERE birth_year > $1
----
answer cursor=true inline=false trial=["DECLARE c BINARY NO SCROLL INSENSITIVE CURSOR FOR SELECT 1" "CLOSE \"c\""]
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: DECLARE c BINARY NO SCROLL INSENSITIVE CURSOR FOR SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

DECLARE c CURSOR FOR SELECT * FROM members
----
refuse 42501 at 36: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# COPY takes no parameters.
COPY (SELECT city, count(*) FROM members GROUP BY city) TO STDOUT
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) TO STDOUT
rehearsal: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

COPY (SELECT city, count(*) FROM members GROUP BY city) TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE (city), NULL 'x''\')
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT WITH (FORMAT CSV, HEADER, NULL E'x''\\\\')"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) TO STDOUT WITH (FORMAT CSV, HEADER, FORCE_QUOTE (city), NULL E'x''\\')
rehearsal: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

COPY (SELECT city, count(*) AS members FROM members GROUP BY city) TO STDOUT CSV HEADER DELIMITER ';' FORCE QUOTE members
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT WITH (FORMAT CSV, HEADER, DELIMITER ';')"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT city, members."count 1" AS members FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) TO STDOUT WITH (FORMAT CSV, HEADER, DELIMITER ';', FORCE_QUOTE (members))
rehearsal: SELECT city, members."count 1" AS members FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

COPY (SELECT city, count(*) FROM members GROUP BY city) TO STDOUT (FORMAT csv, FORCE_QUOTE *)
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT WITH (FORMAT CSV, FORCE_QUOTE *)"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) TO STDOUT WITH (FORMAT CSV, FORCE_QUOTE *)
rehearsal: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

COPY BINARY mine FROM STDIN
----
relay

COPY (SELECT count(*) FROM members WHERE birth_year > $1) TO STDOUT
----
refuse 42P02 at 55: there is no parameter $1

COPY (SELECT count(*) FROM members) TO '/tmp/x'
----
refuse 0A000 at 1: COPY of a query about a protected table to a file or program of the server is not supported
hint: Use COPY ... TO STDOUT, or psql's \copy.

COPY (SELECT count(*) FROM members) TO PROGRAM 'cat'
----
refuse 0A000 at 1: COPY of a query about a protected table to a file or program of the server is not supported
hint: Use COPY ... TO STDOUT, or psql's \copy.

COPY (INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city RETURNING *) TO STDOUT
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") RETURNING *) TO STDOUT
rehearsal: INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") RETURNING *

# Several statements.
BEGIN; SELECT count(*) FROM members; COMMIT
----
script, 1 of prologue: BEGIN
step settled=true: BEGIN
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: COMMIT

SAVEPOINT _per_query_svp_;SELECT city, count(*) FROM members GROUP BY city;RELEASE _per_query_svp_
----
script, 1 of prologue: SAVEPOINT _per_query_svp_
step settled=true: SAVEPOINT _per_query_svp_
step settled=true: 
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")
step settled=true: RELEASE _per_query_svp_

SET statement_timeout = 1000; SELECT count(*) FROM members; RESET statement_timeout; SHOW ALL
----
script, 0 of prologue: 
step settled=true: SET statement_timeout TO 1000
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=false: RESET statement_timeout
step settled=false: SHOW ALL

SELECT count(*) FROM members; SELECT * FROM mine; INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: SELECT * FROM mine
step settled=true: 
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

BEGIN; DECLARE c CURSOR FOR SELECT count(*) FROM members; FETCH ALL FROM c; CLOSE c; END
----
script, 1 of prologue: BEGIN
step settled=true: BEGIN
step settled=true: 
answer cursor=true inline=false trial=["DECLARE c CURSOR FOR SELECT 1" "CLOSE \"c\""]
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: DECLARE c CURSOR FOR SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: FETCH ALL c
step settled=true: CLOSE c
step settled=true: COMMIT

CREATE TEMP TABLE t AS SELECT count(*) AS n FROM members; SELECT n FROM t; SELECT count(*) FROM members; DROP TABLE t
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TEMPORARY TABLE t AS SELECT members."count 1" AS n FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=false: SELECT n FROM t
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=false: DROP TABLE t

# A refusal in the middle lets the transaction statements before it run.
BEGIN ISOLATION LEVEL SERIALIZABLE; SAVEPOINT "A b"; SELECT * FROM members
----
script, 2 of prologue: BEGIN ISOLATION LEVEL SERIALIZABLE; SAVEPOINT "A b"
refuse 42501 at 68: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

/* é */ SAVEPOINT a; SELECT nosuch, count(*) FROM members GROUP BY nosuch
----
script, 1 of prologue: SAVEPOINT a
refuse 42703 at 29: column "nosuch" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

COMMIT; SELECT count(*) FROM members; ROLLBACK; SELECT 1; SELECT count(*) FROM members
----
script, 1 of prologue: COMMIT
in a block: refuse 0A000 at 9: a statement about a protected table cannot follow the end of a transaction in one text
hint: Send it as a statement of its own.
step settled=true: COMMIT
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=false: ROLLBACK
step settled=false: SELECT 1
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

ROLLBACK TO a; SELECT count(*) FROM members
----
script, 1 of prologue: ROLLBACK TO SAVEPOINT a
in a block: refuse 0A000 at 16: a statement about a protected table cannot follow the end of a transaction in one text
hint: Send it as a statement of its own.
step settled=true: ROLLBACK TO SAVEPOINT a
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# What could change names cannot stand beside protected statements.
SET search_path = mine; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SET search_path TO mine
refuse 0A000 at 1: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members; SET LOCAL search_path = mine; RESET ALL; DISCARD TEMP; ALTER TABLE mine RENAME TO other; CREATE INDEX ON mine (a)
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: SET LOCAL search_path TO mine
refuse 0A000 at 31: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: RESET ALL
refuse 0A000 at 61: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: DISCARD TEMP
refuse 0A000 at 72: DISCARD cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: ALTER TABLE mine RENAME TO other
refuse 0A000 at 86: ALTER ... RENAME cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: CREATE INDEX ON mine USING btree (a)
refuse 0A000 at 120: CREATE INDEX cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.

SELECT set_config('search_path', 'mine', false); SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SELECT set_config('search_path', 'mine', false)
refuse 0A000 at 1: set_config cannot be used in one text with a statement about a protected table
hint: Use SET, or send it as a statement of its own.
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

CREATE TEMP TABLE members AS SELECT count(*) FROM members; SELECT 1
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TEMPORARY TABLE members AS SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
refuse 0A000 at 1: relation "members" has the name of a protected table and cannot be created or dropped in one text with a statement about one
hint: Send it as a statement of its own, or use another name.
step settled=false: SELECT 1

SELECT 1 INTO TEMP members; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SELECT 1 INTO TEMPORARY members
refuse 0A000 at 1: relation "members" has the name of a protected table and cannot be created or dropped in one text with a statement about one
hint: Send it as a statement of its own, or use another name.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

DROP TABLE pg_temp.members; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: DROP TABLE pg_temp.members
refuse 0A000 at 1: relation "members" has the name of a protected table and cannot be created or dropped in one text with a statement about one
hint: Send it as a statement of its own, or use another name.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

CREATE TEMP TABLE logins (a int); SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: CREATE TEMPORARY TABLE logins (a int)
refuse 0A000 at 1: relation "logins" has the name of a protected table and cannot be created or dropped in one text with a statement about one
hint: Send it as a statement of its own, or use another name.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

PREPARE TRANSACTION 'x'; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: PREPARE TRANSACTION 'x'
refuse 0A000 at 1: PREPARE TRANSACTION cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members; COPY mine FROM STDIN
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: COPY mine FROM STDIN
refuse 0A000 at 31: COPY cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.

# PREPARE and EXECUTE.
PREPARE q AS SELECT count(*) FROM members WHERE birth_year > $1; EXECUTE q(1)
----
script, 0 of prologue: 
step settled=true: 
answer prepare "q"
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int, bigint[]) AS SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")
step settled=true: EXECUTE q(1)
execute "q" [{1 false 23}]
rest: EXECUTE q(1, '{1}')
refuse 0A000 at 66: prepared statement "q" cannot be prepared or deallocated and executed in one text
hint: Send EXECUTE as a statement of its own.

DEALLOCATE ALL; EXECUTE q(1); SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: DEALLOCATE ALL
forget ""
step settled=true: EXECUTE q(1)
execute "q" [{1 false 23}]
rest: EXECUTE q(1, '{1}')
refuse 0A000 at 17: prepared statement "q" cannot be prepared or deallocated and executed in one text
hint: Send EXECUTE as a statement of its own.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

EXECUTE q(1); DEALLOCATE q; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: EXECUTE q(1)
execute "q" [{1 false 23}]
rest: EXECUTE q(1, '{1}')
step settled=false: DEALLOCATE q
forget "q"
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT 1; EXECUTE q(1 + 1)
----
sketch of a script
execute "q"

CREATE TEMP TABLE t AS EXECUTE q WITH NO DATA
----
execute "q" []
rest: CREATE TEMPORARY TABLE t AS EXECUTE q('{1}') WITH NO DATA

EXPLAIN (FORMAT json) EXECUTE q(1)
----
execute "q" [{1 false 23}]
explain json=true

EXPLAIN CREATE TABLE t AS EXECUTE q(1)
----
execute "q" [{1 false 23}]
explain json=false

EXPLAIN ANALYZE EXECUTE q
----
execute "q" []
refuse 0A000 at 9: EXPLAIN ANALYZE is not supported for statements about protected tables
hint: EXPLAIN without ANALYZE tells what an answer costs; send the statement itself to run it.

SELECT count(*) FROM members; EXPLAIN SELECT count(*) FROM members; COPY (SELECT count(*) FROM members) TO STDOUT
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: 
answer explain json=false
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: 
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) TO STDOUT
rehearsal: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# Statements without rows need no counts, unless a WITH query changes something.
SELECT * FROM (SELECT city, count(*) FROM members GROUP BY city) AS q LIMIT 0
----
answer nothing
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
rest: SELECT * FROM (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) q LIMIT 0

CREATE TABLE t AS SELECT city, count(*) FROM members GROUP BY city WITH NO DATA
----
answer nothing
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
rest: CREATE TABLE t AS SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")  WITH NO DATA

SELECT city, count(*) FROM members GROUP BY city LIMIT 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") LIMIT 1

WITH w AS (INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city RETURNING city) SELECT * FROM w LIMIT 0
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH w AS (INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") RETURNING city) SELECT * FROM w LIMIT 0
