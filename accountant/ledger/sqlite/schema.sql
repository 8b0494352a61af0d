-- The ledger, version 1. Amounts are integers: epsilon in units of 1e-9, delta and risk in units of 1e-18, releases without a guarantee,
-- which no epsilon describes, in number. Times are Unix nanoseconds. Rows are only ever added, but for those of head and proxy.

CREATE TABLE ledger (
	singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
	id        TEXT    NOT NULL CHECK (length(id) = 32),
	created   INTEGER NOT NULL
) STRICT;

-- The last entry and its hash. Writers take turns at it.
CREATE TABLE head (
	singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
	entry     INTEGER NOT NULL CHECK (entry > 0),
	hash      BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The processes that may write, and when they were last seen alive. Nothing that the ledger promises depends on it.
CREATE TABLE proxy (
	id      TEXT    PRIMARY KEY,
	started INTEGER NOT NULL,
	seen    INTEGER NOT NULL,
	digest  BLOB    NOT NULL CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;

-- What happened, in order. The hash chains an entry to the one before it, and covers the rows of other tables that refer to it.
CREATE TABLE entry (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	at           INTEGER NOT NULL,
	kind         TEXT    NOT NULL,
	operation    BLOB    NOT NULL CHECK (length(operation) IN (0, 16)),
	analyst      TEXT    NOT NULL,
	table_schema TEXT    NOT NULL,
	table_name   TEXT    NOT NULL,
	epoch        INTEGER NOT NULL CHECK (epoch >= 0),
	statement    TEXT    NOT NULL,
	sqlstate     TEXT    NOT NULL,
	adjacency    TEXT    NOT NULL CHECK (adjacency IN ('', 'add-remove', 'replace-one')),
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL CHECK (releases >= 0),
	risk         INTEGER NOT NULL CHECK (risk >= 0),
	refers       INTEGER NOT NULL CHECK (refers >= 0 AND refers < id),
	body         TEXT    NOT NULL,
	hash         BLOB    NOT NULL CHECK (length(hash) = 32),
	CHECK (kind = 'charged' OR (epsilon = 0 AND delta = 0 AND releases = 0 AND risk = 0))
) STRICT;
CREATE INDEX entry_of_operation ON entry (operation) WHERE length(operation) = 16;
CREATE INDEX entry_of_checkpoint ON entry (id) WHERE kind = 'checkpoint';
CREATE INDEX entry_of_analyst ON entry (analyst, id);

-- The counts that a reservation of losses pays for.
CREATE TABLE charge (
	id           INTEGER PRIMARY KEY CHECK (id > 0),
	entry        INTEGER NOT NULL REFERENCES entry (id),
	question_key BLOB    NOT NULL CHECK (length(question_key) = 32),
	question     TEXT    NOT NULL,
	mechanism    TEXT    NOT NULL,
	term         TEXT    NOT NULL,
	blocks       TEXT    NOT NULL,
	shape        TEXT    NOT NULL,
	epsilon      INTEGER NOT NULL CHECK (epsilon >= 0),
	delta        INTEGER NOT NULL CHECK (delta >= 0),
	releases     INTEGER NOT NULL CHECK (releases >= 0)
) STRICT;
CREATE INDEX charge_of_entry ON charge (entry);
CREATE INDEX charge_of_question ON charge (question_key);

-- The answers, as they were given.
CREATE TABLE release (
	id      INTEGER PRIMARY KEY CHECK (id > 0),
	entry   INTEGER NOT NULL REFERENCES entry (id),
	charge  INTEGER NOT NULL UNIQUE REFERENCES charge (id),
	at      INTEGER NOT NULL,
	payload BLOB    NOT NULL
) STRICT;
CREATE INDEX release_of_entry ON release (entry);

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
	entry   INTEGER NOT NULL UNIQUE REFERENCES entry (id),
	event   INTEGER NOT NULL UNIQUE REFERENCES audit_event (id),
	at      INTEGER NOT NULL,
	payload BLOB    NOT NULL
) STRICT;

-- Against a slip of somebody's hand at the sqlite3 prompt, and of ours.
CREATE TRIGGER ledger_stays       BEFORE DELETE ON ledger       BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER head_stays         BEFORE DELETE ON head         BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER proxy_stays        BEFORE DELETE ON proxy        BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER entry_stays        BEFORE DELETE ON entry        BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER charge_stays       BEFORE DELETE ON charge       BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER release_stays      BEFORE DELETE ON release      BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER audit_event_stays  BEFORE DELETE ON audit_event  BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER audit_answer_stays BEFORE DELETE ON audit_answer BEGIN SELECT raise(ABORT, 'the ledger never forgets'); END;
CREATE TRIGGER ledger_is_kept       BEFORE UPDATE ON ledger       BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER entry_is_kept        BEFORE UPDATE ON entry        BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER charge_is_kept       BEFORE UPDATE ON charge       BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER release_is_kept      BEFORE UPDATE ON release      BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER audit_event_is_kept  BEFORE UPDATE ON audit_event  BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER audit_answer_is_kept BEFORE UPDATE ON audit_answer BEGIN SELECT raise(ABORT, 'the ledger is never rewritten'); END;
CREATE TRIGGER head_moves_on BEFORE UPDATE ON head
WHEN NEW.entry <= OLD.entry OR NOT EXISTS (SELECT 1 FROM entry WHERE id = NEW.entry AND hash = NEW.hash)
BEGIN SELECT raise(ABORT, 'the head is the last entry'); END;
CREATE TRIGGER audit_event_follows BEFORE INSERT ON audit_event
WHEN NEW.sequence <> 1 + (SELECT coalesce(max(sequence), 0) FROM audit_event WHERE table_schema = NEW.table_schema AND table_name = NEW.table_name)
BEGIN SELECT raise(ABORT, 'an event follows the last one of its table'); END;
CREATE TRIGGER audit_answer_is_of_the_last BEFORE INSERT ON audit_answer
WHEN EXISTS (SELECT 1 FROM audit_event e JOIN audit_event later USING (table_schema, table_name)
	WHERE e.id = NEW.event AND later.sequence > e.sequence)
BEGIN SELECT raise(ABORT, 'what was decided since took the answer for one that is never given'); END;

PRAGMA application_id = 1952539441; -- "tac1"
PRAGMA user_version = 1;
