# Statements that are refused, by the class of threat that they belong to. A comment begins with the numbers of these classes:
#  1 rows are read; 2 other mentions; 3 mentions that are never executed; 4 scopes of names; 5 whole rows; 6 what looks like a column;
#  7 system columns; 8 samples, locks, DISTINCT ON, windows over rows; 9 other aggregates; 10 other statements; 11 SQL in strings;
# 12 the search path and temporary tables; 13 relations that carry the data elsewhere; 14 privileges and memberships; 15 stronger logins;
# 16 functions with side effects; 17 counters, sizes and estimates; 18 plans, statistics, locks, other sessions; 19 application
# names, locks and isolation; 20 functions that can fail; 21 errors that depend on rows; 22 patterns; 23 volatile and
# user-defined objects; 24 cost that depends on values; 25 relations and objects of analysts' own; 26 errors and time limits of the
# curator; 27 joins that multiply; 28 persons of many rows; 29 weighted sums; 30 keys found in the data; 31 clauses over true counts;
# 32 resolution of names in GROUP BY and ORDER BY; 33 spellings of keys; 34 several counts; 35 refusals that depend on data;
# 36 differences; 37 charges; 38 refunds; 39 Parse and Describe; 40 what changes a meaning; 41 choosing epsilon; 42 budgets;
# 43 roles; 44 settings; 45 the startup packet; 46 other sessions; 47 malformed messages; 48 TLS; 49 errors in sequence; 50 names of
# statements and portals; 51 names at Bind; 52 COPY; 53 cancel keys; 54 newer syntax; 55 what the server is sent; 56 encodings;
# 57 deep nesting; 58 noise; 59 sensitivity.

# 1
SELECT * FROM people

# 1
SELECT name FROM people

# 1
TABLE people

# 1
SELECT age FROM public.people WHERE region = 'planted' LIMIT 1

# 1: the name with its database
SELECT age FROM copy.public.people

# 1
SELECT U&"\0061ge" FROM "people"

# 1: a name in Unicode escapes
SELECT 1 FROM U&"p\0065ople"

# 1: a comment within
SELECT/**/age/* */FROM/* FROM notes -- */people

# 1
SELECT FROM people

# 1
SELECT 1 FROM people WHERE age = 2147483647

# 1
SELECT ARRAY(SELECT age FROM people)

# 1
VALUES ((SELECT name FROM people LIMIT 1))

# 1
SELECT * FROM ONLY people

# 1
SELECT DISTINCT illness FROM people

# 1
(SELECT age FROM people) UNION SELECT 1

# 2
SELECT region FROM regions WHERE region NOT IN (SELECT region FROM people)

# 2
SELECT EXISTS (SELECT 1 FROM people WHERE name = 'the one')

# 2
SELECT 1 WHERE EXISTS (SELECT FROM people WHERE age > 100)

# 2
SELECT CASE WHEN 5 > ALL (SELECT age FROM people) THEN 1 END

# 2
INSERT INTO notes SELECT region, illness FROM people

# 2
UPDATE notes SET note = people.illness FROM people WHERE people.region = notes.region

# 2
DELETE FROM notes USING people WHERE people.region = notes.region

# 2
INSERT INTO people (id, region, age, admitted, name) VALUES (1, 'x', 1, '2024-01-01', 'x')

# 2
UPDATE people SET age = 1

# 2
DELETE FROM people WHERE region = 'planted'

# 2
INSERT INTO notes (note) VALUES ('x') RETURNING (SELECT max(name) FROM people)

# 2
SELECT * FROM notes ORDER BY (SELECT age FROM people LIMIT 1)

# 2
SELECT * FROM notes LIMIT (SELECT age FROM people WHERE name = 'the one')

# 2
SELECT sum(n) OVER (PARTITION BY (SELECT age FROM people LIMIT 1)) FROM notes

# 2
SELECT * FROM generate_series(1, (SELECT max(age) FROM people))

# 2
SELECT note FROM notes GROUP BY note, (SELECT age FROM people LIMIT 1)

# 2
SELECT n FROM notes WHERE n = ANY (SELECT age FROM people)

# 2
SELECT count(*) FROM notes HAVING count(*) > (SELECT age FROM people LIMIT 1)

# 3
SELECT 1 WHERE false AND EXISTS (SELECT 1 FROM people)

# 3
WITH unused AS (SELECT * FROM people) SELECT 1

# 3
SELECT 1 UNION ALL SELECT age FROM people LIMIT 1

# 3
SELECT CASE WHEN true THEN 1 ELSE (SELECT age FROM people LIMIT 1) END

# 3
SELECT 1 LIMIT CASE WHEN true THEN 1 ELSE (SELECT age FROM people LIMIT 1) END

# 3
SELECT n FROM (SELECT n, (SELECT age FROM people LIMIT 1) AS unused FROM notes) AS x

# 4
WITH notes AS (SELECT * FROM people) SELECT * FROM notes

# 4: the name of the query is not yet known in the query itself
WITH people AS (SELECT * FROM people) SELECT * FROM people

# 4: a WITH query does not hide a name with its schema
WITH people AS (SELECT 1 AS age) SELECT * FROM public.people

# 4
WITH RECURSIVE r AS (SELECT age FROM people UNION SELECT 1 FROM r) SELECT * FROM r

# 4: a scope ends
SELECT * FROM (WITH people AS (SELECT 1 AS age) SELECT * FROM people) AS a, people

# 4: the target of INSERT is no WITH query
WITH people AS (SELECT 1 AS age) DELETE FROM people

# 4
WITH x AS (SELECT 1), people2 AS (SELECT * FROM people) SELECT * FROM x

# 5
SELECT count(m.*) FROM people m WHERE m.* IS NOT NULL

# 5
SELECT people FROM people

# 5
SELECT m::text, count(*) FROM people m GROUP BY m

# 5
SELECT count(*) FROM people m WHERE m = ROW(1)

# 5
SELECT (people).age, count(*) FROM people GROUP BY 1

# 5
SELECT row_to_json(p) FROM people AS p

# 5
CREATE TABLE ana.t OF people

# 5
SELECT NULL::people

# 5
SELECT NULL::public.people[]

# 6
SELECT m.to_jsonb FROM people m

# 6
SELECT p.count FROM people p

# 6
SELECT p.nothing, count(*) FROM people p GROUP BY 1

# 6
SELECT count(*) FROM people p WHERE p.text = ''

# 6
SELECT region, count(*) FROM people GROUP BY region, name

# 6: of an outer query
SELECT (SELECT count(*) FROM people WHERE age < n) FROM notes

# 7
SELECT cmin, count(*) FROM people GROUP BY cmin

# 7
SELECT count(*) FROM people WHERE ctid = '(0,1)'

# 7
SELECT tableoid, xmin, xmax FROM people

# 7
SELECT count(*) FILTER (WHERE xmin::text::int > 100) FROM people

# 8
SELECT count(*) FROM people TABLESAMPLE SYSTEM (50)

# 8
SELECT count(*) FROM people TABLESAMPLE BERNOULLI (50) REPEATABLE (1)

# 8
SELECT age FROM people FOR UPDATE

# 8
SELECT count(*) FROM (SELECT 1 FROM people FOR SHARE) AS x

# 8
SELECT DISTINCT ON (region) age FROM people

# 8
SELECT count(*) OVER (PARTITION BY name) FROM people

# 8
SELECT age, row_number() OVER (ORDER BY age) FROM people

# 8
SELECT lag(age) OVER (), count(*) FROM people GROUP BY region

# 9
SELECT avg(income) FROM people

# 9
SELECT max(age), count(*) FROM people

# 9
SELECT region, min(name) FROM people GROUP BY region

# 9
SELECT array_agg(illness) FROM people

# 9
SELECT string_agg(name, ',' ORDER BY age) FILTER (WHERE age > 3) FROM people

# 9
SELECT rank(5) WITHIN GROUP (ORDER BY age) FROM people

# 9
SELECT json_agg(p) FROM people AS p

# 9
SELECT bool_or(age > 1000) FROM people

# 9
SELECT stddev(score), count(*) FROM people

# 9
SELECT rank(5) WITHIN GROUP (ORDER BY age) FROM people

# 9
SELECT mode() WITHIN GROUP (ORDER BY name) FROM people

# 9: a count of another schema
SELECT ana.count(*) FROM people

# 9
SELECT any_value(name), count(*) FROM people

# 10
COPY people TO STDOUT

# 10
COPY people (age) FROM STDIN

# 10
COPY (SELECT * FROM people) TO STDOUT

# 10
COPY (SELECT count(*) FROM notes WHERE n IN (SELECT age FROM people)) TO STDOUT

# 10
DECLARE c CURSOR FOR SELECT * FROM people

# 10
PREPARE p AS SELECT * FROM people

# 10
CREATE VIEW ana.v AS SELECT age FROM people

# 10
CREATE MATERIALIZED VIEW ana.v AS SELECT region, count(*) FROM people GROUP BY region

# 10
CREATE TABLE ana.t AS SELECT * FROM people

# 10
SELECT * INTO ana.t FROM people

# 10
CREATE TABLE ana.t (LIKE people INCLUDING ALL)

# 10
TRUNCATE people

# 10
DROP TABLE IF EXISTS notes, people

# 10
ALTER TABLE people ADD COLUMN x int

# 10
CREATE INDEX ON people (age)

# 10
COMMENT ON COLUMN people.age IS 'x'

# 10
CREATE STATISTICS s ON age, region FROM people

# 10
MERGE INTO notes USING people ON notes.n = people.age WHEN MATCHED THEN DELETE

# 10
CREATE RULE r AS ON INSERT TO notes DO ALSO SELECT * FROM people

# 10
CREATE TRIGGER t AFTER INSERT ON people EXECUTE FUNCTION suppress_redundant_updates_trigger()

# 10
REFRESH MATERIALIZED VIEW people

# 10
CREATE FUNCTION ana.f() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM people'

# 11
DO $$BEGIN PERFORM * FROM people; END$$

# 11
CREATE FUNCTION ana.f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT age FROM people); END'

# 11
SELECT query_to_xml('SELECT * FROM peo' || 'ple', true, true, '')

# 11
SELECT table_to_xml('public.people', true, true, '')

# 11
SELECT * FROM cursor_to_xml('c', 1, true, true, '')

# 11
SELECT ts_stat('SELECT to_tsvector(name) FROM people')

# 11
CREATE PROCEDURE ana.p() LANGUAGE sql AS $$DELETE FROM people$$

# 12
SET search_path = pg_catalog
;
SELECT age FROM public.people

# 12
CREATE TEMP TABLE people (age int)
;
SELECT age FROM public.people

# 12: planned later, when the name may mean another relation
CREATE TEMP TABLE people (age int)
;
PREPARE p AS SELECT age FROM people

# 12
BEGIN
;
CREATE TABLE ana.people (age int)
;
SET search_path = ana, public
;
SELECT age FROM people

# 12
SET search_path = ana, public; SELECT age FROM people

# 12
CREATE TEMP TABLE notes (age int)
;
SELECT n.age FROM notes n JOIN people p ON p.age = n.age

# 13
SELECT * FROM adults

# 13
SELECT count(*) FROM public.adults

# 13
CREATE VIEW ana.v AS SELECT 1 FROM adults

# 13
CREATE TABLE ana.child () INHERITS (people)

# 13
CREATE TABLE ana.part PARTITION OF people FOR VALUES IN (1)

# 13
CREATE TABLE ana.t (id int REFERENCES people (id))

# 13
ALTER TABLE notes ADD FOREIGN KEY (n) REFERENCES people (id)

# 13
IMPORT FOREIGN SCHEMA public LIMIT TO (people) FROM SERVER s INTO ana

# 14
GRANT SELECT ON people TO ana

# 14
GRANT tacit_curator TO ana

# 14
LOCK TABLE people IN ACCESS EXCLUSIVE MODE

# 14
ALTER TABLE people OWNER TO ana

# 14
REASSIGN OWNED BY tacit_curator TO ana

# 14
ALTER DEFAULT PRIVILEGES FOR ROLE tacit_curator GRANT SELECT ON TABLES TO ana

# 15, 43
SET SESSION AUTHORIZATION postgres

# 15, 43
SET ROLE tacit_curator

# 15, 43
SELECT set_config('role', 'tacit_curator', false)

# 16
SELECT count(*) FROM people WHERE nextval('s') > age

# 16
SELECT count(*) FROM people WHERE pg_advisory_lock(age) IS NULL

# 16
SELECT count(*) FROM people WHERE pg_notify('c', name) IS NULL

# 16
SELECT count(*) FROM people WHERE set_config('a.b', name, false) = ''

# 16
SELECT count(*) FROM people WHERE lo_from_bytea(0, name::bytea) > 0

# 16
SELECT pg_sleep(age), count(*) FROM people GROUP BY 1

# 17
#: masked
SELECT seq_scan FROM pg_stat_all_tables WHERE relname = 'people'

# 17
#: masked
SELECT pg_relation_size('public.people')

# 17
#: masked
SELECT reltuples, relpages FROM pg_class WHERE relname = 'people'

# 17
#: masked
SELECT pg_stat_get_live_tuples('public.people'::regclass)

# 17
ANALYZE people

# 17
VACUUM (VERBOSE) people

# 17
CLUSTER people

# 17
#: masked
SELECT pg_size_pretty(pg_total_relation_size('people'))

# 18
EXPLAIN SELECT * FROM people WHERE age > 5

# 18
EXPLAIN (ANALYZE, VERBOSE) SELECT count(*) FROM people, regions

# 18
EXPLAIN INSERT INTO notes SELECT name FROM people

# 18
EXPLAIN EXECUTE nothing

# 18
#: masked
SELECT most_common_vals FROM pg_stats WHERE tablename = 'people'

# 18
#: masked
SELECT stavalues1 FROM pg_statistic WHERE starelid = 'public.people'::regclass

# 18
#: masked
SELECT histogram_bounds FROM pg_stats_ext

# 18
SET debug_print_plan = on

# 19
BEGIN ISOLATION LEVEL SERIALIZABLE
;
SELECT age FROM people

# 19
LOCK public.people IN ROW SHARE MODE

# 19
BEGIN
;
SELECT 1 FROM people WHERE region = 'planted' FOR KEY SHARE NOWAIT

# 20
SELECT count(*) FROM people WHERE ln(income) > 3

# 20
SELECT count(*) FROM people WHERE illness::int = 3

# 20
SELECT count(*) FROM people WHERE sqrt(score) < 2

# 20
SELECT 10 / age, count(*) FROM people GROUP BY 1

# 20
SELECT count(*) FROM people WHERE illness::date > '2024-01-01'

# 20
SELECT ward::json, count(*) FROM people GROUP BY 1

# 20
SELECT count(*) FROM people WHERE power(income, 1000) > 1

# 21
SELECT count(*) FROM people WHERE serial + 1 > 0

# 21
SELECT count(*) FROM people WHERE -rank > 0 AND abs(serial) > 1

# 21
SELECT serial::int, count(*) FROM people GROUP BY 1

# 21
SELECT count(*) FROM people WHERE score::int = 1

# 21
SELECT count(*) FROM people WHERE region = 'planted' AND to_char(income, 'bad fmt EEEE9') = ''

# 21
SELECT count(*) FROM people WHERE region = 'planted' AND to_date(illness, 'YYYY') > '2024-01-01'

# 21
SELECT count(*) FROM people WHERE chr(age) = 'x'

# 21
SELECT repeat(region, serial::int), count(*) FROM people GROUP BY 1

# 21
SELECT count(*) FROM people WHERE extract(epoch FROM seen)::int > 0

# 21
SELECT seen + interval '1000000 years', count(*) FROM people GROUP BY 1

# 21
SELECT count(*) FROM people WHERE income * 1e10 > 1e20 AND income::numeric(3,2) = 1

# 21
SELECT count(*) FROM people WHERE CASE WHEN region = 'planted' THEN 1 / (age - age) ELSE 1 END = 1

# 21
SELECT count(*) FROM people WHERE illness = 'x' COLLATE "nothing"

# 21
SELECT count(*) FROM people WHERE region = 'planted' AND (SELECT n FROM notes) = 1

# 21
SELECT count(*) FROM people WHERE substring(illness FROM 1 FOR age - 5) = 'x'

# 21
SELECT count(*) FROM people WHERE convert_from(illness::bytea, 'UTF8') = ''

# 22
SELECT count(*) FROM people WHERE name ~ illness

# 22
SELECT count(*) FROM people WHERE illness ~ ward

# 22
SELECT count(*) FROM people WHERE illness ~ '(a'

# 22
SELECT count(*) FROM people WHERE illness ~ '(((a*)*)*)*b{250}{250}'

# 22
SELECT count(*) FROM people WHERE illness LIKE 'x\'

# 22
SELECT count(*) FROM people WHERE illness LIKE region ESCAPE ward

# 22
SELECT count(*) FROM people WHERE 'abc' SIMILAR TO illness

# 22
SELECT regexp_replace(illness, '(.)', ward), count(*) FROM people GROUP BY 1

# 23
SELECT count(*) FROM people WHERE clock_timestamp() > seen

# 23
SELECT count(*) FROM people WHERE random() < 0.5

# 23
SELECT count(*) FROM people WHERE ana.f(age)

# 23
SELECT count(*) FROM people WHERE age OPERATOR(ana.=) 3

# 23
SELECT count(*) FROM people WHERE age::ana.mytype = 3

# 23
SELECT gen_random_uuid(), count(*) FROM people GROUP BY 1

# 23
SELECT count(*) FROM people WHERE illness < 'x' COLLATE ana.mine

# 24
SELECT count(*) FROM people WHERE md5(lpad(illness, 100000000)) = ''

# 24
SELECT count(*) FROM people WHERE repeat(illness, 1000000) = ''

# 24
SELECT count(*) FROM people WHERE length(rpad(region, age * 1000000)) > 1

# 24
SELECT count(*) FROM people WHERE factorial(age) > 1

# 24
SELECT count(*) FROM people, generate_series(1, age)

# 25
BEGIN
;
CREATE TABLE ana.lookup (region text PRIMARY KEY, x int)
;
SELECT count(*) FROM people JOIN ana.lookup USING (region)

# 25
CREATE TEMP TABLE lookup (region text PRIMARY KEY)
;
SELECT l.region, count(*) FROM people JOIN lookup l USING (region) GROUP BY 1

# 25
SELECT count(*) FROM people WHERE region IN (pg_read_file('x'))

# 26
SET statement_timeout = '1h'
;
SELECT age FROM people WHERE 1 / age = 1

# 26, 38
SELECT count(*) FROM people WHERE (1 / (age - 5)) = 1

# 27
SELECT count(*) FROM people JOIN regions ON regions.country = 'A'

# 27
SELECT count(*) FROM people a JOIN people b USING (region)

# 27
SELECT count(*) FROM people CROSS JOIN notes

# 27
SELECT count(*) FROM people, LATERAL (SELECT generate_series(1, people.age)) AS x

# 27
SELECT count(*) FROM (SELECT region FROM people UNION ALL SELECT region FROM people) AS x

# 27
SELECT count(*) FROM (SELECT region FROM people ORDER BY age LIMIT 10) AS x

# 27
SELECT count(*) FROM (SELECT region FROM people OFFSET 3) AS x

# 27
SELECT unnest(ARRAY[1, 2]), count(*) FROM people GROUP BY 1

# 27
SELECT count(*) FROM people RIGHT JOIN regions ON true

# 27
SELECT count(*) FROM (SELECT DISTINCT name FROM people) AS x

# 28
SELECT member_id, count(*) FROM logins GROUP BY member_id

# 28
SELECT count(DISTINCT member_id) FROM logins

# 28
SELECT count(*) FROM logins JOIN members ON logins.member_id = members.id

# 29
SELECT sum(income) FROM people

# 29
SELECT avg(rank) FILTER (WHERE age < 10), count(*) FROM people

# 29
SELECT sum(serial::numeric * 100) FROM people

# 30
SELECT illness FROM people GROUP BY illness

# 30
SELECT grade, count(*) FROM staff GROUP BY grade

# 30
SELECT count(*) FROM (SELECT illness FROM people GROUP BY illness) AS x

# 30
SELECT count(*) FROM staff GROUP BY grade, age

# 31
SELECT region, count(*) FROM people GROUP BY region HAVING max(age) < 3

# 31
SELECT region, count(*) FROM people GROUP BY region ORDER BY min(age)

# 31
SELECT region, count(*), first_value(min(age)) OVER () FROM people GROUP BY region

# 31
SELECT region, count(*) FROM people GROUP BY region LIMIT (SELECT min(age) FROM people)

# 31
SELECT region, count(*) FROM people GROUP BY region HAVING bool_and(active)

# 32
SELECT age AS region, count(*) FROM people GROUP BY region

# 32
SELECT region, count(*) FROM people GROUP BY region ORDER BY age

# 32
SELECT count(*) FROM people GROUP BY 1

# 32
SELECT region, count(*) FROM people GROUP BY 3

# 32
SELECT region, sex, count(*) FROM people GROUP BY region

# 32
SELECT region, count(*) FROM people ORDER BY 1

# 33
SELECT min(illness), count(*) FROM people GROUP BY lower(illness)

# 33
SELECT (array_agg(label))[1], count(*) FROM people GROUP BY label

# 33
SELECT illness, count(*) FROM people GROUP BY lower(illness)

# 34
SELECT x.* FROM regions r, LATERAL (SELECT age, count(*) FROM people WHERE region = r.region GROUP BY age) AS x

# 34
SELECT count(*), (SELECT name FROM people LIMIT 1) FROM people

# 34
SELECT count(*) FROM people UNION ALL SELECT age FROM people

# 34
WITH a AS (SELECT count(*) FROM people), b AS (SELECT max(age) FROM people) SELECT * FROM a, b

# 35
SELECT count(*) FROM people WHERE region = 'planted' AND nothing = 1

# 35
SELECT count(*) FROM people WHERE age = 2147483648000 AND name = 'the one'

# 35
SELECT count(*) FROM people WHERE age = 'planted'

# 35
SELECT count(*) FROM people WHERE token = 'ffff'

# 35
SELECT count(*) FROM people WHERE admitted = '2024-02-30'

# 36
SELECT count(*) - count(DISTINCT name) FROM people

# 36
SELECT count(*) - count(note) FROM people

# 36
SELECT count(*) FROM people EXCEPT SELECT count(*) FROM people WHERE name <> 'the one'

# 37, 42: the budget does not cover it
SELECT count(*), count(*) FILTER (WHERE age > 5) FROM staff

# 37, 42
SELECT age, count(*), count(*) FILTER (WHERE age <> 22) FROM staff WHERE age > 20 GROUP BY age ORDER BY age LIMIT 1

# 38, 42: the type error would print the value
SELECT count(*)::text::date, (SELECT count(*) FROM staff WHERE age > 9) FROM staff

# 38, 42
BEGIN
;
SELECT count(*) FROM staff WHERE age = 1 UNION ALL SELECT count(*) FROM staff

# 39
PREPARE p AS SELECT age FROM people WHERE age = $1

# 39
#: params text x
SELECT name FROM people WHERE name = $1

# 39
#: params text x
SELECT count(*) FROM people WHERE age = $1::int

# 39: a value that is no number
#: params text planted
SELECT count(*) FROM people WHERE age = $1

# 40
SET DateStyle = 'SQL, DMY'
;
SELECT count(*) FROM people WHERE admitted > '02/30/2024'

# 40
SELECT count(*) FROM people WHERE seen < now() - (random() * interval '1 day')

# 41
SELECT count(*, epsilon => 100) FROM people

# 41
SELECT count(*) FROM people WITH (epsilon = 100)

# 41
SELECT set_config('tacit.' || 'epsilon', 'NaN', false)

# 41
SELECT pg_catalog.count(*, 'NaN') FROM people

# 42
INSERT INTO tacit.budget VALUES (1)

# 43
ALTER USER CURRENT_USER CONNECTION LIMIT 0

# 43
ALTER ROLE ana PASSWORD 'x'

# 43
ALTER ROLE ana SET search_path = pg_catalog

# 43
CREATE ROLE eve

# 43
DROP OWNED BY ana

# 44
SET standard_conforming_strings = off

# 44
SET client_encoding = 'LATIN1'

# 44
SET NAMES 'SQL_ASCII'

# 44
SELECT set_config('standard_conforming' || '_strings', 'off', false)

# 44
UPDATE pg_settings SET setting = 'off' WHERE name = 'standard_conforming_strings'

# 44
SET transform_null_equals = on

# 44
ALTER SYSTEM SET log_statement = 'all'

# 44
CREATE FUNCTION ana.f() RETURNS int LANGUAGE sql SET role = 'postgres' AS 'SELECT 1'

# 44
SET backslash_quote = on

# 45
#: startup
"\x00\x03\x00\x00user\x00ana\x00replication\x00database\x00\x00"

# 45: a key twice
#: startup
"\x00\x03\x00\x00user\x00ana\x00user\x00bob\x00\x00"

# 45: of a role that is no analyst
#: startup
"\x00\x03\x00\x00user\x00postgres\x00\x00"

# 45
ALTER DATABASE postgres SET search_path = ana

# 46
SELECT pg_reload_conf()

# 46
SELECT pg_rotate_logfile()

# 46
SELECT * FROM pg_hba_file_rules

# 47: a function call
#: message F
"\x00\x00\x06\x3e\x00\x00\x00\x00\x00\x00"

# 47: NUL within a text
#: message Q
"SELECT 1 FROM \x00people\x00"

# 47: a text without an end
#: message Q
"SELECT 1 FROM people"

# 47: a message of no known type
#: message ~
""

# 48: not at the beginning of a session
#: bytes
"\x00\x00\x00\x08\x04\xd2\x16\x2f"

# 49
BEGIN
;
SELECT age FROM people
;
SELECT 1

# 49
BEGIN
;
SAVEPOINT a
;
SELECT age FROM people
;
ROLLBACK TO a
;
SELECT name FROM people

# 50
PREPARE p AS SELECT 1
;
PREPARE p AS SELECT name FROM people

# 50
EXECUTE nothing

# 50
DEALLOCATE nothing

# 50
FETCH ALL FROM nothing

# 51
PREPARE p AS SELECT region, count(*) FROM people GROUP BY region
;
CREATE TEMP TABLE people (region text)
;
EXECUTE p

# 51
SET search_path = pg_catalog
;
SELECT region, count(*) FROM people GROUP BY region

# 52
COPY notes FROM PROGRAM 'true'

# 52
COPY notes TO '/tmp/x'

# 52
COPY people FROM '/dev/null'

# 53: with a wrong key
#: startup
"\x04\xd2\x16\x2e\x00\x00\x00\x01\x00\x00\x00\x01"

# 54
SELECT 1_0 FROM people

# 54
SELECT count(*) FROM people WHERE age = 0x10

# 54
SELECT JSON_OBJECT('a': age) FROM people

# 54
SELECT count(*) FROM people WHERE name IS JSON

# 54
SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a int PATH '$')) AS j, people

# 55
SELECT 'x' 'y' FROM people

# 55
SELECT E'\'' FROM people -- '

# 55
SELECT $x$ ' $x$ AS a FROM people /* nested /* comment */ */

# 56: no UTF-8
#: message Q
"SELECT '\xff' AS a FROM people\x00"

# 56: an overlong form
#: message Q
"SELECT age FROM p\xc1\xa5ople -- \x00"

# 56
SELECT U&'\D800' FROM people

# 57
SELECT count(*) FROM people WHERE ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((true))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

# 58
SELECT setseed(age) FROM people

# 58
SELECT count(*) FROM people WHERE setseed(0.5) IS NULL

# 59
SELECT region, age FROM people GROUP BY GROUPING SETS ((region), (age))

# 59
SELECT region, count(*), max(age) FROM people GROUP BY ROLLUP (region)

# 59
SELECT count(*) FILTER (WHERE age > (SELECT avg(age) FROM people)) FROM people

# 59
SELECT count(*) FROM (SELECT generate_series(1, 5), age FROM people) AS x

# 59
SELECT count(*) FROM people p WHERE EXISTS (SELECT 1 FROM people q WHERE q.age > p.age)

# 35: a value that is not declared
SELECT count(*) FROM people WHERE region = 'planted'
