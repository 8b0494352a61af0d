# Whom a count counts is evaluated over public facts and the values that the private attribute can have.
SELECT hair, eye, count(*) FROM carriers GROUP BY hair, eye
----
answer
question: count(*) FROM public.carriers GROUP BY eye, hair
membership: SELECT u.o AS fact, p.o AS value, (t."eye" COLLATE pg_catalog."C") AS k1, t."hair" AS k2, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.varchar[])) WITH ORDINALITY AS u(c1, c2, o) CROSS JOIN pg_catalog.unnest($3::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", ((u.c2::character varying(10)) COLLATE pg_catalog."C") AS "eye", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"1\",NULL}" "{\"f\",\"t\"}"]
rest: SELECT hair, eye, carriers."count 1" AS count FROM (SELECT u.k1 AS hair, u.k2::varchar(10) COLLATE pg_catalog."C" AS eye, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) carriers

SELECT hair, count(*) FILTER (WHERE gene) FROM carriers GROUP BY hair
----
answer
question: count(*) FILTER (WHERE gene = true) FROM public.carriers GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (t."gene" OPERATOR(pg_catalog.=) $3::pg_catalog.bool) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "t"]
rest: SELECT hair, carriers."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) carriers(hair, "count 1")

SELECT count(*) FROM carriers WHERE gene AND age >= $1
----
answer
params: [23]
question: count(*) FROM public.carriers WHERE (age >= 1 AND gene = true)
membership: SELECT u.o AS fact, p.o AS value, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.int4[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "age", p.v AS "gene") AS t WHERE (t."age" OPERATOR(pg_catalog.>=) $3::pg_catalog.int4 AND t."gene" OPERATOR(pg_catalog.=) $4::pg_catalog.bool)
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "1" "t"]
rest: SELECT carriers."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) carriers("count 1")

SELECT hair, sum(gene::int), avg(gene::int), count(CASE WHEN gene THEN 1 END) FROM carriers c WHERE age BETWEEN 20 AND 29 GROUP BY 1 HAVING sum(gene::int) > 3 ORDER BY 2 DESC NULLS LAST
----
answer
question: count(*) FILTER (WHERE gene = true) FROM public.carriers WHERE (age <= 29 AND age >= 20) GROUP BY hair
question: count(*) FILTER (WHERE gene = true) FROM public.carriers WHERE (age <= 29 AND age >= 20) GROUP BY hair
question: count(*) FROM public.carriers WHERE (age <= 29 AND age >= 20) GROUP BY hair
question: count(*) FILTER (WHERE gene = true) FROM public.carriers WHERE (age <= 29 AND age >= 20) GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (t."gene" OPERATOR(pg_catalog.=) $4::pg_catalog.bool) AS c1, (t."gene" OPERATOR(pg_catalog.=) $5::pg_catalog.bool) AS c2, (TRUE) AS c3, (t."gene" OPERATOR(pg_catalog.=) $6::pg_catalog.bool) AS c4 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.int4[])) WITH ORDINALITY AS u(c1, c2, o) CROSS JOIN pg_catalog.unnest($3::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", u.c2 AS "age", p.v AS "gene") AS t WHERE (t."age" OPERATOR(pg_catalog.<=) $7::pg_catalog.int4 AND t."age" OPERATOR(pg_catalog.>=) $8::pg_catalog.int4)
args: ["{\"1\",NULL}" "{\"1\",NULL}" "{\"f\",\"t\"}" "t" "t" "t" "29" "20"]
rest: SELECT hair, c."count 1" AS sum, c."count 2"::numeric / (NULLIF(c."count 3", 0))::numeric AS avg, c."count 4" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) c(hair, "count 1", "count 2", "count 3", "count 4") WHERE c."count 1" > 3 ORDER BY 2 DESC NULLS LAST

# The private attribute as a key.
SELECT age / 10 AS decade, gene, count(*) FROM carriers GROUP BY 1, 2
----
answer
question: count(*) FROM public.carriers GROUP BY (age / 10), gene
membership: SELECT u.o AS fact, p.o AS value, ((t."age"::pg_catalog.int4 OPERATOR(pg_catalog./) $3::pg_catalog.int4))::pg_catalog.int4 AS k1, t."gene" AS k2, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.int4[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "age", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "10"]
rest: SELECT carriers."key 1" AS decade, gene, carriers."count 1" AS count FROM unnest($1::int[], $2::boolean[], $3::bigint[]) carriers("key 1", gene, "count 1")

# All columns are private.
SELECT answer, count(*) FROM surveys WHERE answer IS NOT NULL GROUP BY answer
----
answer
question: count(*) FROM public.surveys WHERE answer IS NOT NULL GROUP BY answer
membership: SELECT 1 AS fact, p.o AS value, (t."answer")::pg_catalog.text AS k1, (TRUE) AS c1 FROM pg_catalog.unnest($1::pg_catalog.bpchar[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT (p.v::character(5)) AS "answer") AS t WHERE t."answer" IS NOT NULL
args: ["{\"maybe\",\"no\",\"yes\",NULL}"]
rest: SELECT answer, surveys."count 1" AS count FROM (SELECT u.k1::char(5) AS answer, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) u(k1, c1)) surveys

# Public tables.
SELECT country, count(*) FROM carriers JOIN cities USING (city) WHERE gene GROUP BY country
----
answer
question: count(*) FROM public.carriers JOIN public.cities AS p1 ON city = p1.city WHERE gene = true GROUP BY p1.country
membership: SELECT u.o AS fact, p.o AS value, p1."country" AS k1, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "city", p.v AS "gene") AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE t."gene" OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "t"]
rest: SELECT carriers."key 1" AS country, carriers."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) carriers("key 1", "count 1")

# Each grouping set has cells of its own, and GROUP BY goes away.
SELECT hair, eye, sum(gene::int) FROM carriers GROUP BY CUBE (hair, eye)
----
answer
question: count(*) FILTER (WHERE gene = true) FROM public.carriers GROUP BY eye, hair
membership: SELECT u.o AS fact, p.o AS value, (t."eye" COLLATE pg_catalog."C") AS k1, t."hair" AS k2, (t."gene" OPERATOR(pg_catalog.=) $4::pg_catalog.bool) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.varchar[])) WITH ORDINALITY AS u(c1, c2, o) CROSS JOIN pg_catalog.unnest($3::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", ((u.c2::character varying(10)) COLLATE pg_catalog."C") AS "eye", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"1\",NULL}" "{\"f\",\"t\"}" "t"]
margin 0 of keys [0 1]
margin 2 of keys [1]
margin 1 of keys [0]
margin 3 of keys []
rest: SELECT hair, eye, carriers."count 1" AS sum FROM (SELECT u.k1 AS hair, u.k2::varchar(10) COLLATE pg_catalog."C" AS eye, u.c1 AS "count 1", u.s AS "grouping set" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[], $4::int[]) u(k1, k2, c1, s)) carriers

SELECT hair, eye, grouping(hair), grouping(eye, hair), count(*), avg(gene::int) FROM carriers GROUP BY ROLLUP (hair, eye) HAVING grouping(eye) = 1 OR count(*) > 5 ORDER BY grouping(hair, eye), 1
----
answer
question: count(*) FROM public.carriers GROUP BY eye, hair
question: count(*) FILTER (WHERE gene = true) FROM public.carriers GROUP BY eye, hair
question: count(*) FROM public.carriers GROUP BY eye, hair
membership: SELECT u.o AS fact, p.o AS value, (t."eye" COLLATE pg_catalog."C") AS k1, t."hair" AS k2, (TRUE) AS c1, (t."gene" OPERATOR(pg_catalog.=) $4::pg_catalog.bool) AS c2, (TRUE) AS c3 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.varchar[])) WITH ORDINALITY AS u(c1, c2, o) CROSS JOIN pg_catalog.unnest($3::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", ((u.c2::character varying(10)) COLLATE pg_catalog."C") AS "eye", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"1\",NULL}" "{\"f\",\"t\"}" "t"]
margin 0 of keys [0 1]
margin 2 of keys [1]
margin 3 of keys []
rest: SELECT hair, eye, ((carriers."grouping set" / 1) % 2) * 1 AS "grouping", (((carriers."grouping set" / 2) % 2) * 2) + (((carriers."grouping set" / 1) % 2) * 1) AS "grouping", carriers."count 1" AS count, carriers."count 2"::numeric / (NULLIF(carriers."count 3", 0))::numeric AS avg FROM (SELECT u.k1 AS hair, u.k2::varchar(10) COLLATE pg_catalog."C" AS eye, u.c1 AS "count 1", u.c2 AS "count 2", u.c3 AS "count 3", u.s AS "grouping set" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) u(k1, k2, c1, c2, c3, s)) carriers WHERE (((carriers."grouping set" / 2) % 2) * 1) = 1 OR carriers."count 1" > 5 ORDER BY (((carriers."grouping set" / 1) % 2) * 2) + (((carriers."grouping set" / 2) % 2) * 1), 1

SELECT age % 2 AS odd, grouping(age % 2) FROM carriers GROUP BY GROUPING SETS ((), (age % 2)) HAVING count(*) > 0
----
answer
question: count(*) FROM public.carriers GROUP BY (age % 2)
membership: SELECT u.o AS fact, p.o AS value, ((t."age"::pg_catalog.int4 OPERATOR(pg_catalog.%) $3::pg_catalog.int4))::pg_catalog.int4 AS k1, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.int4[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "age", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "2"]
margin 1 of keys []
margin 0 of keys [0]
rest: SELECT carriers."key 1" AS odd, ((carriers."grouping set" / 1) % 2) * 1 AS "grouping" FROM unnest($1::int[], $2::bigint[], $3::int[]) carriers("key 1", "count 1", "grouping set") WHERE carriers."count 1" > 0

# A set that stands twice has its rows twice, but not with DISTINCT.
SELECT hair, count(*) FROM carriers GROUP BY ROLLUP (hair), ROLLUP (hair)
----
answer
question: count(*) FROM public.carriers GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}"]
margin 0 of keys [0]
margin 0 of keys [0]
margin 0 of keys [0]
margin 1 of keys []
rest: SELECT hair, carriers."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::int[]) carriers(hair, "count 1", "grouping set")

SELECT hair, count(*) FROM carriers GROUP BY DISTINCT ROLLUP (hair), ROLLUP (hair)
----
answer
question: count(*) FROM public.carriers GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (TRUE) AS c1 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}"]
margin 0 of keys [0]
margin 1 of keys []
rest: SELECT hair, carriers."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::int[]) carriers(hair, "count 1", "grouping set")

# Shares and further statements around the counts.
CREATE TABLE t AS SELECT hair, count(*) FILTER (WHERE gene)::float8 / count(*) AS share FROM carriers GROUP BY hair
----
answer
question: count(*) FILTER (WHERE gene = true) FROM public.carriers GROUP BY hair
question: count(*) FROM public.carriers GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (t."gene" OPERATOR(pg_catalog.=) $3::pg_catalog.bool) AS c1, (TRUE) AS c2 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}" "t"]
rest: CREATE TABLE t AS SELECT hair, carriers."count 1"::float8 / carriers."count 2" AS share FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) carriers(hair, "count 1", "count 2")

SELECT hair, grouping(eye) FROM carriers GROUP BY ROLLUP (hair) HAVING count(*) > 0
----
refuse 42803 at 23: arguments to GROUPING must be grouping expressions of the associated query level

SELECT hair, count(DISTINCT eye) FROM carriers GROUP BY hair
----
refuse 0A000 at 14: count(DISTINCT ...) is not supported on an audited table
hint: The auditor decides about numbers of people. Group by the value, and count the groups in an outer query.

SELECT hair, count(*) FROM carriers WHERE name = 'Ann' GROUP BY hair
----
refuse 42501 at 43: column "name" of protected table carriers cannot be used
hint: Usable columns are hair, eye, age, city, gene.

SELECT hair, eye, gene, age, count(*) FROM carriers GROUP BY CUBE (hair, eye, gene, age), CUBE (hair, eye, gene, age)
----
refuse 54000 at 62: a SELECT from an audited table has more than 64 grouping sets, or more than 31 keys in them
hint: Ask in several statements. What was released once stays free.

SELECT * FROM carriers
----
refuse 42501 at 15: rows of protected table carriers cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT hair, count(*) FROM carriers GROUP BY hair

SELECT hair, max(age) FROM carriers GROUP BY hair
----
refuse 0A000 at 14: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT hair, count(*) FROM carriers GROUP BY hair

SELECT count(*) FROM carriers JOIN members ON carriers.city = members.city
----
refuse 0A000 at 22: protected table public.carriers cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.carriers.

# The server takes these for two columns, of which one is NULL in the row of the other.
SELECT hair AS a, hair AS b, count(*) FROM carriers GROUP BY ROLLUP (a, b)
----
refuse 0A000 at 19: grouping sets that tell two columns of one value apart are not supported on an audited table
hint: Leave out one of the columns.
