"""However a service writes its lists and records, each is stored as it is, once."""

from pathlib import Path

import httpx
import pytest

from support.few import by_hand, few
from support.records.truth import read_only
from support.services.trust import NOBODY
from support.warehouses.bench import LISTS, ORDERS, PAGE_SIZE, RESOURCES, Bench
from wholesale.api import RESOURCE, ServiceFacts
from wholesale_elt.cli.output import Exit
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.faults.scenarios import ENDS, SCENARIO, SCENARIOS
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

EXITS = {
    ENDS["exact"]: (Exit.DONE,),
    ENDS["either"]: (Exit.DONE, Exit.INCOMPLETE, Exit.FAILED),
    ENDS["unread"]: (Exit.INCOMPLETE, Exit.FAILED),
}
APART = {
    *("slow", "dead", "maintenance", "banned", "locked-out", "late-replica"),
    *("two-spellings", "other-references", "shuffled-lines", "broken-answers"),
}
"""They go by the clock, which these tests do not wait for, end all that a run can do, or show the
same in more than one way: each has a test of its own."""
OF_CHILDREN = {
    *("wrong-totals", "odd-lists", "null-lists", "lost-children", "uncounted-children"),
    *("mixed-up-children", "failing-records", "null-child-lists", "left-out", "other-references"),
}
"""Those in which the lists of children differ, too: they cost a request a parent."""
OF_EACH_KIND = ("orders", "vendors", "items", "prices")
"""A resource with summaries, one that others name, one with children, one without versions."""
AND_CHILDREN = (*OF_EACH_KIND, "variants", "buyers", "buyer_users")
ELSEWHERE = {
    *("storm", "forbidden", "server-without-data", "closed-window", "thin-lists", "lost-children"),
    *("uncounted-children", "mixed-up-children", "lost-bodies", "failing-records"),
    *("failing-pages", "null-lists", "from-zero", "endless-lists", "poor-pages", "dashless-ids"),
}
"""Those that a test of services that fail or move goes through; here they run by hand."""
HERE = [
    scenario.name
    for scenario in SCENARIOS
    if scenario.ends in EXITS and scenario.name not in APART | ELSEWHERE and not scenario.plants
]
NOISE = {"restless-summaries": ("times_viewed",)}
"""Fields that are other ones each time."""


def test_lists_of_any_shape_are_read(bench: Bench) -> None:
    bench.begin("odd-lists")

    assert bench.sync() is Exit.DONE

    bench.assert_exact()


@pytest.mark.slow
def test_lists_that_lie_about_their_pages_lose_nothing(bench: Bench) -> None:
    bench.resources = LISTS
    bench.begin("lying-pages")

    bench.sync()

    for resource in LISTS:
        differing = bench.differing(resource)
        assert all(held and is_so for held, is_so in differing.values()), resource
        # an older copy beside a record is told by its version alone
        assert not differing or (
            resource in bench.incomplete and not RESOURCE[resource].version.value
        )
    bench.sandbox.dials.reset()
    assert bench.sync() is Exit.DONE
    bench.assert_exact()


@pytest.mark.slow
def test_lines_that_all_orders_lose_at_once_are_kept(bench: Bench) -> None:
    bench.resources = ("orders",)
    assert bench.sync() is Exit.DONE
    bench.sandbox.dials.change({"faults": [{"fault": "lines-missing"}]})

    assert bench.sync(is_full=True) is Exit.INCOMPLETE

    bench.sandbox.dials.reset()
    bench.assert_exact()


def test_strange_values_are_kept_as_they_were_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SandboxSettings(orders=ORDERS, plants=SCENARIO["strange-values"].plants)
    with Sandbox(settings) as sandbox:
        bench = Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch, LISTS)
        planted = {change.id for change in sandbox.storage.changes.all()}

        assert bench.sync() is Exit.INCOMPLETE

        assert bench.incomplete == {"orders"}
        for resource in LISTS:
            assert bench.differing(resource, besides=planted) == {}
        with read_only(bench.warehouse.database) as connection:
            assert connection.execute(
                "select resource, count(*) from wholesale_raw.quarantine group by all"
            ).fetchall() == [("orders", 2)]
            assert connection.execute(
                "select count(*) from wholesale_raw.orders where _extra ->> '$.total' = '12,50'"
            ).fetchall() == [(3,)]


@pytest.mark.slow
def test_a_record_whose_id_is_written_either_way_is_loaded_once(bench: Bench) -> None:
    bench.resources = ("items", "variants", "prices")
    bench.begin("two-spellings")

    for _ in range(3):
        assert bench.sync(page_size=PAGE_SIZE) is Exit.DONE

    assert bench.outcome
    assert [row.changed or row.new for row in bench.outcome.certificates] == [0, 0, 0]
    with read_only(bench.warehouse.database) as connection:
        for resource in bench.resources:
            ids = connection.execute(f"select id from wholesale_raw.{resource}").fetchall()
            assert sorted(key for (key,) in ids) == sorted(bench.truth(resource))


@pytest.mark.slow
def test_a_child_is_gone_though_it_spells_its_parent_otherwise(bench: Bench) -> None:
    bench.resources = ("items", "variants", "buyers", "buyer_users")
    bench.begin("other-references")
    assert bench.sync() is Exit.DONE
    gone = next(iter(bench.truth("variants").values()))
    parent = bench.truth("items")[gone["parent_id"]]
    bench.sandbox.delete("variants", gone["id"])
    bench.sandbox.put("items", parent | {"variants_count": parent["variants_count"] - 1})

    assert bench.sync() is Exit.DONE

    assert bench.outcome
    (certificate,) = (row for row in bench.outcome.certificates if row.resource == "variants")
    assert (certificate.new, certificate.changed, certificate.deleted) == (0, 0, 1)


def test_lines_in_another_order_each_time_are_no_change(bench: Bench) -> None:
    bench.resources = ("orders",)
    bench.begin("shuffled-lines")
    assert bench.sync(is_full=True) is Exit.DONE
    bench.sandbox.requests.clear()

    assert bench.sync(is_full=True) is Exit.DONE

    assert bench.faults > 0
    assert bench.outcome
    (certificate,) = bench.outcome.certificates
    assert (certificate.changed, certificate.silent) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "orders"), few([("text-50kb", 2000), ("text-200kb", 200)], 1))
def test_orders_with_long_texts_are_loaded_and_compared_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, orders: int
) -> None:
    settings = SandboxSettings(orders=orders, plants=({"fault": fault, "times": orders},))
    with Sandbox(settings) as sandbox:
        bench = Bench(sandbox, Warehouse(tmp_path / "test.duckdb"), monkeypatch, ("orders",))
        assert bench.sync() is Exit.DONE
        bench.assert_exact()

        assert bench.sync(is_full=True) is Exit.DONE

        assert bench.outcome
        assert [row.changed for row in bench.outcome.certificates] == [0]
        bench.assert_exact()


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [*few(HERE, 6), *map(by_hand, sorted(ELSEWHERE - APART))])
def test_what_is_called_complete_is_as_in_the_truth_and_else_nothing_is_lost(
    bench: Bench, scenario: str
) -> None:
    """Whether nothing is stored yet, or all of it."""
    bench.resources = AND_CHILDREN if scenario in OF_CHILDREN else OF_EACH_KIND
    exits = EXITS[SCENARIO[scenario].ends]
    bench.begin(scenario)
    for _ in range(2):
        assert bench.sync(page_size=PAGE_SIZE) in exits
        assert_kept(bench, scenario)

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=PAGE_SIZE, is_full=True) is Exit.DONE
    bench.assert_exact()

    bench.begin(scenario)
    ended = bench.sync(page_size=PAGE_SIZE, is_full=True)
    assert ended is Exit.DONE or exits != (Exit.DONE,)
    assert_kept(bench, scenario, is_all_stored=True)


def assert_kept(bench: Bench, scenario: str, *, is_all_stored: bool = False) -> None:
    """What is complete is as in the truth; of the rest nothing is made up, deleted or emptied."""
    for resource in bench.resources:
        differing = bench.differing(resource, but_for=NOISE.get(scenario, ()))
        assert resource in bench.incomplete or differing == {}
        for held, is_so in differing.values():
            assert is_so
            assert held or not is_all_stored
            lists = [name for name, value in is_so.items() if value and isinstance(value, list)]
            assert not is_all_stored or not held or all(held.get(name) for name in lists)


@pytest.mark.slow
def test_totals_that_are_said_to_be_wrong_prove_nothing_and_keep_nothing_from_being_proved(
    bench: Bench,
) -> None:
    bench.resources = [name for name in RESOURCES if name != "buyer_users"]
    bench.begin("wrong-totals")
    facts = ServiceFacts(lists_not_counted=frozenset(RESOURCES), variants_are_counted=False)

    assert bench.sync(page_size=PAGE_SIZE, service=facts) is Exit.DONE

    bench.assert_exact()


def test_a_record_that_names_its_id_twice_is_set_aside_alone(bench: Bench) -> None:
    bench.resources = ("vendors",)
    vendors = httpx.get(
        f"{bench.sandbox.base_url}/vendors?limit=100",
        headers={"X-API-Key": "sandbox"},
        verify=NOBODY,
        timeout=None,
    ).json()["data"]
    first = vendors[0]["id"]
    bench.begin("failing-records")

    for is_full in (False, True, False):
        assert bench.sync(page_size=100, is_full=is_full) is Exit.INCOMPLETE

        assert bench.differing("vendors").keys() == {first}
        with read_only(bench.warehouse.database) as connection:
            aside = connection.execute(
                "select resource, page, index, reason, json_extract_string(body, '$.name')"
                " from wholesale_raw.quarantine"
            ).fetchall()
        reason = "an object of the body names its key 'id' twice"
        assert aside == [("vendors", 1, 0, reason, vendors[0]["name"])]

    bench.sandbox.dials.reset()
    assert bench.sync(page_size=100) is Exit.DONE
    bench.assert_exact()
