"""SQLAlchemy with psycopg2, and pandas on it: notebooks."""

import pandas
import psycopg2
import sqlalchemy
from sqlalchemy import MetaData, Table, func, inspect, select, text
from sqlalchemy.orm import Session

from checks import DATABASE, HOST, PASSWORD, PORT, QUESTION, USER, answer, check, equal, raises, version

version("%s, pandas %s, psycopg2 %s" % (sqlalchemy.__version__, pandas.__version__, psycopg2.__version__.split()[0]))
url = sqlalchemy.engine.URL.create("postgresql+psycopg2", USER, PASSWORD, HOST, PORT, DATABASE)
engine = sqlalchemy.create_engine(url, pool_pre_ping=True)


@check
def own_tables_with_pandas():
    frame = pandas.DataFrame({"region": ["north", "south"], "x": [1.5, 2.5], "when": pandas.to_datetime(["2024-01-01", "2024-01-02"])})
    frame.to_sql("sa_frame", engine, if_exists="replace", index=False)
    frame.to_sql("sa_frame", engine, if_exists="append", index=False, method="multi")
    equal(len(pandas.read_sql("SELECT * FROM sa_frame", engine)), 4)
    equal(pandas.read_sql_table("sa_frame", engine).dtypes["x"].name, "float64")


@check
def inspector():
    i = inspect(engine)
    assert USER in i.get_schema_names() and "public" in i.get_schema_names(), i.get_schema_names()
    assert "people" in i.get_table_names(schema="public")
    assert i.has_table("people", schema="public")
    equal([c["name"] for c in i.get_columns("people", schema="public")], ["id", "region", "sex", "age", "admitted", "illness", "name"])
    equal(i.get_pk_constraint("people", schema="public")["constrained_columns"], ["id"])
    equal(i.get_foreign_keys("people", schema="public"), [])
    i.get_indexes("people", schema="public")
    i.get_unique_constraints("people", schema="public")
    i.get_check_constraints("people", schema="public")
    i.get_table_comment("people", schema="public")
    i.get_view_names(schema="public")
    i.get_sequence_names(schema="public")
    i.get_enums()


@check
def reflection():
    people = Table("people", MetaData(), schema="public", autoload_with=engine)
    query = select(people.c.region, func.count().label("n")).where(people.c.age >= 30, people.c.region.in_(["north", "south"])) \
        .group_by(people.c.region).order_by(people.c.region)
    with engine.connect() as c:
        first = c.execute(query).all()
        equal([r.region for r in first], ["north", "south"])
        equal(c.execute(query).all(), first)


@check
def reflection_of_everything():
    metadata = MetaData()
    metadata.reflect(engine, schema="public")
    assert "public.people" in metadata.tables


@check
def protected_count_into_a_frame():
    frame = pandas.read_sql(QUESTION, engine)
    equal(list(frame.columns), ["region", "sex", "n"])
    equal(str(frame.dtypes["n"]), "int64")
    answer(frame.itertuples(index=False))


@check
def parameters():
    sql = text("SELECT region, count(*) AS n FROM people WHERE age >= :low AND region <> :other GROUP BY region")
    frame = pandas.read_sql(sql, engine, params={"low": 20, "other": "west"})
    equal(len(frame), 3)
    assert pandas.read_sql(sql, engine, params={"low": 20, "other": "west"}).equals(frame)


def spent():
    return pandas.read_sql("SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'", engine).iloc[0, 0]


@check
def what_superset_sends():
    """A virtual data set's chart with a row limit, asked twice; the preview of a table, and the columns of a data set."""
    # The age is one that no other client asks for, here and in other scripts that look at the budget: a replay is free.
    chart = "SELECT region AS region, count(*) AS count FROM (SELECT region, age FROM public.people WHERE age >= 43) AS virtual_table " \
        "GROUP BY region ORDER BY count DESC LIMIT 1000"
    before = spent()
    first = pandas.read_sql(chart, engine)
    equal(sorted(first["region"]), ["east", "north", "south", "west"])
    after = spent()
    assert before < after <= before + 0.5, after - before
    assert pandas.read_sql(chart, engine).equals(first)
    equal(list(pandas.read_sql("SELECT * FROM public.people WHERE 1 <> 1", engine).columns), ["region", "sex", "age", "admitted", "illness"])
    for rows in ("SELECT * FROM public.people LIMIT 100", "SELECT region, sex, age, admitted, illness FROM public.people LIMIT 1001"):
        e = raises(sqlalchemy.exc.ProgrammingError, pandas.read_sql, rows, engine)
        equal(e.orig.pgcode, "42501")
    equal(spent(), after)


@check
def frame_in_chunks():
    with engine.connect().execution_options(stream_results=True, max_row_buffer=5) as c:
        equal(sum(len(chunk) for chunk in pandas.read_sql(text(QUESTION), c, chunksize=5)), 12)


@check
def subquery_and_cte():
    people = Table("people", MetaData(), schema="public", autoload_with=engine)
    counts = select(people.c.region, people.c.sex, func.count().label("n")).group_by(people.c.region, people.c.sex)
    for outer in (counts.subquery(), counts.cte("counts")):
        query = select(outer.c.region, func.sum(outer.c.n)).group_by(outer.c.region)
        with engine.connect() as c:
            equal(len(c.execute(query).all()), 4)


@check
def refusal():
    def rows():
        return pandas.read_sql("SELECT * FROM people", engine)
    e = raises(sqlalchemy.exc.ProgrammingError, rows)
    equal(e.orig.pgcode, "42501")
    equal(len(pandas.read_sql("SELECT sex, count(*) FROM people GROUP BY sex", engine)), 3)


@check
def savepoint():
    with Session(engine) as session, session.begin():
        def rows():
            with session.begin_nested():
                session.execute(text("SELECT name FROM people"))
        raises(sqlalchemy.exc.ProgrammingError, rows)
        equal(session.execute(text("SELECT 7")).scalar(), 7)


@check
def two_phase_is_an_error_of_the_server():
    # PostgreSQL has it off by default; what matters is that the session goes on.
    with engine.connect() as c:
        t = c.begin_twophase()
        c.execute(text("SELECT 1"))
        raises(sqlalchemy.exc.DBAPIError, t.prepare)
    with engine.connect() as c:
        equal(c.execute(text("SELECT 1")).scalar(), 1)


with engine.begin() as c:
    c.execute(text("DROP TABLE sa_frame"))
engine.dispose()
