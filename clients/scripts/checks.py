"""What the scripts of the Python clients have in common: the site, and checks that are reported one by one."""

import os
import sys
import threading

HOST, PORT = os.environ["PGHOST"], int(os.environ["PGPORT"])
USER, PASSWORD, DATABASE = os.environ["PGUSER"], os.environ["PGPASSWORD"], os.environ["PGDATABASE"]

# What every client asks. All must get the same answer, because it is one question.
QUESTION = "SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST"


# Functions that are called before each check, to leave behind what a failed one has left.
before_each = []


def version(text):
    print("version:", text, flush=True)


def answer(rows):
    print("answer:", " ".join("%s/%s=%d" % (region, sex or "", n) for region, sex, n in rows), flush=True)


def check(function):
    """Runs a check, which fails by raising."""
    for f in before_each:
        f()
    name = function.__name__.replace("_", " ")
    try:
        function()
    except Exception as e:  # a check that fails must not keep the others from running
        text = " ".join(("%s: %s" % (type(e).__name__, e)).split())
        print("failed: %s: %s (line %d)" % (name, text, line_of(e)), flush=True)
    else:
        print("ok:", name, flush=True)
    return function


def line_of(exception):
    """The line of the script itself where the exception came up."""
    line, traceback = 0, exception.__traceback__
    while traceback:
        if traceback.tb_frame.f_code.co_filename == sys.modules["__main__"].__file__:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def equal(got, want):
    if got != want:
        raise AssertionError("got %r instead of %r" % (got, want))


def raises(kind, function, *args):
    """Calls a function that must raise, and returns the exception."""
    try:
        function(*args)
    except kind as e:
        return e
    raise AssertionError("%s was not raised" % getattr(kind, "__name__", kind))


class cancelling:
    """Cancels over and over while its body runs: a request that comes before the statement has begun is lost."""

    def __init__(self, cancel):
        self.cancel, self.done = cancel, threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.done.wait(0.2):
            self.cancel()

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
