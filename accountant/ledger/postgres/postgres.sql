-- The ledger in PostgreSQL: the tables of schema.sql, with the same names and columns. Plain tables in a schema of their own, so that any
-- server that speaks the protocol and locks rows can keep them. Where there is no such schema it is made before.

CREATE TABLE tacit_ledger.ledger (
	singleton bigint PRIMARY KEY CHECK (singleton = 1),
	id        text   NOT NULL CHECK (length(id) = 32),
	created   bigint NOT NULL
);

-- Writers take turns at its row, by SELECT ... FOR UPDATE.
CREATE TABLE tacit_ledger.head (
	singleton bigint PRIMARY KEY CHECK (singleton = 1),
	entry     bigint NOT NULL CHECK (entry > 0),
	hash      bytea  NOT NULL CHECK (length(hash) = 32)
);

CREATE TABLE tacit_ledger.proxy (
	id      text   PRIMARY KEY,
	started bigint NOT NULL,
	seen    bigint NOT NULL,
	digest  bytea  NOT NULL CHECK (length(digest) = 32)
);

CREATE TABLE tacit_ledger.entry (
	id           bigint PRIMARY KEY CHECK (id > 0),
	at           bigint NOT NULL,
	kind         text   NOT NULL,
	operation    bytea  NOT NULL CHECK (length(operation) IN (0, 16)),
	analyst      text   NOT NULL,
	table_schema text   NOT NULL,
	table_name   text   NOT NULL,
	epoch        bigint NOT NULL CHECK (epoch >= 0),
	statement    text   NOT NULL,
	sqlstate     text   NOT NULL,
	adjacency    text   NOT NULL CHECK (adjacency IN ('', 'add-remove', 'replace-one')),
	epsilon      bigint NOT NULL CHECK (epsilon >= 0),
	delta        bigint NOT NULL CHECK (delta >= 0),
	releases     bigint NOT NULL CHECK (releases >= 0),
	risk         bigint NOT NULL CHECK (risk >= 0),
	refers       bigint NOT NULL CHECK (refers >= 0 AND refers < id),
	body         text   NOT NULL,
	hash         bytea  NOT NULL CHECK (length(hash) = 32),
	CHECK (kind = 'charged' OR (epsilon = 0 AND delta = 0 AND releases = 0 AND risk = 0))
);
CREATE INDEX entry_of_operation ON tacit_ledger.entry (operation) WHERE length(operation) = 16;
CREATE INDEX entry_of_checkpoint ON tacit_ledger.entry (id) WHERE kind = 'checkpoint';
CREATE INDEX entry_of_analyst ON tacit_ledger.entry (analyst, id);

CREATE TABLE tacit_ledger.charge (
	id           bigint PRIMARY KEY CHECK (id > 0),
	entry        bigint NOT NULL REFERENCES tacit_ledger.entry (id),
	question_key bytea  NOT NULL CHECK (length(question_key) = 32),
	question     text   NOT NULL,
	mechanism    text   NOT NULL,
	term         text   NOT NULL,
	blocks       text   NOT NULL,
	shape        text   NOT NULL,
	epsilon      bigint NOT NULL CHECK (epsilon >= 0),
	delta        bigint NOT NULL CHECK (delta >= 0),
	releases     bigint NOT NULL CHECK (releases >= 0)
);
CREATE INDEX charge_of_entry ON tacit_ledger.charge (entry);
CREATE INDEX charge_of_question ON tacit_ledger.charge (question_key);

CREATE TABLE tacit_ledger.release (
	id      bigint PRIMARY KEY CHECK (id > 0),
	entry   bigint NOT NULL REFERENCES tacit_ledger.entry (id),
	charge  bigint NOT NULL UNIQUE REFERENCES tacit_ledger.charge (id),
	at      bigint NOT NULL,
	payload bytea  NOT NULL
);
CREATE INDEX release_of_entry ON tacit_ledger.release (entry);

CREATE TABLE tacit_ledger.audit_event (
	id           bigint PRIMARY KEY CHECK (id > 0),
	entry        bigint NOT NULL UNIQUE REFERENCES tacit_ledger.entry (id),
	table_schema text   NOT NULL,
	table_name   text   NOT NULL,
	sequence     bigint NOT NULL CHECK (sequence > 0),
	kind         text   NOT NULL CHECK (kind <> ''),
	payload      bytea  NOT NULL,
	UNIQUE (table_schema, table_name, sequence)
);

CREATE TABLE tacit_ledger.audit_answer (
	id      bigint PRIMARY KEY CHECK (id > 0),
	entry   bigint NOT NULL UNIQUE REFERENCES tacit_ledger.entry (id),
	event   bigint NOT NULL UNIQUE REFERENCES tacit_ledger.audit_event (id),
	at      bigint NOT NULL,
	payload bytea  NOT NULL
);
