"""Edits: what may happen to orders between two syncs, each with the cause that it is."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.warehouses.marts import Marts
from wholesale_elt.dashboard import ENTRIES
from wholesale_elt.figures import FACTS
from wholesale_elt.publish import publisher
from wholesale_elt.publish.comparison import compare
from wholesale_elt.publish.publisher import publish_marts

RAW = "wholesale_raw"
LINES = f"{RAW}.orders__order_line_items"
KINDS: Mapping[str, tuple[str, str, Sequence[str]]] = {
    "edited": (
        "status <> 'cancelled' and _deleted_at is null",
        "edited",
        [f"update {RAW}.orders set sub_total = sub_total + {{amount}} where id = '{{id}}'"],
    ),
    "cancelled": (
        "status <> 'cancelled' and _deleted_at is null",
        "cancelled",
        [f"update {RAW}.orders set status = 'cancelled' where id = '{{id}}'"],
    ),
    "taken up again": (
        "status = 'cancelled' and _deleted_at is null",
        "state changed",
        [f"update {RAW}.orders set status = 'received' where id = '{{id}}'"],
    ),
    "deleted": (
        "status <> 'cancelled' and _deleted_at is null",
        "deleted",
        [f"update {RAW}.orders set _deleted_at = now() where id = '{{id}}'"],
    ),
    "erased": (
        "status <> 'cancelled' and _deleted_at is null",
        "left",
        [
            f"delete from {RAW}.orders where id = '{{id}}'",
            f"delete from {LINES} where order_id = '{{id}}'",
            f"delete from {RAW}.orders__order_comments where order_id = '{{id}}'",
        ],
    ),
    "reappeared": (
        "status <> 'cancelled' and _deleted_at is not null",
        "reappeared",
        [f"update {RAW}.orders set _deleted_at = null where id = '{{id}}'"],
    ),
    "found late": (
        "status <> 'cancelled' and _deleted_at is null",
        "found late",
        [
            f"insert into {RAW}.orders by name select * replace ('late ' || id as id)"
            f" from {RAW}.orders where id = '{{id}}'",
            f"insert into {LINES} by name select * replace ('late ' || order_id as order_id)"
            f" from {LINES} where order_id = '{{id}}'",
        ],
    ),
    "new": (
        "status <> 'cancelled' and _deleted_at is null",
        "new",
        [
            f"insert into {RAW}.orders by name select * replace ('new ' || id as id,"
            " (select max(ended_at) + interval 1 second from wholesale_raw.sync_runs)"
            f" as created_at) from {RAW}.orders where id = '{{id}}'",
            f"insert into {LINES} by name select * replace ('new ' || order_id as order_id)"
            f" from {LINES} where order_id = '{{id}}'",
        ],
    ),
    "implausible": (
        "status <> 'cancelled' and _deleted_at is null",
        "set aside",
        [f"update {RAW}.orders set sub_total = 1e20 where id = '{{id}}'"],
    ),
}
"""Of orders that change what is sold: which ones it may happen to, its cause, and the SQL."""
OTHERS: Mapping[str, tuple[str, Sequence[str]]] = {
    "paid back": (
        "status <> 'cancelled' and payment_status = 'paid' and _deleted_at is null",
        [f"update {RAW}.orders set payment_status = 'refunded' where id = '{{id}}'"],
    ),
    "shipped": (
        "status = 'delivered' and _deleted_at is null",
        [f"update {RAW}.orders set status = 'shipped' where id = '{{id}}'"],
    ),
    "vendor": (
        "_deleted_at is null",
        [
            f"update {RAW}.orders set vendor_id = (select min(id) from {RAW}.vendors)"
            " where id = '{id}'"
        ],
    ),
    "buyer": (
        "_deleted_at is null",
        [
            f"update {RAW}.orders set buyer_id = (select min(id) from {RAW}.buyers)"
            " where id = '{id}'"
        ],
    ),
    "day": (
        "_deleted_at is null",
        [f"update {RAW}.orders set created_at = created_at - interval 40 day where id = '{{id}}'"],
    ),
    "line": (
        "_deleted_at is null",
        [
            f"update {LINES} set quantity = quantity + 1, total_price = total_price + unit_price"
            " where order_id = '{id}' and line_number = 1"
        ],
    ),
    "line gone": (
        "_deleted_at is null",
        [
            f"delete from {LINES} where order_id = '{{id}}' and line_number = 1",
            f"update {LINES} set line_number = line_number - 1 where order_id = '{{id}}'",
        ],
    ),
    "category": (
        "_deleted_at is null",
        [f"update {LINES} set categoy_name = 'Another' where order_id = '{{id}}'"],
    ),
}
"""What changes no total, but other figures."""
SETTINGS: Sequence[Mapping[str, str]] = (
    {},
    {"BUILD__TIME_ZONE": "America/Los_Angeles"},
    {"BUILD__CANCELLED_ORDER_STATUSES": '["cancelled", "confirmed", "received"]'},
    {"BUILD__IS_DISCOUNT_IN_AMOUNTS": "true"},
    {"BUILD__LAPSE_DAYS": "30"},
)


COUNTED = (
    *FACTS,
    *dict.fromkeys(join.table for fact in FACTS.values() for join in fact.joins.values()),
    *("dim_as_of", "rpt_currencies", "rpt_freshness", "rpt_headlines", "rpt_orders"),
    "rpt_sync_runs",
)
"""What figures are of, what their causes are found in, and what tells of a version."""


def write_page(
    database: Path, folder: Path, manifest: Mapping[str, Any], take_data: object = None
) -> None:
    """A dashboard that shows nothing, and takes no time."""
    folder.mkdir()
    for page in ("index.html", *ENTRIES.values()):
        (folder / page).write_text(manifest["version"], "utf-8")


@contextmanager
def without_pages() -> Iterator[None]:
    """Until the block ends, what is published has no dashboard but that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publisher, "write_dashboard", write_page)
        yield


@dataclass
class World:
    """A warehouse that is edited at random, and published after it; no order twice in between."""

    marts: Marts
    folder: Path
    random: Random
    causes: dict[str, str] = field(default_factory=dict)
    """Of each order that changed what is sold, why."""
    touched: set[str] = field(default_factory=set)
    happened: dict[str, str] = field(default_factory=dict)
    """The order to which each kind of edit happened last."""

    def publish(self) -> None:
        """As a first version, which is compared with none: tests do so themselves."""
        self.marts.build(*COUNTED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(publisher, "compare", lambda new: compare(replace(new, last=None)))
            publish_marts(
                self.marts.warehouse, str(self.folder), keep=20, is_even_if_incomplete=True
            )

    def edit(self, kind: str) -> str | None:
        """Let it happen to some order; its id, or None if it can happen to none."""
        if kind in KINDS:
            which, cause, statements = KINDS[kind]
        else:
            (which, statements), cause = OTHERS[kind], ""
        found = [
            order
            for (order,) in self.marts.rows(
                f"select id from {RAW}.orders where {which} and id not like '% %' order by id"
            )
            if order not in self.touched
        ]
        if not found:
            return None
        order = str(self.random.choice(found))
        amount = self.random.randint(1, 9999) / 100
        self.marts.change(
            *(statement.format(id=order, amount=f"{amount:.2f}") for statement in statements),
            f"update {RAW}.sync_runs set last_total_count = (select count(*) from {RAW}.orders"
            " where _deleted_at is null) where resource = 'orders'",
        )
        self.touched.add(order)
        named = f"{'late' if cause == 'found late' else cause} {order}"
        told = named if cause in ("found late", "new") else order
        self.touched.add(told)
        self.happened[kind] = told
        if cause:
            self.causes[told] = cause
        return told


def publish_again(marts: Marts, first: Path, folder: Path) -> tuple[str, str]:
    """Publish a built warehouse, of which the first version is there, with an order that is gone
    and one whose amount is another one by 12.5, of marts alone: no build takes its time. The
    orders."""
    shutil.copytree(first, folder, symlinks=True)
    (gone,), (edited,) = marts.rows(
        "select order_id from wholesale_marts.fct_orders where is_sale order by 1 limit 2"
    )
    marts.change(
        "update wholesale_marts.fct_orders set is_sale = false, is_deleted = true"
        f" where order_id = '{gone}'",
        "update wholesale_marts.fct_orders set sub_total = sub_total + 12.5"
        f" where order_id = '{edited}'",
        "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second",
    )
    publish_marts(marts.warehouse, str(folder))
    return str(gone), str(edited)
