"""What a list is like is learned by runs, kept in the warehouse, used, and learned anew."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from click.testing import CliRunner

from wholesale.pages.profile import Profile
from wholesale.settings import ApiSettings
from wholesale_elt.cli.main import cli
from wholesale_elt.inspect.check import read_learned
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.faults.scenarios import SCENARIO
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

PAGE_SIZE = 10
PLAIN = Profile(first_page=1, totals="right", list_order="other")


class Bench:
    """A sandbox of 60 orders, and a warehouse that only orders are synced into."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self.warehouse = Warehouse(folder / "test.duckdb")

    def sync(self, *, is_full: bool = False, **settings: Any) -> Outcome:
        self.sandbox.requests.clear()
        of = ApiSettings.of(
            base_url=self.sandbox.base_url,
            api_key="sandbox",
            **{"page_size": PAGE_SIZE, **settings},
        )
        return sync_resources(of, self.warehouse, ["orders"], is_full=is_full)

    def refusals(self) -> int:
        return self.sandbox.requests.statuses().get(429, 0)

    @property
    def learned(self) -> Profile | None:
        return read_learned(self.warehouse).get("orders")

    def asked(self, **query: str) -> int:
        """How many requests had this in their query."""
        entries = self.sandbox.requests.entries()
        return sum(query.items() <= dict(parse_qsl(entry.query)).items() for entry in entries)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Sandbox(SandboxSettings(orders=60)) as sandbox:
        yield Bench(sandbox, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dials", "learned"),
    [
        ({}, PLAIN),
        (
            {"list_order": {"orders": "updated"}},
            Profile(1, totals="right", list_order="newest first"),
        ),
        (SCENARIO["wrong-totals"].dials, Profile(1, totals="wrong", list_order="other")),
        (SCENARIO["no-totals"].dials, Profile(1, totals="missing", list_order="other")),
        ({"first_page": 0}, Profile(0, totals="right", list_order="other")),
        ({"limit_cap": 7}, Profile(1, page_cap=7, totals="right", list_order="other")),
        (
            {"limit_cap": 7, "limit_above_cap": "refused"},
            Profile(1, page_limit=5, totals="right", list_order="other"),
        ),
    ],
)
def test_what_a_list_is_like_is_learned_and_kept_where_it_changes(
    bench: Bench, dials: Mapping[str, Any], learned: Profile
) -> None:
    bench.sandbox.dials.change(dials)
    assert bench.sync().is_complete
    assert bench.learned == learned

    assert bench.sync().is_complete
    with bench.warehouse.open(is_read_only=True) as raw:
        assert raw.count("sync_profiles") == 1
    bench.sandbox.dials.reset()
    assert bench.sync(is_full=True).is_complete
    assert bench.learned == PLAIN


def test_a_limit_that_was_refused_is_not_asked_for_again(bench: Bench) -> None:
    bench.sandbox.dials.change({"limit_cap": 7, "limit_above_cap": "refused"})
    bench.sync()
    assert bench.asked(limit="10")

    bench.sync()

    assert not bench.asked(limit="10")
    assert bench.asked(limit="5")


@pytest.mark.slow
@pytest.mark.parametrize(("first", "then"), [(0, 1), (1, 0)])
def test_pages_that_are_counted_otherwise_by_now_are_learned_anew(
    bench: Bench, first: int, then: int
) -> None:
    bench.sandbox.dials.change({"first_page": first})
    assert bench.sync().is_complete

    bench.sandbox.dials.change({"first_page": then})

    assert bench.sync().is_complete
    assert bench.learned
    assert bench.learned.first_page == then


@pytest.mark.slow
def test_looks_are_spared_where_nothing_is_counted(bench: Bench) -> None:
    bench.sandbox.dials.change(SCENARIO["no-totals"].dials)
    bench.sync()
    known = bench.sync().certificates[0]
    assert known.verdict == "complete"

    with bench.warehouse.open() as raw:
        raw.execute(f"delete from {raw.name('sync_profiles')}")
    unknown = bench.sync().certificates[0]

    assert unknown.verdict == "complete"
    assert known.requests < unknown.requests


@pytest.mark.slow
def test_a_rate_that_is_accepted_is_kept_from_the_start(bench: Bench) -> None:
    bench.sandbox.dials.change({"throttle_above": 30.0, "throttle_retry_after": 1})
    bench.sync(page_size=1)
    first = bench.refusals()
    assert first > 0
    assert bench.learned
    assert bench.learned.requests_a_minute

    bench.sync(page_size=1)

    assert bench.refusals() < first


@pytest.mark.slow
def test_a_window_is_learned_though_it_proves_nothing(bench: Bench) -> None:
    faults = [{"fault": "beyond-422", "resources": ["orders"], "number": 40}]
    bench.sandbox.dials.change({"faults": faults})

    assert not bench.sync().is_complete

    assert bench.learned == Profile(1, list_window=40, list_order="other")


@pytest.mark.slow
def test_no_early_stop_is_tried_where_the_order_is_another(bench: Bench) -> None:
    bench.sync()

    assert bench.sync().certificates[0].requests == 6 + 2, "all pages, and a look at either end"


def test_a_check_says_what_runs_have_learned(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.sandbox.dials.change({"limit_cap": 7, "list_order": {"orders": "updated"}})
    bench.sync()
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", bench.sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")

    result = CliRunner().invoke(cli, ["check", "--database", str(bench.warehouse.database)])

    assert result.exit_code == 0, result.output
    assert "orders, as runs found it: gives 7 records a page at most; newest first" in result.output


def test_a_check_leaves_no_warehouse_behind(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", bench.sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")

    result = CliRunner().invoke(cli, ["check", "--database", str(tmp_path / "none.duckdb")])

    assert result.exit_code == 0, result.output
    assert not (tmp_path / "none.duckdb").exists()
