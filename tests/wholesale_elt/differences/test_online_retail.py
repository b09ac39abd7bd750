"""A real order history replayed month by month: each month's figures moved by its causes alone.

MONTHS says how many are replayed; all are thirteen.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import wholesale_elt.publish.publisher as publishing
from support.records.online_retail import SOURCE
from support.records.online_retail_months import Month, Replay
from support.warehouses.edits import write_page
from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.differences.published import PublishedDifference, why_published
from wholesale_elt.figures import Question, read_metrics
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SOURCE.exists(), reason="the order history is not on this machine"),
]
MONTHS = int(os.environ.get("MONTHS", "4"))


@dataclass(frozen=True)
class Replayed:
    """The months, and the version that was published at the end of each."""

    published: Path
    months: list[Month]
    versions: list[str]

    def why(self, metric: str, number: int, *by: str) -> PublishedDifference:
        """Why the metric moved in the month of that number, from 1; month 0 was the first."""
        before, after = self.versions[number - 1 : number + 1]
        return why_published(self.published, Question(metrics=[metric], by=by), before, after)


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replayed]:
    folder = tmp_path_factory.mktemp("months")
    marts, published = Marts(folder / "retail.duckdb"), folder / "published"
    months, versions = [], []
    with pytest.MonkeyPatch.context() as patch, Sandbox(SandboxSettings(empty=True)) as sandbox:
        patch.setattr(publishing, "write_dashboard", write_page)
        settings = ApiSettings.of(base_url=sandbox.base_url, api_key="sandbox")
        for month, _ in zip(Replay().months(SOURCE), range(MONTHS), strict=False):
            with sandbox.storage.transaction():
                for resource, records in month.records.items():
                    for record in records:
                        sandbox.put(resource, record)
            assert sync_resources(settings, marts.warehouse, tuple(RESOURCE)).is_complete
            marts.change(
                "update wholesale_raw.sync_runs set complete_as_of ="
                f" timestamptz '{end_of(month)}' where complete_as_of is not null and run_id ="
                " (select max(run_id) from wholesale_raw.sync_runs)"
            )
            marts.build()
            in_force = publish_marts(marts.warehouse, str(published)).in_force
            assert in_force is not None
            months.append(month)
            versions.append(in_force.version)
        yield Replayed(published, months, versions)


def end_of(month: Month) -> datetime:
    """When its sync ran, had it been read then: what was ordered after that is new."""
    return datetime.combine(month.last_day, datetime.max.time(), UTC)


def source(sql: str) -> list[tuple[object, ...]]:
    """An answer straight from the file."""
    return duckdb.sql(f"with lines as (from read_parquet('{SOURCE}')) {sql}").fetchall()


@pytest.mark.parametrize("number", range(1, MONTHS))
def test_sales_and_units_of_each_version_are_those_of_the_file_up_to_then(
    replayed: Replayed, number: int
) -> None:
    (before, after) = (
        end_of(month).replace(tzinfo=None) for month in replayed.months[number - 1 : number + 1]
    )
    told = [
        (found.before, found.after)
        for found in (
            replayed.why(metric, number).difference.total for metric in ("sales", "units")
        )
    ]

    assert told == [
        tuple(
            source(f"select sum({what}) from lines where invoice_date <= '{moment}'")[0][0]
            for moment in (before, after)
        )
        for what in ("quantity * unit_price", "quantity")
    ]


@pytest.mark.parametrize("number", range(1, MONTHS))
def test_the_causes_of_a_month_are_its_orders_and_its_credit_notes(
    replayed: Replayed, number: int
) -> None:
    before, after = (month.gives for month in replayed.months[number - 1 : number + 1])
    expected: dict[str, dict[str, Decimal]] = defaultdict(dict)
    for order_id in {**before, **after}:
        effect = after.get(order_id, Decimal()) - before.get(order_id, Decimal())
        if effect == 0:
            continue
        if order_id not in before:
            expected["new"][order_id] = effect
        elif order_id not in after:
            expected["cancelled"][order_id] = effect
        else:
            expected["edited"][order_id] = effect
    total = replayed.why("sales", number).difference.total
    found = {
        each.cause: {order["order_id"]: order["amount"] for order in each.orders}
        for each in total.causes
    }

    assert found == expected
    assert {each.cause: each.amount for each in total.causes} == {
        cause: sum(orders.values()) for cause, orders in expected.items()
    }
    assert set(found) == {"new", "cancelled", "edited"}


@pytest.mark.parametrize("metric", read_metrics())
def test_no_figure_moved_but_by_its_causes(replayed: Replayed, metric: str) -> None:
    for number in range(1, len(replayed.months)):
        total = replayed.why(metric, number).difference.total
        assert (total.residue or 0) == 0, (number, total)
        if total.difference is not None:
            assert sum(each.amount or 0 for each in total.causes) == total.difference
