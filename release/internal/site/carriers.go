package site

// CarrierSchema is the paper's kind of table: people by hair and eyes, of whom some carry a gene. Nine cells of 200, and
// besides two small ones: four albinos, and one person of 99 among the black-haired.
const CarrierSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY, land text);
INSERT INTO clinic.regions VALUES ('north', 'up'), ('south', 'down'), ('east', 'up');
CREATE TABLE clinic.carriers (id int PRIMARY KEY, hair text NOT NULL, eye text, age int NOT NULL, region text NOT NULL, gene boolean NOT NULL);
INSERT INTO clinic.carriers
SELECT 1000 * h + 10000 * e + i, (ARRAY['blonde', 'black', 'brown'])[h], (ARRAY['blue', 'black', NULL])[e], 20 + i % 50, (ARRAY['north', 'south'])[1 + i % 2], i <= 100 - 20 * (h - 1) + 2 * e
FROM generate_series(1, 3) AS h, generate_series(1, 3) AS e, generate_series(1, 200) AS i;
INSERT INTO clinic.carriers SELECT i, 'white', 'red', 30, 'south', i = 1 FROM generate_series(1, 4) AS i;
INSERT INTO clinic.carriers VALUES (5, 'black', 'blue', 99, 'north', true);
`

// CarrierPolicy has an auditor for it.
const CarrierPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {budget: {risk: 0.01}}}
public: [clinic.regions]
tables:
  clinic.carriers:
    person: row
    mechanism:
      kind: audit
      private: gene
      epsilon: 0.5
      delta: 0.2
      prior: {by: [hair], values: {blonde: 0.5, black: 0.4, brown: 0.3, white: 0.4}}
    columns: {hair: {values: [blonde, black, brown, white]}, eye: {}, age: {range: [0, 120]}, region: {}}
`
