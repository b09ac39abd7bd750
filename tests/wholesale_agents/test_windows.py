"""On Windows a query of an agent is answered, and one without an end ends in its time."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from support.windows import LACKING

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

ASK = """
import json, sys
from pathlib import Path
from wholesale.errors import Unanswerable
from wholesale_agents.sql_process import SqlProcess

_, database, query, endless = sys.argv
with SqlProcess() as process:
    answered = process.ask(Path(database), query)["rows"]
with SqlProcess(1.0) as process:
    try:
        process.ask(Path(database), endless)
    except Unanswerable as error:
        print(json.dumps([answered, str(error)]))
"""
LONG = "select count(*) as n from range(100_000_000_000) as a, range(1_000_000) as b"


def test_a_query_is_answered_and_one_without_an_end_is_ended(tmp_path: Path) -> None:
    database = tmp_path / "wholesale.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema wholesale_bi")
        connection.execute("create table wholesale_bi.orders as select 7 as number")
    query = "select number from wholesale_bi.orders"

    done = subprocess.run(
        [sys.executable, "-c", ASK, str(database), query, LONG],
        env=LACKING,
        capture_output=True,
        text=True,
        check=True,
    )

    answered, late = json.loads(done.stdout)
    assert answered == [{"number": 7}]
    assert late.startswith("the query takes longer than 1 s")
