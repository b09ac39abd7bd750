"""What the chapter on BI tools tells readers to do works as it stands there."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.documents.readmes import blocks
from support.paths import ROOT
from support.warehouses.marts import Marts, Row
from wholesale_elt.publish.publisher import publish_marts

CHAPTER = (ROOT / "pipelines/wholesale_elt/publish/bi-tools.md").read_text("utf-8")
FIXED = "published/wholesale.duckdb"
COUNT = "select order_count from wholesale_bi.rpt_headlines"
HEADLINES = (
    "select as_of_date, order_count, buyer_count, sales_amount from wholesale_bi.rpt_headlines"
)


BY_DUCKDB, BY_PARQUET, NOTEBOOK = (
    block.text for block in blocks(CHAPTER) if block.language == "python"
)
COMPARED, ATTACHED = (block.text for block in blocks(CHAPTER) if block.language == "sql")


@pytest.fixture(scope="module")
def publisher(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marts]:
    """A published business, in whose folder the tests stand."""
    marts = built.copy(tmp_path_factory.mktemp("readers"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(marts.database.parent)
        publish_marts(marts.warehouse, "published")
        yield marts


def publish_another(marts: Marts) -> None:
    marts.change(
        "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second",
        "update wholesale_bi.rpt_headlines set order_count = order_count + 1",
    )
    assert publish_marts(marts.warehouse, "published").result == "published"


def connect(database: str | Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(database, read_only=True)


def ask(connection: duckdb.DuckDBPyConnection, script: str) -> list[Row]:
    """What the statements of a script answer, one after the other."""
    statements = connection.extract_statements(script)
    return [row for statement in statements for row in connection.execute(statement).fetchall()]


def ask_version_in_force(sql: str) -> list[Row]:
    current = json.loads(Path("published/current.json").read_text("utf-8"))
    with connect(Path("published") / current["database"]["path"]) as connection:
        return ask(connection, sql)


def ask_in_another_process(sql: str) -> str:
    program = (
        f"import duckdb; print(duckdb.connect({FIXED!r}, read_only=True).sql({sql!r}).fetchall())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()


def test_python_reads_what_is_in_the_warehouse_from_both_kinds_of_files(publisher: Marts) -> None:
    names: dict[str, Any] = {}
    exec(BY_DUCKDB + BY_PARQUET, names)

    assert names["vendors"] == publisher.rows(
        "select vendor_name, sum(sales_amount) as sales"
        " from wholesale_bi.rpt_vendor_scorecard group by all order by sales desc limit 3"
    )
    assert sorted(names["orders"].to_pylist(), key=lambda row: row["order_id"]) == [
        {"order_id": order_id, "total": total}
        for order_id, total in publisher.rows(
            "select order_id, total from wholesale_marts.fct_orders order by order_id"
        )
    ]


def test_the_notebook_gets_the_answers_of_the_warehouse(publisher: Marts) -> None:
    questions = [
        one or several
        for several, one in re.findall(r'\.sql\((?:"""(.*?)"""|"(.*?)")\)', NOTEBOOK, re.DOTALL)
    ]
    assert len(questions) == 2
    for sql in questions:
        answer = ask_version_in_force(sql)
        assert answer
        assert answer == publisher.rows(sql)


def test_a_first_version_answers_what_changed_with_nothing(publisher: Marts) -> None:
    with connect(FIXED) as file:
        assert ask(file, COMPARED) == []


def test_old_and_new_readers_read_side_by_side(publisher: Marts) -> None:
    [(count,)] = ask_version_in_force(COUNT)
    old, new = [(count,)], [(count + 1,)]
    with connect(FIXED) as held, duckdb.connect() as attached, duckdb.connect() as shell:
        attached.execute(f"attach '{FIXED}' as published (read_only)")
        assert ask(shell, ATTACHED) == publisher.rows(HEADLINES)
        publish_another(publisher)

        assert ask_version_in_force(COUNT) == new
        assert ask_in_another_process(COUNT) == str(new)
        assert ask(shell, ATTACHED) == publisher.rows(HEADLINES)
        # As the chapter warns: one process opens a path once, and to replace is not to detach.
        assert ask(held, COUNT) == old
        with connect(FIXED) as joined:
            assert ask(joined, COUNT) == old
        attached.execute(f"attach or replace '{FIXED}' as published (read_only)")
        assert ask(attached, COUNT.replace("wholesale_bi.", "published.wholesale_bi.")) == old
    with connect(FIXED) as opened_again:
        assert ask(opened_again, COUNT) == new
