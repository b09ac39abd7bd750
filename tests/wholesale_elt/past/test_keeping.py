"""How long the past is kept, and what a wrong clock does to it."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Self

import pytest

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale.errors import ConfigurationError
from wholesale.sync import run as running
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.load.forgetting import forget_past
from wholesale_elt.load.rereading import Wanted, reread_records
from wholesale_elt.past import rows_as_of
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

TOTALS = "select total from orders__past order by 1"


def edit(sandbox: Sandbox, loader: Loader, *totals: int) -> None:
    for total in totals:
        at = f"2026-03-01T00:00:{total:02}Z"
        sandbox.put("orders", order("A", total=f"{total}", updated_at=at))
        loader.load("orders")


def test_the_past_is_kept_for_ever_unless_a_setting_says_for_how_many_days(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(sandbox, loader, 1, 2, 3)
    loader.execute(
        "update orders__past set valid_from = valid_from - interval 40 day,"
        " valid_to = valid_to - interval 40 day where total = 1;"
        " update sync_runs set run_id = '2020' || substr(run_id, 5)"
    )
    then, lately = (datetime.now(UTC) - timedelta(days=days) for days in (50, 20))

    forget_past(loader.warehouse)
    assert loader.rows(TOTALS) == [(1,), (2,)]

    monkeypatch.setenv("HISTORY__KEEP_DAYS", "30")
    forget_past(loader.warehouse)
    assert loader.rows(TOTALS) == [(2,)]
    with pytest.raises(ConfigurationError):
        copy_as_of(loader.warehouse, Warehouse(loader.warehouse.database.with_name("x")), then)
    copy_as_of(loader.warehouse, Warehouse(loader.warehouse.database.with_name("y")), lately)

    before = loader.rows("select * from sync_forgotten")
    forget_past(loader.warehouse)
    assert loader.rows("select * from sync_forgotten") == before

    monkeypatch.setenv("HISTORY__KEEP_DAYS", "soon")
    with pytest.raises(ConfigurationError):
        forget_past(loader.warehouse)


def test_nothing_is_forgotten_while_another_run_is_at_work(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(sandbox, loader, 1, 2)
    loader.execute("update orders__past set valid_to = valid_to - interval 40 day")
    monkeypatch.setenv("HISTORY__KEEP_DAYS", "30")

    with loader.warehouse.hold():
        forget_past(loader.warehouse)

    assert loader.rows(TOTALS) == [(1,)]


def test_what_a_run_wrote_under_a_clock_that_was_ahead_is_dated_before_the_next_run(
    sandbox: Sandbox, loader: Loader
) -> None:
    edit(sandbox, loader, 1)
    first = datetime.now(UTC)
    edit(sandbox, loader, 2)
    loader.execute(
        "update orders set valid_from = '2099-01-01';"
        " update orders__past set valid_to = '2099-01-01';"
        " update sync_runs set run_id = '2099' || substr(run_id, 5)"
        " where run_id = (select max(run_id) from sync_runs)"
    )
    second = datetime.now(UTC)

    loader.load("orders")
    between = datetime.now(UTC)
    edit(sandbox, loader, 3)

    with loader.warehouse.open(is_read_only=True) as raw:
        found = [
            raw.rows(rows_as_of(raw, "orders", ["id", "total"], moment))
            for moment in (first, second, between, datetime.now(UTC))
        ]
    assert found == [[(guid("A"), total)] for total in (1, 1, 2, 3)]


class Ahead(datetime):
    """A clock that is a year ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(days=365)


def stretches(loader: Loader, table: str, key: str) -> list[tuple[Any, ...]]:
    """Since when and until when a row was so, one after the other."""
    return loader.rows(
        f"select valid_from, valid_to from (select * from {table}__past union all by name"
        f" select *, null as valid_to from {table}) where {key} = '{guid('A')}'"
        " order by valid_to nulls last, valid_from"
    )


def test_what_was_read_again_under_a_clock_that_was_ahead_is_dated_before_the_next_run(
    sandbox: Sandbox, loader: Loader
) -> None:
    moments = []
    for total in range(1, 5):
        at = f"2026-03-01T00:00:{total:02}Z"
        lines = [line("x", quantity=total)]
        sandbox.put("orders", order("A", total=f"{total}", order_line_items=lines, updated_at=at))
        if total == 2:  # which leaves no certificate
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(running, "datetime", Ahead)
                reread_records(loader.settings, loader.warehouse, Wanted([guid("A")]))
        else:
            loader.load("orders")
        moments.append(datetime.now(UTC))

    with loader.warehouse.open(is_read_only=True) as raw:
        found = [raw.rows(rows_as_of(raw, "orders", ["total"], moment)) for moment in moments]
    assert found == [[(total,)] for total in (1, 1, 3, 4)]
    for table, key in (("orders", "id"), ("orders__order_line_items", "order_id")):
        told = stretches(loader, table, key)
        assert len(told) == 3
        assert told[-1][1] is None
        assert all(since < until for since, until in told[:-1])
        assert [until for _, until in told[:-1]] == [since for since, _ in told[1:]]
