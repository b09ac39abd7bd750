"""What an earlier layout stored, each GUID as the service spelled it, is the same records still."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from conftest import Loader
from support.few import by_hand
from support.records.changes import RESOURCES, edit, fill
from support.records.samples import guid
from support.warehouses.destinations import Place
from support.warehouses.spellings import respell
from wholesale.api.guids import plain_id
from wholesale.errors import ConfigurationError
from wholesale_elt.inspect import explain_order, find_changes
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.past import rows_as_of
from wholesale_elt.runs.ids import spell_ids
from wholesale_elt.verification import verify_warehouse
from wholesale_elt.warehouse import Raw, Warehouse
from wholesale_sandbox.server import Sandbox

PLAIN = "8d4dfa72-e173-4266-aeb6-95ef0b5b6ed4"
TEXTS = [
    PLAIN,
    PLAIN.upper(),
    PLAIN.replace("-", ""),
    f"{{{PLAIN}}}",
    f"URN:uuid:{PLAIN}",
    f"{PLAIN[:-1]}g",
    PLAIN.upper()[:-1],
    f"{PLAIN.upper()}\n",
    "ORD-1",
    "Größe",
    "17",
    "",
]
DESTINATIONS = (
    *("duckdb", "postgres"),
    pytest.param("lake", marks=pytest.mark.slow),
    by_hand("ducklake"),
)


@pytest.fixture
def edited(sandbox: Sandbox, place_in: Callable[[str], Place]) -> Callable[[str], Place]:
    """A place with records, of which some were edited, as an earlier layout left it."""

    def load(destination: str) -> Place:
        place = place_in(destination)
        for step in (fill, edit):
            step(sandbox)
            place.load(*RESOURCES)
        return place

    return load


def as_it_was(raw: Raw, moment: datetime) -> dict[str, list[Any]]:
    """The orders and their lines at a moment."""
    columns = {"orders": ["id", "status"], "orders__order_line_items": ["order_id", "sku"]}
    return {
        table: sorted(raw.rows(rows_as_of(raw, table, names, moment)), key=repr)
        for table, names in columns.items()
    }


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_a_sync_spells_all_of_it_alike_and_finds_nothing_changed(
    edited: Callable[[str], Place], destination: str
) -> None:
    place, since = edited(destination), datetime.now(UTC)
    with place.warehouse.open() as raw:
        before, moments = raw_rows(raw), [row[0] for row in raw.rows(MOMENTS)]
        was = [as_it_was(raw, moment) for moment in moments]
        respell(raw)
        assert raw_rows(raw) != before
    assert verify_warehouse(place.warehouse).findings == []

    outcome = place.load(*RESOURCES)

    counts = {(row.new, row.changed, row.deleted) for row in outcome.certificates}
    assert counts == {(0, 0, 0)}
    assert find_changes(place.warehouse, since).changes == []
    with place.warehouse.open() as raw:
        assert raw_rows(raw) == before
        assert [as_it_was(raw, moment) for moment in moments] == was
    verified = verify_warehouse(place.warehouse)
    assert (verified.findings, verified.unproved) == ([], [])


@pytest.mark.parametrize("destination", ["duckdb", "postgres"])
def test_guids_are_spelled_in_sql_as_in_python_and_other_texts_stay_as_they_are(
    place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    place.load("items")
    with place.warehouse.open() as raw:
        respell(raw)
        columns = "id, title, brand_id, valid_from"
        for number, text in enumerate(TEXTS):
            raw.execute(
                f"insert into wholesale_raw.items ({columns}) values (%s, %s, %s, now())",
                *(str(number), text, text),
            )
        spell_ids(raw)

        found = raw.rows("select title, brand_id from wholesale_raw.items")

    assert sorted(found) == sorted((text, plain_id(text)) for text in TEXTS)


def test_what_only_reads_says_so_where_it_would_miss_ids(
    sandbox: Sandbox, loader: Loader, tmp_path: Path
) -> None:
    fill(sandbox)
    loader.load(*RESOURCES)
    with loader.warehouse.open() as raw:
        respell(raw)
    part = Warehouse(tmp_path / "part.duckdb")

    for read in (
        lambda: explain_order("A", None, loader.warehouse),
        lambda: copy_as_of(
            loader.warehouse, part, datetime.now(UTC), part=f"vendor={guid('vendor')}"
        ),
    ):
        with pytest.raises(ConfigurationError) as refused:
            read()
        assert "wholesale sync" in str(refused.value)

    loader.load("vendors")
    assert explain_order("A", None, loader.warehouse).order_id == guid("A")


MOMENTS = (
    "select distinct valid_to from wholesale_raw.orders__past"
    " union select min(valid_from) from wholesale_raw.orders order by 1"
)


def raw_rows(raw: Raw) -> dict[str, list[Any]]:
    """Every row of the tables of records, of their past and of what was observed."""
    return {
        name: sorted(raw.rows(f"select * from {raw.name(name)}"), key=repr)
        for name in raw.schema().tables
        if name.partition("__")[0] in RESOURCES
    }
