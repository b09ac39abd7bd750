"""What a service does is found out once, kept, used, shown, and found out anew if it differs."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from click.testing import CliRunner

from wholesale.api import SERVICE_SECTION, ServiceFacts, ServiceProfile, ground_of
from wholesale.errors import ServiceError
from wholesale.settings import ApiSettings
from wholesale_elt.cli.main import cli
from wholesale_elt.inspect import check_service
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.runs import read_profile
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

Dials = Mapping[str, Any]

PAGE_SIZE = 10
PAGES = 6
USUAL = {name: field.get_default() for name, field in ServiceFacts.model_fields.items()}
PLAIN = USUAL | {"list_only_fields": frozenset()}


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

    @property
    def profile(self) -> ServiceProfile | None:
        with self.warehouse.open(is_read_only=True) as raw:
            return read_profile(raw)

    @property
    def facts(self) -> Mapping[str, Any]:
        assert self.profile
        return self.profile.model_dump(include=set(ServiceFacts.model_fields))

    def moments(self) -> list[tuple[Any, ...]]:
        """When each order was made and changed."""
        with self.warehouse.open(is_read_only=True) as raw:
            return raw.rows(
                f"select created_at, updated_at from {raw.name('orders')} order by order_number"
            )

    def stored(self) -> list[tuple[Any, ...]]:
        """How often each fact was stored."""
        with self.warehouse.open(is_read_only=True) as raw:
            return raw.rows(
                f"select fact, count(*) from {raw.name('sync_service')} group by fact order by fact"
            )

    def origin_of(self, fact: str) -> str:
        """Where the fact comes from, as it was stored last."""
        with self.warehouse.open(is_read_only=True) as raw:
            rows = raw.rows(
                f"select origin from {raw.name('sync_service')} where fact = %s"
                " order by run_id desc",
                fact,
            )
        return str(rows[0][0])

    def asked(self, **query: str) -> int:
        """How many requests had this in their query."""
        entries = self.sandbox.requests.entries()
        return sum(query.items() <= dict(parse_qsl(entry.query)).items() for entry in entries)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Sandbox(SandboxSettings(orders=60)) as sandbox:
        yield Bench(sandbox, tmp_path)


@pytest.fixture
def configured(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", bench.sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    return bench


@pytest.mark.parametrize(
    ("dials", "otherwise"),
    [
        ({}, {}),
        ({"first_page": 0}, {"first_page": 0}),
        ({"limit_cap": 7}, {"page_size": 7}),
        ({"limit_cap": 7, "limit_above_cap": "refused"}, {"page_size": 5}),
        ({"list_shape": {"*": "bare"}}, {"lists_not_counted": {"orders"}}),
        (
            {"faults": [{"fault": "comments-hidden"}, {"fault": "lines-cut-off", "number": 1}]},
            {"lists_in_short": {"orders"}},
        ),
        (
            {"faults": [{"fault": "empty-lists-null"}]},
            {"empty_lists_left_out": {"orders__order_comments"}},
        ),
    ],
)
def test_what_a_service_does_is_found_out_and_stored_once(
    bench: Bench, dials: Dials, otherwise: dict[str, Any]
) -> None:
    bench.sandbox.dials.change(dials)
    bench.sync()
    assert bench.facts == PLAIN | otherwise
    assert {bench.origin_of(fact) for fact in otherwise} <= {"observed"}

    bench.sync()

    assert {count for _, count in bench.stored()} == {1}


def test_a_run_that_knows_the_service_asks_for_its_list_alone(bench: Bench) -> None:
    first = bench.sync().certificates[0]
    looks = first.requests - first.pages

    known = bench.sync().certificates[0]

    assert (first.verdict, known.verdict) == ("complete", "complete")
    assert looks > 0
    assert known.requests == PAGES + 2, "all pages, and a look at either end"
    assert bench.asked(page="0") == 0


def test_a_limit_that_was_refused_is_not_asked_for_again(bench: Bench) -> None:
    bench.sandbox.dials.change({"limit_cap": 7, "limit_above_cap": "refused"})
    bench.sync()
    assert bench.asked(limit="10")

    bench.sync()

    assert not bench.asked(limit="10")
    assert bench.asked(limit="5")


@pytest.mark.parametrize(
    ("first", "then", "fact", "value"),
    [
        ({"first_page": 0}, {"first_page": 1}, "first_page", 1),
        ({}, {"list_shape": {"orders": "unpaged"}}, "lists_not_paged", {"orders"}),
    ],
)
def test_a_fact_that_the_service_contradicts_is_named_and_found_out_anew(
    bench: Bench, first: Dials, then: Dials, fact: str, value: object
) -> None:
    bench.sandbox.dials.change(first)
    assert bench.sync().is_complete
    bench.sandbox.dials.change(then)

    try:
        contradicted = str(bench.sync().certificates[0].reason)
    except ServiceError as refusal:  # nothing at all could be read
        contradicted = str(refusal)
    assert SERVICE_SECTION in contradicted
    assert bench.facts == USUAL
    again = bench.sync()

    assert again.is_complete
    assert bench.facts[fact] == value


def test_a_full_run_finds_out_all_anew(bench: Bench) -> None:
    bench.sandbox.dials.change({"limit_cap": 7})
    bench.sync()
    bench.sandbox.dials.reset()
    bench.sync()
    assert bench.facts["page_size"] == 7

    assert bench.sync(is_full=True).is_complete

    assert bench.facts == PLAIN


def test_a_rate_that_is_accepted_is_kept_from_the_start(bench: Bench) -> None:
    def refusals() -> int:
        return bench.sandbox.requests.statuses().get(429, 0)

    bench.sandbox.dials.change({"throttle_above": 8.0, "throttle_retry_after": 1})
    bench.sync(page_size=2)
    first = refusals()
    assert first > 0
    assert bench.facts["requests_a_minute"]

    bench.sync(page_size=2)

    assert refusals() < first


def test_a_fact_that_is_set_wins_and_is_not_taken_for_an_observed_one(bench: Bench) -> None:
    bench.sync()
    assert bench.facts["page_size"] is None

    for _ in range(2):
        assert bench.sync(service={"page_size": 4}).is_complete
        assert bench.asked(limit="10") == 0
        assert bench.origin_of("page_size") == "set"
    assert {count for _, count in bench.stored()} == {2}

    assert bench.sync().is_complete
    assert bench.facts == PLAIN
    assert bench.origin_of("page_size") == "observed"


def test_a_fact_is_set_in_the_section_of_the_service(
    configured: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__SERVICE__PAGE_SIZE", "4")
    database = str(configured.warehouse.database)

    done = CliRunner().invoke(cli, ["sync", "orders", "--database", database])

    assert done.exit_code == 0, done.output
    assert configured.asked(limit="4") >= 60 / 4
    assert configured.origin_of("page_size") == "set"


def test_a_check_shows_each_fact_with_its_origin_and_writes_nothing(configured: Bench) -> None:
    configured.sandbox.dials.change({"limit_cap": 7})

    result = CliRunner().invoke(
        cli, ["check", "--database", str(configured.warehouse.database)], terminal_width=200
    )

    assert result.exit_code == 0, result.output
    observed = observed_by(configured)
    rows = [tuple(line.split()) for line in result.output.splitlines()]
    told = {row[0]: (row[-2], row[-1]) for row in rows if row and row[0] in USUAL}
    assert told == {
        name: (
            "observed" if name in observed else origin(name),
            ground_of(name).section,
        )
        for name in USUAL
    }
    assert ("page_size", "7", "observed", "8") in rows
    assert not configured.warehouse.database.exists()


def test_of_a_check_each_fact_is_told_with_its_origin(configured: Bench) -> None:
    configured.sandbox.dials.change({"limit_cap": 7})

    result = CliRunner().invoke(
        cli, ["check", "--json", "--database", str(configured.warehouse.database)]
    )

    told = json.loads(result.output)["service"]
    assert told.keys() == USUAL.keys()
    assert told["page_size"] == {"value": 7, "origin": "observed"}
    assert told["newest_change_first"] == {"value": False, "origin": "assumed"}
    assert told["lists_not_counted"] == {"value": [], "origin": "documented"}


def observed_by(bench: Bench) -> frozenset[str]:
    settings = ApiSettings.of(base_url=bench.sandbox.base_url, api_key="sandbox")
    return check_service(settings).profile.observed


def origin(name: str) -> str:
    return "documented" if ground_of(name).is_documented else "assumed"


def test_times_without_an_offset_are_told_once_and_read_in_the_zone_that_is_set(
    bench: Bench,
) -> None:
    bench.sandbox.dials.change({"faults": [{"fault": "times-without-offset"}]})
    columns = tuple(f"orders.{name}_at" for name in ("created", "invoice_generated", "updated"))

    told = [bench.sync().local_times, bench.sync(is_full=True).local_times]

    assert told == [columns, ()]
    before = bench.moments()
    set_ = bench.sync(service=ServiceFacts(time_zone="Asia/Tokyo"))
    assert (set_.is_complete, set_.local_times) == (True, ())
    assert bench.moments() == [tuple(at - timedelta(hours=9) for at in row) for row in before]


def test_nobody_is_told_of_times_without_an_offset_who_has_said_what_they_mean(
    bench: Bench,
) -> None:
    bench.sandbox.dials.change({"faults": [{"fault": "times-without-offset"}]})

    assert bench.sync(service=ServiceFacts(time_zone="UTC")).local_times == ()
