"""Why a figure moved: causes add up to the difference, and name the orders that were touched."""

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from support.few import few
from support.warehouses.edits import KINDS, OTHERS, SETTINGS, World, without_pages
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.causes import AFTER, BEFORE, difference, entries
from wholesale_elt.causes.rules import CAUSES
from wholesale_elt.differences.published import PublishedDifference, why_published
from wholesale_elt.figures import FACTS, LINES, ORDERS, Question, metrics, read_metrics, statement
from wholesale_elt.publish import ask_published
from wholesale_elt.warehouse import open_files

SEQUENCES = range(200)
EDITS = 12
Make = Callable[[int], World]
Row = Mapping[str, Any]


@pytest.fixture(scope="module")
def make(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Worlds that are published once, with some orders that are gone."""
    with without_pages():
        folder = tmp_path_factory.mktemp("first")
        first = World(loaded.copy(folder), folder / "published", Random(0))
        first.marts.change(
            "update wholesale_raw.orders set _deleted_at = now() where id in"
            " (select id from wholesale_raw.orders where status <> 'cancelled' order by id limit 5)"
        )
        first.publish()

        def made(seed: int) -> World:
            own = tmp_path_factory.mktemp("world")
            published = shutil.copytree(first.folder, own / "published", symlinks=True)
            return World(first.marts.copy(own), published, Random(seed))

        yield made


def ask(world: World, metric: str, **asked: Any) -> PublishedDifference:
    return why_published(world.folder, Question(metrics=[metric], **asked))


def require_whole(found: PublishedDifference) -> None:
    """Nothing is left over, and what the total says is what the version in force answers."""
    answer = found.difference
    [name] = found.question.metrics
    for part in (answer.total, *answer.rows):
        is_told = part.difference is not None
        assert (part.residue or 0) == 0, (name, found.question, part)
        if is_told:
            assert sum(each.amount or 0 for each in part.causes) == part.difference
        assert {each.cause for each in part.causes} <= set(CAUSES)


HAPPENED: Mapping[str, Callable[[Row | None, Row | None], object]] = {
    "new": lambda was, now: was is None and now,
    "found late": lambda was, now: was is None and now,
    "deleted": lambda was, now: was and now and not was["is_deleted"] and now["is_deleted"],
    "left": lambda was, now: was and not was["is_deleted"] and not now,
    "reappeared": lambda was, now: was and now and was["is_deleted"] and not now["is_deleted"],
    "cancelled": lambda was, now: was and now and not was["is_cancelled"] and now["is_cancelled"],
}


def require_that_orders_have_their_cause(found: PublishedDifference) -> None:
    """Each order behind a cause has it, and each of its fields, by the rows of both versions."""
    was, now = (_orders(side.database) for side in (found.before, found.after))
    for part in (found.difference.total, *found.difference.rows):
        for cause in part.causes:
            for order in cause.order_ids:
                sides = was.get(order), now.get(order)
                if happened := HAPPENED.get(cause.cause):
                    assert happened(*sides), (found.question, cause, order)
                elif cause.cause in ("edited", "state changed"):
                    before, after = (side or {} for side in sides)
                    fields = [name for name in cause.fields if name in before]
                    assert fields, (found.question, cause)
                    assert any(before[name] != after[name] for name in fields), cause


def _orders(database: Path) -> Mapping[str, Row]:
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.sql("from wholesale_marts.fct_orders").to_arrow_table().to_pylist()
    return {row["order_id"]: row for row in rows}


def by_order(found: PublishedDifference) -> dict[str, str]:
    """The cause of each order."""
    told = [
        (order, each.cause) for each in found.difference.total.causes for order in each.order_ids
    ]
    assert len(told) == len(dict(told)), "an order has one cause"
    return dict(told)


@pytest.fixture(scope="module")
def edited(make: Make) -> World:
    """One of each kind of edit, between two publications."""
    world = make(1)
    for kind in (*KINDS, *OTHERS):
        assert world.edit(kind), kind
    world.publish()
    return world


@pytest.mark.parametrize("metric", read_metrics())
def test_the_causes_of_any_metric_add_up_to_what_it_moved_by(edited: World, metric: str) -> None:
    found = ask(edited, metric)

    require_whole(found)
    of_now = ask_published(edited.folder, Question(metrics=[metric])).figures.total[metric]
    assert found.difference.total.after == of_now


@pytest.mark.parametrize(
    ("model", "of", "name"),
    [(ORDERS, "sales", "sub_total"), (LINES, "product_sales", "total_price")],
)
def test_a_metric_may_name_functions(
    edited: World, monkeypatch: pytest.MonkeyPatch, model: str, of: str, name: str
) -> None:
    """Of what is sold for more than nothing, which is all that is."""
    known = dict(read_metrics())
    value = f"case when is_sale then greatest(abs({name}), least(0, {name})) end"
    known["positive"] = replace(
        known[of],
        name="positive",
        expression=known[of].expression.replace(known[of].value, value),
        value=value,
    )
    for module in (metrics, statement):
        monkeypatch.setattr(module, "read_metrics", lambda: known)

    found, plain = ask(edited, "positive"), ask(edited, of)

    require_whole(found)
    assert [replace(cause, part=of) for cause in found.difference.total.causes] == list(
        plain.difference.total.causes
    )


def test_entries_lead_from_what_a_metric_was_to_what_it_is(edited: World) -> None:
    """Order by order, by every metric that is no ratio, and of each cause as much as it moved."""
    before, after = sorted((edited.folder / "versions").glob("*/wholesale.duckdb"))
    with open_files({BEFORE: before, AFTER: after}) as connection:
        for metric in read_metrics().values():
            question = Question(metrics=[metric.name])
            if metric.parts:
                with pytest.raises(Unanswerable):
                    entries(connection, question)
                continue
            found: dict[str, Decimal] = defaultdict(Decimal)
            for entry in entries(connection, question):
                assert entry.amount == entry.now - entry.was
                assert entry.order_ids or entry.counted_id
                found[entry.cause] += entry.amount
            moved: dict[str, Decimal] = defaultdict(Decimal)
            for cause in difference(connection, question).total.causes:
                moved[cause.cause] += cause.amount or 0
            assert {**found} == {**moved}, metric.name


def test_each_order_that_was_touched_is_named_with_what_happened_to_it(edited: World) -> None:
    assert by_order(ask(edited, "sales")) == edited.causes


def test_an_order_is_late_if_it_was_placed_before_the_orders_were_read_last(make: Make) -> None:
    world = make(3)
    world.marts.change(
        "update wholesale_raw.sync_runs set complete_as_of = complete_as_of - interval 2 hour"
        " where resource = 'vendors'"
    )
    world.publish()
    world.marts.change(
        "insert into wholesale_raw.orders by name select * replace ('late ' || id as id,"
        " (select max(complete_as_of) - interval 1 hour from wholesale_raw.sync_runs"
        " where resource = 'orders') as created_at)"
        " from wholesale_raw.orders where status <> 'cancelled' and _deleted_at is null"
        " order by id limit 1"
    )
    world.publish()

    assert list(by_order(ask(world, "sales")).values()) == ["found late"]


def test_the_amount_of_an_order_is_what_it_gave_or_took(edited: World) -> None:
    sales = {}
    for version in ("before", "after"):
        sales[version] = _sales(edited, version)
    told = {
        order["order_id"]: order["amount"]
        for each in ask(edited, "sales").difference.total.causes
        for order in each.orders
    }

    assert told == {
        order: sales["after"].get(order, Decimal()) - sales["before"].get(order, Decimal())
        for order in edited.causes
    }


def _sales(world: World, version: str) -> dict[str, Decimal]:
    files = sorted(world.folder.glob("versions/*/wholesale.duckdb"))
    with duckdb.connect(str(files[version == "after"]), read_only=True) as connection:
        return dict(
            connection.execute(
                "select order_id, coalesce(sub_total, 0) from wholesale_marts.fct_orders"
                " where is_sale"
            ).fetchall()
        )


@pytest.mark.parametrize(
    ("kind", "metric", "asked", "cause", "fields"),
    [
        ("paid back", "refunded_sales", {}, "state changed", ["payment_status"]),
        ("shipped", "orders", {"by": ["order_status"]}, "state changed", ["order_status"]),
        ("vendor", "orders", {"by": ["vendor"]}, "moved", ["vendor"]),
        ("buyer", "orders", {"by": ["buyer"]}, "moved", ["buyer"]),
        ("line", "units", {}, "lines changed", ["known_unit_count"]),
        ("line", "product_units", {}, "edited", ["quantity"]),
        ("line", "product_sales", {}, "edited", ["quantity", "total_price"]),
        ("line gone", "product_lines", {}, "line removed", []),
        ("category", "product_lines", {"by": ["category"]}, "moved", ["category"]),
        ("edited", "sales", {}, "edited", ["sub_total"]),
        ("implausible", "sales", {}, "set aside", ["sub_total"]),
        ("cancelled", "sales", {}, "cancelled", ["order_status"]),
    ],
)
def test_a_cause_tells_which_fields(
    edited: World, kind: str, metric: str, asked: dict[str, Any], cause: str, fields: list[str]
) -> None:
    found = ask(edited, metric, **asked)

    require_whole(found)
    told = {
        (each.cause, *each.fields)
        for part in found.difference.rows or [found.difference.total]
        for each in part.causes
        if edited.happened[kind] in each.order_ids
    }
    assert told == {(cause, *fields)}


METRICS_OF_BUYERS = (
    *("late_buyers", "lapsed_buyers", "buyers_at_risk", "sales_of_lapsed_buyers"),
    *("buyers_reordering_within_90_days", "buyers_known_after_90_days"),
)
BUYERS_OF_MANY = """
    select buyer_id, list(order_id order by ordered_at) from wholesale_marts.fct_orders
    where is_sale and is_return is not true and buyer_id is not null
    group by buyer_id order by count(distinct ordered_date) desc, buyer_id limit 1
"""


def test_the_first_cause_of_a_buyer_names_only_the_orders_and_fields_that_it_has(
    make: Make,
) -> None:
    world = make(4)
    with duckdb.connect(
        str(next(world.folder.glob("versions/*/wholesale.duckdb"))), read_only=True
    ) as connection:
        [(buyer, orders)] = connection.execute(BUYERS_OF_MANY).fetchall()
    kept, gone, undated, *moved = orders
    listed = ", ".join(f"'{order}'" for order in moved)
    for change, condition in (
        ("_deleted_at = now()", f"id = '{gone}'"),
        ("created_at = null", f"id = '{undated}'"),
        ("created_at = cast('2025-01-01' as timestamptz)", f"id in ('{kept}', {listed})"),
    ):
        world.marts.change(f"update wholesale_raw.orders set {change} where {condition}")
    world.publish()

    told = [
        (cause.cause, cause.fields, cause.order_ids)
        for metric in METRICS_OF_BUYERS
        for cause in ask(world, metric, where={"buyer": [buyer]}).difference.total.causes
    ]
    assert set(map(repr, told)) == {repr(("deleted", [], [gone]))}


def test_what_is_counted_once_names_only_the_orders_of_its_first_cause(make: Make) -> None:
    world = make(5)
    with duckdb.connect(
        str(next(world.folder.glob("versions/*/wholesale.duckdb"))), read_only=True
    ) as connection:
        [(buyer, orders)] = connection.execute(BUYERS_OF_MANY).fetchall()
    first, second, *others = orders
    listed = ", ".join(f"'{order}'" for order in others)
    for change, condition in (
        ("_deleted_at = now()", f"id = '{first}'"),
        ("status = 'cancelled'", f"id = '{second}'"),
        ("buyer_id = null", f"id in ({listed})"),
    ):
        world.marts.change(f"update wholesale_raw.orders set {change} where {condition}")
    world.publish()

    found = ask(world, "active_buyers", where={"buyer": [buyer]})

    require_whole(found)
    [cause] = found.difference.total.causes
    assert (cause.cause, cause.fields, cause.order_ids) == ("deleted", [], [first])


def test_a_setting_is_a_cause_of_its_own(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make(2)
    monkeypatch.setenv("BUILD__CANCELLED_ORDER_STATUSES", '["cancelled", "confirmed"]')
    world.publish()
    found = ask(world, "orders")

    require_whole(found)
    confirmed = world.marts.rows(
        "select order_id from wholesale_marts.fct_orders where order_status = 'confirmed'"
    )
    assert by_order(found) == {order: "setting changed" for (order,) in confirmed}
    assert [each.fields for each in found.difference.total.causes] == [["cancelled_order_statuses"]]
    assert [each.setting for each in found.difference.settings] == ["cancelled_order_statuses"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(SEQUENCES, 1))
def test_any_two_versions_differ_by_their_causes_alone(
    make: Make, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    world, random = make(seed), Random(seed)
    for _ in range(2):
        for kind in random.choices((*KINDS, *OTHERS), k=EDITS):
            world.edit(kind)
        for name, value in random.choice(SETTINGS).items():
            monkeypatch.setenv(name, value)
        world.publish()
    for metric in read_metrics().values():
        fact = FACTS[metric.model]
        periods = ("all_time", "last_90_days", "2026-05") if fact.day else ("all_time",)
        question = Question(
            metrics=[metric.name],
            by=random.sample(list(fact.dimensions), random.choice((0, 1, 2))),
            period=random.choice(periods),
        )
        kept = [path.name for path in sorted((world.folder / "versions").iterdir())]
        found = why_published(world.folder, question, *random.sample(kept, 2))
        require_whole(found)
        if metric.model != LINES:
            require_that_orders_have_their_cause(found)


def test_of_days_that_no_version_knows_nothing_is_told(edited: World) -> None:
    total = ask(edited, "sales", period="1999").difference.total

    assert (total.before, total.after, total.difference, total.residue) == (None,) * 4


def test_days_that_one_version_knows_are_known_of_both(make: Make) -> None:
    """The first sale is cancelled, and all that were of its month: figures begin later then."""
    world = make(3)
    [(month,)] = world.marts.rows(
        "select strftime(min(ordered_date), '%Y-%m') from wholesale_marts.fct_orders where is_sale"
    )
    of_month = f"is_sale and strftime(ordered_date, '%Y-%m') = '{month}'"
    orders = world.marts.rows(f"select order_id from wholesale_marts.fct_orders where {of_month}")
    world.marts.change(
        *(f"update wholesale_raw.orders set status = 'cancelled' where id = '{order}'"
          for (order,) in orders)
    )  # fmt: skip
    world.publish()

    found = ask(world, "cancelled_orders", period=month)

    total = found.difference.total
    [cause] = total.causes
    assert (total.difference, total.residue) == (len(orders), 0)
    assert (cause.cause, {*cause.order_ids}) == ("cancelled", {order for (order,) in orders})


def test_versions_are_named_by_name_place_or_moment(edited: World) -> None:
    first, last = (path.name for path in sorted((edited.folder / "versions").iterdir()))
    question = Question(metrics=["orders"])

    def sides(before: str, after: str) -> tuple[str | None, str | None]:
        found = why_published(edited.folder, question, before, after)
        return found.before.version, found.after.version

    assert sides("previous", "current") == (first, last)
    assert sides(first, last[:-1]) == (first, last)
    assert sides("2100-01-01", first) == (last, first)
    for name in ("2001-01-01", "yesterday", first[:4], ""):
        with pytest.raises(Unanswerable):
            sides(name, last)


def test_a_warehouse_as_of_then_stands_for_a_version(edited: World) -> None:
    question = Question(metrics=["sales"])
    now = str(edited.marts.database)
    found = why_published(edited.folder, question, after=now)

    assert by_order(found) == edited.causes
    assert why_published(edited.folder, question, "current", now).difference.total.causes == []


def test_one_metric_is_asked_for_at_a_time(edited: World) -> None:
    for question in (
        Question(metrics=["sales", "orders"]),
        Question(metrics=["sales"], grain="month"),
        Question(metrics=["sales"], period="2026", compare="year"),
    ):
        with pytest.raises(Unanswerable):
            why_published(edited.folder, question)
