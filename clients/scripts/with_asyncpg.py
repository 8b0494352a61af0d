"""asyncpg: its own protocol code, everything prepared and in binary, prepared statements cached."""

import asyncio
import datetime
import decimal

import asyncpg

from checks import PASSWORD, QUESTION, answer, check, equal, raises, version

loop = asyncio.new_event_loop()
run = loop.run_until_complete
conn = run(asyncpg.connect())  # by the environment
version(asyncpg.__version__)
notices = []
conn.add_log_listener(lambda _, message: notices.append(message.message))


@check
def wrong_password():
    raises(asyncpg.InvalidPasswordError, run, asyncpg.connect(password=PASSWORD + "x"))


@check
def own_tables():
    run(conn.execute("CREATE TABLE apg (i int, t text, n numeric, b bool, ts timestamptz, x text, a int[], y bytea)"))
    row = (1, "ä€", decimal.Decimal("1.50"), True, datetime.datetime(2024, 2, 29, 1, 2, 3, tzinfo=datetime.timezone.utc), None, [1, 2],
           b"\x00\xff")
    run(conn.execute("INSERT INTO apg VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", *row))
    equal(tuple(run(conn.fetchrow("SELECT * FROM apg"))), row)
    run(conn.executemany("INSERT INTO apg (i) VALUES ($1)", [(i,) for i in range(300)]))
    equal(run(conn.fetchval("SELECT count(*) FROM apg")), 301)


@check
def copy():
    equal(run(conn.copy_records_to_table("apg", records=[(i, "copied") for i in range(1000)], columns=["i", "t"])), "COPY 1000")


@check
def composite_types_are_introspected():
    run(conn.execute("CREATE TYPE apg_pair AS (a int, b text); CREATE TYPE apg_mood AS ENUM ('sad', 'ok')"))
    equal(tuple(run(conn.fetchval("SELECT ROW(1, 'x')::apg_pair"))), (1, "x"))
    equal(run(conn.fetchval("SELECT $1::apg_mood", "ok")), "ok")
    equal(run(conn.fetchval("SELECT ARRAY[$1::apg_mood]", "sad")), ["sad"])
    run(conn.execute("DROP TYPE apg_pair; DROP TYPE apg_mood"))


@check
def protected_count():
    answer([tuple(r) for r in run(conn.fetch(QUESTION))])


@check
def cached_statement_with_parameters():
    sql = "SELECT region, count(*) FROM people WHERE age >= $1 AND region <> $2 AND admitted < $3 GROUP BY region"
    args = (20, "west", datetime.date(2024, 12, 1))
    first = run(conn.fetch(sql, *args))
    equal(len(first), 3)
    for _ in range(6):
        equal(run(conn.fetch(sql, *args)), first)
    statement = run(conn.prepare(sql))
    equal([str(p.name) for p in statement.get_parameters()], ["int4", "text", "date"])
    equal([a.name for a in statement.get_attributes()], ["region", "count"])
    equal(run(statement.fetch(*args)), first)
    assert any("free (answered " in n for n in notices), notices


@check
def cursor():
    async def by_cursor():
        async with conn.transaction():
            return [r async for r in conn.cursor(QUESTION, prefetch=5)]
    equal(run(by_cursor()), run(conn.fetch(QUESTION)))


@check
def refusal_and_savepoint():
    async def nested():
        async with conn.transaction():
            try:
                async with conn.transaction():
                    await conn.fetch("SELECT * FROM people WHERE age > $1", 3)
            except asyncpg.InsufficientPrivilegeError as e:
                equal((e.sqlstate, bool(e.hint)), ("42501", True))
            else:
                raise AssertionError("not refused")
            return await conn.fetchval("SELECT 7")
    equal(run(nested()), 7)


@check
def reset_as_a_pool_does():
    async def pooled():
        async with asyncpg.create_pool(min_size=1, max_size=2) as pool:
            for _ in range(3):
                async with pool.acquire() as c:
                    await c.fetch("SELECT sex, count(*) FROM people GROUP BY sex")
    run(pooled())


@check
def cancel_by_timeout():
    raises(asyncio.TimeoutError, run, conn.execute("SELECT pg_sleep(60)", timeout=0.5))
    equal(run(conn.fetchval("SELECT 1")), 1)


run(conn.execute("DROP TABLE apg"))
run(conn.close())
