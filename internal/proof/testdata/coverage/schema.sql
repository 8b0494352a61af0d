-- Groups of 20 to 79 rows, in all tables the same.
CREATE TABLE regions (region text PRIMARY KEY);
CREATE TABLE mine (region text);
CREATE TABLE geometric (id int NOT NULL, k int NOT NULL, x int NOT NULL, v int NOT NULL, f bool NOT NULL);
INSERT INTO geometric SELECT row_number() OVER (), k, (i * 7919 + k * 31) % 101, (i * 613 + k) % 41 - 20, (i + k) % 3 = 0
FROM generate_series(0, 3999) AS k, LATERAL generate_series(1, 20 + k % 60) AS i;
CREATE TABLE laplace (LIKE geometric); INSERT INTO laplace TABLE geometric;
CREATE TABLE gaussian (LIKE geometric); INSERT INTO gaussian TABLE geometric;
CREATE TABLE discrete_gaussian (LIKE geometric); INSERT INTO discrete_gaussian TABLE geometric;
CREATE TABLE suppressing (LIKE geometric); INSERT INTO suppressing TABLE geometric;
CREATE TABLE cut (LIKE geometric); INSERT INTO cut TABLE geometric;
CREATE TABLE visiting (LIKE geometric); -- Each person has two rows, in one group or in two.
INSERT INTO visiting SELECT id / 2, k, x, v, f FROM geometric;
