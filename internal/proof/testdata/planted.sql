-- People with an extreme value, one of its kind, in every column.
INSERT INTO members VALUES
	(2147483647, 'planted', repeat('x', 20000), 'gold', 2147483647, 32767, 9223372036854775807, 99999999.99, 'Infinity'::numeric, 1.7976931348623157e308, 3.4028235e38, true, 'zzz', 'infinity', 'infinity', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', ARRAY['planted', NULL], repeat('z', 9000)),
	(-2147483648, '', '''; DROP TABLE members; --', '''"\$1%_', -2147483648, -32768, -9223372036854775808, -99999999.99, '-Infinity'::numeric, -1.7976931348623157e308, -3.4028235e38, false, '   ', '-infinity', '-infinity', '-infinity', '00000000-0000-0000-0000-000000000000', '{}', E'\n\t\r"''\\'),
	(0, NULL, '', '', 0, 0, 0, 0, 'NaN', 'NaN', 'NaN', NULL, NULL, '4713-01-01 BC', '4713-01-01 00:00:00 BC', '4714-11-24 00:00:00+00 BC', NULL, NULL, ''),
	(1, E'\u0001', E'\U0010FFFF', '𝕊', 1, 1, 1, 'NaN', 1e-130, '-0', '-0', true, '€', '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00', NULL, NULL, E'\u00DF'),
	(2, NULL, NULL, 'planted', NULL, NULL, NULL, NULL, 1e+5000, 4.94e-324, 1.4e-45, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(3, NULL, '%', '%%', 3, 3, 3, NULL, -1e-5000, 'Infinity', 'Infinity', NULL, '%', NULL, NULL, NULL, NULL, NULL, '%')
;
INSERT INTO logins VALUES (2147483647, NULL, repeat('y', 20000), NULL), (-2147483648, 2147483647, '', ''), (0, 0, '''"\', E'\U0010FFFF');
INSERT INTO people VALUES
	(2147483647, 'east', 'F', 2147483647, 2147483647, 'infinity', repeat('x', 20000), 'planted!', 9999999999.99, 'Infinity'::numeric, 1.7976931348623157e308, 3.4028235e38, 32767, 9223372036854775807, true, 'infinity', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', repeat('z', 9000), 'planted', 'the one', repeat('n', 100000)),
	(-2147483648, 'planted', '''', -2147483648, -2147483648, '-infinity', '''; DROP TABLE people; --', '''"\%_', -9999999999.99, '-Infinity'::numeric, -1.7976931348623157e308, -3.4028235e38, -32768, -9223372036854775808, false, '-infinity', '-infinity', '00000000-0000-0000-0000-000000000000', E'\n\t"''\\', '', '', NULL),
	(0, '', ' ', 0, 0, '4713-01-01 BC', '', '', 'NaN', 'NaN', 'NaN', 'NaN', 0, 0, NULL, '4714-11-24 00:00:00+00 BC', '4713-01-01 00:00:00 BC', NULL, '', NULL, '', ''),
	(1, E'\U0010FFFF', '€', 99, 50, '5874897-12-31', E'\u0001', '𝕊', 0.01, 1e-130, '-0', '-0', 1, 1, true, '294276-12-31 23:59:59.999999+00', '294276-12-31 23:59:59.999999', NULL, 'ß', 'ẞ', 'x', 'x'),
	(2, 'north', NULL, 0, NULL, '2024-02-29', NULL, NULL, NULL, 1e+5000, 4.94e-324, 1.4e-45, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'y', NULL),
	(3, '%', '%', 3, 3, '2024-12-31', '%', '%', -0.01, -1e-5000, 'Infinity', 'Infinity', 3, 3, NULL, '2024-03-31 01:30:00Z', '2024-10-27 02:30:00', NULL, '%', '_', '%', '%');
INSERT INTO staff VALUES (2147483647, 'planted', 2147483647), (-2147483648, NULL, NULL), (0, '', -2147483648);
-- Persons in two tables, of whom one has more rows than are counted, one has none in the other table, and one is nobody.
INSERT INTO owners VALUES
	(2147483647, 'F', 2147483647, repeat('x', 20000), true), (-2147483648, '''', -2147483648, '', false), (0, NULL, NULL, NULL, NULL), (1000, 'M', 0, E'\U0010FFFF', true);
INSERT INTO trips
SELECT 2147483647, (ARRAY['sea', 'hills', 'lake', NULL, '', repeat('z', 9000)])[1 + i % 6], 2147483647 - i % 2, 9223372036854775807, 9999999999.99, 'Infinity'::numeric, 1.7976931348623157e308,
	3.4028235e38, 'infinity'::timestamp, 'infinity'::timestamptz, 'infinity'::date, true
FROM generate_series(1, 400) AS i;
INSERT INTO trips VALUES
	(-2147483648, 'sea', -2147483648, -9223372036854775808, -9999999999.99, '-Infinity', -1.7976931348623157e308, -3.4028235e38, '-infinity', '-infinity', '-infinity', false),
	(-2147483648, 'planted', 0, 0, 'NaN', 'NaN', 'NaN', 'NaN', '4713-01-01 00:00:00 BC', '4714-11-24 00:00:00+00 BC', '4713-01-01 BC', NULL),
	(-2147483648, '', 1, 1, 0.01, 1e-5000, '-0', '-0', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00', '5874897-12-31', true),
	(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(0, 'lake', 13, 13, -0.01, 1e+5000, 'Infinity', 'Infinity', '2024-02-29', '2024-03-31 01:30:00Z', '2024-02-29', false),
	(NULL, 'hills', 2147483647, -9223372036854775808, 'NaN', -1e+5000, '-Infinity', 'NaN', 'infinity', '-infinity', 'infinity', true),
	(1001, '%', -1, -1, 'NaN', 'NaN', 4.94e-324, 1.4e-45, '2024-12-31', '2024-10-27 00:30:00Z', '2024-12-31', NULL);
ANALYZE members, logins, people, staff, owners, trips;
