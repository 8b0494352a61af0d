-- The quickstart's roles. Run it with psql as a superuser after schema.sql, and then the output of
--     tacit check --sql --policy policy.yaml
-- which separates these roles from the protected tables.
\set ON_ERROR_STOP on

-- Analysts: a login of their own each, under the name that the policy knows them by.
CREATE ROLE ana LOGIN;
CREATE ROLE bob LOGIN;

-- The curator: the login with which tacit counts. Nobody else should be able to use it.
CREATE ROLE tacit_curator LOGIN;

-- Outside of a demonstration give them passwords that no analyst knows (in psql: \password ana), put these into the pgpass file of
-- the account that runs tacit, and let pg_hba.conf accept these roles from the proxy's address only.

-- What analysts may read is granted as always.
GRANT SELECT ON public.classes TO ana, bob;
