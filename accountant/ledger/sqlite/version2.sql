-- Version 2 of the ledger: what notes say can be dropped. These are entries of statements that cost nothing, whose body begins with a salt. The row stays,
-- with its number, time, kind and hash, and a digest of what it said.

ALTER TABLE ledger ADD COLUMN version INTEGER NOT NULL DEFAULT 2 CHECK (version >= 2);

DROP TRIGGER entry_is_kept;
CREATE TRIGGER entry_is_kept BEFORE UPDATE ON entry
WHEN NOT (OLD.kind IN ('replayed', 'derived', 'refused') AND OLD.body GLOB '{"salt":"*'
	AND NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.kind IS OLD.kind AND NEW.hash IS OLD.hash AND NEW.operation IS OLD.operation
	AND NEW.analyst IS '' AND NEW.table_schema IS '' AND NEW.table_name IS '' AND NEW.epoch IS 0 AND NEW.statement IS '' AND NEW.sqlstate IS ''
	AND NEW.adjacency IS '' AND NEW.epsilon IS 0 AND NEW.delta IS 0 AND NEW.releases IS 0 AND NEW.risk IS 0 AND NEW.refers IS 0
	AND NEW.body GLOB '{"content":"*"}' AND length(NEW.body) = 58)
BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;

PRAGMA user_version = 2;
