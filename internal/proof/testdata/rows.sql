-- The rows. Of values that a type does not tell apart the canonical one comes first, since PostgreSQL shows the first it meets.
SELECT setseed(0.25);
INSERT INTO members
SELECT i,
	(ARRAY['Ann', NULL])[1 + i % 2],
	(ARRAY['Oslo', 'Rome', 'Bern', 'O''slo', 'NULL', 'back\slash "quoted" {brace},', '', 'Zürich ✓', NULL])[1 + floor(random() * 9)::int],
	(ARRAY['free', 'gold', 'a'])[1 + floor(random() * 3)::int],
	(ARRAY[1980, 1985, 1990, 1991, 1992, 5, -5, 7, 2147483647, -2147483648, NULL])[1 + floor(random() * 11)::int],
	(ARRAY[1, 3, 4, -32768, NULL])[1 + floor(random() * 5)::int],
	(ARRAY[1, 3, 9007199254740993, 9007199254740992, NULL])[1 + floor(random() * 5)::int],
	(ARRAY[1.5, 1000, 1000.01, 'NaN', 3, NULL])[1 + floor(random() * 6)::int],
	(ARRAY[0.333, 2, NULL, 'NaN'])[1 + floor(random() * 4)::int],
	(ARRAY[0.1, 1, 'Infinity', '-Infinity', 'NaN', 0, 0.001, 4, NULL])[1 + floor(random() * 9)::int],
	(ARRAY[0.1, 0.2, 5, NULL])[1 + floor(random() * 4)::int],
	(ARRAY[true, false, NULL])[1 + floor(random() * 3)::int],
	(ARRAY['a', 'b', 'abc', NULL])[1 + floor(random() * 4)::int],
	(ARRAY['2020-01-01', '2020-01-31', '2020-02-01', 'infinity', '-infinity', NULL]::date[])[1 + floor(random() * 6)::int],
	(ARRAY['2020-01-31', '2020-01-31 10:11:12.5', '2020-02-01', '2020-01-01', 'infinity', NULL]::timestamp[])[1 + floor(random() * 6)::int],
	(ARRAY['2020-01-31 08:00:00Z', '2020-01-31 10:00:00Z', '2020-01-01 00:00:00Z', NULL]::timestamptz[])[1 + floor(random() * 4)::int],
	(ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '00000000-0000-0000-0000-000000000001', NULL]::uuid[])[1 + floor(random() * 3)::int],
	NULL,
	(ARRAY['b', 'B', 'a', NULL])[1 + floor(random() * 4)::int]
FROM generate_series(1, 300) AS i;
INSERT INTO logins SELECT i, i % 7, CASE i % 3 WHEN 0 THEN 'phone' WHEN 1 THEN 'desk' END, CASE i % 2 WHEN 0 THEN 'Oslo' END FROM generate_series(1, 50) AS i;

INSERT INTO people
SELECT i,
	(ARRAY['north', 'south', 'west'])[1 + floor(random() * 3)::int],
	(ARRAY['F', 'M', NULL])[1 + floor(random() * 3)::int],
	floor(random() * 100)::int,
	(ARRAY[0, 1, 2, 3, 5, 8, 13, 50, NULL])[1 + floor(random() * 9)::int],
	'2024-01-01'::date + floor(random() * 366)::int,
	(ARRAY['flu', 'cold', 'gout', 'Flu', 'flu ', '', NULL])[1 + floor(random() * 7)::int],
	(ARRAY['A', 'B', 'b', 'A ', '', NULL])[1 + floor(random() * 6)::int],
	(ARRAY[0, 1.5, 1000, 999.99, -3, 'NaN', NULL])[1 + floor(random() * 7)::int],
	(ARRAY[0, 0.333, 1.5, 'NaN', NULL])[1 + floor(random() * 5)::int],
	CASE WHEN i < 10 THEN 0 ELSE (ARRAY[0, '-0', 0.1, 1, 'NaN', 'Infinity', '-Infinity', NULL])[1 + floor(random() * 8)::int] END,
	CASE WHEN i < 10 THEN 0 ELSE (ARRAY[0, '-0', 0.1, 1.5, NULL])[1 + floor(random() * 5)::int] END,
	(ARRAY[1, 2, -32768, 32767, NULL])[1 + floor(random() * 5)::int],
	(ARRAY[1, 9007199254740993, -9223372036854775808, 9223372036854775807, NULL])[1 + floor(random() * 5)::int],
	(ARRAY[true, false, NULL])[1 + floor(random() * 3)::int],
	(ARRAY['2024-01-31 23:30:00Z', '2024-02-01 00:00:00Z', '2024-03-31 01:30:00Z', '2024-10-27 00:30:00Z', 'infinity', NULL]::timestamptz[])[1 + floor(random() * 6)::int],
	(ARRAY['2024-02-29 12:00:00', '2024-02-29 12:59:59.999999', '2024-12-31', '-infinity', NULL]::timestamp[])[1 + floor(random() * 5)::int],
	(ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '00000000-0000-0000-0000-000000000001', NULL]::uuid[])[1 + floor(random() * 3)::int],
	(ARRAY['b', 'B', 'a', 'ä', NULL])[1 + floor(random() * 5)::int],
	(ARRAY['x', 'X y', '', 'ünï', NULL])[1 + floor(random() * 5)::int],
	'person ' || i, 'note ' || i
FROM generate_series(1, 500) AS i;
INSERT INTO staff SELECT i, (ARRAY['a', 'b', NULL])[1 + i % 3], i % 70 FROM generate_series(1, 200) AS i;
INSERT INTO owners SELECT i, (ARRAY['F', 'M', NULL])[1 + i % 3], i % 90, (ARRAY['Oslo', 'Rome', 'Bern'])[1 + i % 3], i % 5 = 0 FROM generate_series(1, 300) AS i;
INSERT INTO trips
SELECT i % 250, (ARRAY['sea', 'hills', 'lake'])[1 + i % 3], i % 14, i * 11, i % 500 / 4.0, i % 7 / 3.0, i % 9 / 7.0, i % 5,
	timestamp '2024-01-01' + i * interval '7 hours', timestamptz '2024-01-01 00:00:00Z' + i * interval '9 hours', date '2024-01-01' + i % 366, i % 4 = 0
FROM generate_series(1, 900) AS i;
ANALYZE;
