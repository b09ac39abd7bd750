"""An honest service of any plain reading of the description is certified by its third quiet run.

And whatever it does, `complete` means that every record is stored as the service has it.

READINGS says how many the long line draws.
"""

import json
import os
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.few import by_hand
from support.services.readings import ReadingService, serving
from wholesale.api.guids import plain_id
from wholesale.api.profile import ServiceFacts
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse.destination import Warehouse

SEEDS = range(1)
SEEDS_OF_FEW = range(1, 2)
SEEDS_OF_MANY = range(2, 2 + int(os.environ.get("READINGS", "120")))
TIMES_CHANGED = 2
QUIET_RUNS = 3
MOST_HINTS = 3
COMPARED = {  # a column of each table that edits change, or that lists in short lack
    "orders": "payment_status",
    "vendors": "description",
    "items": "description",
    "variants": "description",
    "buyers": "email",
    "brands": "description",
    "prices": "description",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_service_is_certified_by_its_third_quiet_run(seed: int, tmp_path: Path) -> None:
    live_with(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*SEEDS_OF_FEW, *map(by_hand, SEEDS_OF_MANY)])
def test_an_honest_service_is_certified_in_many_readings(seed: int, tmp_path: Path) -> None:
    live_with(seed, tmp_path)


def live_with(seed: int, folder: Path) -> None:
    service, warehouse = ReadingService(seed), Warehouse(folder / "reading.duckdb")
    with serving(service) as url:
        settings = ApiSettings.of(base_url=url, api_key="any", attempts=2, page_size=50)
        for _ in range(TIMES_CHANGED + 1):
            for _ in range(QUIET_RUNS):
                outcome = sync_resources(settings, warehouse, tuple(RESOURCE))
                assert_true(service, warehouse, outcome)
                if outcome.is_complete:
                    break
            reasons = {c.resource: c.reason for c in outcome.certificates if c.reason}
            # Only the user can tell whether a list is empty that is written as no empty one is, or
            # of which an account of few records lacks what all of them had.
            for _ in range(MOST_HINTS):
                if not (facts := hinted(" ".join(reasons.values()))):
                    break
                known = settings.service.model_dump(exclude_defaults=True)
                service_facts = ServiceFacts(**known | facts)
                settings = settings.model_copy(update={"service": service_facts})
                outcome = sync_resources(settings, warehouse, tuple(RESOURCE))
                assert_true(service, warehouse, outcome)
                reasons = {c.resource: c.reason for c in outcome.certificates if c.reason}
            assert not reasons, (seed, reasons, service.reading)
            service.change()


def hinted(reasons: str) -> dict[str, set[str]]:
    """What the sentences say to set of how empty lists are written."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, value in re.findall(r"\(set (empty_\w+) = (.*?) in \[", reasons):
        found[name].update(json.loads(value))
    return found


def assert_true(service: ReadingService, warehouse: Warehouse, outcome: Outcome) -> None:
    complete = {row.resource for row in outcome.certificates if row.verdict == "complete"}
    with duckdb.connect(str(warehouse.database), read_only=True) as connection:

        def ask(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(f"set schema = 'wholesale_raw'; {sql}").fetchall()

        for name in sorted(complete):
            column = COMPARED.get(name, "id")
            records = service.records[name]
            there = {plain_id(str(r["id"])): plain_id(str(r.get(column))) for r in records}
            query = f"select id, {column} from {name} where _deleted_at is null"
            rows = ask(query) if there else []
            here = {str(key): str(value) for key, value in rows}
            assert here == there, (name, service.seed, service.reading)
        if "orders" in complete:
            for field, number in (
                ("order_line_items", "line_number"),
                ("order_comments", "comment_number"),
            ):
                orders = service.records["orders"]
                entries = Counter({plain_id(str(r["id"])): len(r[field]) for r in orders})
                rows = ask(
                    f"select order_id, max({number}) from orders__{field}"
                    " join orders on id = order_id where _deleted_at is null group by 1"
                )
                assert +entries == Counter(dict(rows)), (field, service.seed, service.reading)
