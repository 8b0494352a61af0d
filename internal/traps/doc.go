// Package traps lists objects by which an analyst could learn of protected rows without an answer that is charged, and objects that look
// like them and are harmless. Tests demand that `tacit check` finds the ones and not the others, and that a running proxy refuses the ones.
//
// A trap is SQL that a superuser runs in a database with [Schema] that was hardened for [Policy], the statement by which the analyst
// would learn something, and the finding that names it. The statement is run, too: what leaks nothing is no trap.
//
// Add a trap to the file of its kind. Begin with [All].
package traps

import (
	"slices"
	"strconv"
	"strings"
)

// A Trap is made by a superuser. Its SQL names roles sep_ana, sep_bob (analysts) and sep_curator, and may have the verbs {db}, {host} and
// {port}; see [Trap.For].
type Trap struct {
	Name string
	Make string
	Undo string
	// Statement is what sep_bob then runs. Leak is the first value of its result, or an SQLSTATE if the error tells; "" of a trap whose content
	// does not matter.
	Statement, Leak string
	// What and Detail are Finding.What and a part of Finding.Detail.
	What, Detail string
	// Kept says why the finding's remedy, though it is SQL, does not close the hole by itself.
	Kept string
	// Since is the first major version of PostgreSQL that has it.
	Since int
}

// All are the traps of all kinds.
func All() []Trap {
	return slices.Concat(directTraps, catalogTraps, materializedTraps, foreignTraps, calledTraps, replaceableTraps, writeTraps)
}

// A Place is where traps are made.
type Place struct {
	Host     string
	Port     int
	Database string
	// Prefix stands before names of roles in place of "sep_", so that tests have roles of their own.
	Prefix string
}

// For fills in names.
func (p Place) For(sql string) string {
	return strings.NewReplacer("{host}", p.Host, "{port}", strconv.Itoa(p.Port), "{db}", p.Database, "sep_", p.Prefix).Replace(sql)
}

// For fills in the names of a place.
func (t Trap) For(p Place) Trap {
	for _, text := range []*string{&t.Make, &t.Undo, &t.Statement, &t.Leak, &t.Detail} {
		*text = p.For(*text)
	}
	return t
}

// What findings say, of several traps.
const (
	HoldsPrivilege  = "analyst has a privilege on what holds or shows protected rows"
	OwnsDependency  = "analyst owns what protected rows depend on"
	OwnsCode        = "analyst owns code that somebody else's table runs"
	PublicShowsRows = "public table shows rows of a protected table"
	ServerCalls     = "server calls a function with its owner's privileges"
	FiresTrigger    = "analyst's writes fire a trigger with its owner's privileges"
	TellsByKey      = "foreign key tells which protected rows exist"
)

// Tables are two protected tables, a public one, and wards, of which the policy says nothing.
const Tables = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY, country text NOT NULL);
CREATE TABLE clinic.patients (
	id serial PRIMARY KEY, region varchar(12) REFERENCES clinic.regions, sex character(1), age smallint, weight numeric(4,1), admitted date, note text);
CREATE TABLE clinic.visits (patient integer, at date NOT NULL, ward text) PARTITION BY RANGE (at);
CREATE TABLE clinic.visits_old PARTITION OF clinic.visits FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
CREATE TABLE clinic.wards (ward text);
INSERT INTO clinic.regions VALUES ('north', 'A'), ('south', 'A');
INSERT INTO clinic.patients (region, sex, age) VALUES ('north', 'F', 30), ('south', 'M', 40);
`

// Schema has the tables in use. Everybody may use the schema, as somebody who grants a view in it would let them. The role sep_app is an
// application that reads and writes the tables.
const Schema = `
CREATE ROLE sep_app LOGIN;
` + Tables + `
GRANT USAGE ON SCHEMA clinic TO PUBLIC;
INSERT INTO clinic.wards VALUES ('ward A');
ANALYZE clinic.patients;
GRANT ALL ON ALL TABLES IN SCHEMA clinic TO sep_app;
`

// Drop removes what Schema leaves beside the database.
const Drop = `DROP OWNED BY sep_app; DROP ROLE sep_app`

// Policy has verbs for host, port and database.
const Policy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@{host}:{port}/{db}
  curator: postgres://sep_curator@{host}:{port}/{db}
ledger: sqlite:clinic.db
auth: trust
analysts:
  sep_ana: {}
  sep_bob: {}
public: [clinic.regions]
tables:
  clinic.patients:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
    columns:
      region: {values_from: clinic.regions.region}
      sex: {values: [F, M]}
      age: {range: [0, 120]}
      weight: {values: ["70.0", "80.5"]}
      admitted: {range: [2020-01-01, 2020-12-31]}
  clinic.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10}
    columns: {ward: {}}
`
