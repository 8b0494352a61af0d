-- Loads the quickstart's data: four protected tables with one row per person, and one public table.
-- Run it with psql in this directory (\copy looks for the CSV files there), as the tables' owner, in an empty database.
\set ON_ERROR_STOP on
BEGIN;

-- The CSV files hold counts; generate_series makes as many rows as each count says.

CREATE TEMPORARY TABLE titanic_counts (class text, sex text, age text, survived text, count integer) ON COMMIT DROP;
\copy titanic_counts FROM 'titanic.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE public.titanic (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    class    text NOT NULL,
    sex      text NOT NULL,
    age      text NOT NULL,
    survived text NOT NULL
);
INSERT INTO public.titanic (class, sex, age, survived)
SELECT class, sex, age, survived FROM titanic_counts, generate_series(1, count);

CREATE TEMPORARY TABLE admissions_counts (admit text, gender text, dept text, count integer) ON COMMIT DROP;
\copy admissions_counts FROM 'ucbadmissions.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE public.admissions (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    admit  text NOT NULL,
    gender text NOT NULL,
    dept   text NOT NULL
);
INSERT INTO public.admissions (admit, gender, dept)
SELECT admit, gender, dept FROM admissions_counts, generate_series(1, count);

CREATE TEMPORARY TABLE students_counts (hair text, eye text, sex text, count integer) ON COMMIT DROP;
\copy students_counts FROM 'haireyecolor.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE public.students (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hair text NOT NULL,
    eye  text NOT NULL,
    sex  text NOT NULL
);
INSERT INTO public.students (hair, eye, sex)
SELECT hair, eye, sex FROM students_counts, generate_series(1, count);

-- People with a gene that is their secret, as in the contingency table of a paper. Ages are made up: one of them is 64, all others are in
-- their twenties.
CREATE TEMPORARY TABLE carriers_counts (eye text, hair text, people integer, carriers integer) ON COMMIT DROP;
\copy carriers_counts FROM 'carriers.csv' WITH (FORMAT csv, HEADER)
CREATE TABLE public.carriers (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hair     text NOT NULL,
    eye      text NOT NULL,
    age      integer NOT NULL,
    has_gene boolean NOT NULL
);
INSERT INTO public.carriers (hair, eye, age, has_gene)
SELECT hair, eye, CASE WHEN hair = 'blonde' AND eye = 'blue' AND i = 64 THEN 64 ELSE 20 + i % 10 END, i <= carriers
FROM carriers_counts, generate_series(1, people) AS i;

-- A public table: analysts read it as usual, and the policy takes the classes of the ship from it.
CREATE TABLE public.classes (
    class       text PRIMARY KEY,
    description text NOT NULL,
    passengers  boolean NOT NULL
);
\copy public.classes FROM 'classes.csv' WITH (FORMAT csv, HEADER)

COMMIT;
