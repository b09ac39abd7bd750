"""Why bills are overdue that were not: by time, terms, another day, another state, a setting."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from random import Random

import pytest

from support.warehouses.edits import World, without_pages
from support.warehouses.marts import Marts
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import Question

ORDERS, VENDORS = "wholesale_raw.orders", "wholesale_raw.vendors"
DAY = "(select max(created_at) from wholesale_raw.orders)"
"""The day as of which the earlier version is judged; at noon, so that no zone makes it another."""
MADE: Mapping[str, tuple[int, str, str]] = {
    "late": (28, "Net 30", ""),
    "reworded": (28, "Net 30", ""),
    "terms": (10, "Net 30", ""),
    "other vendor": (10, "Net 30", ""),
    "earlier": (10, "Net 30", ""),
    "invoiced": (10, "Net 30", ""),
    "sent": (90, "Net 30", "status = 'confirmed', invoice_generated_at = {day} - interval 80 day"),
    "paid": (90, "Net 30", ""),
    "in credit": (90, "Net 30", ""),
    "gone": (90, "Net 30", ""),
    "without terms": (58, "", ""),
    "younger": (48, "", ""),
    "not late": (1, "Net 30", ""),
}
"""Bills, each of a vendor of its own: days since the order, terms, and what else it has."""
Make = Callable[[], World]
Cause = tuple[str, tuple[str, ...]]
Causes = Mapping[str, Cause]


@pytest.fixture(scope="module")
def make(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Worlds with these bills alone, published once."""
    with without_pages():
        folder = tmp_path_factory.mktemp("first")
        first = World(loaded.copy(folder), folder / "published", Random(0))
        first.marts.change(
            f"update {ORDERS} set payment_status = 'paid', created_at = date_trunc('day',"
            " created_at) - interval 30 day + interval 12 hour, updated_at = null,"
            " invoice_generated_at = null",
            *(each for name in MADE for each in _bill(name)),
        )
        first.publish()

        def made() -> World:
            own = tmp_path_factory.mktemp("world")
            published = shutil.copytree(first.folder, own / "published", symlinks=True)
            return World(first.marts.copy(own), published, Random(0))

        yield made


def _bill(name: str) -> Iterator[str]:
    days, terms, also = MADE[name]
    yield (
        f"insert into {VENDORS} by name select * replace ('{name}' as id, '{name}' as name,"
        f" nullif('{terms}', '') as order_terms) from {VENDORS} order by id limit 1"
    )
    yield (
        f"insert into {ORDERS} by name select * replace ('{name}' as id, '{name}' as order_number,"
        f" '{name}' as vendor_id, {DAY} - interval {days} day as created_at, 'shipped' as status,"
        f" 'unpaid' as payment_status) from {ORDERS} where total > 0 and status = 'delivered'"
        " order by id limit 1"
    )
    if also:
        yield f"update {ORDERS} set {also.format(day=DAY)} where id = '{name}'"


def of_vendor(terms: str, name: str) -> str:
    return f"update {VENDORS} set order_terms = '{terms}' where id = '{name}'"


def of_order(change: str, name: str) -> str:
    return f"update {ORDERS} set {change.format(day=DAY)} where id = '{name}'"


FIVE_DAYS_LATER = (
    f"update {ORDERS} set created_at = created_at + interval 5 day where id ="
    f" (select id from {ORDERS} where payment_status = 'paid' order by created_at desc, id limit 1)"
)


def causes(world: World, metric: str = "overdue_bills") -> Causes:
    """The cause and the fields of each bill that is overdue in one version only."""
    found = why_published(world.folder, Question(metrics=[metric])).difference
    assert (found.total.residue or 0) == 0
    return {
        order: (each.cause, tuple(each.fields))
        for each in found.total.causes
        for order in each.order_ids
    }


def test_what_is_due_becomes_overdue_as_time_passes(make: Make) -> None:
    world = make()
    world.marts.change(FIVE_DAYS_LATER, of_vendor("30 days", "reworded"))
    world.publish()

    assert causes(world) == {
        "late": ("time passed", ()),
        "reworded": ("time passed", ()),
        "without terms": ("time passed", ()),
    }
    assert causes(world, "overdue_amount") == causes(world)
    assert causes(world, "open_bills") == {}


CHANGES = (
    of_vendor("Net 5", "terms"),
    of_order("vendor_id = 'quick'", "other vendor"),
    f"insert into {VENDORS} by name select * replace ('quick' as id, 'Net 5' as order_terms)"
    f" from {VENDORS} where id = 'terms'",
    of_order("created_at = {day} - interval 40 day", "earlier"),
    of_order("invoice_generated_at = {day} - interval 35 day", "invoiced"),
    of_order("status = 'shipped'", "sent"),
    of_order("payment_status = 'paid'", "paid"),
    of_order("total = -total, sub_total = -sub_total", "in credit"),
    of_order("_deleted_at = now()", "gone"),
)
CHANGED: Causes = {
    "terms": ("edited", ("order_terms",)),
    "other vendor": ("edited", ("order_terms",)),
    "earlier": ("edited", ("ordered_at",)),
    "invoiced": ("edited", ("invoiced_date",)),
    "sent": ("state changed", ("order_status",)),
    "paid": ("state changed", ("payment_status",)),
    "in credit": ("edited", ("sub_total", "total")),
    "gone": ("deleted", ()),
}


@pytest.mark.slow
def test_what_changed_of_a_bill_is_its_cause_and_not_the_time(make: Make) -> None:
    world = make()
    world.marts.change(*CHANGES)
    world.publish()
    assert causes(world) == CHANGED

    later = make()
    later.marts.change(*CHANGES, FIVE_DAYS_LATER)
    later.publish()
    of_time = {name: ("time passed", ()) for name in ("late", "reworded", "without terms")}
    assert causes(later) == {**CHANGED, **of_time}


@pytest.mark.slow
@pytest.mark.parametrize("is_later", [False, True])
def test_a_setting_is_the_cause_only_of_what_it_makes_overdue(
    make: Make, monkeypatch: pytest.MonkeyPatch, *, is_later: bool
) -> None:
    world = make()
    monkeypatch.setenv("BUILD__OVERDUE_DAYS", "45")
    monkeypatch.setenv("BUILD__TERMS", json.dumps({"net 30": 5}))
    world.marts.change(of_vendor("Net 31", "late"), *([FIVE_DAYS_LATER] if is_later else []))
    world.publish()

    of_terms: Cause = ("setting changed", ("terms",))
    of_days: Cause = ("setting changed", ("overdue_days",))
    expected: dict[str, Cause] = {
        name: of_terms for name in ("reworded", "terms", "other vendor", "earlier", "invoiced")
    }
    expected |= {"without terms": of_days, "younger": of_days}
    if is_later:
        expected |= {
            **{name: ("time passed", ()) for name in ("late", "reworded", "without terms")},
            "not late": of_terms,
        }
    assert causes(world) == expected
