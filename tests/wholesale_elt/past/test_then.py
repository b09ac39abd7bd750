"""What was published at a moment, made again later of what was stored then, is the same."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.few import by_hand
from support.services.command import run_command
from support.services.trust import NOBODY
from support.warehouses.bench import LISTS, keep_few_items
from support.warehouses.marts import Marts, Row
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.load.copies.then import copy_as_of
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

USAGE_ERROR = 2
Reports = dict[str, list[Row]]


class Shop:
    """A business that goes on, a warehouse that follows it, and what was built of it each time."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.marts = Marts(folder / "wholesale.duckdb")
        self.moments: list[tuple[datetime, Reports]] = []
        self._sandbox = sandbox

    def sync_and_build(self, resources: Sequence[str] = LISTS) -> None:
        settings = ApiSettings.of(base_url=self._sandbox.base_url, api_key="sandbox")
        sync_resources(settings, self.marts.warehouse, resources)
        at = datetime.now(UTC)
        self.marts.build()
        self.moments.append((at, self.marts.contents()))

    def move_on(self, step: int) -> None:
        orders = self._records("orders")
        at = {"updated_at": f"2026-06-30T0{step}:00:00Z"}
        first, second, third, fourth = orders[step * 4 : step * 4 + 4]
        lines = [{**line, "quantity": 7 + step} for line in first["order_line_items"]]
        self._put("orders", first, total="123.45", order_line_items=lines, **at)
        self._put("orders", second, status="cancelled", **at)
        self._put("orders", third, payment_status="paid", order_line_items=[], **at)
        self._sandbox.delete("orders", fourth["id"])
        self._put("orders", fourth, id=fourth["id"][:-4] + f"{step:04}", **at)
        told = {"name": f"Vendor {step}", "order_terms": f"Net {step}"}
        self._put("vendors", self._records("vendors")[0], **told)
        self._put("prices", self._records("prices")[step], unit_price=f"{step}.5")
        self._sandbox.delete("prices", self._records("prices")[-1]["id"])

    def _records(self, resource: str) -> list[dict[str, Any]]:
        answer = httpx.get(f"{self._sandbox.admin_url}/truth/{resource}", verify=NOBODY)
        return sorted(map(json.loads, answer.text.splitlines()), key=lambda record: record["id"])

    def _put(self, resource: str, record: dict[str, Any], **fields: Any) -> None:
        self._sandbox.put(resource, record | fields)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, by_hand(5)])
def test_what_was_built_at_each_moment_is_built_again_later_to_the_last_digit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    keep_few_items(monkeypatch)
    with Sandbox(SandboxSettings(orders=60)) as sandbox:
        shop = Shop(sandbox, tmp_path)
        for step in range(steps):
            shop.sync_and_build()
            shop.move_on(step)
        shop.sync_and_build()

    assert len({repr(reports) for _, reports in shop.moments}) == len(shop.moments)
    for number, (moment, reports) in enumerate(shop.moments):
        then = Marts(tmp_path / f"{number}.duckdb")
        copy_as_of(shop.marts.warehouse, then.warehouse, moment)
        then.build()
        found = then.contents()
        assert [name for name in reports if found[name] != reports[name]] == []


@pytest.mark.slow
def test_the_command_builds_a_new_file_and_leaves_the_warehouse_as_it_is(tmp_path: Path) -> None:
    with Sandbox(SandboxSettings(orders=10)) as sandbox:
        shop = Shop(sandbox, tmp_path)
        shop.sync_and_build(["orders", "vendors"])
        shop.move_on(1)
        shop.sync_and_build(["orders", "vendors"])
    (moment, reports), (_, present) = shop.moments
    words = ["build", "--as-of", moment.isoformat()]

    done = run_command([*words, "--to", "then.duckdb"], tmp_path, os.environ)

    assert (done.returncode, sorted(path.name for path in tmp_path.iterdir())) == (
        0,
        [".wholesale", "then.duckdb", "wholesale.duckdb"],
    ), done.stderr
    assert Marts(tmp_path / "then.duckdb").contents() == reports
    assert shop.marts.contents() == present
    for more in ([], ["--to", "wholesale.duckdb"]):
        assert run_command([*words, *more], tmp_path, os.environ).returncode == USAGE_ERROR


@pytest.mark.parametrize(
    "moment", [datetime(2020, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)
def test_a_moment_of_which_nothing_is_stored_is_refused(tmp_path: Path, moment: datetime) -> None:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        shop = Shop(sandbox, tmp_path)
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        sync_resources(settings, shop.marts.warehouse, ["brands"])

    with pytest.raises(ConfigurationError):
        copy_as_of(shop.marts.warehouse, Warehouse(tmp_path / "then.duckdb"), moment)
