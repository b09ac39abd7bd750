"""Calls: whom to call, in the order of the tasks, and what there is to say, by the reports."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish, rows_of
from wholesale_elt.dashboard.contents.calls import read_calls

SHEET = "wholesale_bi.rpt_call_sheet"
PRODUCTS = "wholesale_bi.rpt_call_sheet_products"


@contextmanager
def opened(site: Site) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(site.database), read_only=True) as connection:
        yield connection


def index_of(site: Site) -> Any:
    return site.content("calls/index")


def test_buyers_stand_in_the_order_of_their_tasks(site: Site) -> None:
    buyers = [row["buyer_id"] for row in rows_of(index_of(site)["buyers"])]
    silent, due = (
        [row["buyer_id"] for row in site.table("tasks", kind)] for kind in ("silent", "due")
    )
    called = [*silent, *(buyer for buyer in due if buyer not in silent)]
    assert buyers == called[: len(buyers)]
    assert buyers
    assert next(rows_of(index_of(site)["totals"]))["buyer_count"] == len(called)


def test_a_file_has_the_next_buyers_and_no_other(site: Site) -> None:
    with opened(site) as connection:
        files = dict(read_calls(connection, size=2))
    buyers = [row["buyer_id"] for row in rows_of(files["index"]["buyers"])]
    assert list(files) == ["index", *map(str, range((len(buyers) + 1) // 2))]
    for number, name in enumerate(list(files)[1:]):
        own = buyers[2 * number : 2 * number + 2]
        for table in files[name].values():
            told = [row["buyer_id"] for row in rows_of(table)]
            assert [buyer for buyer in own if buyer in told] == list(dict.fromkeys(told))


def test_a_file_has_every_product_of_the_report(site: Site) -> None:
    columns = "buyer_id, product_list, item_key, usual_quantity, taking_buyer_count"
    with opened(site) as connection:
        told = [
            tuple(row[name] for name in columns.split(", "))
            for name, tables in read_calls(connection)
            if name != "index"
            for row in rows_of(tables["products"])
        ]
    assert sorted(told, key=str) == sorted(
        site.answer(f"select {columns} from {PRODUCTS}"), key=str
    )


def test_the_sheet_is_bounded_and_its_totals_are_not(site: Site) -> None:
    with opened(site) as connection:
        files = dict(read_calls(connection, most=1))
    assert list(files) == ["index", "0"]
    assert files["index"]["buyers"]["length"] == 1
    [(count,)] = site.answer(f"select count(*) from {SHEET}")
    assert next(rows_of(files["index"]["totals"]))["buyer_count"] == count


@pytest.mark.parametrize("is_published", [True, False])
def test_a_number_and_a_comment_are_told_where_they_are_published(
    built: Marts, tmp_path: Path, is_published: bool
) -> None:
    left_out = {"dim_buyers": ("phone",), "fct_order_comments": ("author", "body")}
    site = publish(
        *(built, tmp_path),
        *(
            f"alter table wholesale_marts.{table} drop column {name}"
            for table, names in left_out.items()
            for name in names
            if not is_published
        ),
    )
    first = next(rows_of(index_of(site)["buyers"]))
    assert [name in first for name in ("phone", "author", "body")] == [is_published] * 3
    if is_published:
        [(phone,)] = site.answer(
            "select phone from wholesale_marts.dim_buyers"
            f" inner join {SHEET} using (buyer_id) where position = 1"
        )
        assert first["phone"] == phone


def test_nobody_is_to_be_called_where_nobody_is_silent_or_due(built: Marts, tmp_path: Path) -> None:
    site = publish(built, tmp_path, f"delete from {SHEET}")
    assert [name for name in site.names() if name.startswith("calls/")] == ["calls/index"]
    assert index_of(site)["buyers"]["length"] == 0
