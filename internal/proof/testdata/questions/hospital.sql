# How many patients are there?
SELECT count(*) FROM patients;

# How many patients of each sex and region?
SELECT region, sex, count(*) AS patients
FROM patients
GROUP BY region, sex
ORDER BY region, sex;

# Which age groups do patients belong to?
SELECT CASE WHEN age < 18 THEN '0-17' WHEN age < 40 THEN '18-39' WHEN age < 65 THEN '40-64' ELSE '65+' END AS age_group, count(*)
FROM patients
GROUP BY 1
ORDER BY 1;

# What share of patients smokes, by sex?
SELECT sex, round(100.0 * count(*) FILTER (WHERE smoker) / count(*), 1) AS percent_smokers
FROM patients
GROUP BY sex
ORDER BY sex;

# What share of patients smokes, by insurance? (average of a condition)
SELECT insurance, round(avg(CASE WHEN smoker THEN 1.0 ELSE 0.0 END), 3) AS share
FROM patients
GROUP BY insurance
ORDER BY share DESC, insurance;

# What share of all patients does each region have?
SELECT region, count(*) AS n, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent
FROM patients
GROUP BY region
ORDER BY n DESC, region;

# How many patients are there for 1,000 inhabitants of each region?
SELECT r.region, round(1000.0 * count(*) / r.population, 3) AS per_thousand
FROM patients p
JOIN regions r ON r.region = p.region
GROUP BY r.region, r.population
ORDER BY per_thousand DESC;

# The same with the population aggregated, as many people write it
SELECT r.region, count(*) * 1000.0 / max(r.population) AS per_thousand
FROM patients p JOIN regions r USING (region)
GROUP BY r.region
ORDER BY r.region;

# How many patients in each state?
SELECT r.state, count(*) AS patients, count(*) FILTER (WHERE p.age >= 65) AS elderly
FROM patients AS p INNER JOIN regions AS r ON p.region = r.region
GROUP BY r.state
ORDER BY 1;

# What is the average age of patients by region?
SELECT region, round(avg(age), 2) AS average_age
FROM patients
GROUP BY region
ORDER BY region;

# Average age and number of patients by sex
SELECT sex, count(*) AS n, avg(age) AS mean_age, stddev_samp(age) AS sd_age
FROM patients
GROUP BY sex
ORDER BY sex;

# What is the median age of patients?
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS median_age FROM patients;

# The 10th, 50th and 90th percentile of age by sex
SELECT sex,
  percentile_disc(0.1) WITHIN GROUP (ORDER BY age) AS p10,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS p50,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS p90
FROM patients
GROUP BY sex
ORDER BY sex;

# How old are the youngest and the oldest patient?
#: refused 0A000 aggregate min is not supported on protected tables: the value would be that of one row
SELECT min(age), max(age) FROM patients;

# The pyramid of ages, in tens, by sex
#: zeros
SELECT age / 10 * 10 AS decade,
  sum(CASE WHEN sex = 'F' THEN 1 ELSE 0 END) AS women,
  sum(CASE WHEN sex = 'M' THEN 1 ELSE 0 END) AS men
FROM patients
GROUP BY 1
ORDER BY 1;

# A pivot: regions by insurance
SELECT region,
  count(*) FILTER (WHERE insurance = 'public') AS public,
  count(*) FILTER (WHERE insurance = 'private') AS private,
  count(*) FILTER (WHERE insurance = 'none') AS uninsured,
  count(*) AS total
FROM patients
GROUP BY region
ORDER BY region;

# Totals and subtotals by region and sex
SELECT coalesce(region, 'all') AS region, coalesce(sex, 'both') AS sex, count(*)
FROM patients
GROUP BY ROLLUP (region, sex)
ORDER BY 1, 2;

# How many patients registered each month of 2024?
SELECT to_char(date_trunc('month', registered), 'YYYY-MM') AS month, count(*)
FROM patients
WHERE registered >= '2024-01-01' AND registered < '2025-01-01'
GROUP BY 1
ORDER BY 1;

# The running number of registered patients
WITH monthly AS (
  SELECT date_trunc('month', registered)::date AS month, count(*) AS n
  FROM patients
  GROUP BY 1
)
SELECT month, n, sum(n) OVER (ORDER BY month) AS so_far
FROM monthly
ORDER BY month;

# How do registrations of a quarter compare with the year before?
WITH q AS (
  SELECT date_trunc('quarter', registered)::date AS quarter, count(*) AS n
  FROM patients
  GROUP BY 1
)
SELECT quarter, n, lag(n, 4) OVER (ORDER BY quarter) AS year_before,
  round(100.0 * (n - lag(n, 4) OVER (ORDER BY quarter)) / nullif(lag(n, 4) OVER (ORDER BY quarter), 0), 1) AS change_percent
FROM q
ORDER BY quarter;

# On which weekday do patients register?
SELECT extract(isodow FROM registered) AS weekday, count(*)
FROM patients
GROUP BY 1
ORDER BY 1;

# How many admissions, and how many persons, in each ward?
SELECT ward, count(*) AS admissions, count(DISTINCT patient_id) AS persons
FROM admissions
GROUP BY ward
ORDER BY ward;

# Admissions per person by ward
SELECT ward, round(count(*)::numeric / nullif(count(DISTINCT patient_id), 0), 2) AS per_person
FROM admissions
GROUP BY ward
ORDER BY per_person DESC, ward;

# The three most frequent diagnoses
SELECT diagnosis, count(*) AS n
FROM admissions
GROUP BY diagnosis
ORDER BY n DESC, diagnosis
LIMIT 3;

# The most frequent diagnosis of each ward
SELECT ward, diagnosis, n
FROM (
  SELECT ward, diagnosis, count(*) AS n, row_number() OVER (PARTITION BY ward ORDER BY count(*) DESC, diagnosis) AS place
  FROM admissions
  GROUP BY ward, diagnosis
) ranked
WHERE place = 1
ORDER BY ward;

# Admissions by chapter of the diagnosis, with names
SELECT d.chapter, d.name, count(*) AS n
FROM admissions a
JOIN diagnoses d ON d.code = a.diagnosis
GROUP BY d.chapter, d.name
HAVING count(*) >= 100
ORDER BY n DESC, d.name;

# Admissions per bed by department
SELECT w.department, w.ward, count(*)::float8 / w.beds AS per_bed
FROM admissions a JOIN wards w ON w.ward = a.ward
GROUP BY w.department, w.ward, w.beds
ORDER BY 1, 2;

# How long do patients stay, on average, in each ward?
SELECT ward, round(avg(days), 1) AS average_days
FROM admissions
WHERE days IS NOT NULL
GROUP BY ward
ORDER BY ward;

# How long, from the times of admission and discharge?
SELECT ward, avg(discharged - admitted) AS stay
FROM admissions
GROUP BY ward
ORDER BY ward;

# How long, in days computed from the times?
SELECT ward, avg(extract(epoch FROM discharged - admitted) / 86400) AS days
FROM admissions
GROUP BY ward
ORDER BY ward;

# How many stays were longer than a week?
SELECT ward, count(*) FILTER (WHERE discharged - admitted > interval '7 days') AS long_stays, count(*) AS stays
FROM admissions
WHERE discharged IS NOT NULL
GROUP BY ward
ORDER BY ward;

# What do admissions cost, in all and on average, by diagnosis?
SELECT diagnosis, sum(cost) AS total, round(avg(cost)) AS average, count(*) AS n
FROM admissions
GROUP BY diagnosis
ORDER BY total DESC;

# What share of all costs has each ward?
SELECT ward, sum(cost) AS cost, round(sum(cost) * 100.0 / sum(sum(cost)) OVER (), 2) AS percent
FROM admissions
GROUP BY ward
ORDER BY percent DESC;

# Bed days used, by month of 2024
SELECT date_trunc('month', admitted)::date AS month, sum(days) AS bed_days
FROM admissions
WHERE admitted >= '2024-01-01' AND admitted < '2025-01-01'
GROUP BY 1
ORDER BY 1;

# The 95th percentile of cost by ward
SELECT ward, percentile_disc(0.95) WITHIN GROUP (ORDER BY cost) AS p95
FROM admissions
GROUP BY ward
ORDER BY ward;

# The most usual severity
SELECT mode() WITHIN GROUP (ORDER BY severity) FROM admissions;

# At what hours do emergencies arrive?
SELECT extract(hour FROM admitted) AS hour, count(*)
FROM admissions
WHERE emergency
GROUP BY 1
ORDER BY 1;

# Emergencies and planned admissions by year
SELECT extract(year FROM admitted)::int AS year, emergency, count(*)
FROM admissions
GROUP BY 1, 2
ORDER BY 1, 2;

# A calendar of March 2024 with admissions to surgery for traumas, zeros included
SELECT d::date AS day, count(a.admission_id)
FROM generate_series(date '2024-03-01', date '2024-03-31', interval '1 day') AS d
LEFT JOIN admissions a ON a.admitted::date = d::date AND a.ward = 'surgery' AND a.diagnosis = 'S72'
GROUP BY 1
ORDER BY 1;

# The same with a listed column, joined after counting
WITH days AS (
  SELECT generate_series('2024-03-01'::date, '2024-03-31'::date, '1 day')::date AS day
), counts AS (
  SELECT admitted::date AS day, count(*) AS n
  FROM admissions
  WHERE ward = 'surgery' AND diagnosis = 'S72' AND admitted >= '2024-03-01' AND admitted < '2024-04-01'
  GROUP BY 1
)
SELECT days.day, coalesce(counts.n, 0) AS n
FROM days LEFT JOIN counts USING (day)
ORDER BY days.day;

# All wards with their admissions on one day, also those with none
SELECT w.ward, count(a.ward) AS admissions
FROM wards w
LEFT JOIN admissions a ON a.ward = w.ward AND a.admitted >= '2024-02-05' AND a.admitted < '2024-02-06'
GROUP BY w.ward
ORDER BY w.ward;

# How many patients were ever in oncology?
SELECT count(*)
FROM patients p
WHERE EXISTS (SELECT 1 FROM admissions a WHERE a.patient_id = p.patient_id AND a.ward = 'oncology');

# How many patients of each sex were never admitted?
SELECT sex, count(*)
FROM patients
WHERE patient_id NOT IN (SELECT patient_id FROM admissions)
GROUP BY sex
ORDER BY sex;

# How many patients have had one, two, three, four admissions?
SELECT n AS admissions, count(*) AS persons
FROM (SELECT patient_id, count(*) AS n FROM admissions GROUP BY patient_id) AS per_person
GROUP BY n
ORDER BY n;

# How many patients came back at least once?
SELECT count(*) FROM (
  SELECT patient_id FROM admissions GROUP BY patient_id HAVING count(*) > 1
) AS returned;

# Cohorts: patients by the year of their first admission
#: zeros
WITH first_admission AS (
  SELECT patient_id, min(admitted) AS first FROM admissions GROUP BY patient_id
)
SELECT extract(year FROM first) AS cohort, count(*) AS persons
FROM first_admission
GROUP BY 1
ORDER BY 1;

# How many patients have one, two, or three and more admissions? (values that are known: no threshold)
SELECT least(n, 3) AS admissions, count(*) AS persons
FROM (SELECT patient_id, count(*) AS n FROM admissions GROUP BY patient_id) AS per_person
GROUP BY 1
ORDER BY 1;

# How often is a patient admitted, on average?
SELECT round(avg(n), 3) AS admissions, sum(n) AS total
FROM (SELECT patient_id, count(*) AS n FROM admissions GROUP BY patient_id) AS per_person;

# New patients by the month of their first admission, in 2023
SELECT date_trunc('month', first)::date AS month, count(*) AS new_patients
FROM (SELECT patient_id, min(admitted) AS first FROM admissions GROUP BY patient_id) f
WHERE first >= '2023-01-01' AND first < '2024-01-01'
GROUP BY 1
ORDER BY 1;

# Who comes often, and was ever an emergency?
#: zeros
WITH per_person AS (
  SELECT patient_id, count(*) AS n, bool_or(emergency) AS emergency, max(severity) AS worst FROM admissions GROUP BY patient_id
)
SELECT CASE WHEN n >= 3 THEN 'often' WHEN n = 2 THEN 'twice' ELSE 'once' END AS how_often, emergency, count(*), count(*) FILTER (WHERE worst >= 4) AS severe
FROM per_person
GROUP BY 1, 2
ORDER BY 1, 2;

# Patients by sex and number of admissions, those without any left out
#: zeros
SELECT p.sex, least(a.n, 3) AS admissions, count(*)
FROM patients p
JOIN (SELECT patient_id, count(*) AS n FROM admissions GROUP BY patient_id) a ON a.patient_id = p.patient_id
GROUP BY 1, 2
ORDER BY 1, 2;

# The same with those who were never admitted
SELECT p.sex, least((SELECT count(*) FROM admissions a WHERE a.patient_id = p.patient_id), 3) AS admissions, count(*)
FROM patients p
GROUP BY 1, 2
ORDER BY 1, 2;

# How old are patients who were admitted three times and more?
SELECT round(avg(age), 1) AS age, count(*)
FROM patients
WHERE patient_id IN (SELECT patient_id FROM admissions GROUP BY patient_id HAVING count(*) >= 3);

# How many patients were in how many different wards?
#: zeros
SELECT least(wards, 4) AS wards, count(*)
FROM (SELECT patient_id, count(DISTINCT ward) AS wards FROM admissions GROUP BY patient_id) w
GROUP BY 1
ORDER BY 1;

# Emergencies among women and men: a join of both tables
SELECT p.sex, count(*) AS admissions, count(*) FILTER (WHERE a.emergency) AS emergencies
FROM patients p JOIN admissions a ON a.patient_id = p.patient_id
GROUP BY p.sex
ORDER BY p.sex;

# How many smokers were admitted with a heart problem, by age group?
#: zeros
SELECT width_bucket(p.age, 0, 100, 5) AS bucket, count(DISTINCT p.patient_id) AS persons
FROM patients p
JOIN admissions a USING (patient_id)
WHERE p.smoker AND a.diagnosis LIKE 'I%'
GROUP BY 1
ORDER BY 1;

# Mothers' ward against the rest, in one list
SELECT 'maternity' AS part, count(*) FROM admissions WHERE ward = 'maternity'
UNION ALL
SELECT 'other', count(*) FROM admissions WHERE ward <> 'maternity'
ORDER BY part;

# Which regions are below their target of patients? (a table of one's own)
SELECT m.region, m.target, c.n, c.n - m.target AS difference
FROM mine m
JOIN (SELECT region, count(*) AS n FROM patients GROUP BY region) c ON c.region = m.region
ORDER BY m.region;

# Who refers most patients? (a column of names whose values nobody declared)
SELECT referred_by, count(*) AS n
FROM admissions
WHERE referred_by IS NOT NULL
GROUP BY referred_by
ORDER BY n DESC, referred_by
LIMIT 5;

# How many different doctors refer patients?
SELECT count(DISTINCT referred_by) FROM admissions;

# What is the body weight of adults, by region?
SELECT region, round(avg(weight), 1) AS kilograms
FROM patients
WHERE age >= 18
GROUP BY region
ORDER BY region;

# How many admissions have no discharge yet?
SELECT ward, count(*) - count(discharged) AS still_here
FROM admissions
GROUP BY ward
ORDER BY ward;

# Show me the last ten admissions
#: refused 42501 rows of protected table admissions cannot be read
SELECT * FROM admissions ORDER BY admitted DESC LIMIT 10;

# What is the name of the oldest patient?
#: refused 42501 column "name" of protected table patients cannot be used
SELECT name FROM patients ORDER BY age DESC LIMIT 1;

# Which regions are there? (a drop-down)
SELECT DISTINCT region FROM patients ORDER BY region;

# Are age and weight correlated?
#: refused 0A000 aggregate corr is not supported on protected tables
SELECT corr(age, weight) FROM patients;

# How many admissions on weekends and on weekdays?
SELECT CASE WHEN extract(isodow FROM admitted) IN (6, 7) THEN 'weekend' ELSE 'weekday' END AS part, count(*)
FROM admissions
GROUP BY 1
ORDER BY 1;

# Average cost and stay of severe cases against the rest
SELECT severity >= 4 AS severe, count(*) AS n, round(avg(cost)) AS cost, round(avg(days), 2) AS days
FROM admissions
GROUP BY 1
ORDER BY 1;

# Cost per day of stay by ward
SELECT ward, round(sum(cost)::numeric / nullif(sum(days), 0), 2) AS cost_per_day
FROM admissions
WHERE days > 0
GROUP BY ward
ORDER BY ward;

# Which month of which year had most admissions?
SELECT extract(year FROM admitted)::int AS year, extract(month FROM admitted)::int AS month, count(*) AS n
FROM admissions
WHERE admitted >= '2022-01-01' AND admitted < '2025-01-01'
GROUP BY 1, 2
ORDER BY n DESC, 1, 2
LIMIT 1;

# The body mass classes of adults, those without a weight apart
SELECT CASE WHEN weight IS NULL THEN 'unknown' WHEN weight < 60 THEN 'light' WHEN weight < 90 THEN 'middle' ELSE 'heavy' END AS class, count(*)
FROM patients
WHERE age >= 18
GROUP BY 1
HAVING count(*) > 10
ORDER BY 1;

# How does each region differ from the mean of all regions?
WITH n AS (SELECT region, count(*) AS patients FROM patients GROUP BY region)
SELECT region, patients, round(patients - avg(patients) OVER (), 1) AS difference
FROM n
ORDER BY region;

# What share of the elderly among patients has each state, and of smokers?
#: refused 0A000 this form of JOIN is not supported on protected tables
SELECT state, round(avg((age >= 65)::int), 4) AS elderly, round(avg(smoker::int), 4) AS smokers
FROM patients NATURAL JOIN regions
GROUP BY state
ORDER BY state;

# How many days lie between birth and registration, on average?
SELECT avg(registered - birth_date) FROM patients;

# How many patients have a birthday in each month?
SELECT to_char(birth_date, 'MM') AS month, count(*) FROM patients GROUP BY to_char(birth_date, 'MM') ORDER BY month;

# The total of patients beside the count of each region
SELECT region, count(*) AS n, (SELECT count(*) FROM patients) AS total FROM patients GROUP BY region ORDER BY region;

# Admissions of the elderly by department: three tables
SELECT w.department, count(*) AS admissions, count(DISTINCT p.patient_id) AS persons
FROM admissions a
JOIN patients p ON p.patient_id = a.patient_id
JOIN wards w ON w.ward = a.ward
WHERE p.age > 70
GROUP BY w.department
ORDER BY w.department;

# How many heart patients live in the north? (a list of codes)
SELECT count(DISTINCT a.patient_id)
FROM admissions a, patients p
WHERE a.patient_id = p.patient_id AND p.region = 'north' AND a.diagnosis = ANY (ARRAY['I10', 'I21']);

# Codes of a chapter, by a sub-select of the public table
SELECT ward, count(*) FROM admissions
WHERE diagnosis IN (SELECT code FROM diagnoses WHERE chapter = 'I')
GROUP BY ward
ORDER BY ward;

# Keep the counts of a month for later
CREATE TEMP TABLE monthly AS SELECT date_trunc('month', registered)::date AS month, count(*) AS n FROM patients GROUP BY 1;
;
SELECT max(n), min(month) FROM monthly;

# What does a day in hospital cost on average, of stays of a day or more?
SELECT ward, round(avg(cost::numeric / nullif(days, 0)), 1) AS per_day
FROM admissions
GROUP BY ward
ORDER BY ward;

# The same, where WHERE leaves out the stays of no day
#: refused 0A000 operator / could divide a row of the protected table by zero
SELECT ward, round(avg(cost * 1.0 / days), 1) AS per_day
FROM admissions
WHERE days > 0
GROUP BY ward
ORDER BY ward;

# How many registrations in each quarter, as a chart labels it?
SELECT 'Q' || extract(quarter FROM registered) || ' ' || extract(year FROM registered) AS quarter, count(*)
FROM patients
GROUP BY 1
ORDER BY 1;

# How many admissions on each day of the week, by name?
SELECT to_char(admitted, 'FMDay') AS weekday, count(*)
FROM admissions
GROUP BY 1
ORDER BY 2 DESC, 1;

# How old are patients on average, computed from their birth dates?
SELECT sex, round(avg(extract(year FROM age(date '2024-12-31', birth_date))), 2) AS average_age
FROM patients
GROUP BY sex
ORDER BY sex;

# Women of the north and men of the south
SELECT count(*) FROM patients WHERE (sex, region) IN (('F', 'north'), ('M', 'south'));

# How long do patients stay, where no stay counts as more than two weeks?
SELECT ward, avg(least(discharged - admitted, interval '14 days')) AS stay
FROM admissions
GROUP BY ward
ORDER BY ward;
