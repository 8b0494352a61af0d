-- The tables of the golden files of package rewrite, a table of people as analysts count it, and tables of the analysts' own.
CREATE TABLE members (
	id int NOT NULL, full_name text, city text, plan varchar(10) NOT NULL, birth_year int, level int2, points int8,
	salary numeric(10,2), ratio numeric, score float8, weight float4, active bool, code char(3), joined date,
	seen timestamp, paid timestamptz, token uuid, tags text[], "Odd Name" text COLLATE "C");
CREATE TABLE logins (login_id int, member_id int, device text, city text);
CREATE TABLE cities (city text, country text);
CREATE TABLE mine (city text, n int8);

CREATE TABLE regions (region text PRIMARY KEY, country text NOT NULL);
CREATE TABLE people (
	id int NOT NULL,
	region text NOT NULL, sex char(1), age int NOT NULL, visits int, admitted date NOT NULL,
	illness text, ward varchar(8), income numeric(12,2), ratio numeric, score float8, dose float4, rank int2, serial int8,
	active bool, seen timestamptz, left_at timestamp, token uuid, label text COLLATE "C", "Mixed Case" text,
	name text NOT NULL, note text);
CREATE TABLE staff (id int NOT NULL, grade text, age int);
CREATE TABLE owners (id int NOT NULL, sex char(1), age int, city text, rich bool);
CREATE TABLE trips (
	owner_id int, place text, days int, far int8, cost numeric(12,2), ratio numeric, score float8, dose float4, left_at timestamp, paid timestamptz, day date, late bool);
CREATE VIEW adults AS SELECT * FROM people WHERE age >= 18;

CREATE TABLE notes (region text, note text, n int, at date);
CREATE TABLE targets (region text, target int8, quarter date);
CREATE TABLE calendar (day date, holiday bool);

INSERT INTO regions VALUES ('east', 'B'), ('north', 'A'), ('south', 'A'), ('west', 'B');
INSERT INTO cities VALUES ('Oslo', 'NO'), ('Rome', 'IT'), ('Bern', 'CH');
INSERT INTO mine VALUES ('Oslo', 3), ('Rome', 40), (NULL, 5);
INSERT INTO notes VALUES ('north', 'cold', 1, '2024-01-15'), ('south', 'warm', 2, '2024-02-15'), (NULL, 'nowhere', 3, NULL), ('east', '', 4, '2024-03-01');
INSERT INTO targets VALUES ('north', 10, '2024-01-01'), ('south', 200, '2024-01-01'), ('west', 5, '2024-04-01'), (NULL, 1, NULL);
INSERT INTO calendar SELECT d, extract(isodow FROM d) > 5 FROM generate_series('2024-01-01'::timestamp, '2024-12-31', '7 days') AS d;
