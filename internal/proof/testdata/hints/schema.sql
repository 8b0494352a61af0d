-- Tables as a hospital has them. fill makes rows for a number of patients; spread says how far apart their incomes and costs are.
CREATE TABLE regions (region text PRIMARY KEY, country text NOT NULL);
INSERT INTO regions VALUES ('east', 'B'), ('north', 'A'), ('south', 'A'), ('west', 'B');
CREATE TABLE mine (region text, n int8);
CREATE TABLE patients (
	id int PRIMARY KEY, region text NOT NULL, sex char(1), age int NOT NULL, height int, income numeric(12,2), weight float8, born date NOT NULL,
	name text NOT NULL, note text);
CREATE TABLE visits (visit_id int PRIMARY KEY, patient_id int REFERENCES patients, ward text NOT NULL, cost numeric, admitted timestamp NOT NULL,
	discharged timestamp NOT NULL);
CREATE TABLE staff (id int PRIMARY KEY, grade text, salary numeric, age int NOT NULL);

CREATE FUNCTION normal() RETURNS float8 LANGUAGE sql AS 'SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
CREATE PROCEDURE fill(patients int, spread float8) LANGUAGE plpgsql AS $$ BEGIN
	PERFORM setseed(0.25);
	INSERT INTO patients
	SELECT i, (ARRAY['north', 'south', 'west', 'east'])[1 + floor(3.5 * random() ^ (1 + spread))::int], (ARRAY['F', 'M', NULL])[1 + floor(2.1 * random())::int],
		floor(110 * random() ^ (0.5 + spread))::int, 1000 + floor(900 * random())::int, exp(10 + spread * normal())::numeric(12,2),
		CASE WHEN i % 50 > 0 THEN 70 + 12 * spread * normal() END, '1950-01-01'::date + floor(300 * random())::int, 'patient ' || i, (ARRAY['well', 'ill', NULL])[1 + i % 3]
	FROM generate_series(1, patients) AS i;
	INSERT INTO visits
	SELECT 3 * i + k, i, (ARRAY['A', 'B', 'C'])[1 + floor(2.9 * random())::int], CASE WHEN k < 2 THEN exp(6 + spread * normal())::numeric END, at, at + random() * interval '20 days'
	FROM generate_series(1, patients) AS i, generate_series(0, 2) AS k, LATERAL (SELECT '2024-01-01'::timestamp + (i % 360 + random()) * interval '1 day' AS at) AS a
	WHERE random() < 0.6;
	INSERT INTO staff SELECT i, (ARRAY['a', 'b', NULL])[1 + i % 3], 1000 + i, i % 70 FROM generate_series(1, patients / 4) AS i;
END $$;
