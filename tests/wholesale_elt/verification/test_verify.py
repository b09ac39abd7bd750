"""`wholesale verify`: what was changed in a version, a copy or an answer is named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

import wholesale_elt.publish.publisher as publishing
from support.warehouses.edits import publish_twice, write_page
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import find_site

Verify = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two versions."""
    folder = tmp_path_factory.mktemp("verify")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "write_dashboard", write_page)
        publish_twice(built.copy(folder), folder / "published")
    return folder / "published"


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A copy that the test may change."""
    copy = shutil.copytree(published, tmp_path / "published")
    for path in copy.rglob("*"):
        path.chmod(0o700)
    return copy


def verify(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(cli, ["verify", *words, "--published", str(folder), "--json"])
    found: dict[str, Any] = json.loads(done.stdout)
    return done.exit_code, found


def told(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(each["what"], each["row_count"]) for each in found["findings"]]


def change(database: Path) -> None:
    """One amount of one order."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "update wholesale_marts.fct_orders set sub_total = sub_total + 1 where order_id ="
            " (select min(order_id) from wholesale_marts.fct_orders)"
        )


def test_what_was_published_is_verified(published: Path) -> None:
    manifest = find_site(published).manifest
    code, found = verify(published)

    assert (code, found["version"], found["count"]) == (0, manifest.version, len(manifest.files))
    assert found["findings"] == []
    first = min(path.name for path in (published / "versions").iterdir())
    code, found = verify(published, "--version", "previous")
    assert (code, found["version"], found["findings"]) == (0, first, [])


def test_a_changed_file_is_named_with_its_rows(folder: Path) -> None:
    database = find_site(folder).database
    change(database)
    code, found = verify(folder)

    path = database.relative_to(folder.absolute()).as_posix()
    assert (code, told(found)) == (1, [(path, 0), ("wholesale_marts.fct_orders", 2)])
    rows = {row["side"]: row for row in found["findings"][1]["rows"]}
    assert {name for name in rows["added"] if rows["added"][name] != rows["missing"][name]} == {
        *("side", "sub_total"),
    }


def test_a_copy_elsewhere_is_compared_row_by_row(published: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    shutil.copy(published / "wholesale.duckdb", copy)
    copy.chmod(0o700)

    assert verify(published, str(copy))[0] == 0
    change(copy)
    code, found = verify(published, str(copy))
    assert (code, told(found)) == (1, [("wholesale_marts.fct_orders", 2)])
    with duckdb.connect(str(copy)) as connection:
        connection.execute("drop table wholesale_bi.rpt_headlines")
    assert "wholesale_bi.rpt_headlines" in [
        name for name, _ in told(verify(published, str(copy))[1])
    ]


def test_rows_are_not_compared_with_a_file_that_was_changed_itself(
    folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.duckdb"
    shutil.copy(folder / "wholesale.duckdb", copy)
    [path] = (find_site(folder).database.parent).rglob("rpt_headlines.parquet")
    path.write_bytes(path.read_bytes() + b" ")
    code, found = verify(folder, str(copy))

    assert (code, told(found)) == (1, [(path.relative_to(folder.absolute()).as_posix(), 0)])


def test_an_answer_is_verified_in_the_version_that_it_names(
    published: Path, tmp_path: Path
) -> None:
    asked = ["figures", "sales", "--by", "vendor", "--json", "--published", str(published)]
    answer = json.loads(CliRunner().invoke(cli, asked).stdout)
    held = tmp_path / "answer.json"
    held.write_text(json.dumps(answer), "utf-8")

    code, found = verify(published, str(held))
    assert (code, found["version"], found["count"]) == (0, answer["version"], len(answer["rows"]))
    answer["rows"][0]["sales"] = "1.00"
    held.write_text(json.dumps(answer), "utf-8")
    code, found = verify(published, str(held))
    assert (code, told(found)) == (1, [("answer.json", 2)])


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"version": "1", "statement": "", "rows": []}'])
def test_what_is_no_answer_is_refused(published: Path, tmp_path: Path, text: str) -> None:
    held = tmp_path / "answer.json"
    held.write_text(text, "utf-8")

    code, found = verify(published, str(held))
    assert (code, "findings" in found) == (1, False)


def test_a_file_that_is_no_database_is_named(published: Path, tmp_path: Path) -> None:
    held = tmp_path / "odd.duckdb"
    held.write_text("no database", "utf-8")

    code, found = verify(published, str(held))
    assert (code, told(found)) == (1, [("odd.duckdb", 0)])
