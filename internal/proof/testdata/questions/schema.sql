-- The tables of a hospital.
CREATE TABLE regions (region text PRIMARY KEY, state text NOT NULL, population bigint NOT NULL);
CREATE TABLE wards (ward text PRIMARY KEY, department text NOT NULL, beds int NOT NULL);
CREATE TABLE diagnoses (code text PRIMARY KEY, name text NOT NULL, chapter text NOT NULL);
CREATE TABLE patients (
	patient_id int PRIMARY KEY, name text NOT NULL, sex text NOT NULL, birth_date date NOT NULL, age int NOT NULL, region text NOT NULL,
	insurance text NOT NULL, smoker boolean NOT NULL, weight int, registered date NOT NULL);
CREATE TABLE admissions (
	admission_id int PRIMARY KEY, patient_id int NOT NULL REFERENCES patients, ward text NOT NULL, diagnosis text NOT NULL, admitted timestamp NOT NULL,
	discharged timestamp, emergency boolean NOT NULL, severity int NOT NULL, days int, cost int NOT NULL, referred_by text);

-- The tables of a shop.
CREATE TABLE countries (country text PRIMARY KEY, continent text NOT NULL, population bigint NOT NULL);
CREATE TABLE categories (category text PRIMARY KEY, department text NOT NULL);
CREATE TABLE customers (
	customer_id int PRIMARY KEY, email text NOT NULL, country text NOT NULL, gender text NOT NULL, age int NOT NULL, signed_up date NOT NULL,
	channel text NOT NULL, newsletter boolean NOT NULL);
CREATE TYPE order_status AS ENUM ('paid', 'shipped', 'returned', 'cancelled');
CREATE TABLE orders (
	order_id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, ordered_at timestamp NOT NULL, category text NOT NULL, status order_status NOT NULL,
	amount int NOT NULL, quantity int NOT NULL, coupon boolean NOT NULL, payment text NOT NULL, city text NOT NULL);
CREATE TABLE events (customer_id int NOT NULL REFERENCES customers, step text NOT NULL, happened_at timestamp NOT NULL, device text NOT NULL);

INSERT INTO regions VALUES ('center', 'South', 310000), ('east', 'South', 420000), ('north', 'North', 640000), ('south', 'South', 280000), ('west', 'North', 150000);
INSERT INTO wards VALUES ('cardiology', 'medicine', 40), ('emergency', 'acute', 25), ('maternity', 'women', 30), ('oncology', 'medicine', 35), ('surgery', 'acute', 50);
INSERT INTO diagnoses VALUES ('C50', 'breast cancer', 'C'), ('E11', 'diabetes', 'E'), ('I10', 'hypertension', 'I'), ('I21', 'heart attack', 'I'), ('J18', 'pneumonia', 'J'),
	('O80', 'delivery', 'O'), ('S72', 'broken hip', 'S');
INSERT INTO countries VALUES ('AT', 'Europe', 9100000), ('DE', 'Europe', 83200000), ('FR', 'Europe', 67800000), ('JP', 'Asia', 125100000), ('US', 'America', 333300000);
INSERT INTO categories VALUES ('books', 'media'), ('games', 'media'), ('garden', 'home'), ('kitchen', 'home'), ('shoes', 'fashion');
-- What an analyst has brought herself.
CREATE TABLE mine (region text, target bigint);
INSERT INTO mine VALUES ('north', 400), ('east', 300), ('south', 200);

SELECT setseed(0.16);
INSERT INTO patients
SELECT i, 'patient ' || i, (ARRAY['F', 'M'])[1 + floor(2 * random())::int], '2024-12-31'::date - (years * 365.25 + 365 * random())::int, years,
	(ARRAY['north', 'north', 'east', 'center', 'south', 'west'])[1 + floor(6 * random())::int], (ARRAY['public', 'public', 'private', 'none'])[1 + floor(4 * random())::int],
	random() < 0.3, CASE WHEN i % 20 > 0 THEN least(40 + floor(70 * random())::int, 15 + 4 * years) END, '2022-01-01'::date + floor(1096 * random())::int
FROM generate_series(1, 1500) AS i, LATERAL (SELECT floor(100 * random() ^ (1 + 0 * i))::int AS years) AS a;
INSERT INTO admissions
SELECT 4 * i + k, i, (ARRAY['cardiology', 'emergency', 'emergency', 'oncology', 'surgery', 'maternity'])[1 + floor(5.7 * random())::int],
	(ARRAY['I10', 'I21', 'E11', 'J18', 'C50', 'S72', 'O80'])[1 + floor(6.8 * random())::int], at, CASE WHEN at + days * interval '1 day' < '2024-12-20' THEN at + days * interval '1 day' END,
	random() < 0.4, 1 + floor(5 * random() ^ 2)::int, CASE WHEN at + days * interval '1 day' < '2024-12-20' THEN days END, 200 + floor(12000 * random() ^ 3)::int,
	CASE WHEN random() < 0.8 THEN 'doctor ' || floor(20 * random() ^ 2)::int END
FROM generate_series(1, 1500) AS i, generate_series(0, 3) AS k,
	LATERAL (SELECT '2022-01-01'::timestamp + date_trunc('minute', random() * interval '1095 days') + 0 * (i + k) * interval '1 day' AS at, floor(30 * random() ^ 2)::int AS days) AS a
WHERE random() < 0.45;
INSERT INTO customers
SELECT i, 'c' || i || '@example.com', (ARRAY['DE', 'DE', 'FR', 'US', 'AT'])[1 + floor(5 * random())::int], (ARRAY['f', 'm', 'x'])[1 + floor(2.1 * random())::int],
	16 + floor(70 * random() ^ 1.5)::int, '2022-01-01'::date + floor(900 * random())::int, (ARRAY['ads', 'organic', 'referral', 'social'])[1 + floor(4 * random())::int], random() < 0.5
FROM generate_series(1, 1200) AS i;
INSERT INTO orders
SELECT 6 * c.customer_id + k, c.customer_id, at, (ARRAY['books', 'books', 'games', 'garden', 'kitchen', 'shoes'])[1 + floor(6 * random())::int],
	(ARRAY['paid', 'shipped', 'shipped', 'shipped', 'returned', 'cancelled'])[1 + floor(6 * random())::int]::order_status, 5 + floor(900 * random() ^ 3)::int, 1 + floor(8 * random() ^ 2)::int,
	random() < 0.25, (ARRAY['card', 'invoice', 'wallet'])[1 + floor(3 * random())::int], 'city ' || floor(40 * random() ^ 2)::int
FROM customers AS c, generate_series(0, 5) AS k, LATERAL (SELECT c.signed_up + date_trunc('minute', random() ^ 2 * 0.999 * ('2025-01-01' - c.signed_up::timestamp)) + 0 * k * interval '1 day' AS at) AS a
WHERE c.customer_id % 7 > 0 AND random() < 0.4;
INSERT INTO events
SELECT c.customer_id, (ARRAY['visit', 'cart', 'checkout', 'purchase'])[s], c.signed_up + k * interval '9 days' + s * interval '3 minutes', (ARRAY['phone', 'phone', 'desktop', 'tablet'])[1 + (c.customer_id + k) % 4]
FROM customers AS c, generate_series(0, 2) AS k, generate_series(1, 4) AS s
WHERE s <= 1 + (c.customer_id * 7 + k * 3) % 5 AND (c.customer_id + k) % 3 < 2;

ANALYZE;

GRANT SELECT ON regions, wards, diagnoses, countries, categories TO ana;
