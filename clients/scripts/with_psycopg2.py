"""psycopg2: libpq, simple queries with literals in the text, transactions by default."""

import datetime
import decimal
import io

import psycopg2
import psycopg2.extras
from psycopg2 import errors

from checks import QUESTION, answer, before_each, cancelling, check, equal, raises, version

version("%s, libpq %s" % (psycopg2.__version__.split()[0], psycopg2.extensions.libpq_version()))
conn = psycopg2.connect("")
cur = conn.cursor()
before_each.append(conn.rollback)


@check
def wrong_password():
    e = raises(psycopg2.OperationalError, psycopg2.connect, "password=wrong")
    assert "password authentication failed" in str(e), e


@check
def own_tables():
    row = (1, "ä€", decimal.Decimal("1.50"), True, datetime.date(2024, 2, 29), None, [1, 2], b"\x00\xff", {"k": [1]})
    cur.execute("CREATE TABLE pg2 (i int, t text, n numeric, b bool, d date, x text, a int[], y bytea, j jsonb)")
    values = row[:-1] + (psycopg2.extras.Json(row[-1]),)
    cur.execute("INSERT INTO pg2 VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", values)
    cur.execute("SELECT * FROM pg2")
    got = list(cur.fetchone())
    got[7] = bytes(got[7])
    equal(tuple(got), row)
    conn.commit()
    psycopg2.extras.execute_values(cur, "INSERT INTO pg2 (i, t) VALUES %s", [(i, "v") for i in range(2, 502)])
    cur.execute("UPDATE pg2 SET t = 'w' WHERE i > 1")
    equal(cur.rowcount, 500)
    conn.commit()


@check
def copy():
    cur.copy_expert("COPY pg2 (i, t) FROM STDIN WITH (FORMAT csv)", io.StringIO("".join("%d,copied\n" % i for i in range(10000))))
    equal(cur.rowcount, 10000)
    out = io.StringIO()
    cur.copy_expert("COPY (SELECT i FROM pg2 WHERE t = 'copied' ORDER BY i) TO STDOUT", out)
    equal(len(out.getvalue().splitlines()), 10000)
    cur.copy_from(io.StringIO("1\tx\n"), "pg2", columns=("i", "t"))
    conn.commit()
    raises(errors.InvalidTextRepresentation, cur.copy_expert, "COPY pg2 (i) FROM STDIN", io.StringIO("no number\n"))
    conn.rollback()


@check
def protected_count():
    cur.execute(QUESTION)
    answer(cur.fetchall())
    equal([(d.name, d.type_code) for d in cur.description], [("region", 25), ("sex", 1043), ("n", 20)])


@check
def free_replay_with_parameters():
    sql = "SELECT region, count(*) FROM people WHERE age BETWEEN %s AND %s AND region = ANY(%s) GROUP BY region"
    cur.execute(sql, (10, 60, ["north", "south"]))
    first = cur.fetchall()
    cur.execute(sql, (10, 60, ["north", "south"]))
    equal(cur.fetchall(), first)
    assert "free (answered " in conn.notices[-1], conn.notices
    cur.execute("SELECT count(*) FROM people WHERE admitted >= %s", (datetime.date(2024, 6, 1),))
    cur.fetchall()
    conn.commit()


@check
def copy_of_a_protected_count():
    out = io.StringIO()
    cur.copy_expert("COPY (%s) TO STDOUT" % QUESTION, out)
    equal(len(out.getvalue().splitlines()), 12)
    conn.commit()


@check
def insert_from_a_protected_count():
    cur.execute("CREATE TEMP TABLE kept AS SELECT region, count(*) AS n FROM people GROUP BY region")
    cur.execute("INSERT INTO kept SELECT region, count(*) FROM people GROUP BY region")
    equal(cur.rowcount, 4)
    cur.execute("SELECT count(*), count(DISTINCT n) <= 4 FROM kept")
    equal(cur.fetchone(), (8, True))
    conn.commit()


@check
def refusal_and_failed_block():
    e = raises(errors.InsufficientPrivilege, cur.execute, "SELECT * FROM people")
    assert e.pgcode == "42501" and e.diag.message_hint, e.diag.message_hint
    raises(errors.InFailedSqlTransaction, cur.execute, "SELECT 1")
    conn.rollback()
    cur.execute("SELECT 1")
    conn.rollback()


@check
def refusal_under_a_savepoint():
    cur.execute("SAVEPOINT here")
    raises(errors.InsufficientPrivilege, cur.execute, "SELECT name FROM people")
    cur.execute("ROLLBACK TO SAVEPOINT here")
    cur.execute("SELECT 7")
    equal(cur.fetchone(), (7,))
    cur.execute("RELEASE SAVEPOINT here")
    conn.commit()


@check
def named_cursor_on_an_own_table():
    with conn.cursor("own") as named:
        named.itersize = 3000
        named.execute("SELECT i FROM pg2 WHERE t = 'copied'")
        equal(sum(1 for _ in named), 10000)
    conn.commit()


@check
def named_cursor_on_a_protected_count():
    cur.execute(QUESTION)
    want = cur.fetchall()
    conn.commit()
    with conn.cursor("counts") as named:
        named.itersize = 5
        named.execute(QUESTION)
        equal(list(named), want)
    conn.commit()
    with conn.cursor("kept", withhold=True, scrollable=True) as named:
        named.execute(QUESTION)
        conn.commit()
        equal(named.fetchmany(2), want[:2])
        named.scroll(0, mode="absolute")
        equal(named.fetchone(), want[0])
    conn.commit()


@check
def several_statements_in_one_message():
    cur.execute("SELECT 1; SELECT count(*) FROM people WHERE age < 30; ")
    assert cur.fetchone()[0] > 500
    cur.execute("SET tacit.notices = off; SELECT region, count(*) FROM people GROUP BY region")
    equal(cur.rowcount, 4)
    cur.execute("RESET tacit.notices")
    conn.commit()


@check
def cancel():
    with cancelling(conn.cancel):
        raises(errors.QueryCanceled, cur.execute, "SELECT pg_sleep(60)")
    conn.rollback()


@check
def autocommit_and_listen():
    conn.autocommit = True
    cur.execute("LISTEN news")
    cur.execute("NOTIFY news, 'x'")
    conn.poll()
    equal([n.payload for n in conn.notifies], ["x"])
    cur.execute(QUESTION)
    equal(cur.rowcount, 12)


@check
def dictionary_rows():
    with conn.cursor(cursor_factory=psycopg2.extras.RealDictCursor) as dictionary:
        dictionary.execute("SELECT sex, count(*) FROM people GROUP BY sex")
        equal([sorted(r) for r in dictionary], [["count", "sex"]] * 3)


conn.rollback()
cur.execute("DROP TABLE pg2")
conn.close()
