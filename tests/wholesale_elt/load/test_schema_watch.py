"""What the service sends otherwise than before is noted by the run that sees it, and once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from conftest import Loader
from support.records.samples import order
from wholesale_elt.inspect.status import read_overview
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox


def noted(loader: Loader) -> Sequence[tuple[Any, ...]]:
    return loader.rows(
        "select resource, aspect, name, before, after from sync_changes order by run_id, name"
    )


def put(sandbox: Sandbox, count: int = 60, **fields: Any) -> None:
    for number in range(count):
        sandbox.put("orders", order(f"A{number}", **fields))


@pytest.fixture
def loader(sandbox: Sandbox, loader: Loader) -> Loader:
    """A warehouse into which orders were loaded once, with a field that nobody has described."""
    put(sandbox, colour="red", reference="r", status="received")
    loader.load("orders")
    return loader


def test_nothing_is_news_at_first_nor_where_nothing_has_changed(
    sandbox: Sandbox, loader: Loader
) -> None:
    put(sandbox, colour="blue", reference="s", status="received")
    outcome = loader.load("orders")

    assert (outcome.changes, noted(loader)) == ((), [])


@pytest.mark.slow
def test_new_fields_states_and_types_are_noted_once(sandbox: Sandbox, loader: Loader) -> None:
    put(sandbox, colour="red", reference="r", status="on hold", size=3, total="much")
    first = loader.load("orders")
    put(sandbox, colour="blue", reference="r", status="on hold", size=4, total="more")
    second = loader.load("orders")

    assert noted(loader) == [
        ("orders", "field", "orders.size", None, "decimal128(38, 9)"),
        ("orders", "state", "orders.status=on hold", None, "on hold"),
        ("orders", "type", "orders.total", None, "values that do not fit"),
    ]
    assert [change.name for change in first.changes] == [
        *("orders.size", "orders.total", "orders.status=on hold"),
    ]
    assert second.changes == ()
    assert [str(change) for change in read_overview(loader.warehouse).changes] == [
        "orders.total: values that do not fit",
        "new state orders.status=on hold",
        "orders.size is new",
    ]


@pytest.mark.slow
def test_values_that_did_not_fit_from_the_first_load_on_are_no_news(
    sandbox: Sandbox, loader: Loader, tmp_path: Path
) -> None:
    fresh = Loader(loader.settings, Warehouse(tmp_path / "fresh.duckdb"))
    odd: dict[str, Any] = {
        'a "%s" sign': "yes",
        "A %S Sign": "no",
        "order_line_items": [{"quantity": "many"}],
    }
    put(sandbox, total="much", **odd)
    assert fresh.load("orders").changes == ()

    put(sandbox, total="more", status="received", sub_total="1,50", **odd)

    changes = [str(change) for change in fresh.load("orders").changes]
    assert changes == ["orders.sub_total: values that do not fit"]


@pytest.mark.slow
def test_a_field_that_vanished_is_noted_and_so_is_its_return(
    sandbox: Sandbox, loader: Loader
) -> None:
    for total, reference in ((1, None), (2, None), (3, "r")):
        put(sandbox, colour="red", reference=reference, status="received", total=total)
        loader.load("orders")

    assert noted(loader) == [
        ("orders", "field", "orders.reference", "string", None),
        ("orders", "field", "orders.reference", None, "string"),
    ]


def test_of_few_records_nobody_can_tell_that_a_field_has_vanished(
    sandbox: Sandbox, loader: Loader
) -> None:
    put(sandbox, 49, colour="red", reference=None, status="received", total=1)
    loader.load("orders")

    assert noted(loader) == []


def test_of_more_fields_than_are_asked_for_not_all_are_noted(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wholesale_elt.load.schema_watch.MOST_ASKED", 1)
    put(sandbox, colour="red", reference="r", status="received", total="much", sub_total="some")

    outcome = loader.load("orders")

    assert len(outcome.changes) == 1
    assert sorted(outcome.misfits) == [("orders", "sub_total"), ("orders", "total")]
