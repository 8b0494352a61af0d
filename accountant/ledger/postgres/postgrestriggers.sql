-- Against a slip of somebody's hand at the psql prompt, and of ours. A server without PL/pgSQL keeps a ledger without these: what they
-- would have prevented is found by `tacit verify`.

CREATE FUNCTION tacit_ledger.forbid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		RAISE EXCEPTION 'the ledger is never rewritten' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RAISE EXCEPTION 'the ledger never forgets' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION tacit_ledger.move_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.entry <= OLD.entry OR NOT EXISTS (SELECT 1 FROM tacit_ledger.entry e WHERE e.id = NEW.entry AND e.hash = NEW.hash) THEN
		RAISE EXCEPTION 'the head is the last entry' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER head_moves_on BEFORE UPDATE ON tacit_ledger.head FOR EACH ROW EXECUTE FUNCTION tacit_ledger.move_on();

CREATE TRIGGER head_stays         BEFORE DELETE OR TRUNCATE ON tacit_ledger.head  FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER proxy_stays        BEFORE DELETE OR TRUNCATE ON tacit_ledger.proxy FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER ledger_stays       BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.ledger       FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER entry_stays        BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.entry        FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER charge_stays       BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.charge       FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER release_stays      BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.release      FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER audit_event_stays  BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.audit_event  FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
CREATE TRIGGER audit_answer_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON tacit_ledger.audit_answer FOR EACH STATEMENT EXECUTE FUNCTION tacit_ledger.forbid();
