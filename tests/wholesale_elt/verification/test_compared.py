"""`wholesale diff`: which rows of two files, versions or warehouses differ, by their keys."""

import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from conftest import Loader
from support.few import by_hand
from support.records.samples import guid, line, order
from support.warehouses.destinations import Place
from support.warehouses.edits import publish_again, without_pages
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.publish import find_site
from wholesale_elt.verification.compared import compare_sides
from wholesale_elt.verification.sides import Side, shared_type
from wholesale_sandbox.server import Sandbox

SAME, DIFFERS, REFUSED = 0, 1, 2


@pytest.fixture(scope="module")
def published(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two versions, of which orders differ, beside the warehouse of the second."""
    folder = tmp_path_factory.mktemp("diff")
    with without_pages():
        publish_again(built.copy(folder), published, folder / "published")
    return folder / "published"


@pytest.fixture
def copy(published: Path, tmp_path: Path) -> Path:
    file = Path(shutil.copy(published / "wholesale.duckdb", tmp_path / "copy.duckdb"))
    file.chmod(0o700)
    return file


def execute(database: Path, *statements: str) -> None:
    with duckdb.connect(str(database)) as connection:
        for statement in statements:
            connection.execute(statement)


def diff(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(cli, ["diff", *words, "--published", str(folder), "--json"])
    return done.exit_code, json.loads(done.stdout)


def told(found: dict[str, Any]) -> dict[str, tuple[int, int, int, dict[str, int]]]:
    return {
        each["table"]: (each["added"], each["removed"], each["changed"], each["columns"])
        for each in found["differing"]
    }


@pytest.mark.parametrize("other", ["current", "published", "copy", "warehouse"])
def test_what_is_the_same_is_said_to_be_wherever_it_is(
    published: Path, copy: Path, other: str
) -> None:
    (warehouse,) = published.parent.glob("*.duckdb")
    named = {"published": str(published), "copy": str(copy), "warehouse": str(warehouse)}

    code, found = diff(published, "current", named.get(other, other))

    assert (code, found["differing"], found["is_raw_left_out"]) == (SAME, [], True)
    assert len(found["same"]) > 50


def test_what_differs_between_versions_is_told_by_key_and_column(published: Path) -> None:
    code, found = diff(published, "previous", "current", "--table", "fct_orders")

    assert code == DIFFERS
    columns = {"is_sale": 1, "is_deleted": 1, "sub_total": 1}
    assert told(found) == {"wholesale_marts.fct_orders": (0, 0, 2, columns)}
    [edited] = [
        row["fields"]["sub_total"]
        for row in found["differing"][0]["rows"]
        if "sub_total" in row["fields"]
    ]
    assert Decimal(edited["to"]) - Decimal(edited["from"]) == Decimal("12.5")


def test_tables_of_one_digest_are_not_read(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: set[str] = set()
    rows = Side.rows

    def noted(self: Side, name: str, *of: Any) -> Any:
        read.add(name)
        return rows(self, name, *of)

    monkeypatch.setattr(Side, "rows", noted)
    found = compare_sides("previous", "current", published)

    assert read == {each.table for each in found.differing}
    assert 0 < len(read) < len(found.tables)


def test_rows_columns_and_tables_that_only_one_has_are_named(published: Path, copy: Path) -> None:
    first = "(select order_id from wholesale_marts.fct_orders order by 1 limit 3)"
    execute(
        copy,
        f"delete from wholesale_marts.fct_orders where order_id in {first}",
        "insert into wholesale_marts.dim_brands"
        " select * replace ('x' as brand_id) from wholesale_marts.dim_brands limit 1",
        "alter table wholesale_bi.rpt_goals add column more integer",
        "alter table wholesale_bi.rpt_periods alter column period_label type integer using 1",
        "drop table wholesale_bi.rpt_tasks",
    )

    code, found = diff(published, "current", str(copy))

    assert code == DIFFERS
    counts = {name: numbers[:3] for name, numbers in told(found).items()}
    assert counts == {
        "wholesale_bi.rpt_goals": (0, 0, 0),
        "wholesale_bi.rpt_periods": (0, 0, 0),
        "wholesale_bi.rpt_tasks": (0, 0, 0),
        "wholesale_marts.dim_brands": (1, 0, 0),
        "wholesale_marts.fct_orders": (0, 3, 0),
    }
    by_name = {each["table"]: each for each in found["differing"]}
    assert by_name["wholesale_bi.rpt_goals"]["columns_added"] == ["more"]
    assert by_name["wholesale_bi.rpt_periods"]["columns_of_other_type"] == ["period_label"]
    assert by_name["wholesale_bi.rpt_tasks"]["missing_in"] == str(copy)
    assert by_name["wholesale_marts.dim_brands"]["rows"] == [{"side": "added", "brand_id": "x"}]


def test_a_version_whose_file_was_changed_is_read_and_not_believed(
    published: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(published, tmp_path / "published", symlinks=True)
    file = folder / find_site(folder).manifest.database.path
    file.chmod(0o700)
    execute(file, "update wholesale_marts.dim_brands set brand_id = 'other' || brand_id")

    code, found = diff(folder, str(published), "current", "--table", "dim_brands")

    assert (code, [*told(found)]) == (DIFFERS, ["wholesale_marts.dim_brands"])


def test_rows_without_a_key_are_counted_as_often_as_they_come(tmp_path: Path) -> None:
    rows = {"a": "(1, null), (1, null), (2, 'x')", "b": "(1, null), (2, 'y'), (null, null)"}
    for name, values in rows.items():
        execute(
            tmp_path / f"{name}.duckdb",
            "create schema wholesale_own",
            "create table wholesale_own.mine (number integer, word varchar)",
            f"insert into wholesale_own.mine values {values}",
            'create table wholesale_own."not ours" (number integer)',
        )

    first, second = (str(tmp_path / f"{name}.duckdb") for name in rows)
    found = compare_sides(first, second, tmp_path)

    [mine] = found.tables
    assert (mine.table, mine.added, mine.removed, mine.changed) == ("wholesale_own.mine", 2, 2, 0)
    assert mine.rows == [
        {"side": "removed", "number": "1", "word": None},
        {"side": "removed", "number": "1", "word": None},
        {"side": "removed", "number": "2", "word": "x"},
        {"side": "added", "number": "2", "word": "y"},
        {"side": "added", "number": None, "word": None},
    ]


@pytest.mark.parametrize("destination", ["postgres", by_hand("lake"), by_hand("ducklake")])
def test_raw_tables_of_two_warehouses_are_compared_in_any_destination(
    sandbox: Sandbox,
    loader: Loader,
    place_in: Callable[[str], Place],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    destination: str,
) -> None:
    for name in "ABC":
        sandbox.put("orders", order(name, order_line_items=[line("1"), line("2")]))
    loader.load("orders", "vendors")
    place = place_in(destination)
    copy_warehouse(loader.warehouse, place.warehouse)
    at = destination if destination == "postgres" else f"{destination}:{place.warehouse.database}"
    here = str(loader.warehouse.database)
    assert diff(tmp_path, here, at)[0] == SAME

    sandbox.put("orders", order("B", total="7", order_line_items=[line("1")]))
    sandbox.put("orders", order("D"))
    loader.load("orders", "vendors")
    code, found = diff(tmp_path, here, at)

    assert code == DIFFERS
    assert {name: numbers[:3] for name, numbers in told(found).items()} == {
        "wholesale_raw.orders": (0, 1, 1),
        "wholesale_raw.orders__order_line_items": (1, 0, 0),
    }
    [changed] = [row for row in found["differing"][0]["rows"] if row["side"] == "changed"]
    assert (changed["id"], changed["fields"]["total"]) == (guid("B"), {"from": "7", "to": "10.5"})


@pytest.mark.parametrize(
    ("named", "code"),
    [
        (("nowhere.duckdb", "current"), REFUSED),
        (("current", "none"), REFUSED),
        (("current", "."), REFUSED),
        (("current", "current", "--table", "none"), REFUSED),
        (("current", __file__), DIFFERS),
        (("empty.duckdb", "empty.duckdb"), DIFFERS),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    published: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: tuple[str, ...],
    code: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    execute(tmp_path / "empty.duckdb", "create table nothing (number integer)")

    found = diff(published, *named)

    assert (found[0], [*found[1]]) == (code, ["exit_code", "error"])


def test_amounts_are_compared_whatever_their_decimals() -> None:
    assert shared_type("DECIMAL(38,9)", "DECIMAL(18,2)") == 9
    assert shared_type("JSON", "VARCHAR") is True
    assert shared_type("BIGINT", "DECIMAL(18,2)") is False
