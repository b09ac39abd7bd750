"""Erasing in other destinations than a DuckDB file: tables, and what lies beneath them."""

import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from support.records.people import MARK, world
from support.records.samples import guid
from support.warehouses.destinations import Place
from wholesale_elt.erasure.erasing import erase
from wholesale_elt.erasure.receipt import verify
from wholesale_sandbox.server import Sandbox

OURS = ("buyers", "buyer_users", "orders", "vendors")
OF_B1 = ("-B1", "-P1", "-P2", "-O1", "-O2")


def fill(sandbox: Sandbox, place: Place) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    place.load(*OURS)


def ends_in(text: str) -> list[str]:
    """How marked values end that stand in it."""
    return [end for end in OF_B1 if re.search(f"{MARK}-[a-z_]+{end}", text)]


@pytest.mark.parametrize(
    "destination", ["postgres", "lake", pytest.param("ducklake", marks=pytest.mark.slow)]
)
def test_of_a_buyer_nothing_is_left_in_any_table_and_later_syncs_bring_nothing_back(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    fill(sandbox, place)
    assert ends_in(str(place.contents())) == list(OF_B1)

    receipt = erase(place.warehouse, guid("B1"))

    assert ends_in(str(place.contents())) == []
    assert verify(receipt, place.warehouse) == []
    left = place.contents()["buyers"], place.contents()["orders"]
    place.load(*OURS, is_full=True)
    assert (place.contents()["buyers"], place.contents()["orders"]) == left


@pytest.mark.slow
@pytest.mark.parametrize("destination", ["ducklake", "lake"])
def test_no_state_and_no_file_of_a_lake_has_them_any_more(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str, tmp_path: Path
) -> None:
    place = place_in(destination)
    fill(sandbox, place)
    before = written(tmp_path)
    assert ends_in(before) == list(OF_B1)

    erase(place.warehouse, guid("B1"))

    after = written(tmp_path)
    assert ends_in(after) == []
    assert "zq-name-P3" in after


def written(folder: Path) -> str:
    """What the files of a lake hold: text in Parquet may be packed, values in statistics not."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            texts.append(str(duckdb.sql(f"from '{path}'").fetchall()))
        if path.is_file():
            texts.append(path.read_bytes().decode("latin-1"))
    return "\n".join(texts)
