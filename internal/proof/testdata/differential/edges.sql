SELECT sex = 'F', sex = 'F  ', count(*) FROM people GROUP BY sex ORDER BY sex

SELECT ward = 'A ', ward || 'x', length(ward), count(*) FROM people GROUP BY ward ORDER BY ward

SELECT label < 'b', count(*) FROM people GROUP BY label ORDER BY label

SELECT pg_collation_for(label), count(*) FROM people GROUP BY label ORDER BY label

SELECT pg_typeof(sex), pg_typeof(ward), pg_typeof(income), pg_typeof(rank), pg_typeof(dose), count(*) FROM people GROUP BY sex, ward, income, rank, dose LIMIT 1

SELECT label, "Mixed Case", label || "Mixed Case", count(*) FROM people GROUP BY label, "Mixed Case" ORDER BY 1, 2

SELECT row_to_json(x) FROM (SELECT region, count(*) FROM people GROUP BY region ORDER BY region) x

SELECT x, x.*, (x).count FROM (SELECT region, count(*) FROM people GROUP BY region) x ORDER BY region

SELECT DISTINCT ON (sex) sex, region, count(*) FROM people GROUP BY sex, region ORDER BY sex, count(*) DESC, region

#: refused
SELECT region, count(*) FROM people GROUP BY DISTINCT region ORDER BY 1

SELECT 1 AS one FROM people HAVING count(*) > 5

WITH x AS (SELECT 7 AS n) SELECT count(*), (SELECT n FROM x) FROM people

#: refused
SELECT region, count(*) OVER () FROM people GROUP BY region ORDER BY 1

SELECT count(*) OVER (), count(*) FROM people GROUP BY region ORDER BY 2

SELECT region, count(*) OVER (PARTITION BY length(region)), sum(count(*)) OVER (PARTITION BY length(region)) FROM people GROUP BY region ORDER BY 1

#: refused
SELECT count(region ORDER BY age) FROM people

SELECT region AS "count(*)", count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT "count 1" FROM (SELECT count(*) AS "count 1" FROM people) AS x

SELECT region AS "count 1", count(*) AS "count 2", count(sex) AS region FROM people GROUP BY people.region ORDER BY 1

SELECT region AS k1, count(*) AS c1, count(sex) AS u FROM people AS u GROUP BY region ORDER BY k1

SELECT region, count(*), (SELECT max(n) FROM notes WHERE notes.region = people.region) FROM people GROUP BY region ORDER BY 1

SELECT region, (SELECT count(*)) AS inner_count, count(*) FROM people GROUP BY region ORDER BY 1

SELECT p.region, count(*), ARRAY(SELECT n.note FROM notes n WHERE n.region = p.region) FROM people p GROUP BY p.region ORDER BY 1

SELECT region, count(*), EXISTS (SELECT FROM notes n WHERE n.region = people.region AND n.n < 3) FROM people GROUP BY region ORDER BY 1

SELECT region, count(*) FROM people GROUP BY region HAVING EXISTS (SELECT FROM notes n WHERE n.region = people.region) ORDER BY 1

SELECT region, count(*) FROM people GROUP BY region ORDER BY (SELECT n FROM notes WHERE notes.region = people.region) NULLS FIRST, region

SELECT count(*) AS count, count FROM (SELECT count(*) FROM people) AS x GROUP BY count

SELECT count(*) AS "COUNT", count(*) AS "a""b", count(*) AS "x.y" FROM people

SELECT region r, count(*) FROM people GROUP BY r HAVING count(*) > 1 ORDER BY r

SELECT age AS region, count(*) FROM people GROUP BY age ORDER BY region LIMIT 3

SELECT - age AS age, count(*) FROM people GROUP BY age ORDER BY age LIMIT 3

SELECT - age AS age, count(*) FROM people GROUP BY age ORDER BY age + 0 LIMIT 3

SELECT region, sex, count(*) FROM people GROUP BY region, sex, region ORDER BY 1, 2

SELECT count(*) FILTER (WHERE region = 'north') AS north, count(*) FILTER (WHERE region = 'south') AS south, sex FROM people GROUP BY sex ORDER BY sex

SELECT sex, count(*) FILTER (WHERE NULL) FROM people GROUP BY sex ORDER BY sex

SELECT region, count(*) * 100 / (SELECT count(*) FROM people) AS percent FROM people GROUP BY region ORDER BY region

SELECT a.region, a.n, b.n FROM (SELECT region, count(*) n FROM people GROUP BY 1) a NATURAL FULL JOIN (SELECT region, count(*) n FROM people WHERE sex = 'F' GROUP BY 1) b ORDER BY 1, 2, 3

SELECT r.*, c.* FROM regions r LEFT JOIN (SELECT region AS x, count(*) FROM people GROUP BY region) c ON x = region ORDER BY 1

SELECT jsonb_object_agg(region, count) FROM (SELECT region, count(*) FROM people GROUP BY region) x

SELECT xmlelement(name n, count(*)) FROM people

SELECT format('%s people', count(*)), quote_literal(count(*)), concat_ws('-', count(*), count(sex)) FROM people

SELECT count(*) IS NULL, count(*) IS DISTINCT FROM 3, count(*) = ANY (ARRAY[500, 2]), count(*) NOT IN (1, NULL) FROM people

SELECT CASE count(*) WHEN 500 THEN 'half' END, nullif(count(*), 500), least(count(*), 7) FROM people

SELECT interval '1 day' * count(*), date '2024-01-01' + count(*)::int, make_interval(days => count(*)::int) FROM people

SELECT count(*)::varchar(2), count(*)::char(5), count(*)::numeric(6,2), count(*)::real, count(*)::oid FROM people

SELECT (count(*))::bit(8), count(*) & 7, count(*) # 3, ~count(*), @ -count(*) FROM people

SELECT region COLLATE "C" AS r, count(*) FROM people GROUP BY region ORDER BY region COLLATE "C" DESC

#: refused
SELECT region, count(*) FROM people WHERE (age, visits) > (30, 3) GROUP BY region ORDER BY region

#: refused
SELECT count(*) FROM people WHERE age > ALL ('{1,2}') AND age < ANY ('{50,60}')

SELECT count(*) FROM people WHERE illness IN ('flu', 'flu ', 'Flu') AND ward IN ('A', 'A ')

SELECT count(*) FROM people WHERE sex IN ('F', 'M ', NULL)

SELECT count(*) FROM people WHERE score IN (0, '-0', 'NaN') AND dose NOT IN ('-0')

SELECT count(*) FROM people WHERE score > 'NaN' OR income >= 'NaN' OR ratio < 'NaN'

SELECT count(*) FROM people WHERE seen BETWEEN '-infinity' AND 'infinity' AND left_at > '-infinity'

SELECT count(*) FROM people WHERE rank > 32767 OR rank < -32768 OR serial > 9223372036854775807

SELECT count(*) FROM people WHERE rank = 1.0 OR rank = 2.5 OR visits = 1e0

SELECT count(*) FROM people WHERE dose = 0.1

SELECT count(*) FROM people WHERE dose >= 0.1::float8 AND dose <= 0.1::float4

SELECT count(*) FROM people WHERE income <> 1000.000 AND income < 1e3

SELECT count(*) FROM people WHERE age > visits::numeric

SELECT region, count(*) FROM people GROUP BY region UNION ALL SELECT NULL, count(*) FROM people ORDER BY 1 NULLS LAST

SELECT sex FROM people GROUP BY sex HAVING count(*) > 0 UNION SELECT 'x' ORDER BY 1

SELECT * FROM (VALUES ('north'), ('x')) AS v(region) LEFT JOIN (SELECT region, count(*) FROM people GROUP BY region) c USING (region) ORDER BY 1

SELECT * FROM unnest(ARRAY['north', 'south']) AS w(region) JOIN (SELECT region, count(*) AS n FROM people GROUP BY region) c USING (region) ORDER BY 1

SELECT c.n, g FROM (SELECT count(*) AS n FROM people) c, LATERAL generate_series(1, least(c.n, 2)) AS g ORDER BY 2

SELECT c.region, x.note FROM (SELECT region, count(*) FROM people GROUP BY region) c CROSS JOIN LATERAL (SELECT note FROM notes WHERE notes.region = c.region) x ORDER BY 1, 2

TABLE notes ORDER BY n LIMIT (SELECT count(*) FROM people WHERE age < 2)

#: error
SELECT count(*) FROM (SELECT region, count(*) FROM people GROUP BY region) AS c FOR UPDATE OF nothing

#: error
SELECT "count 1", count(*) FROM people

#: error
SELECT people."count 1", count(*) FROM people

#: error
SELECT u.k1, count(*) FROM people GROUP BY region

# PostgreSQL looks for aggregates within c.
#: error
#: differs
SELECT 1 FROM (SELECT count(*) FROM people) AS c FOR SHARE OF c

#: error
SELECT region, (SELECT "count 1" FROM notes LIMIT 1), count(*) FROM people GROUP BY region

#: error
SELECT label || "Mixed Case", count(*) FROM people GROUP BY label, "Mixed Case" ORDER BY 1 COLLATE nothing

#: error
SELECT label FROM people GROUP BY label HAVING count(*) > 0 UNION SELECT name FROM (VALUES ('x' COLLATE "POSIX")) AS v(name) ORDER BY 1

CREATE TEMP TABLE kept AS SELECT sex, ward, income, label, rank, dose, seen, token, active, count(*), sum(count(*)) OVER () FROM people GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
;
SELECT attname, format_type(atttypid, atttypmod), attcollation, attnotnull FROM pg_attribute WHERE attrelid = 'kept'::regclass AND attnum > 0 ORDER BY attnum

CREATE TEMP VIEW later AS SELECT region FROM regions
;
INSERT INTO targets (region, target) SELECT later.region, c.count FROM later JOIN (SELECT region, count(*) FROM people GROUP BY region) c USING (region) RETURNING region, target

PREPARE p (int) AS SELECT region, count(*) FROM people WHERE age > $1 GROUP BY region ORDER BY region
;
EXECUTE p (30)

#: params text x
SELECT $1, count(*) FROM people

#: params int8 7
SELECT count(*) + $1 FROM people

#: params bool true
SELECT count(*) FROM people WHERE $1

#: params numeric 1.5
SELECT region, count(*) FROM people GROUP BY region HAVING count(*) > $1::numeric ORDER BY 1

#: params int4 30, text unused
SELECT count(*), $2::text FROM people WHERE age > $1

#: params text \N, int4 3
SELECT count(*) FROM people WHERE illness IS NOT DISTINCT FROM $1 AND age > $2

#: params float8 NaN
SELECT count(*) FROM people WHERE score = $1

#: params float8 -0
SELECT count(*) FROM people WHERE score = $1

#: params timestamptz infinity
SELECT count(*) FROM people WHERE seen = $1

#: params date -infinity
SELECT count(*) FROM people WHERE admitted > $1

#: params _date {2024-01-01,2024-02-01}
SELECT count(*) FROM people WHERE admitted = ANY ($1)

#: params _bpchar {F,M}
SELECT count(*) FROM people WHERE sex = ANY ($1)

#: params _text {NULL,north}
SELECT count(*) FROM people WHERE region <> ALL ($1)

#: params bpchar F
SELECT count(*) FROM people WHERE sex <> $1 OR sex IS NULL

# The proxy reads conditions with the operators of pg_catalog.
#: differs
CREATE OPERATOR ana.= (FUNCTION = pg_catalog.int4ne, LEFTARG = int, RIGHTARG = int)
;
SET LOCAL search_path = ana, pg_catalog, public
;
SELECT count(*) FROM people WHERE age = 3

CREATE OPERATOR ana.> (FUNCTION = pg_catalog.int8lt, LEFTARG = int8, RIGHTARG = int8)
;
SET LOCAL search_path = ana, pg_catalog, public
;
SELECT region, count(*) FROM people GROUP BY region HAVING count(*) > 165::int8 ORDER BY 1

CREATE DOMAIN ana.int8 AS text
;
SET LOCAL search_path = ana, pg_catalog, public
;
SELECT count(*)::int8, count(*)::bigint FROM people

CREATE TABLE ana.unnest (k1 text)
;
SET LOCAL search_path = ana, pg_catalog, public
;
SELECT region, count(*) FROM public.people GROUP BY region ORDER BY 1

SET LOCAL search_path = public, pg_catalog
;
SELECT region, count(*) FROM people GROUP BY region ORDER BY 1

CREATE COLLATION ana."default" (locale = 'C')
;
SET LOCAL search_path = ana, pg_catalog, public
;
SELECT illness, count(*) FROM people GROUP BY illness ORDER BY illness

SET LOCAL lock_timeout = 1
;
SELECT count(*) FROM people

SET LOCAL default_transaction_read_only = on
;
SET TRANSACTION READ ONLY
;
SELECT count(*) FROM people

SET LOCAL enable_seqscan = off
;
SELECT region, count(*) FROM people GROUP BY region ORDER BY region

SET LOCAL DateStyle = 'SQL, DMY'
;
SELECT seen, left_at, admitted, count(*) FROM people GROUP BY seen, left_at, admitted ORDER BY 1, 2, 3 LIMIT 20

SET LOCAL TimeZone = 'Asia/Kathmandu'
;
SELECT seen, seen::date, left_at::timestamptz, count(*) FROM people GROUP BY seen, left_at ORDER BY 1, 3

SET LOCAL TimeZone = 'America/New_York'
;
SELECT count(*) FROM people WHERE seen > '2024-02-01 00:00:00+00' AND left_at <= '2024-02-29 12:00:00'

SET LOCAL extra_float_digits = 3
;
SELECT score, dose, count(*) FROM people GROUP BY score, dose ORDER BY 1, 2

SET LOCAL escape_string_warning = off
;
SELECT E'\\x' || region, count(*) FROM people WHERE illness <> E'it\'s' GROUP BY region ORDER BY 1

SET LOCAL plan_cache_mode = force_generic_plan
;
SELECT region, count(*) FROM people WHERE age > 50 GROUP BY region ORDER BY region

SET LOCAL quote_all_identifiers = on
;
SELECT region AS r, count(*) FROM people GROUP BY r ORDER BY r

# A date or a time without a zone is midnight, or a time, in the session's: hours that a zone skips or repeats are among them.
SET LOCAL TimeZone = 'America/Sao_Paulo'
;
SELECT admitted::timestamptz AS t, count(*) FROM people WHERE admitted BETWEEN '2024-02-10' AND '2024-02-20' GROUP BY admitted ORDER BY 1

SET LOCAL TimeZone = 'America/New_York'
;
SELECT admitted::timestamptz AT TIME ZONE 'America/New_York' AS t, count(*) FROM people GROUP BY 1 ORDER BY 1 LIMIT 40

SET LOCAL TimeZone = 'America/New_York'
;
SELECT left_at::timestamptz AS t, count(*) FROM people WHERE left_at > '2024-01-01' GROUP BY 1 ORDER BY 1

SET LOCAL TimeZone = 'Asia/Kathmandu'
;
SELECT date_trunc('day', left_at::timestamptz) AS t, (left_at::timestamptz)::date AS d, count(*) FROM people WHERE left_at > '2024-01-01' GROUP BY 1, 2 ORDER BY 1

SET LOCAL TimeZone = 'Pacific/Apia'
;
SELECT extract(hour FROM left_at::timestamptz AT TIME ZONE 'UTC') AS h, count(*) FROM people WHERE left_at > '2024-01-01' AND left_at::timestamptz < '2024-12-31 00:00:00+00' GROUP BY 1 ORDER BY 1

SET LOCAL TimeZone = 'Europe/Rome'
;
SELECT region, count(*) FILTER (WHERE seen > admitted::timestamptz), count(*) FILTER (WHERE seen = left_at::timestamptz) FROM people GROUP BY region ORDER BY 1

SET LOCAL TimeZone = 'Europe/Rome'
;
SELECT date_trunc('day', admitted)::timestamptz AS t, count(*) FROM people WHERE admitted < '2024-01-10' GROUP BY 1 ORDER BY 1

# A zone whose name is that of an abbreviation, too, which has one offset all year.
SET LOCAL TimeZone = 'CET'
;
SELECT (admitted + 180)::timestamptz AT TIME ZONE 'UTC' AS t, extract(hour FROM (admitted + 180)::timestamptz) AS h, count(*) FROM people WHERE admitted BETWEEN '2024-01-01' AND '2024-06-30' GROUP BY 1, 2 ORDER BY 1

SET LOCAL TimeZone = 'EET'
;
SELECT extract(hour FROM seen + interval '4320 hours') AS h, count(*) FROM people GROUP BY 1 ORDER BY 1
