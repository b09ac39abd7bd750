"""Why a figure moved since a moment of which no version is kept: made of the past, everywhere."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

import wholesale_elt.publish.publisher as publishing
from support.records.samples import guid, order
from support.warehouses.destinations import Place
from support.warehouses.edits import write_page
from wholesale.errors import Unanswerable
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import Question
from wholesale_elt.models.build import build_models
from wholesale_elt.past import NotInPast
from wholesale_sandbox.server import Sandbox

LISTS = ("orders", "vendors", "buyers")
LATER = "2026-03-01T10:00:00Z"
SALES = Question(metrics=["sales"], by=["buyer"])


def put(sandbox: Sandbox, name: str, amount: str, **more: str) -> None:
    sandbox.put("orders", order(name, sub_total=amount, buyer_id=guid("buyer"), **more))


@pytest.mark.parametrize("destination", ["duckdb", "postgres"])
def test_a_moment_without_a_version_is_made_of_the_past_of_the_warehouse(
    sandbox: Sandbox,
    place_in: Callable[[str], Place],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    destination: str,
) -> None:
    monkeypatch.setattr(publishing, "write_dashboard", write_page)
    place, published = place_in(destination), tmp_path / "published"
    moments = []
    for amount in ("10", "12.5", "14"):
        put(sandbox, "edited", amount, updated_at=LATER.replace("10", amount[:2]))
        put(sandbox, f"of {amount}", "5")
        place.load(*LISTS)
        moments.append(datetime.now(UTC).isoformat())
    build_models(place.warehouse)
    publishing.publish_marts(place.warehouse, str(published), is_even_if_incomplete=True)

    found = why_published(published, SALES, moments[0], moments[1], warehouse=place.warehouse)
    assert (found.before.version, found.after.version) == (None, None)
    total = found.difference.total
    assert (total.before, total.after, total.residue) == (15, Decimal("22.5"), 0)
    assert {each.cause: each.order_ids for each in total.causes} == {
        "found late": [guid("of 12.5")],
        "edited": [guid("edited")],
    }
    assert [part.members["buyer"] for part in found.difference.rows] == [guid("buyer")]
    with pytest.raises(Unanswerable):
        why_published(published, SALES, moments[0])
    with pytest.raises(NotInPast):
        why_published(published, SALES, "2001-01-01", warehouse=place.warehouse)
    assert [path for path in place.warehouse.state_folder.rglob("*then*") if path.is_file()] == []
