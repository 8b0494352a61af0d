-- From version 1 of the ledger to version 2: releases without a guarantee are counted. Until now there were none.
-- It stands within a transaction. The version comes last, as the statement that makes the rest true.

ALTER TABLE entry   ADD COLUMN releases INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0 AND (verdict = 'charged' OR releases = 0));
ALTER TABLE charge  ADD COLUMN releases INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0);
ALTER TABLE balance ADD COLUMN releases INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0);

DROP TRIGGER balance_grows;
CREATE TRIGGER balance_grows BEFORE UPDATE ON balance
WHEN NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.releases < OLD.releases OR NEW.adjacency <> OLD.adjacency
BEGIN SELECT raise(ABORT, 'a balance never shrinks'); END;

PRAGMA user_version = 2;
