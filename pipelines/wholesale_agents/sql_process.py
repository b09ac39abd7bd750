"""SQL process: runs the queries of agents, one at a time; it ends itself after MOST_SECONDS.

As `python -m` starts it, it reads queries and writes answers, as lines of JSON. DuckDB's own limits
hold neither for a function at work on one value nor for the memory of long texts; the end of a
process holds for all. It has a gigabyte of memory: Linux refuses it more; on macOS whoever asks
watches it; on Windows only the limit of DuckDB holds.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread, Timer
from typing import Any, BinaryIO, Self

import duckdb

from wholesale.errors import Unanswerable, WholesaleError, one_line
from wholesale_agents.sql import run_select
from wholesale_elt.process import block_import, budget

try:
    import resource
except ModuleNotFoundError:  # Windows has none
    HAS_LIMIT = False
else:
    HAS_LIMIT = sys.platform == "linux"
"""Whether the system keeps to RLIMIT_AS; macOS does not."""
HAS_TIMER = hasattr(signal, "setitimer")
LATE = -signal.SIGALRM if HAS_TIMER else 75
"""The exit code of a process that took too long."""
MOST_SECONDS = 30.0
MOST_MEMORY = 2**30
"""In bytes, for all that the process has."""
MOST_ADDED = 850 * 2**20
"""In bytes, for what it asks for after it has started."""
STATM = Path("/proc/self/statm")
PAUSE = 0.1
"""Seconds between two looks at the memory of a process."""
TOO_LONG = "the query takes longer than {:g} s: ask for less"
TOO_LARGE = "the query needs more than a gigabyte of memory: ask for less"


class SqlProcess:
    """A process that waits for queries; the one that follows it if a query has ended it."""

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self._most_seconds = most_seconds
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            _end(self._process)

    def ask(self, database: Path, query: str) -> dict[str, Any]:
        """Rows of one SELECT, and whether there are more.

        Raises: Unanswerable for what is no such query, or needs too much; and after MOST_SECONDS in
        which others are answered.
        """
        if not self._turn.acquire(timeout=self._most_seconds):
            raise Unanswerable("other queries are being answered: ask again")
        try:
            process = self._process = self._process or self._start()
            answer = _answer_of(process, {"database": str(database), "query": query})
            if answer is None:
                is_late = _end(process) == LATE
                self._process = self._start()  # the next query need not wait for that
                told = TOO_LONG.format(self._most_seconds) if is_late else TOO_LARGE
                raise Unanswerable(told)
        finally:
            self._turn.release()
        if "error" in answer:
            raise Unanswerable(answer["error"])
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._most_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def _answer_of(process: subprocess.Popen[bytes], question: object) -> dict[str, Any] | None:
    """None if the process ended, or was too large."""
    assert process.stdin
    assert process.stdout
    with suppress(OSError):  # it has ended
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
    lines, read = SimpleQueue[bytes](), process.stdout.readline
    Thread(target=lambda: lines.put(read()), daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=None if HAS_LIMIT else PAUSE)
        except Empty:
            if memory_of(process.pid) > MOST_MEMORY:
                return None
        else:
            return json.loads(line) if line.endswith(b"\n") else None


def memory_of(process: int) -> int:
    """The bytes that a process has in memory; 0 if it has ended, or nothing tells."""
    words = ["ps", "-o", "rss=", "-p", str(process)]
    try:
        told = subprocess.run(words, capture_output=True, text=True).stdout
    except FileNotFoundError:
        told = ""
    return int(told or 0) * 1024


def _end(process: subprocess.Popen[bytes]) -> int:
    """Its exit code; it is killed unless it has ended by itself."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(PAUSE)
    process.kill()
    with process:  # closes its pipes
        return process.wait()


def main() -> None:
    """Answer each query until nobody asks any more."""
    block_import("pandas")  # else DuckDB imports it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else is printed among the answers
    if HAS_TIMER:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with budget.connect() as connection:  # whatever it loads when it is first used
        connection.sql("select 1").to_arrow_table()
    if HAS_LIMIT:
        used = int(STATM.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MOST_ADDED, used + MOST_ADDED))
    _serve(sys.stdin.buffer, answers, float(sys.argv[1]))


def _serve(questions: BinaryIO, answers: BinaryIO, most_seconds: float) -> None:
    for line in questions:
        with _ending_after(most_seconds):
            told = _told(**json.loads(line))
        answers.write(json.dumps(told).encode() + b"\n")
        answers.flush()


@contextmanager
def _ending_after(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer: by its timer, which nothing delays, where the
    system has one."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
        return
    timer = Timer(seconds, os._exit, (LATE,))
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


def _told(database: str, query: str) -> dict[str, Any]:
    try:
        return run_select(Path(database), query)
    except (MemoryError, duckdb.OutOfMemoryException):
        return {"error": TOO_LARGE}
    except duckdb.Error as error:
        return {"error": f"the SQL cannot be run: {one_line(error)}"}
    except WholesaleError as error:
        return {"error": one_line(error, None)}


if __name__ == "__main__":
    main()
