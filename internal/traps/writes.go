package traps

// Writes tell by what they set off: a trigger with its owner's privileges, or the check of a foreign key. An analyst need not have a
// privilege on the table that has it.
var writeTraps = []Trap{
	{Name: "trigger behind a view",
		Make:      wardsTrigger + `CREATE VIEW clinic.v AS SELECT ward FROM clinic.wards; GRANT INSERT ON clinic.v TO sep_bob`,
		Undo:      `DROP VIEW clinic.v; ` + undoWardsTrigger,
		Statement: `INSERT INTO clinic.v VALUES ('x')`, Leak: "P0001",
		What: FiresTrigger, Detail: "trigger t on clinic.wards runs SECURITY DEFINER clinic.t(), by clinic.v: sep_bob"},
	{Name: "trigger behind a view on a view",
		Make:      wardsTrigger + `CREATE VIEW clinic.v AS SELECT ward FROM clinic.wards; CREATE VIEW clinic.w AS SELECT ward FROM clinic.v; GRANT UPDATE ON clinic.w TO sep_bob`,
		Undo:      `DROP VIEW clinic.w; DROP VIEW clinic.v; ` + undoWardsTrigger,
		Statement: `UPDATE clinic.w SET ward = 'x'`, Leak: "P0001",
		What: FiresTrigger, Detail: "trigger t on clinic.wards runs SECURITY DEFINER clinic.t(), by clinic.w: sep_bob"},
	{Name: "trigger behind a rule",
		Make:      wardsTrigger + `CREATE TABLE clinic.inbox (ward text); CREATE RULE r AS ON INSERT TO clinic.inbox DO INSTEAD INSERT INTO clinic.wards VALUES (new.ward); GRANT INSERT ON clinic.inbox TO sep_bob`,
		Undo:      `DROP TABLE clinic.inbox; ` + undoWardsTrigger,
		Statement: `INSERT INTO clinic.inbox VALUES ('x')`, Leak: "P0001",
		What: FiresTrigger, Detail: "trigger t on clinic.wards runs SECURITY DEFINER clinic.t(), by clinic.inbox: sep_bob"},
	{Name: "trigger of a partition",
		Make:      wardsTrigger + `CREATE TABLE clinic.open (ward text) PARTITION BY LIST (ward); ALTER TABLE clinic.open ATTACH PARTITION clinic.wards DEFAULT; GRANT INSERT ON clinic.open TO sep_bob`,
		Undo:      `ALTER TABLE clinic.open DETACH PARTITION clinic.wards; DROP TABLE clinic.open; ` + undoWardsTrigger,
		Statement: `INSERT INTO clinic.open VALUES ('x')`, Leak: "P0001",
		What: FiresTrigger, Detail: "trigger t on clinic.wards runs SECURITY DEFINER clinic.t(), by clinic.open: sep_bob"},
	{Name: "trigger behind a foreign key",
		Make:      wardsTrigger + `CREATE TABLE clinic.houses (house text PRIMARY KEY); INSERT INTO clinic.houses VALUES ('ward A'); ALTER TABLE clinic.wards ADD CONSTRAINT k FOREIGN KEY (ward) REFERENCES clinic.houses ON DELETE CASCADE; GRANT SELECT, DELETE ON clinic.houses TO sep_bob`,
		Undo:      `ALTER TABLE clinic.wards DROP CONSTRAINT k; DROP TABLE clinic.houses; ` + undoWardsTrigger,
		Statement: `DELETE FROM clinic.houses`, Leak: "P0001",
		What: FiresTrigger, Detail: "trigger t on clinic.wards runs SECURITY DEFINER clinic.t(), by clinic.houses: sep_bob"},
	{Name: "reference written by a view",
		Make:      reference + `CREATE VIEW clinic.v AS SELECT patient FROM clinic.wards; GRANT INSERT ON clinic.v TO sep_bob`,
		Undo:      `DROP VIEW clinic.v; ` + undoReference,
		Statement: `INSERT INTO clinic.v VALUES (3)`, Leak: "23503",
		What: TellsByKey, Detail: "writing to clinic.wards, which refers to clinic.patients, by clinic.v: sep_bob"},
	{Name: "reference written by a rule",
		Make:      reference + `CREATE TABLE clinic.inbox (patient integer); CREATE RULE r AS ON DELETE TO clinic.inbox DO ALSO INSERT INTO clinic.wards (patient) VALUES (old.patient); INSERT INTO clinic.inbox VALUES (3); GRANT DELETE ON clinic.inbox TO sep_bob`,
		Undo:      `DROP TABLE clinic.inbox; ` + undoReference,
		Statement: `DELETE FROM clinic.inbox`, Leak: "23503",
		What: TellsByKey, Detail: "writing to clinic.wards, which refers to clinic.patients, by clinic.inbox: sep_bob"},
	{Name: "reference of a partition",
		Make:      `CREATE TABLE clinic.open (ward text, patient integer) PARTITION BY LIST (ward); CREATE TABLE clinic.open_a PARTITION OF clinic.open DEFAULT; ALTER TABLE clinic.open_a ADD CONSTRAINT k FOREIGN KEY (patient) REFERENCES clinic.patients; GRANT INSERT ON clinic.open TO sep_bob`,
		Undo:      `DROP TABLE clinic.open`,
		Statement: `INSERT INTO clinic.open VALUES ('a', 3)`, Leak: "23503",
		What: TellsByKey, Detail: "writing to clinic.open_a, which refers to clinic.patients, by clinic.open: sep_bob"},
	{Name: "reference of protected rows deleted by a view",
		Make:      `CREATE VIEW clinic.v AS SELECT region FROM clinic.regions; GRANT DELETE ON clinic.v TO sep_bob`,
		Undo:      `DROP VIEW clinic.v`,
		Statement: `DELETE FROM clinic.v`, Leak: "23503",
		What: TellsByKey, Detail: "deleting from or updating clinic.regions, to which clinic.patients refers, by clinic.v: sep_bob"},
}

const (
	wardsTrigger = `CREATE FUNCTION clinic.t() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN RAISE EXCEPTION ''%'', (SELECT count(*) FROM clinic.patients); END'; REVOKE EXECUTE ON FUNCTION clinic.t FROM PUBLIC;
		CREATE TRIGGER t AFTER INSERT OR UPDATE OR DELETE ON clinic.wards FOR EACH ROW EXECUTE FUNCTION clinic.t(); `
	undoWardsTrigger = `DROP TRIGGER t ON clinic.wards; DROP FUNCTION clinic.t`
	reference        = `ALTER TABLE clinic.wards ADD patient integer REFERENCES clinic.patients; `
	undoReference    = `ALTER TABLE clinic.wards DROP patient`
)
