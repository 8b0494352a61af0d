SELECT * FROM tacit.budget
----
answer
report: budget
rest: SELECT * FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::numeric[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::pg_catalog.text[], $28::numeric[], $29::numeric[], $30::bigint[], $31::bigint[], $32::pg_catalog.text[]) budget(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen)

SELECT b.table_name, "Cities".country FROM tacit.budget AS b, cities AS "Cities", tacit.tables AS "Tables" JOIN "tacit"."history" h(t) USING (table_name) WHERE h.epsilon >= $1 ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
params: [0]
report: budget
report: tables
report: history
rest: SELECT b.table_name, "Cities".country FROM unnest($2::pg_catalog.text[], $3::pg_catalog.text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::numeric[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::numeric[], $28::pg_catalog.text[], $29::numeric[], $30::numeric[], $31::bigint[], $32::bigint[], $33::pg_catalog.text[]) b(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen), cities "Cities", unnest($34::pg_catalog.text[], $35::pg_catalog.text[], $36::pg_catalog.text[], $37::pg_catalog.text[], $38::boolean[], $39::pg_catalog.text[], $40::bigint[], $41::pg_catalog.text[], $42::pg_catalog.text[], $43::pg_catalog.text[], $44::numeric[], $45::numeric[], $46::numeric[], $47::numeric[], $48::pg_catalog.text[], $49::pg_catalog.text[]) "Tables"(table_schema, table_name, column_name, data_type, nullable, domain, domain_values, person, adjacency, mechanism, epsilon_per_question, delta_per_question, epsilon_least, epsilon_most, domain_from, domain_to) JOIN unnest($50::timestamp with time zone[], $51::pg_catalog.text[], $52::pg_catalog.text[], $53::pg_catalog.text[], $54::numeric[], $55::numeric[], $56::pg_catalog.text[], $57::pg_catalog.text[], $58::bigint[], $59::numeric[], $60::timestamp with time zone[]) h(t, table_schema, table_name, verdict, epsilon, delta, sqlstate, statement, releases, risk, answered_at) USING (table_name) WHERE h.epsilon >= $1 ORDER BY 1

SELECT tacit.budget.epsilon_left FROM TACIT.Budget, tacit.budget AS again
----
answer
report: budget
rest: SELECT budget.epsilon_left FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::numeric[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::pg_catalog.text[], $28::numeric[], $29::numeric[], $30::bigint[], $31::bigint[], $32::pg_catalog.text[]) budget(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen), unnest($33::pg_catalog.text[], $34::pg_catalog.text[], $35::numeric[], $36::numeric[], $37::numeric[], $38::numeric[], $39::numeric[], $40::numeric[], $41::numeric[], $42::numeric[], $43::numeric[], $44::numeric[], $45::numeric[], $46::numeric[], $47::bigint[], $48::bigint[], $49::bigint[], $50::bigint[], $51::bigint[], $52::bigint[], $53::numeric[], $54::numeric[], $55::numeric[], $56::numeric[], $57::numeric[], $58::numeric[], $59::pg_catalog.text[], $60::numeric[], $61::numeric[], $62::bigint[], $63::bigint[], $64::pg_catalog.text[]) again(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen)

SELECT city, count(*), (SELECT epsilon_left FROM tacit.budget WHERE table_name = 'Bern \') FROM members GROUP BY city
----
answer
report: budget
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, (SELECT epsilon_left FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::numeric[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::pg_catalog.text[], $28::numeric[], $29::numeric[], $30::bigint[], $31::bigint[], $32::pg_catalog.text[]) budget(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen) WHERE table_name = E'Bern \\') FROM unnest($33::pg_catalog.text[], $34::bigint[]) members(city, "count 1")

PREPARE q(text) AS SELECT * FROM tacit.tables WHERE table_name = $1
----
answer prepare "q"
params: [25]
report: tables
rest: PREPARE q(text, pg_catalog.text[], pg_catalog.text[], pg_catalog.text[], pg_catalog.text[], boolean[], pg_catalog.text[], bigint[], pg_catalog.text[], pg_catalog.text[], pg_catalog.text[], numeric[], numeric[], numeric[], numeric[], pg_catalog.text[], pg_catalog.text[]) AS SELECT * FROM unnest($2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::pg_catalog.text[], $6::boolean[], $7::pg_catalog.text[], $8::bigint[], $9::pg_catalog.text[], $10::pg_catalog.text[], $11::pg_catalog.text[], $12::numeric[], $13::numeric[], $14::numeric[], $15::numeric[], $16::pg_catalog.text[], $17::pg_catalog.text[]) tables(table_schema, table_name, column_name, data_type, nullable, domain, domain_values, person, adjacency, mechanism, epsilon_per_question, delta_per_question, epsilon_least, epsilon_most, domain_from, domain_to) WHERE table_name = $1

INSERT INTO mine SELECT question, cells FROM tacit.releases
----
answer
report: releases
rest: INSERT INTO mine SELECT question, cells FROM unnest($1::bigint[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::pg_catalog.text[], $6::numeric[], $7::numeric[], $8::timestamp with time zone[], $9::bigint[], $10::bigint[]) releases(id, table_schema, table_name, question, mechanism, epsilon, delta, released_at, cells, releases)

UPDATE mine SET n = cells FROM tacit.releases AS r WHERE r.question = city
----
answer
report: releases
rest: UPDATE mine SET n = cells FROM unnest($1::bigint[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::pg_catalog.text[], $6::numeric[], $7::numeric[], $8::timestamp with time zone[], $9::bigint[], $10::bigint[]) r(id, table_schema, table_name, question, mechanism, epsilon, delta, released_at, cells, releases) WHERE r.question = city

CREATE TABLE kept AS SELECT * FROM tacit.releases
----
answer
report: releases
rest: CREATE TABLE kept AS SELECT * FROM unnest($1::bigint[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::pg_catalog.text[], $6::numeric[], $7::numeric[], $8::timestamp with time zone[], $9::bigint[], $10::bigint[]) releases(id, table_schema, table_name, question, mechanism, epsilon, delta, released_at, cells, releases)

WITH h AS (SELECT * FROM tacit.history) SELECT count(*) FROM h
----
answer
report: history
rest: WITH h AS (SELECT * FROM unnest($1::timestamp with time zone[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::numeric[], $6::numeric[], $7::pg_catalog.text[], $8::pg_catalog.text[], $9::bigint[], $10::numeric[], $11::timestamp with time zone[]) history(asked_at, table_schema, table_name, verdict, epsilon, delta, sqlstate, statement, releases, risk, answered_at)) SELECT count(*) FROM h

# The name of a WITH query has no schema.
WITH budget AS (SELECT 1) SELECT * FROM budget
----
relay

SELECT tacit.budget FROM tacit
----
relay

SHOW tacit.notices
----
relay

SET tacit.notices = off
----
relay

SELECT * FROM tacit.secrets
----
refuse 42P01 at 15: relation "tacit.secrets" does not exist
detail: The schema tacit is the proxy's own. It has tacit.answers, tacit.budget, tacit.history, tacit.releases, tacit.tables.

INSERT INTO tacit.history SELECT * FROM mine
----
refuse 42501 at 13: relation tacit.history can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.history

UPDATE tacit.budget SET epsilon = 1000
----
refuse 42501 at 8: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

DELETE FROM tacit.history
----
refuse 42501 at 13: relation tacit.history can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.history

DROP TABLE tacit.history
----
relay

LOCK TABLE tacit.budget
----
refuse 42501 at 12: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

ALTER TABLE tacit.budget ADD COLUMN x int
----
refuse 42501 at 13: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

CREATE TABLE tacit.budget (a int)
----
refuse 42501 at 14: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

CREATE VIEW v AS SELECT * FROM tacit.budget
----
refuse 42501 at 32: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

COPY tacit.history TO STDOUT
----
refuse 42501 at 6: relation tacit.history can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.history

COPY (SELECT * FROM tacit.history) TO STDOUT
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
report: history
rest: COPY (SELECT * FROM unnest($1::timestamp with time zone[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::numeric[], $6::numeric[], $7::pg_catalog.text[], $8::pg_catalog.text[], $9::bigint[], $10::numeric[], $11::timestamp with time zone[]) history(asked_at, table_schema, table_name, verdict, epsilon, delta, sqlstate, statement, releases, risk, answered_at)) TO STDOUT
rehearsal: SELECT * FROM unnest($1::timestamp with time zone[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::numeric[], $6::numeric[], $7::pg_catalog.text[], $8::pg_catalog.text[], $9::bigint[], $10::numeric[], $11::timestamp with time zone[]) history(asked_at, table_schema, table_name, verdict, epsilon, delta, sqlstate, statement, releases, risk, answered_at)

EXPLAIN SELECT * FROM tacit.history
----
answer explain json=false
report: history
rest: SELECT * FROM unnest($1::timestamp with time zone[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::numeric[], $6::numeric[], $7::pg_catalog.text[], $8::pg_catalog.text[], $9::bigint[], $10::numeric[], $11::timestamp with time zone[]) history(asked_at, table_schema, table_name, verdict, epsilon, delta, sqlstate, statement, releases, risk, answered_at)

SELECT * FROM tacit.budget TABLESAMPLE system (10)
----
refuse 0A000 at 1: this statement about a protected table cannot be reproduced exactly
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

SELECT * FROM tacit.budget; SELECT 1
----
script, 0 of prologue: 
step settled=true: 
answer
report: budget
rest: SELECT * FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::numeric[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::pg_catalog.text[], $28::numeric[], $29::numeric[], $30::bigint[], $31::bigint[], $32::pg_catalog.text[]) budget(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen)
step settled=true: SELECT 1

# Each mention may bring as many rows as the bound on reports allows.
SELECT 1 FROM tacit.tables, tacit.tables a, tacit.tables b, tacit.tables c, tacit.tables d, tacit.tables e, tacit.tables f, tacit.tables g, tacit.tables h, tacit.tables i, tacit.tables j
----
refuse 54000 at 61: a statement names relations of the schema tacit more than 3 times
hint: Keep what they show now in tables of your own.

# Statements of all kinds in one text.
SELECT reltuples FROM pg_class; SELECT count(*) FROM members; SELECT epsilon_left FROM tacit.budget
----
script, 0 of prologue: 
step settled=true: SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: 
answer
report: budget
rest: SELECT epsilon_left FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::numeric[], $22::numeric[], $23::numeric[], $24::numeric[], $25::numeric[], $26::numeric[], $27::pg_catalog.text[], $28::numeric[], $29::numeric[], $30::bigint[], $31::bigint[], $32::pg_catalog.text[]) budget(table_schema, table_name, epsilon, epsilon_spent, epsilon_left, delta, delta_spent, delta_left, own_epsilon, own_epsilon_spent, own_epsilon_left, own_delta, own_delta_spent, own_delta_left, releases, releases_spent, releases_left, own_releases, own_releases_spent, own_releases_left, risk, risk_spent, risk_left, own_risk, own_risk_spent, own_risk_left, composition, epsilon_lifetime, delta_lifetime, window_days, epoch, frozen)

# A WITH query that keeps rows goes elsewhere, and the report stays one.
WITH p AS (SELECT city FROM members) SELECT count(*), (SELECT count(r.id) FROM tacit.releases AS r) FROM p
----
answer
report: releases
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT p."count 1" AS count, (SELECT count(r.id) FROM unnest($1::bigint[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::pg_catalog.text[], $6::numeric[], $7::numeric[], $8::timestamp with time zone[], $9::bigint[], $10::bigint[]) r(id, table_schema, table_name, question, mechanism, epsilon, delta, released_at, cells, releases)) FROM pg_catalog.unnest($11::bigint[]) p("count 1")

# One report is left where none can be read.
INSERT INTO tacit.budget SELECT count(*) FROM members
----
refuse 42501 at 13: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget

SELECT city, count(*) INTO tacit.budget FROM members GROUP BY city
----
refuse 42501 at 28: relation tacit.budget can only be read by SELECT
detail: The proxy makes its rows from the policy and the ledger whenever it is read.
hint: Keep what it shows now in a table of your own: CREATE TABLE kept AS SELECT * FROM tacit.budget
