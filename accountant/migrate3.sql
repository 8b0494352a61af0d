-- From version 2 of the ledger to version 3: risks of exact counts, and the logs of auditors. Until now there were none. Tables whose
-- constraints change are made anew, as https://www.sqlite.org/lang_altertable.html has it: foreign keys are not enforced meanwhile, and
-- are checked afterwards with everything else. It stands within a transaction. The version comes last, as the statement that makes the
-- rest true.

CREATE TABLE new_entry (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	at           INTEGER NOT NULL,
	analyst      TEXT    NOT NULL,
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	verdict      TEXT    NOT NULL CHECK (verdict IN ('charged', 'decided', 'replayed', 'refused')),
	statement    TEXT    NOT NULL,
	sqlstate     TEXT    NOT NULL,
	adjacency    TEXT    NOT NULL CHECK (adjacency IN ('', 'add-remove', 'replace-one')),
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL CHECK (releases >= 0),
	risk         INTEGER NOT NULL CHECK (risk >= 0),
	CHECK ((verdict = 'charged') = (adjacency <> '' OR risk > 0)),
	CHECK (adjacency <> '' OR (epsilon = 0 AND delta = 0 AND releases = 0)),
	CHECK (adjacency = '' OR risk = 0)
) STRICT;
INSERT INTO new_entry SELECT id, at, analyst, table_schema, table_name, verdict, statement, sqlstate, adjacency, epsilon, delta, releases, 0 FROM entry;
DROP TABLE entry;
ALTER TABLE new_entry RENAME TO entry;

CREATE TABLE new_balance (
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	analyst      TEXT    NOT NULL,
	adjacency    TEXT    NOT NULL CHECK (adjacency IN ('', 'add-remove', 'replace-one')),
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL CHECK (releases >= 0),
	risk         INTEGER NOT NULL CHECK (risk >= 0),
	PRIMARY KEY (table_schema, table_name, analyst),
	CHECK (adjacency <> '' OR (epsilon = 0 AND delta = 0 AND releases = 0))
) STRICT, WITHOUT ROWID;
INSERT INTO new_balance SELECT table_schema, table_name, analyst, adjacency, epsilon, delta, releases, 0 FROM balance;
DROP TABLE balance;
ALTER TABLE new_balance RENAME TO balance;

CREATE TABLE audit_event (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	entry        INTEGER NOT NULL UNIQUE REFERENCES entry (id),
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	sequence     INTEGER NOT NULL CHECK (sequence > 0),
	kind         TEXT    NOT NULL CHECK (kind <> ''),
	payload      BLOB    NOT NULL,
	UNIQUE (table_schema, table_name, sequence)
) STRICT;

CREATE TABLE audit_answer (
	id      INTEGER PRIMARY KEY CHECK (id > 0),
	event   INTEGER NOT NULL UNIQUE REFERENCES audit_event (id),
	at      INTEGER NOT NULL,
	payload BLOB    NOT NULL
) STRICT;

CREATE TRIGGER entry_stays    BEFORE DELETE ON entry   BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER entry_is_kept   BEFORE UPDATE ON entry   BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER balance_stays  BEFORE DELETE ON balance BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER balance_grows BEFORE UPDATE ON balance
WHEN NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.releases < OLD.releases OR NEW.risk < OLD.risk
	OR (NEW.adjacency <> OLD.adjacency AND OLD.adjacency <> '')
BEGIN SELECT raise(ABORT, 'a balance never shrinks'); END;
CREATE TRIGGER audit_event_stays    BEFORE DELETE ON audit_event  BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER audit_answer_stays   BEFORE DELETE ON audit_answer BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER audit_event_is_kept  BEFORE UPDATE ON audit_event  BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER audit_answer_is_kept BEFORE UPDATE ON audit_answer BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER audit_event_follows BEFORE INSERT ON audit_event
WHEN NEW.sequence <> 1 + (SELECT coalesce(max(sequence), 0) FROM audit_event WHERE table_schema = NEW.table_schema AND table_name = NEW.table_name)
BEGIN SELECT raise(ABORT, 'an event follows the last one of its table'); END;
CREATE TRIGGER audit_answer_is_of_the_last BEFORE INSERT ON audit_answer
WHEN EXISTS (SELECT 1 FROM audit_event e JOIN audit_event later USING (table_schema, table_name)
	WHERE e.id = NEW.event AND later.sequence > e.sequence)
BEGIN SELECT raise(ABORT, 'what was decided since took the answer for one that is never given'); END;

PRAGMA user_version = 3;
