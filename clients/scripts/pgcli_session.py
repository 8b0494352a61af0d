"""pgcli: a session on a pipe, and all queries of its completion, whose failures it does not show."""

import os
import subprocess
import tempfile

import pgcli
from pgcli.pgexecute import PGExecute
from pgspecial.main import PGSpecial

from checks import DATABASE, HOST, PASSWORD, PORT, QUESTION, USER, answer, check, equal, raises, version

version(pgcli.__version__)


def session(*lines):
    """Feeds lines to a pgcli without a configuration of its own and returns what it prints."""
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, PAGER="cat", TERM="dumb")
        done = subprocess.run(["/usr/bin/pgcli", "--less-chatty"], input="\n".join(lines) + "\n\\q\n", env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=90)
        return done.stdout


executor = PGExecute(DATABASE, USER, PASSWORD, HOST, PORT)


@check
def session_on_a_pipe():
    out = session("SELECT region, count(*) AS n FROM people GROUP BY region;", "SELECT * FROM people;", "\\dt public.*", "SELECT 6 * 7 AS six;")
    for want in ("| north", "protected", "people", "| 42"):
        assert want in out, "%r is not in %s" % (want, out)


@check
def protected_count():
    for title, rows, headers, status, sql, success, special in executor.run(QUESTION):
        assert success, status
        equal(headers, ["region", "sex", "n"])
        answer(rows)


@check
def refusal_and_after_it():
    results = list(executor.run("SELECT * FROM people; SELECT 1", exception_formatter=str, on_error_resume=True))
    equal([r[5] for r in results], [False, True])


@check
def completion():
    assert "public" in executor.schemata()
    assert ("public", "people") in [tuple(t) for t in executor.tables()]
    assert any(c[1] == "people" and c[2] == "age" for c in executor.table_columns())
    for query in (executor.search_path, executor.views, executor.view_columns, executor.foreignkeys, executor.functions,
                  executor.datatypes, executor.databases, executor.full_databases, executor.casing):
        list(query())


@check
def special_commands():
    # Not \\dp: what this version of pgcli sends for it is an error on PostgreSQL 14 and later, with or without a proxy.
    for command in ("\\d", "\\d people", "\\d+ people", "\\dt", "\\dt+ public.*", "\\dn", "\\du", "\\l", "\\df abs", "\\di", "\\dv", "\\dT",
                    "\\dx"):
        list(executor.run(command, PGSpecial()))


@check
def explain_prefix():
    executor.explain_mode = True
    try:
        list(executor.run("SELECT region, count(*) FROM people GROUP BY region"))
    finally:
        executor.explain_mode = False
