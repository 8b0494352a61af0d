-- Of the table entry nothing is updated but notes, entries of statements that cost nothing, whose body begins with a salt: and of them what they say is
-- dropped, and a digest of it is put in its place.

CREATE FUNCTION tacit_ledger.keep_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD.kind IN ('replayed', 'derived', 'refused') AND OLD.body LIKE '{"salt":"%'
		AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.kind = OLD.kind AND NEW.hash = OLD.hash AND NEW.operation = OLD.operation
		AND NEW.analyst = '' AND NEW.table_schema = '' AND NEW.table_name = '' AND NEW.epoch = 0 AND NEW.statement = '' AND NEW.sqlstate = ''
		AND NEW.adjacency = '' AND NEW.epsilon = 0 AND NEW.delta = 0 AND NEW.releases = 0 AND NEW.risk = 0 AND NEW.refers = 0
		AND NEW.body LIKE '{"content":"%"}' AND length(NEW.body) = 58
	THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'the ledger is never rewritten' USING ERRCODE = 'integrity_constraint_violation';
END $$;

DROP TRIGGER entry_stays ON tacit_ledger.entry;
CREATE TRIGGER entry_stays BEFORE DELETE OR TRUNCATE ON tacit_ledger.entry FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER entry_is_kept BEFORE UPDATE ON tacit_ledger.entry FOR EACH ROW EXECUTE FUNCTION tacit_ledger.keep_entry();
