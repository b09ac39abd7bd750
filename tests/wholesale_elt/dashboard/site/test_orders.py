"""Lists of orders: what is in them, how old it is and what is owed, the same as on every page."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest

from support.warehouses.javascript import COUNTING, Scripts, loaded_scripts
from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

ORDERS = "wholesale_marts.fct_orders"
LINES = "wholesale_marts.fct_order_lines"
OWED = (
    "is_sale and is_return is not true and lower(order_status) in ('shipped', 'delivered')"
    " and payment_standing = 'open'"
)


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return publish(
        built,
        tmp_path_factory.mktemp("orders"),
        f"update {ORDERS} set order_status = 'Shipped', payment_standing = 'open'"
        " where is_sale and order_number like '%1'",
        f"update {ORDERS} set payment_standing = 'open', order_status = 'received'"
        " where is_sale and order_number like '%2'",
        f"update {ORDERS} set payment_standing = 'open', order_status = 'mislaid'"
        " where is_sale and order_number like '%3'",
        f"update {ORDERS} set payment_standing = 'unknown'"
        " where is_sale and order_number like '%4'",
        f"update {ORDERS} set ordered_date = null, ordered_at = null where order_number like '%41'",
        "update wholesale_marts.dim_as_of set quiet_day_count = 9, last_ordered_date = as_of_date",
        "update wholesale_bi.rpt_headlines set quiet_day_count = 9",
    )


@pytest.fixture(scope="module")
def page(published: Site) -> Iterator[Scripts]:
    with loaded_scripts(
        *COUNTING,
        *("format", "age"),
        *("sorting", "objects", "catalogue"),
        *("orders/read", "orders/numbers", "orders/contents", "orders/list"),
    ) as scripts:
        for name in published.names():
            scripts.receive(name, published.content(name))
        scripts.run("wholesale.load('meta').then((meta) => { wholesale.meta = meta; })")
        yield scripts


def listed(page: Scripts, **view: Any) -> list[Mapping[str, Any]]:
    question = json.dumps({"period": "all_time", **view})
    return list(page.run(f"wholesale.orders.first({question})"))


def ids(rows: list[Mapping[str, Any]]) -> set[str]:
    return {row["order_id"] for row in rows}


def test_what_is_owed_is_the_same_wherever_it_stands(published: Site, page: Scripts) -> None:
    [[count, amount]] = published.answer(f"select count(*), sum(total) from {ORDERS} where {OWED}")
    rows = listed(page, own={"payment": "owed"})
    assert all(row["is_owed"] for row in rows)
    assert len(rows) == len([row for row in listed(page) if row["is_owed"]]) == count
    assert sum(Decimal(row["total"]) for row in rows) == Decimal(amount)
    ages = published.table("tasks", "receivables")
    owed = [row for row in ages if row["age"] != "unknown"]
    assert sum(Decimal(row["amount"]) for row in owed) == Decimal(amount)
    assert "undated" in {row["age"] for row in ages}
    buyers = published.table("buyers")
    of_buyers = f"select sum(total) from {ORDERS} where {OWED} and buyer_id is not null"
    assert sum(Decimal(row["owed_amount"] or 0) for row in buyers) == Decimal(
        published.answer(of_buyers)[0][0]
    )


def test_what_may_be_owed_is_the_same_on_the_list_and_in_the_report(
    published: Site, page: Scripts
) -> None:
    """Nothing tells what the state of the order means, or that of its payment."""
    for choice, is_open in (("unknown", "not is_open"), ("owed", "is_open")):
        reported = f"select order_id from wholesale_bi.rpt_receivables where {is_open}"
        expected = {order for [order] in published.answer(reported)}
        assert expected
        assert ids(listed(page, own={"payment": choice})) == expected
    untold = {row["order_status"] for row in listed(page, own={"payment": "unknown"})}
    assert {"mislaid"} < untold
    counted = sum(row["unknown_order_count"] for row in published.table("buyers"))
    asked = "select count(*) from wholesale_bi.rpt_receivables where not is_open"
    assert [(counted,)] == published.answer(f"{asked} and buyer_id is not null")


def test_an_order_is_as_old_on_the_list_as_in_what_is_to_do(published: Site, page: Scripts) -> None:
    age: dict[Any, Any] = dict(
        published.answer(
            "select order_id, as_of_date - ordered_date"
            f" from {ORDERS} cross join wholesale_marts.dim_as_of"
        )
    )
    rows = listed(page)
    assert {row["order_id"]: row["age"] for row in rows} == age
    assert None in age.values()
    old = listed(page, own={"days": "30"})
    assert ids(old) == {key for key, days in age.items() if days is not None and days > 30}
    assert {row["order_id"] for row in published.table("tasks", "overdue")} <= ids(
        listed(page, own={"days": "60", "payment": "owed"})
    )


def test_a_product_lists_orders_of_all_its_sizes_and_a_size_only_its_own(
    published: Site, page: Scripts
) -> None:
    [[item, size]] = published.answer(
        f"select item_id, min(product_id) from {LINES} where variant_id is not null"
        " group by item_id having count(distinct product_id) > 1 order by item_id limit 1"
    )
    for key, column in ((item, "item_id"), (size, "product_id")):
        expected = published.answer(
            f"select distinct order_id from {LINES} where {column} = '{key}' and not is_deleted"
        )
        assert ids(listed(page, own={"product": key})) == {order for [order] in expected}
    assert ids(listed(page, own={"product": size})) < ids(listed(page, own={"product": item}))


def test_a_category_lists_orders_of_those_below_it(published: Site, page: Scripts) -> None:
    [[above]] = published.answer(
        "select parent_category_title from wholesale_marts.dim_categories"
        " where category_title in (select category_name from wholesale_marts.fct_order_lines)"
        " order by 1 limit 1"
    )
    expected = published.answer(
        f"select distinct order_id from {LINES} where not is_deleted and category_name in"
        " (select category_title from wholesale_marts.dim_categories"
        f" where parent_category_title = '{above}' or category_title = '{above}')"
    )
    assert expected
    assert ids(listed(page, own={"category": above})) == {order for [order] in expected}


SUMS = """
    Promise.resolve(wholesale.orders.list({view}, {options})).then(async (list) => {{
        {acts}
        return {{
            rows: await list.rows({most}),
            before: list.isWhole(),
            sum: (await list.whole(), list.sum()),
        }};
    }})
"""


def paged(
    page: Scripts, most: int = 3, acts: str = "", options: str = "{}", **view: Any
) -> Mapping[str, Any]:
    asked = json.dumps({"period": "all_time", **view})
    found = page.run(SUMS.format(view=asked, options=options, acts=acts, most=most))
    return dict(found)


SUMMED = (
    "select count(*), count(*) filter (is_sale),"
    " count(*) filter (not is_sale and not is_deleted), count(*) filter (is_deleted),"
    " count(*) filter (is_sale and sub_total is null),"
    " coalesce(sum(sub_total) filter (is_sale), 0),"
    f" count(distinct buyer_id) filter (is_sale) from {ORDERS}"
)
NAMES = ("listed", "orders", "cancelled", "deleted", "unpriced", "sales", "buyers")


@pytest.mark.parametrize(
    ("view", "where"),
    [
        ({}, "true"),
        ({"where": {"order_status": ["mislaid"]}}, "order_status = 'mislaid'"),
        ({"own": {"payment": "open"}}, "is_sale and payment_standing = 'open'"),
        ({"own": {"kind": "cancelled"}}, "is_cancelled"),
        ({"period": "last_12_months"}, "ordered_date between {first} and {last}"),
    ],
)
def test_the_sums_of_a_list_are_those_of_all_its_orders(
    published: Site, page: Scripts, view: Mapping[str, Any], where: str
) -> None:
    first, last = published.answer(
        "select figures_up_to - interval 1 year + interval 1 day, figures_up_to"
        " from wholesale_marts.dim_as_of"
    )[0]
    condition = where.format(first=f"date '{first[:10]}'", last=f"date '{last}'")
    if "payment" in view.get("own", {}):
        condition += " and is_return is not true"
    found = paged(page, **view)
    [expected] = published.answer(f"{SUMMED} where {condition}")
    assert tuple(found["sum"][name] for name in NAMES) == expected
    assert len(found["rows"]) == 3


def test_a_list_whose_sums_are_prepared_looks_at_no_further_month(page: Scripts) -> None:
    assert paged(page, period="last_12_months")["before"]
    assert not paged(page, where={"order_status": ["mislaid"]})["before"]


@pytest.mark.parametrize("most", [1, 60, 100_000])
def test_a_list_has_the_newest_first_and_more_when_asked(page: Scripts, most: int) -> None:
    everything = [row["order_id"] for row in listed(page)]
    assert [row["order_id"] for row in paged(page, most)["rows"]] == everything[:most]


@pytest.mark.parametrize("is_ascending", [True, False])
def test_a_list_is_sorted_as_a_whole(published: Site, page: Scripts, is_ascending: bool) -> None:
    rising = str(is_ascending).lower()
    acts = f"await list.sort(['sub_total'], (row) => row.sub_total, {rising});"
    found = [row["sub_total"] for row in paged(page, 20, acts)["rows"]]
    order = "sub_total nulls first" if is_ascending else "sub_total desc nulls last"
    expected = published.answer(f"select sub_total from {ORDERS} order by {order} limit 20")
    assert found == [amount for [amount] in expected]


def test_what_is_to_be_paid_is_summed_of_those_that_are_listed(
    published: Site, page: Scripts
) -> None:
    found = paged(page, options="{isTotaled: true}", own={"payment": "owed"})
    [[total]] = published.answer(f"select sum(total) from {ORDERS} where {OWED}")
    assert found["sum"]["toPay"] == total
