"""Served: a business that is edited at its service, so that each sync keeps what was before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import duckdb
import msgspec
import pytest

from support.warehouses.edits import KINDS, World
from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_sandbox.server import Sandbox

Record = dict[str, Any]
AMOUNTS = ("sub_total", "total")
LINES = "order_line_items"
CANCELLED = "cancelled"
WHOLE, CHANGING = tuple(RESOURCE), ("orders", "vendors", "buyers")
_read = msgspec.json.Decoder()


def _is_alive(order: Record) -> bool:
    return bool(order["status"] != CANCELLED)


def _always(order: Record) -> bool:
    return True


def _more(order: Record, random: Random, _: "Served") -> Record:
    amount = Decimal(random.randint(1, 9999)) / 100
    known = {name: order[name] for name in AMOUNTS if order.get(name) is not None}
    return {name: str(Decimal(str(value)) + amount) for name, value in known.items()}


def _of_another(resource: str) -> Callable[[Record, Random, "Served"], Record]:
    def edit(order: Record, random: Random, served: "Served") -> Record:
        return {f"{resource.removesuffix('s')}_id": random.choice(served.ids(resource))}

    return edit


def _earlier(order: Record, random: Random, _: "Served") -> Record:
    then = datetime.fromisoformat(order["created_at"]) - timedelta(days=40)
    return {"created_at": then.isoformat()}


def _line(order: Record, random: Random, _: "Served") -> Record:
    first, *others = order[LINES]
    quantity = first["quantity"] + 1
    price = Decimal(str(first["unit_price"])) * quantity
    return {LINES: [{**first, "quantity": quantity, "total_price": price}, *others]}


def _given(**fields: str) -> Callable[[Record, Random, "Served"], Record]:
    return lambda order, random, served: fields


EDITS: Mapping[
    str, tuple[Callable[[Record], bool], Callable[[Record, Random, "Served"], Record]]
] = {
    "edited": (_is_alive, _more),
    "cancelled": (_is_alive, _given(status=CANCELLED)),
    "taken up again": (lambda order: not _is_alive(order), _given(status="received")),
    "implausible": (_is_alive, _given(sub_total="1" + 20 * "0")),
    "paid back": (
        lambda order: _is_alive(order) and order["payment_status"] == "paid",
        _given(payment_status="refunded"),
    ),
    "paid": (
        lambda order: _is_alive(order) and order["payment_status"] == "unpaid",
        _given(payment_status="paid"),
    ),
    "shipped": (lambda order: order["status"] == "delivered", _given(status="shipped")),
    "vendor": (_always, _of_another("vendors")),
    "buyer": (_always, _of_another("buyers")),
    "day": (_always, _earlier),
    "line": (lambda order: bool(order[LINES]), _line),
    "line gone": (
        lambda order: bool(order[LINES]),
        lambda order, random, served: {LINES: order[LINES][1:]},
    ),
    "category": (
        _always,
        lambda order, random, served: {
            LINES: [{**each, "categoy_name": "Another"} for each in order[LINES]]
        },
    ),
}
"""What becomes of an order: which ones it may happen to, and the fields that are others then."""
ALL: Sequence[str] = (*EDITS, "deleted", "reappeared", "found late", "new", "renamed")


@contextmanager
def one_thread() -> Iterator[None]:
    """Until the block ends, DuckDB works in the thread that asks: of so few rows a second one has
    no part, and polls for work."""
    connect = duckdb.connect

    def connected(
        database: str = ":memory:", read_only: bool = False, config: Record | None = None
    ) -> duckdb.DuckDBPyConnection:
        return connect(database, read_only=read_only, config={**(config or {}), "threads": 1})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "connect", connected)
        yield


@dataclass(kw_only=True)
class Served(World):
    """A warehouse, and the service that it is read from."""

    sandbox: Sandbox
    preferred: str = ""
    """Of these months, `2026-01 2026-02`, two orders of three are to be."""
    gone: dict[str, bytes] = field(default_factory=dict)
    """Orders that the service has no more."""

    @classmethod
    def of(cls, sandbox: Sandbox, marts: Marts, folder: Path, random: Random) -> "Served":
        return cls(marts=marts, folder=folder, random=random, sandbox=sandbox)

    def read(self, *resources: str) -> None:
        settings = ApiSettings.of(base_url=self.sandbox.base_url, api_key="sandbox")
        assert sync_resources(settings, self.marts.warehouse, resources or CHANGING).is_complete

    def ids(self, resource: str) -> list[str]:
        return [
            _read.decode(body)["id"]
            for _, body in self.sandbox.storage.collection(resource).records()
        ]

    def delete(self, order: str) -> None:
        found = self.sandbox.storage.collection("orders").get(order)
        assert found
        self.gone[order] = found
        self.sandbox.delete("orders", order)

    def edit(self, kind: str) -> str | None:
        """Let it happen to some order, or buyer; its id, or None if it can happen to none."""
        if kind == "renamed":
            return self._rename(self.random.choice(self.ids("buyers")))
        if kind == "reappeared":
            return self._put_back()
        may, edit = EDITS.get(kind, (_is_alive, _given()))
        found = [order for order in self._orders() if may(order)]
        of_months = [order for order in found if order["created_at"][:7] in self.preferred]
        if of_months and self.random.random() < 2 / 3:
            found = of_months
        if not found:
            return None
        order = self.random.choice(found)
        self.touched.add(order["id"])
        if kind == "deleted":
            self.delete(order["id"])
            return str(order["id"])
        now = datetime.now(UTC).isoformat()
        new = {**order, **edit(order, self.random, self), "updated_at": now}
        if kind in ("found late", "new"):
            own = str(self.random.getrandbits(32))
            new |= {"id": self._new_id(), "order_number": own}
        if kind == "new":
            new["created_at"] = now
        self.touched.add(new["id"])
        self.sandbox.put("orders", new)
        return str(new["id"])

    def remove(self) -> None:
        """Take an order out of the service and the warehouse, as if they had never had it."""
        _, _, statements = KINDS["erased"]
        [order] = self.random.sample([each["id"] for each in self._orders()], 1)
        self.delete(order)
        self.marts.change(*(statement.format(id=order) for statement in statements))

    def _orders(self) -> list[Record]:
        """Those that were not touched since the last sync."""
        records = self.sandbox.storage.collection("orders").records()
        found = (_read.decode(body) for _, body in records)
        return [order for order in found if order["id"] not in self.touched]

    def _put_back(self) -> str | None:
        gone = sorted(set(self.gone) - self.touched)
        if not gone:
            return None
        order = self.random.choice(gone)
        self.sandbox.put("orders", self.gone.pop(order))
        self.touched.add(order)
        return order

    def _rename(self, buyer: str) -> str:
        body = self.sandbox.storage.collection("buyers").get(buyer)
        assert body
        name = f"Other {self.random.getrandbits(32)}"
        self.sandbox.put("buyers", {**_read.decode(body), "company_name": name})
        return buyer

    def _new_id(self) -> str:
        return str(UUID(int=self.random.getrandbits(128), version=4))
