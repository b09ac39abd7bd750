"""Bench: a sandbox, and a warehouse that is synced from it by a client that never waits."""

import json
import time
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

import duckdb
import httpx
import pytest

from support.records.truth import Record, Records, read_holding, read_only, read_truth
from support.services.trust import NOBODY
from support.services.worlds import Clock
from wholesale.api.resources import RESOURCE
from wholesale.http.client import Client
from wholesale.http.transport import Transport
from wholesale.http.way import Way
from wholesale.settings import ApiSettings
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.cli.output import Exit
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.faults.scenarios import SCENARIO
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.world import business
from wholesale_sandbox.world.assortment import make_items

ORDERS = 120
ITEMS_A_VENDOR = 5
RESOURCES = tuple(RESOURCE)
LISTS = tuple(name for name, row in RESOURCE.items() if row.parent is None)
"""Resources that have one list: the others cost a request a parent."""
MANY = 50
PAGE_SIZE = 10


def keep_few_items(patch: pytest.MonkeyPatch) -> None:
    """Let each vendor of a world have few items: two thirds of all requests are for variants and
    prices, which show with sixty items what they show with hundreds."""

    def few(*args: Any) -> list[Any]:
        by_vendor = groupby(make_items(*args), attrgetter("vendor"))
        return [item for _, items in by_vendor for item in islice(items, ITEMS_A_VENDOR)]

    patch.setattr(business, "make_items", few)


class Wire(httpx.BaseTransport):
    """HTTP, and when each request was sent by the client's clock.

    `silences` are what answers asked for: when they came, until when nothing may be sent, and when
    that was by a clock that cannot be skipped. `hasty` is what was sent all the same: the date of a
    silence is read here and in the client, so that the time that really passed does not count.
    """

    def __init__(self, http: httpx.BaseTransport, clock: Clock) -> None:
        self.sent: list[float] = []
        self.silences: list[tuple[float, float, float]] = []
        self.hasty: list[float] = []
        self._clock = clock
        self._http = http

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        at = self._clock.seconds()
        self.sent.append(at)
        for told, until, noted in self.silences:
            if told < at < until - (time.monotonic() - noted):
                self.hasty.append(at)
        answer = self._http.handle_request(request)
        if asked := answer.headers.get("Retry-After", ""):
            now = self._clock.seconds()
            self.silences.append((now, now + _seconds(asked), time.monotonic()))
        return answer


def _seconds(retry_after: str) -> float:
    if retry_after.isdigit():
        return float(retry_after)
    return (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()


@dataclass
class Bench:
    """A sandbox, and a warehouse that is synced from it by a client that never waits."""

    sandbox: Sandbox
    warehouse: Warehouse
    patch: pytest.MonkeyPatch
    resources: Sequence[str] = RESOURCES
    clock: Clock = field(default_factory=Clock)
    outcome: Outcome | None = None
    wire: Wire = field(init=False)

    def begin(self, scenario: str) -> None:
        self.sandbox.dials.change(SCENARIO[scenario].dials)
        self.sandbox.requests.clear()

    def sync(self, *, is_full: bool = False, **settings: Any) -> Exit:
        """How `wholesale sync` exits; `wire` notes what was sent."""
        of = ApiSettings.of(base_url=self.sandbox.base_url, api_key="sandbox", **settings)
        try:
            with closing(Transport(Way.to(of.base_url))) as http:
                self.wire = Wire(http, self.clock)
                client = partial(
                    Client, transport=self.wire, sleep=self.clock.skip, clock=self.clock.seconds
                )
                self.patch.setattr("wholesale.pages.service.Client", client)
                self.outcome = sync_resources(of, self.warehouse, self.resources, is_full=is_full)
        except Exception as error:
            return failure_of(error).exit
        if self.outcome.failures:
            return Exit.FAILED
        return Exit.DONE if self.outcome.is_complete else Exit.INCOMPLETE

    @property
    def incomplete(self) -> set[str]:
        assert self.outcome
        return {row.resource for row in self.outcome.certificates if row.verdict != "complete"}

    @property
    def faults(self) -> int:
        """Requests that a fault of the sandbox applied to."""
        return sum(bool(entry.faults) for entry in self.sandbox.requests.entries())

    def truth(self, resource: str) -> Records:
        """The records that have an id, by its text."""
        answer = httpx.get(
            f"{self.sandbox.admin_url}/truth/{resource}", verify=NOBODY, timeout=None
        ).raise_for_status()
        lines = answer.content.decode("utf-8", "surrogatepass").split("\n")
        records = read_truth("\n".join(line for line in lines if _has_id(line)))
        return {str(key): record for key, record in records.items()}

    def differing(
        self, resource: str, besides: Collection[str] = (), but_for: Collection[str] = ()
    ) -> dict[str, tuple[Record | None, Record | None]]:
        """Records that are not as in the truth, by id: what is held, and what is so.

        Of the ones named `besides` it counts only that they are there. Fields that are named
        `but_for` do not count.
        """
        with read_only(self.warehouse.database) as connection:
            return self._differing(connection, resource, besides, but_for)

    def _differing(
        self,
        connection: duckdb.DuckDBPyConnection,
        resource: str,
        besides: Collection[str] = (),
        but_for: Collection[str] = (),
    ) -> dict[str, tuple[Record | None, Record | None]]:
        holding = read_holding(connection, resource)
        assert holding is not None, f"{resource} has no table"
        assert holding.faults == ()
        for record in holding.alive.values():
            for name in but_for:
                record.pop(name, None)
        truth = {
            key: holding.alive.get(key, record) if key in besides else holding.as_held(record)
            for key, record in self.truth(resource).items()
        }
        return {
            key: (holding.alive.get(key), truth.get(key))
            for key in truth.keys() | holding.alive.keys()
            if holding.alive.get(key) != truth.get(key)
        }

    def assert_exact(self) -> None:
        with read_only(self.warehouse.database) as connection:
            for resource in self.resources:
                assert self._differing(connection, resource) == {}, resource


def _has_id(line: str) -> bool:
    return bool(line) and json.loads(line).get("id") is not None
