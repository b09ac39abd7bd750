"""The rows of every table as they were at any moment, whatever happened since, everywhere."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from support.few import by_hand, few
from support.records.changes import RESOURCES, come_back, edit, fill
from support.records.samples import Record, guid, line, order
from support.warehouses.destinations import Place
from wholesale_elt.past import is_past, past_of, rows_as_of
from wholesale_elt.warehouse import Raw, RawReader
from wholesale_sandbox.server import Sandbox

DESTINATIONS = (
    "duckdb",
    "postgres",
    pytest.param("lake", marks=pytest.mark.slow),
    by_hand("ducklake"),
    by_hand("ducklake in postgres and s3"),
)
Rows = Counter[tuple[tuple[str, Any], ...]]
"""Rows without nulls: a column that came later is not there in those of before."""


def rows_of(raw: Raw, query: str, columns: Sequence[str]) -> Rows:
    return Counter(
        tuple(
            (name, str(value))
            for name, value in zip(columns, row, strict=True)
            if value is not None
        )
        for row in raw.rows(query)
    )


def tables_in(raw: RawReader) -> list[str]:
    tables = raw.tables()
    return [table for table in tables if past_of(table) in tables]


def columns_of(raw: Raw, table: str) -> list[str]:
    return sorted(raw.column_names(table))


def as_now(place: Place) -> Mapping[str, Rows]:
    """What each table of records holds, with the moment since when it does."""
    with place.warehouse.open() as raw:
        return {
            table: rows_of(
                raw,
                f"select {', '.join(selected(raw, table))} from {raw.name(table)}",
                columns_of(raw, table),
            )
            for table in tables_in(raw)
        }


def as_then(place: Place, moment: datetime) -> Mapping[str, Rows]:
    with place.warehouse.open() as raw:
        return {
            table: rows_of(
                raw,
                rows_as_of(raw, table, selected(raw, table), moment),
                columns_of(raw, table),
            )
            for table in tables_in(raw)
        }


def by_function(place: Place, moment: datetime) -> Mapping[str, Rows]:
    with place.warehouse.open() as raw:
        return {
            table: rows_of(
                raw,
                f"select {', '.join(selected(raw, table))}"
                f" from wholesale_raw.{table}_as_of('{moment.isoformat()}')",
                columns_of(raw, table),
            )
            for table in tables_in(raw)
        }


def selected(raw: Raw, table: str) -> list[str]:
    """JSON as text, which two destinations show alike."""
    return [f'cast("{name}" as varchar)' for name in columns_of(raw, table)]


def rows_in_past(place: Place) -> dict[str, int]:
    with place.warehouse.open() as raw:
        return {name: raw.count(name) for name in raw.tables() if is_past(name)}


class Business:
    """Orders that are edited, deleted, brought back and extended at random."""

    def __init__(self, sandbox: Sandbox, seed: int) -> None:
        self._sandbox = sandbox
        self._draw = Random(seed)
        self._orders: dict[str, Record] = {}
        self._gone: dict[str, Record] = {}
        self._at = datetime(2026, 2, 1, tzinfo=UTC)
        for number in range(8):
            self._new(f"{number}")
        self._vendor("Nord")

    def move_on(self) -> None:
        acts = (
            *(self._edit, self._edit_line, self._drop_line, self._comment, self._turn_lines),
            *(self._delete, self._come_back, self._field, self._rename, self._order),
        )
        for act in self._draw.sample(acts, self._draw.randrange(4)):
            act()

    def _new(self, name: str) -> None:
        lines = [line(f"{name}{n}") for n in range(self._draw.randrange(4))]
        self._put(order(name, order_line_items=lines, order_comments=[{"body": "?"}]))

    def _put(self, record: Record, **fields: Any) -> None:
        self._at += timedelta(minutes=1)
        record = record | fields | {"updated_at": self._at.isoformat()}
        self._orders[record["id"]] = record
        self._sandbox.put("orders", record)

    def _any(self) -> Record:
        return self._draw.choice(list(self._orders.values()))

    def _edit(self) -> None:
        self._put(self._any(), total=str(self._draw.randrange(100)), status="shipped")

    def _edit_line(self) -> None:
        record = self._any()
        if lines := list(record["order_line_items"]):
            lines[-1] = lines[-1] | {"quantity": self._draw.randrange(2, 99)}
        self._put(record, order_line_items=lines)

    def _drop_line(self) -> None:
        record = self._any()
        self._put(record, order_line_items=record["order_line_items"][1:])

    def _turn_lines(self) -> None:
        record = self._any()
        self._put(record, order_line_items=record["order_line_items"][::-1])

    def _comment(self) -> None:
        record = self._any()
        more = {"body": f"{self._draw.random()}"}
        self._put(record, order_comments=[*record["order_comments"], more])

    def _delete(self) -> None:
        if len(self._orders) > 1:
            key = self._any()["id"]
            self._gone[key] = self._orders.pop(key)
            self._sandbox.delete("orders", key)

    def _come_back(self) -> None:
        if self._gone:
            self._put(self._gone.popitem()[1])

    def _field(self) -> None:
        self._put(self._any(), **{f"field_{self._draw.randrange(3)}": "new"})

    def _rename(self) -> None:
        self._vendor(f"Vendor {self._draw.random()}")

    def _vendor(self, name: str) -> None:
        self._sandbox.put("vendors", {"id": guid("vendor"), "name": name})

    def _order(self) -> None:
        self._new(f"{self._draw.random()}")


def assert_as_of(place: Place, move_on: Callable[[], object], steps: int, *resources: str) -> None:
    seen = []
    for _ in range(steps):
        place.load(*resources)
        seen.append((datetime.now(UTC), as_now(place)))
        move_on()
    for moment, rows in seen:
        found = as_then(place, moment)
        assert {table: found[table] for table in rows} == rows
        assert by_function(place, moment) == found


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("seed", few(range(40), 1))
def test_the_rows_of_each_moment_are_those_that_were_there_then(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str, seed: int
) -> None:
    business = Business(sandbox, seed)

    assert_as_of(place_in(destination), business.move_on, 5, "orders", "vendors")


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_resources_of_every_kind_have_a_past(
    sandbox: Sandbox, place_in: Callable[[str], Place], destination: str
) -> None:
    place = place_in(destination)
    changes = iter((fill, edit, come_back))
    next(changes)(sandbox)

    assert_as_of(place, lambda: next(changes, lambda _: None)(sandbox), 3, *RESOURCES)

    assert rows_in_past(place) == {
        "orders__past": 5,  # three edited, one deleted and back
        "orders__order_line_items__past": 4,
        "orders__order_comments__past": 4,
        "vendors__past": 1,
        "items__past": 0,  # its options alone changed
        "items__options__past": 1,
        "variants__past": 1,
        "variants__options__past": 1,
        "prices__past": 1,
        "brands__past": 0,
    }
    [(moment,)] = place.rows("select valid_to from wholesale_raw.vendors__past")
    at_that_moment = f"wholesale_raw.vendors_as_of('{moment.isoformat()}')"
    [(rows, ids)] = place.rows(f"select count(*), count(distinct id) from {at_that_moment}")
    assert rows == ids > 0  # what was replaced then is there no more
