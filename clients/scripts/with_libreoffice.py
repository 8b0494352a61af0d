"""LibreOffice Base, without its windows: its catalog, queries as its designer writes them, and row sets, which forms and Calc read."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

import uno
from com.sun.star.sdb.CommandType import COMMAND, TABLE
from com.sun.star.sdbc import SQLException

from checks import DATABASE, HOST, PASSWORD, PORT, QUESTION, USER, answer, check, equal, raises, version

SOFFICE = "/usr/lib/libreoffice/program/soffice"


def start(profile):
    pipe = "tacit-%d" % os.getpid()
    process = subprocess.Popen(
        [SOFFICE, "--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "-env:UserInstallation=file://" + profile, "--accept=pipe,name=%s;urp;" % pipe],
        stderr=subprocess.DEVNULL, start_new_session=True)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    end = time.monotonic() + 90
    while True:
        try:
            return process, resolver.resolve("uno:pipe,name=%s;urp;StarOffice.ComponentContext" % pipe)
        except uno.getClass("com.sun.star.connection.NoConnectException"):
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.2)


def run(context):
    def create(name):
        return context.ServiceManager.createInstanceWithContext("com.sun.star." + name, context)

    source = create("sdb.DatabaseContext").createInstance()
    source.URL = "sdbc:postgresql:host=%s port=%d dbname=%s" % (HOST, PORT, DATABASE)
    connection = source.getConnection(USER, PASSWORD)
    configuration = create("configuration.ConfigurationProvider").createInstanceWithArguments(
        "com.sun.star.configuration.ConfigurationAccess", (uno.createUnoStruct("com.sun.star.beans.NamedValue", "nodepath", "/org.openoffice.Setup/Product"),))
    version("%s, postgresql-sdbc %s" % (configuration.getByName("ooSetupVersionAboutBox"), connection.MetaData.DriverVersion))

    def query(sql):
        return rows_of(connection.createStatement().executeQuery(sql))

    def rows_of(result):
        rows = []
        while result.next():
            rows.append(tuple(result.getString(i + 1) for i in range(result.MetaData.ColumnCount)))
        return rows

    def row_set(kind, command):
        rows = create("sdb.RowSet")
        rows.ActiveConnection = connection
        rows.CommandType, rows.Command = kind, command
        rows.execute()
        return rows

    def spent():
        return float(query("SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'")[0][0])

    before = spent()

    @check
    def wrong_password():
        raises(SQLException, source.getConnection, USER, "wrong")

    @check
    def tables_and_columns():
        tables = connection.getTables()
        assert "public.people" in tables.ElementNames, tables.ElementNames
        people = tables.getByName("public.people")
        equal(people.Columns.ElementNames, ("id", "region", "sex", "age", "admitted", "illness", "name"))
        equal([key.Columns.ElementNames for key in people.Keys], [("id",)])
        equal(query('SELECT * FROM "public"."people" WHERE 0 = 1'), [])

    @check
    def looking_round_is_free():
        equal(spent(), before)

    @check
    def protected_count():
        answer([(region, sex, int(n)) for region, sex, n in query(QUESTION)])

    # The age is one that no other client asks for: a replay is free.
    pivot = 'SELECT "region", SUM( CASE WHEN "sex" = \'F\' THEN 1 ELSE 0 END ) "women", SUM( CASE WHEN "sex" = \'M\' THEN 1 ELSE 0 END ) "men" ' \
        'FROM "public"."people" WHERE "age" >= 47 GROUP BY "region" ORDER BY "region" ASC'

    @check
    def pivot_of_a_row_set_and_its_replay():
        before = spent()
        rows = row_set(COMMAND, pivot)
        equal(rows.Columns.ElementNames, ("region", "women", "men"))
        first = rows_of(rows)
        equal([row[0] for row in first], ["east", "north", "south", "west"])
        after = spent()
        assert before < after <= before + 2 * 0.5, after - before
        equal(rows_of(row_set(COMMAND, pivot)), first)
        equal(spent(), after)

    @check
    def filter_of_a_form():
        before = spent()
        rows = create("sdb.RowSet")
        rows.ActiveConnection = connection
        rows.CommandType, rows.Command = COMMAND, 'SELECT "region", COUNT( * ) AS "n" FROM "public"."people" GROUP BY "region"'
        rows.Filter, rows.ApplyFilter = "\"age\" >= 49", True
        rows.execute()
        equal(len(rows_of(rows)), 4)
        assert spent() <= before + 0.5, spent() - before

    @check
    def rows_are_refused_without_a_charge():
        before = spent()
        for ask in (lambda: row_set(TABLE, "public.people"), lambda: query('SELECT * FROM "public"."people"')):
            refusal = raises(SQLException, ask)
            assert "rows of protected table public.people cannot be read" in refusal.Message, refusal.Message
        equal(spent(), before)
        equal(query("SELECT 1"), [("1",)])

    connection.close()


profile = tempfile.mkdtemp(prefix="tacit-libreoffice-")
process = None
try:
    process, context = start(profile)
    run(context)
    try:
        context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context).terminate()
    except uno.getClass("com.sun.star.lang.DisposedException"):
        pass  # it went before it answered
    process.wait(30)
finally:
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    shutil.rmtree(profile, ignore_errors=True)
