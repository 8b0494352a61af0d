-- The ledger, version 3. Amounts are integers: epsilon in units of 1e-9, delta and risk in units of 1e-18, releases without a guarantee,
-- which no epsilon describes, in number. Times are Unix nanoseconds. migrate2.sql and migrate3.sql make the same of a former ledger.

CREATE TABLE ledger (
	singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
	id        TEXT    NOT NULL CHECK (length(id) = 32),
	created   INTEGER NOT NULL
) STRICT;

-- What happened, in order: who asked what of which table, and what came of it. A charged entry is a reservation. It is either of losses
-- under an adjacency, for the charges that refer to it, or of a risk, which is under none, for an event of the table's auditor. One of
-- an event that costs nothing is decided.
CREATE TABLE entry (
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

-- The counts that a reservation of losses pays for.
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

-- The sums of all charged entries. The adjacency is that of the losses among them; empty while there are only risks.
CREATE TABLE balance (
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

-- The log of each audited table: what its auditor knew and decided, and what he let out. With it the auditor is as he was.
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

-- The exact counts that an event let out.
CREATE TABLE audit_answer (
	id      INTEGER PRIMARY KEY CHECK (id > 0),
	event   INTEGER NOT NULL UNIQUE REFERENCES audit_event (id),
	at      INTEGER NOT NULL,
	payload BLOB    NOT NULL
) STRICT;

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

PRAGMA application_id = 1952539497; -- "taci"
PRAGMA user_version = 3;
