-- The ledger, version 2. Amounts are integers: epsilon in units of 1e-9, delta in units of 1e-18, releases without a guarantee, which
-- no epsilon describes, in number. Times are Unix nanoseconds. migrate2.sql makes the same of a ledger of version 1.

CREATE TABLE ledger (
	singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
	id        TEXT    NOT NULL CHECK (length(id) = 32),
	created   INTEGER NOT NULL
) STRICT;

-- What happened, in order: who asked what of which table, and what came of it. A charged entry is a reservation.
CREATE TABLE entry (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	at           INTEGER NOT NULL,
	analyst      TEXT    NOT NULL,
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	verdict      TEXT    NOT NULL CHECK (verdict IN ('charged', 'replayed', 'refused')),
	statement    TEXT    NOT NULL,
	sqlstate     TEXT    NOT NULL,
	adjacency    TEXT    NOT NULL CHECK (adjacency IN ('', 'add-remove', 'replace-one')),
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0 AND (verdict = 'charged' OR releases = 0)),
	CHECK ((verdict = 'charged') = (adjacency <> '')),
	CHECK (verdict = 'charged' OR (epsilon = 0 AND delta = 0))
) STRICT;

-- The counts that a reservation pays for.
CREATE TABLE charge (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	entry        INTEGER NOT NULL REFERENCES entry (id),
	question_key BLOB    NOT NULL CHECK (length(question_key) = 32),
	question     TEXT    NOT NULL,
	mechanism    TEXT    NOT NULL,
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0)
) STRICT;
CREATE INDEX charge_of_entry ON charge (entry);
CREATE INDEX charge_of_question ON charge (question_key);

-- The answers, as they were given.
CREATE TABLE release (
	id      INTEGER PRIMARY KEY CHECK (id > 0),
	charge  INTEGER NOT NULL UNIQUE REFERENCES charge (id),
	at      INTEGER NOT NULL,
	payload BLOB    NOT NULL
) STRICT;

-- The sums of all charged entries.
CREATE TABLE balance (
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	analyst      TEXT    NOT NULL,
	adjacency    TEXT    NOT NULL CHECK (adjacency IN ('add-remove', 'replace-one')),
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL DEFAULT 0 CHECK (releases >= 0),
	PRIMARY KEY (table_schema, table_name, analyst)
) STRICT, WITHOUT ROWID;

-- Against a slip of somebody's hand at the sqlite3 prompt, and of ours.
CREATE TRIGGER ledger_stays   BEFORE DELETE ON ledger  BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER entry_stays    BEFORE DELETE ON entry   BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER charge_stays   BEFORE DELETE ON charge  BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER release_stays  BEFORE DELETE ON release BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER balance_stays  BEFORE DELETE ON balance BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER ledger_is_kept  BEFORE UPDATE ON ledger  BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER entry_is_kept   BEFORE UPDATE ON entry   BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER charge_is_kept  BEFORE UPDATE ON charge  BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER release_is_kept BEFORE UPDATE ON release BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER balance_grows BEFORE UPDATE ON balance
WHEN NEW.epsilon < OLD.epsilon OR NEW.delta < OLD.delta OR NEW.releases < OLD.releases OR NEW.adjacency <> OLD.adjacency
BEGIN SELECT raise(ABORT, 'a balance never shrinks'); END;

PRAGMA application_id = 1952539497; -- "taci"
PRAGMA user_version = 2;
