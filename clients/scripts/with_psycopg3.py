"""psycopg 3: the extended protocol with parameters bound by the server, statements prepared after some executions, pipelines."""

import datetime
import decimal
import uuid

import psycopg
from psycopg import errors
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from checks import QUESTION, answer, cancelling, check, equal, raises, version

version("%s, libpq %s" % (psycopg.__version__, psycopg.pq.version()))
conn = psycopg.connect("", autocommit=True)
notices = []
conn.add_notice_handler(lambda d: notices.append(d.message_primary))


@check
def wrong_password():
    e = raises(psycopg.OperationalError, psycopg.connect, "password=wrong")
    assert "password authentication failed" in str(e), e


@check
def own_tables():
    conn.execute("CREATE TABLE pg3 (i int, t text, n numeric, b bool, ts timestamptz, x text, a int[], y bytea, j jsonb, u uuid)")
    row = (1, "ä€", decimal.Decimal("1.50"), True, datetime.datetime(2024, 2, 29, 1, 2, 3, tzinfo=datetime.timezone.utc), None, [1, 2],
           b"\x00\xff", {"k": [1]}, uuid.UUID(int=7))
    for binary in (False, True):
        cur = conn.cursor(binary=binary)
        cur.execute("TRUNCATE pg3")
        cur.execute("INSERT INTO pg3 VALUES (" + ", ".join(["%s"] * 10) + ")", row[:8] + (Jsonb(row[8]), row[9]))
        equal(cur.execute("SELECT * FROM pg3").fetchone(), row)
    cur = conn.cursor()
    cur.executemany("INSERT INTO pg3 (i, t) VALUES (%s, %s)", [(i, "v") for i in range(300)])
    equal(cur.rowcount, 300)


@check
def copy():
    with conn.cursor().copy("COPY pg3 (i, t) FROM STDIN") as copy:
        for i in range(10000):
            copy.write_row((i, "copied"))
    with conn.cursor().copy("COPY pg3 (i, t) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["int4", "text"])
        copy.write_row((1, "binary"))
    with conn.cursor().copy("COPY (SELECT i FROM pg3 WHERE t = 'copied') TO STDOUT") as copy:
        equal(sum(1 for _ in copy.rows()), 10000)

    def fail():
        with conn.cursor().copy("COPY pg3 (i, t) FROM STDIN") as copy:
            copy.write_row((1, "x"))
            raise ZeroDivisionError
    raises(errors.QueryCanceled, fail)
    equal(conn.execute("SELECT 1").fetchone(), (1,))


@check
def protected_count():
    answer(conn.execute(QUESTION).fetchall())


@check
def parameters_and_prepare_threshold():
    sql = "SELECT region, count(*) FROM people WHERE age >= %s AND region <> %s AND admitted < %s GROUP BY region"
    args = (20, "west", datetime.date(2024, 12, 1))
    first = conn.execute(sql, args).fetchall()
    equal(len(first), 3)
    for i in range(9):  # the sixth execution is one of a statement that the server has prepared
        equal(conn.execute(sql, args).fetchall(), first)
        assert "free (answered " in notices[-1], notices[-1]
    assert len(conn._prepared._names) > 0, "nothing was prepared"
    equal(conn.execute(sql, args, prepare=True).fetchall(), first)
    equal(conn.cursor(binary=True).execute(sql, args).fetchall(), first)
    conn.execute("DEALLOCATE ALL")
    equal(conn.execute(sql, args, prepare=False).fetchall(), first)


@check
def client_side_binding():
    cur = psycopg.ClientCursor(conn)
    cur.execute("SELECT region, count(*) FROM people WHERE age >= %s AND region <> %s GROUP BY region", (21, "west"))
    equal(cur.rowcount, 3)


@check
def arrays_and_lists():
    sql = "SELECT region, count(*) AS n FROM people WHERE region = ANY(%s) AND age = ANY(%s) GROUP BY region"
    equal(len(conn.execute(sql, (["north", "east"], [1, 2, 3])).fetchall()), 2)


@check
def refusal():
    e = raises(errors.InsufficientPrivilege, conn.execute, "SELECT * FROM people WHERE age > %s", (3,))
    assert e.diag.sqlstate == "42501" and e.diag.message_hint
    equal(conn.execute("SELECT 1").fetchone(), (1,))


@check
def nested_transactions():
    with conn.transaction():
        conn.execute("INSERT INTO pg3 (t) VALUES ('outer')")
        try:
            with conn.transaction():
                conn.execute("INSERT INTO pg3 (t) VALUES ('inner')")
                conn.execute("SELECT name FROM people")
        except errors.InsufficientPrivilege:
            pass
        equal(len(conn.execute("SELECT region, count(*) FROM people GROUP BY region").fetchall()), 4)
    equal(conn.execute("SELECT t FROM pg3 WHERE t IN ('outer', 'inner')").fetchall(), [("outer",)])


@check
def failed_block():
    conn.autocommit = False
    raises(errors.InsufficientPrivilege, conn.execute, "SELECT name FROM people")
    raises(errors.InFailedSqlTransaction, conn.execute, "SELECT 1")
    conn.rollback()
    conn.autocommit = True


@check
def pipeline():
    with conn.pipeline():
        one = conn.execute("SELECT 1")
        counts = conn.execute("SELECT region, count(*) FROM people WHERE age > %s GROUP BY region", (50,))
        conn.execute("INSERT INTO pg3 (i) VALUES (%s)", (77,))
        again = conn.execute("SELECT region, count(*) FROM people WHERE age > %s GROUP BY region", (50,))
        equal(one.fetchone(), (1,))
        equal(again.fetchall(), counts.fetchall())


@check
def refusal_in_a_pipeline():
    def refused():
        with conn.pipeline() as pipeline:
            conn.execute("SELECT 1")
            conn.execute("SELECT name FROM people")
            conn.execute("SELECT 2")
            pipeline.sync()
    raises(errors.InsufficientPrivilege, refused)
    equal(conn.execute("SELECT 3").fetchone(), (3,))


@check
def server_side_cursor():
    want = conn.execute(QUESTION).fetchall()
    with conn.transaction(), conn.cursor("counts") as named:
        named.execute(QUESTION)
        equal(named.fetchmany(5), want[:5])
        named.itersize = 3
        equal(list(named), want[5:])
    sql = "SELECT region, count(*) FROM people WHERE age > %s GROUP BY region"
    want = conn.execute(sql, (33,)).fetchall()
    with conn.transaction(), conn.cursor("bound", scrollable=True) as named:
        named.execute(sql, (33,))
        equal(named.fetchall(), want)
        named.scroll(0, mode="absolute")
        equal(named.fetchone(), want[0])


@check
def row_by_row():
    want = conn.execute(QUESTION).fetchall()
    equal(list(conn.cursor().stream(QUESTION)), want)


@check
def rows_as_dictionaries():
    got = conn.cursor(row_factory=dict_row).execute("SELECT sex, count(*) FROM people GROUP BY sex").fetchall()
    equal([list(r) for r in got], [["sex", "count"]] * 3)


@check
def cancel():
    with cancelling(conn.cancel):
        raises(errors.QueryCanceled, conn.execute, "SELECT pg_sleep(60)")
    equal(conn.execute("SELECT 1").fetchone(), (1,))


conn.execute("DROP TABLE pg3")
conn.close()
