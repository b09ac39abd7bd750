"""`wholesale why`: what made a figure another one, as a table, CSV or JSON."""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from support.warehouses.edits import publish_again, without_pages
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.differences import CAUSES


@pytest.fixture(scope="module")
def published(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str, str]:
    """A folder with two versions, the order that is gone, and the one that was edited."""
    folder = tmp_path_factory.mktemp("why")
    with without_pages():
        gone, edited = publish_again(built.copy(folder), published, folder / "published")
    return folder / "published", gone, edited


def call(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["why", *words, "--published", str(folder)])


def document(folder: Path, *words: str) -> dict[str, Any]:
    done = call(folder, *words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_causes_add_up_to_the_difference(published: tuple[Path, str, str]) -> None:
    folder, gone, edited = published
    found = document(folder, "sales")

    first, last = (path.name for path in sorted((folder / "versions").iterdir()))
    assert (found["metric"], found["from"]["version"], found["to"]["version"]) == (
        *("sales", first, last),
    )
    assert Decimal(found["residue"]) == 0
    moved = Decimal(found["to"]["value"]) - Decimal(found["from"]["value"])
    assert Decimal(found["difference"]) == moved
    assert sum(Decimal(each["amount"]) for each in found["causes"]) == moved
    told = {each["cause"]: (each["fields"], each["order_ids"]) for each in found["causes"]}
    assert told == {"deleted": ([], [gone]), "edited": (["sub_total"], [edited])}
    assert {each["verdict"] for each in (found["from"], found["to"])} == {"complete"}


def test_a_table_says_what_each_of_its_causes_means_and_of_no_other(
    published: tuple[Path, str, str],
) -> None:
    done = call(published[0], "sales")

    assert done.exit_code == 0
    assert {cause for cause, told in CAUSES.items() if f"\n{cause}: {told}\n" in done.stdout} == {
        *("deleted", "edited"),
    }


def test_the_orders_of_a_cause_are_listed_with_their_amounts(
    published: tuple[Path, str, str],
) -> None:
    folder, _, edited = published
    done = call(folder, "sales", "--orders", "edited", "--csv")

    [row] = csv.DictReader(io.StringIO(done.stdout))
    assert (row["order_id"], Decimal(row["sales"])) == (edited, Decimal("12.5"))
    assert (row["cause"], row["fields"]) == ("edited", "sub_total")


def test_a_table_tells_apart_by_name(published: tuple[Path, str, str]) -> None:
    folder, gone, _ = published
    rows = document(folder, "sales", "--by", "vendor")["rows"]
    done = call(folder, "sales", "--by", "vendor")

    assert done.exit_code == 0
    moved = [row for row in rows if row["causes"]]
    assert moved
    assert all(row["vendor_name"] in done.stdout for row in moved)
    assert all(Decimal(row["residue"]) == 0 for row in rows)
    assert gone not in done.stdout


def test_of_a_moment_before_all_versions_what_was_so_then_is_made(
    published: tuple[Path, str, str],
) -> None:
    folder, *_ = published
    database = folder.with_name("wholesale.duckdb")
    [(loaded,)] = Marts(database).rows("select max(ended_at) from wholesale_raw.sync_runs")
    since_version, since_then = (
        document(folder, "sales", "--from", name, "--database", str(database))
        for name in ("previous", loaded.isoformat())
    )

    assert since_then["from"]["version"] is None
    assert since_then["from"]["verdict"] == "complete"
    told = ("difference", "causes", "residue")
    assert [since_then[name] for name in told] == [since_version[name] for name in told]
    assert list(Marts(database).warehouse.state_folder.glob("then/*/*")) == []


@pytest.mark.parametrize(
    "words",
    [
        ("margin",),
        ("sales", "--from", "2001-01-01"),
        ("sales", "--orders", "gone"),
        ("sales", "--by", "product"),
        ("sales", "--where", "buyer"),
        ("sales", "--from", ""),
    ],
)
def test_what_cannot_be_answered_is_refused(
    published: tuple[Path, str, str], words: tuple[str, ...]
) -> None:
    done = call(published[0], *words, "--json")

    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]
