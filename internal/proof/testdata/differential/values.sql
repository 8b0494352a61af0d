# Values that rows have: percentiles, and the most frequent one.
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM people

SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS middle FROM people GROUP BY region ORDER BY region

SELECT region, sex, percentile_disc(0.9) WITHIN GROUP (ORDER BY visits), count(*) FROM people GROUP BY region, sex

SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY admitted) FROM people WHERE age > 40

SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY age) FILTER (WHERE sex = 'F') AS p99 FROM people

SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) FROM people

SELECT sex, percentile_disc('{0.1,0.9}'::float8[]) WITHIN GROUP (ORDER BY visits) FROM people GROUP BY sex

# A value is shown in its canonical form, without zeros at its end.
#: differs
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY income) FROM people

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age / 10) FROM people

SELECT region, percentile_disc(0.75) WITHIN GROUP (ORDER BY age) - percentile_disc(0.25) WITHIN GROUP (ORDER BY age) AS spread FROM people GROUP BY region HAVING percentile_disc(0.5) WITHIN GROUP (ORDER BY age) > 10

SELECT max(middle) FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS middle FROM people GROUP BY sex) AS m

CREATE TEMP TABLE kept AS SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS middle FROM people GROUP BY region

SELECT mode() WITHIN GROUP (ORDER BY region) FROM people

SELECT sex, mode() WITHIN GROUP (ORDER BY visits) FROM people WHERE visits IN (3, 4) GROUP BY sex

# Sums have several numbers of each cell, and values stand between them.
SELECT region, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS middle, avg(visits), percentile_disc(0.9) WITHIN GROUP (ORDER BY visits), count(*), sum(age) FROM people GROUP BY region ORDER BY region

# It is the value of a rank, as percentile_disc tells it, as double precision; PostgreSQL may find one between two.
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM people WHERE age < 0

SELECT percentile_cont(ARRAY[0.5]) WITHIN GROUP (ORDER BY visits) FROM people WHERE visits = 3

# PostgreSQL has none of the name.
#: error
#: differs
SELECT median(age) FROM people

#: refused
SELECT percentile_disc(0) WITHIN GROUP (ORDER BY age) FROM people

#: refused
SELECT max(age) FROM people

#: refused
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age DESC) FROM people
