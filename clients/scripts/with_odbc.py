"""psqlODBC by pyodbc: what Tableau, Power BI and Excel connect with. It wraps statements in savepoints, and fetches by cursors."""

import datetime
import decimal

import pyodbc

from checks import DATABASE, HOST, PASSWORD, PORT, QUESTION, USER, answer, cancelling, check, equal, raises, version


def connect(*, autocommit=True, **options):
    base = {"Driver": "{PostgreSQL Unicode}", "Servername": HOST, "Port": PORT, "Database": DATABASE, "UserName": USER,
            "Password": "{%s}" % PASSWORD}
    return pyodbc.connect(";".join("%s=%s" % kv for kv in {**base, **options}.items()), autocommit=autocommit)


conn = connect()
version("%s, pyodbc %s" % (conn.getinfo(pyodbc.SQL_DRIVER_VER), pyodbc.version))


@check
def wrong_password():
    e = raises(pyodbc.Error, lambda: connect(Password="wrong"))
    assert "password authentication failed" in str(e), e


@check
def own_tables():
    cur = conn.cursor()
    cur.execute("CREATE TABLE odbc_own (i int, t text, n numeric(10, 2), d date, ts timestamp, y bytea)")
    row = (1, "ä€", decimal.Decimal("1.50"), datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3), b"\x00\xff")
    cur.execute("INSERT INTO odbc_own VALUES (?, ?, ?, ?, ?, ?)", row)
    equal(tuple(cur.execute("SELECT * FROM odbc_own").fetchone()), row)
    cur.executemany("INSERT INTO odbc_own (i, t) VALUES (?, ?)", [(i, "v") for i in range(100)])
    equal(cur.execute("SELECT count(*) FROM odbc_own").fetchval(), 101)


@check
def catalog_functions():
    cur = conn.cursor()
    assert any(t.table_name == "people" for t in cur.tables(schema="public"))
    equal([c.column_name for c in cur.columns(table="people", schema="public")],
          ["id", "region", "sex", "age", "admitted", "illness", "name"])
    equal([k.column_name for k in cur.primaryKeys("people", schema="public")], ["id"])
    cur.foreignKeys("people").fetchall()
    cur.statistics("odbc_own").fetchall()
    cur.rowIdColumns("odbc_own").fetchall()
    cur.procedures().fetchone()
    assert cur.getTypeInfo().fetchall()


@check
def protected_count():
    answer([tuple(r) for r in conn.cursor().execute(QUESTION).fetchall()])


# The driver's ways: parameters in the text or bound by the server; whole results or cursors of Fetch rows; a statement that fails
# aborts nothing (0), the transaction (1), or only itself, by savepoints (2).
for options in ({}, {"UseServerSidePrepare": 0}, {"UseDeclareFetch": 1, "Fetch": 5}, {"Protocol": "7.4-0"}, {"Protocol": "7.4-1"},
                {"Protocol": "7.4-2"}, {"Protocol": "7.4-2", "UseDeclareFetch": 1, "Fetch": 5, "UseServerSidePrepare": 1}):
    name = "_".join("%s=%s" % kv for kv in options.items()) or "default_options"

    def counts_with_parameters():
        for autocommit in (True, False):
            c = connect(autocommit=autocommit, **options)
            cur = c.cursor()
            sql = "SELECT region, count(*) AS n FROM people WHERE age >= ? AND region <> ? GROUP BY region ORDER BY region"
            first = cur.execute(sql, 20, "west").fetchall()
            equal([(r.region, r.n > -50) for r in first], [("east", True), ("north", True), ("south", True)])
            equal([tuple(r) for r in cur.execute(sql, 20, "west").fetchall()], [tuple(r) for r in first])
            equal(len(cur.execute(QUESTION).fetchall()), 12)
            if not autocommit:
                c.commit()
            c.close()

    def refusal():
        c = connect(autocommit=False, **options)
        cur = c.cursor()
        cur.execute("SELECT 1").fetchall()
        e = raises(pyodbc.Error, lambda: cur.execute("SELECT name FROM people WHERE age > ?", 3))
        assert "42501" in str(e), e
        if not options.get("Protocol", "").endswith("-2"):
            c.rollback()
        equal(cur.execute("SELECT 7").fetchval(), 7)
        equal(len(cur.execute("SELECT sex, count(*) FROM people GROUP BY sex").fetchall()), 3)
        c.commit()
        c.close()

    for function in (counts_with_parameters, refusal):
        function.__name__ += "_with_" + name
        check(function)


@check
def cancel():
    cur = conn.cursor()
    with cancelling(cur.cancel):
        e = raises(pyodbc.Error, cur.execute, "SELECT pg_sleep(60)")
        assert "cancel" in str(e).lower(), e
    equal(conn.cursor().execute("SELECT 1").fetchval(), 1)


conn.cursor().execute("DROP TABLE odbc_own")
conn.close()
