package site

// VisitsSchema has visits of 100 persons: each came six times, twice to each of three houses, four times with a flu. 50 visits are nobody's, and 200
// are one person's, all with gout and to the east.
const VisitsSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.visits (patient int, house text NOT NULL, illness text, cost numeric NOT NULL DEFAULT 1);
INSERT INTO clinic.visits SELECT p, (ARRAY['north', 'south', 'west'])[1 + v % 3], CASE WHEN v > 2 THEN 'flu' ELSE 'cold' END
  FROM generate_series(1, 100) AS p, generate_series(1, 6) AS v;
INSERT INTO clinic.visits SELECT NULL, 'north', 'flu' FROM generate_series(1, 50);
INSERT INTO clinic.visits SELECT 1000, 'east', 'gout' FROM generate_series(1, 200);
`

// VisitsPolicy has much epsilon: noise for 4 rows is 0 but with probability 1e-10 for each cell.
const VisitsPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {}}
tables:
  clinic.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 100, delta: 1e-9}
    budget: {epsilon: 10000, delta: 1e-7}
    columns:
      house: {values: [north, east, south, west]}
      illness: {}
      cost: {}
`
