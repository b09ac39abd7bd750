"""Whatever happens to a business, in any order: each published version can be made again later,
and between any two of them every figure moved by its causes alone, which name the orders touched.

A sequence has steps of edits, deletions, reappearances, renames and settings, each with a sync, a
build and a publication; some of them are killed before, at any moment. SEQUENCES says how many the
long line draws: `poe sequences` takes two hundred.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import httpx
import pytest

import wholesale_elt.publish.publisher as publishing
from support.services.command import start_command
from support.services.trust import NOBODY
from support.warehouses.bench import LISTS
from support.warehouses.edits import SETTINGS, write_page
from support.warehouses.marts import OF_THE_MOMENT, Marts
from wholesale.settings import ApiSettings
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import FACTS, Question, read_metrics
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish import find_site
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

SEQUENCES = int(os.environ.get("SEQUENCES", "3"))
STEPS = 12
SHORT = 3
ORDERS = 40
MOST_EDITS = 6
LONGEST_RUN = 6.0
"""Seconds after which a run that is to be killed has ended, about."""
RUN_WITHOUT_PAGES = """
import wholesale_elt.publish.publisher as publishing
from support.warehouses.edits import write_page
from wholesale_elt.cli.main import main
publishing.write_dashboard = write_page
main()
"""
Record = dict[str, Any]
Gives = Mapping[str, Decimal]


@dataclass
class Version:
    """A version that was published: after which sync, under which settings, and what happened to
    orders since the one before; `causes` tells why, of each that gives more or less to sales."""

    name: str
    at: datetime
    settings: Mapping[str, str]
    causes: Mapping[str, str]


@dataclass
class Business:
    """Orders of a sandbox to which something happens at random, none twice between two syncs."""

    sandbox: Sandbox
    random: Random
    gone: dict[str, Record] = field(default_factory=dict)
    causes: dict[str, str] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    def records(self, resource: str) -> list[Record]:
        answer = httpx.get(f"{self.sandbox.admin_url}/truth/{resource}", verify=NOBODY)
        found = [json.loads(text, parse_float=Decimal) for text in answer.text.splitlines()]
        return sorted(found, key=lambda record: record["id"])

    def move_on(self) -> None:
        self.causes, self.touched = {}, set()
        acts = (
            *(self.edit, self.edit, self.cancel, self.take_up, self.delete, self.come_back),
            *(self.order, self.find_late, self.pay_back, self.edit_line, self.drop_line),
            *(self.rename_vendor, self.rename_buyer, self.move_day, self.change_buyer),
        )
        for act in self.random.choices(acts, k=self.random.randrange(MOST_EDITS + 1)):
            act()

    def _put(self, record: Record, cause: str = "", **fields: Any) -> None:
        now = datetime.now(UTC).isoformat()
        self.sandbox.put("orders", {**record, "updated_at": now, **fields})
        key = str(fields.get("id", record["id"]))
        self.touched |= {key, str(record["id"])}
        if cause:
            self.causes[key] = cause

    def _any(self, *, is_sale: bool | None = True) -> Record | None:
        """Some order that nothing happened to yet."""
        found = [
            record
            for record in self.records("orders")
            if record["id"] not in self.touched
            and is_sale in (None, record["status"] != "cancelled")
        ]
        return self.random.choice(found) if found else None

    def edit(self) -> None:
        if record := self._any():
            more = Decimal(self.random.randint(1, 9999)) / 100
            self._put(record, "edited", sub_total=Decimal(record["sub_total"]) + more)

    def cancel(self) -> None:
        if record := self._any():
            self._put(record, "cancelled", status="cancelled")

    def take_up(self) -> None:
        if record := self._any(is_sale=False):
            self._put(record, "state changed", status="received")

    def delete(self) -> None:
        if record := self._any(is_sale=None):
            self.sandbox.delete("orders", record["id"])
            self.touched.add(record["id"])
            self.gone[record["id"]] = record
            if record["status"] != "cancelled":
                self.causes[record["id"]] = "deleted"

    def come_back(self) -> None:
        for key, record in self.gone.items():
            if key not in self.touched:
                del self.gone[key]
                is_sale = record["status"] != "cancelled"
                return self._put(record, "reappeared" if is_sale else "")

    def order(self) -> None:
        if record := self._any():
            at = datetime.now(UTC).isoformat()
            self._put(record, "new", id=self._new_id(record), created_at=at)

    def find_late(self) -> None:
        if record := self._any():
            self._put(record, "found late", id=self._new_id(record))

    def _new_id(self, record: Record) -> str:
        return f"{record['id'][:-12]}{self.random.randrange(16**12):012x}"

    def pay_back(self) -> None:
        if record := self._any():
            self._put(record, payment_status="refunded")

    def edit_line(self) -> None:
        if record := self._any():
            first, *others = record["order_line_items"]
            more = first["quantity"] + 1
            total = more * Decimal(first["unit_price"])
            lines = [{**first, "quantity": more, "total_price": total}, *others]
            self._put(record, order_line_items=lines)

    def drop_line(self) -> None:
        if record := self._any():
            self._put(record, order_line_items=record["order_line_items"][1:])

    def move_day(self) -> None:
        if record := self._any():
            at = datetime.fromisoformat(record["created_at"]) - timedelta(days=40)
            self._put(record, created_at=at.isoformat())

    def change_buyer(self) -> None:
        if record := self._any():
            buyer = self.random.choice(self.records("buyers"))
            self._put(record, buyer_id=buyer["id"], buyer_company_name=buyer["company_name"])

    def rename_vendor(self) -> None:
        self._rename("vendors", "name")

    def rename_buyer(self) -> None:
        self._rename("buyers", "company_name")

    def _rename(self, resource: str, name: str) -> None:
        record = self.random.choice(self.records(resource))
        at = datetime.now(UTC).isoformat()
        more = {"updated_at": at} if "updated_at" in record else {}
        self.sandbox.put(resource, {**record, name: f"Name {self.random.random()}", **more})


@dataclass
class Shop:
    """A warehouse that follows a business, and its versions."""

    business: Business
    folder: Path
    random: Random
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: list[Version] = field(default_factory=list)

    @property
    def marts(self) -> Marts:
        return Marts(self.folder / "wholesale.duckdb")

    @property
    def published(self) -> Path:
        return self.folder / "published"

    def change_settings(self) -> None:
        self.settings = self.random.choice(SETTINGS)

    def run(self) -> None:
        base_url = self.business.sandbox.base_url
        settings = ApiSettings.of(base_url=base_url, api_key="sandbox")
        assert sync_resources(settings, self.marts.warehouse, LISTS).is_complete
        at = datetime.now(UTC)
        with settled(self.settings):
            self.marts.build()
            publishing.publish_marts(self.marts.warehouse, str(self.published))
        name = find_site(self.published).manifest.version
        self.versions.append(Version(name, at, self.settings, dict(self.business.causes)))

    def run_until_killed(self) -> None:
        """A whole run that is killed at any moment, or has ended before."""
        environment = {
            **os.environ,
            **self.settings,
            "SOURCES__WHOLESALE__BASE_URL": self.business.sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        words = ("run", "--to", str(self.published), "--keep", "99")
        output = self.folder / "output"
        process = start_command(words, self.folder, environment, output, program=RUN_WITHOUT_PAGES)
        process.join(self.random.uniform(0.3, LONGEST_RUN))
        process.kill()
        process.join()

    def database(self, version: Version) -> Path:
        return self.published / "versions" / version.name / "wholesale.duckdb"


@contextmanager
def settled(settings: Mapping[str, str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        yield


def assert_made_again(shop: Shop, version: Version, folder: Path) -> None:
    """What the warehouse says of then is what was published then, to the last digit."""
    then = Marts(folder / f"{version.name}.duckdb")
    copy_as_of(shop.marts.warehouse, then.warehouse, version.at)
    with settled(version.settings):
        then.build()
    with duckdb.connect(str(then.database), read_only=True) as connection:
        connection.execute(f"attach '{shop.database(version)}' as version (read_only)")
        columns = connection.execute(
            "select schema_name, table_name, list(column_name order by column_index)"
            " from duckdb_columns() where database_name = 'version'"
            " and schema_name in ('wholesale_marts', 'wholesale_bi') group by all order by all"
        ).fetchall()
        assert len(columns) > 20
        differing = []
        for schema, table, names in columns:
            listed = ", ".join(f'"{name}"' for name in names if name not in OF_THE_MOMENT)
            ours, theirs = (f"select {listed} from {of}{schema}.{table}" for of in ("", "version."))
            [(count,)] = connection.execute(
                f"select count(*) from (({ours} except all {theirs})"
                f" union all ({theirs} except all {ours}))"
            ).fetchall()
            if count:
                differing.append((table, count))
        assert differing == [], version
    then.database.unlink()


def gives(shop: Shop, version: Version) -> Gives:
    """What each order gives to sales."""
    with duckdb.connect(str(shop.database(version)), read_only=True) as connection:
        found = connection.execute(
            "select order_id, sub_total from wholesale_marts.fct_orders where is_sale"
        ).fetchall()
    return {order: amount or Decimal() for order, amount in found}


def assert_names_the_orders(shop: Shop, before: Version, after: Version) -> None:
    """`why sales` names each order that gives more or less, and by how much; if no setting differs,
    by what was done to it. What a setting counts as cancelled gives nothing, before and after."""
    found = why_published(shop.published, Question(metrics=["sales"]), before.name, after.name)
    told, amounts = {}, {}
    for cause in found.difference.total.causes:
        for order in cause.orders:
            assert order["order_id"] not in told, "an order has one cause"
            told[order["order_id"]] = cause.cause
            amounts[order["order_id"]] = order["amount"]
    earlier, later = gives(shop, before), gives(shop, after)
    assert amounts == {
        order: later.get(order, Decimal()) - earlier.get(order, Decimal())
        for order in earlier.keys() | later.keys()
        if later.get(order) != earlier.get(order)
    }
    if before.settings == after.settings:
        assert told == {order: after.causes[order] for order in amounts}


def assert_adds_up(shop: Shop, before: Version, after: Version, random: Random) -> None:
    for metric in read_metrics().values():
        fact = FACTS[metric.model]
        periods = ("all_time", "last_90_days", "2026-05") if fact.day else ("all_time",)
        question = Question(
            metrics=[metric.name],
            by=random.sample(list(fact.dimensions), random.choice((0, 0, 1, 2))),
            period=random.choice(periods),
        )
        found = why_published(shop.published, question, before.name, after.name).difference
        for part in (found.total, *found.rows):
            assert (part.residue or 0) == 0, (question, before, after, part)
            if part.difference is not None:
                assert sum(each.amount or 0 for each in part.causes) == part.difference


def assert_holds(folder: Path, seed: int, steps: int) -> None:
    random = Random(seed)
    with (
        pytest.MonkeyPatch.context() as patch,
        Sandbox(SandboxSettings(orders=ORDERS, seed=seed)) as sandbox,
    ):
        patch.setattr(publishing, "write_dashboard", write_page)
        shop = Shop(Business(sandbox, random), folder, random)
        shop.run()
        for _ in range(steps):
            shop.business.move_on()
            if random.random() < 0.3:
                shop.change_settings()
            if random.random() < 0.25:
                shop.run_until_killed()
            shop.run()
        for version in shop.versions:
            assert_made_again(shop, version, folder)
        for before, after in pairwise(shop.versions):
            if before.name != after.name:
                assert_names_the_orders(shop, before, after)
        for _ in range(steps // 3):
            before, after = random.sample(shop.versions, 2)
            assert_adds_up(shop, before, after, random)


@pytest.mark.slow
def test_a_short_sequence_can_be_told_again(tmp_path: Path) -> None:
    assert_holds(tmp_path, seed=1, steps=SHORT)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_whatever_happens_can_be_told_again(tmp_path: Path, seed: int) -> None:
    assert_holds(tmp_path, seed, STEPS)
