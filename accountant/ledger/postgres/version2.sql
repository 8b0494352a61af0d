-- Version 2 of the ledger: what notes say can be dropped. See version2.sql of SQLite, and version2triggers.sql.

ALTER TABLE tacit_ledger.ledger ADD COLUMN version bigint NOT NULL DEFAULT 2 CHECK (version >= 2);
