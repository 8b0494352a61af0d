#: params int4 30
SELECT count(*) FROM people WHERE age > $1

#: params int8 30
SELECT count(*) FROM people WHERE age > $1::int8

#: params text north, int4 40
SELECT sex, count(*) FROM people WHERE region = $1 AND age < $2 GROUP BY sex ORDER BY sex

#: params text north
SELECT region, count(*) FROM people GROUP BY region HAVING region <> $1 ORDER BY region

#: params int8 100
SELECT region, count(*) FROM people GROUP BY region HAVING count(*) > $1 ORDER BY region

#: params int8 2
SELECT region, count(*) FROM people GROUP BY region ORDER BY region LIMIT $1

#: params int8 1, int8 2
SELECT region, count(*) FROM people GROUP BY region ORDER BY region OFFSET $1 LIMIT $2

#: params date 2024-06-01
SELECT count(*) FROM people WHERE admitted >= $1

#: params date 2024-06-01, date 2024-07-01
SELECT count(*) FROM people WHERE admitted BETWEEN $1 AND $2

#: params timestamptz 2024-02-01 00:00:00+00
SELECT count(*) FROM people WHERE seen >= $1

#: params timestamp 2024-02-29 12:30:00
SELECT count(*) FROM people WHERE left_at < $1

#: params bool t
SELECT count(*) FROM people WHERE active = $1

#: params uuid a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11
SELECT count(*) FROM people WHERE token = $1

#: params numeric 999.5
SELECT count(*) FROM people WHERE income > $1

#: params float8 0.5
SELECT count(*) FROM people WHERE score > $1

#: params float4 0.1
SELECT count(*) FROM people WHERE dose = $1

#: params int2 2
SELECT count(*) FROM people WHERE rank = $1

#: params int8 9007199254740993
SELECT count(*) FROM people WHERE serial = $1

#: params bpchar F
SELECT count(*) FROM people WHERE sex = $1

#: params varchar A
SELECT count(*) FROM people WHERE ward = $1

#: params _text {north,south}
SELECT count(*) FROM people WHERE region = ANY ($1)

#: params _int4 {30,31}
SELECT count(*) FROM people WHERE age = ANY ($1)

#: params text north, text south
SELECT count(*) FROM people WHERE region IN ($1, $2)

#: params text \N
SELECT count(*) FROM people WHERE region = $1

#: params int4 5, int4 5
SELECT count(*) FROM people WHERE age > $1 UNION ALL SELECT count(*) FROM people WHERE age > $2

#: params text x
SELECT $1::text AS label, count(*) FROM people

#: params int4 65
SELECT count(*) FILTER (WHERE age >= $1), count(*) FROM people

#: params int4 10
SELECT age / $1 AS bucket, count(*) FROM people GROUP BY 1 ORDER BY 1

#: params text month
SELECT date_trunc($1, admitted) AS m, count(*) FROM people GROUP BY 1 ORDER BY 1

#: params int4 65
SELECT sum(CASE WHEN age > $1 THEN 1 ELSE 0 END) FROM people

#: params text f%
SELECT count(*) FROM people WHERE illness LIKE $1

#: params text north
#: untyped
SELECT n.note, (SELECT count(*) FROM people WHERE region = $1) FROM notes n WHERE n.region = $1 ORDER BY 1

#: params int4 30
WITH c AS (SELECT region, count(*) AS n FROM people WHERE age > $1 GROUP BY region) SELECT region, n FROM c ORDER BY region

#: params text north, int8 7
INSERT INTO targets (region, target) SELECT region, count(*) + $2 FROM people WHERE region = $1 GROUP BY region RETURNING region, target

#: params int4 30
#: error
SELECT count(*) FROM people WHERE age > $1 AND nothing

#: params text x
#: error
SELECT count(*) FROM people WHERE age > $1::int
