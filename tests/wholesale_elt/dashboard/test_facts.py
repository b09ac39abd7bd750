"""Orders and lines as columns of numbers: all of them, each in its month, exact."""

from collections import Counter
from decimal import Decimal
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish
from wholesale_elt.figures import LINES, ORDERS


def months(site: Site, fact: str = ORDERS) -> list[str]:
    return list(site.content("facts/index")[fact]["months"])


def details(site: Site, month: str) -> list[dict[str, Any]]:
    """The details of a month's orders, of all its parts."""
    index = site.content("facts/index")
    parts = range(-(-index[ORDERS]["months"][month] // index["part"]))
    return [row for part in parts for row in site.table(f"facts/details-{month}-{part}")]


def test_states_are_called_without_their_country_if_no_other_place_is_called_so(
    built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        "update wholesale_marts.fct_orders set shipping_country = case"
        " when order_number like '%1' then 'India' when order_number like '%2' then 'Pakistan'"
        " when order_number like '%3' then 'Georgia' else 'United States' end,"
        " shipping_state = case when order_number like '%1' or order_number like '%2' then 'Punjab'"
        " when order_number like '%4' then 'Oregon' when order_number like '%5' then 'Georgia' end",
    )
    members = site.table("facts/members_of_orders", "state")
    assert [(row["key"], row["name"]) for row in members] == [
        ("Georgia", None),
        ("India-Punjab", None),
        ("Pakistan-Punjab", None),
        ("United States", None),
        ("United States-Georgia", None),
        ("United States-Oregon", "Oregon"),
    ]


def test_every_order_stands_in_the_files_of_its_month_at_one_place(site: Site) -> None:
    members = site.content("facts/members_of_orders")
    vendors = site.table("facts/members_of_orders", "vendor")
    assert sorted(members) == ["buyer", "state", "vendor"]
    statuses = site.table("facts/members_of_states", "order_status")
    found = []
    for month in months(site):
        names = ("orders", "states", "more", "flags")
        files = [site.table(f"facts/{name}-{month}") for name in names]
        for first, states, more, flags, said in zip(*files, details(site, month), strict=True):
            found.append(
                (
                    said["order_id"],
                    f"{month}-{first['day']:02}",
                    vendors[first["vendor"]]["key"],
                    statuses[states["order_status"]]["key"],
                    first["orders"],
                    more["units"],
                    said["total"],
                    flags["payment_standing"],
                )
            )
    assert sorted(found) == site.answer(
        "select order_id, ordered_date, vendor_id, order_status, is_sale::int,"
        " case when is_sale then known_unit_count end, total, payment_standing"
        f" from wholesale_marts.{ORDERS} order by order_id"
    )


def test_amounts_are_whole_numbers_of_the_smallest_unit(site: Site) -> None:
    index = site.content("facts/index")
    scale = index[ORDERS]["measures"]["orders"]["sales"]["scale"]
    sums = {
        month: sum(row["sales"] or 0 for row in site.table(f"facts/orders-{month}"))
        for month in months(site)
    }
    assert {month: Decimal(number).scaleb(-scale) for month, number in sums.items()} == {
        month: Decimal(amount)
        for month, amount in site.answer(
            "select strftime(ordered_date, '%Y-%m'), sum(sub_total) filter (where is_sale)"
            f" from wholesale_marts.{ORDERS} group by 1 order by 1"
        )
    }
    assert 0 < scale <= 9


def test_amounts_too_large_for_a_number_of_the_page_are_texts(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        f"alter table wholesale_marts.{ORDERS} alter sub_total type decimal(38, 9)",
        f"update wholesale_marts.{ORDERS} set sub_total = 999999999999999.999999999 where is_sale",
    )
    assert site.content("facts/index")[ORDERS]["measures"]["orders"]["sales"] == {
        "scale": 9,
        "is_large": True,
    }
    values = {row["sales"] for month in months(site) for row in site.table(f"facts/orders-{month}")}
    assert values == {None, "999999999999999999999999"}


def test_orders_without_a_date_have_files_of_their_own(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.{ORDERS} set ordered_date = null"
        f" where order_id = (select min(order_id) from wholesale_marts.{ORDERS})",
    )
    [(first, lines)] = site.answer(
        "select order_id, line_count from wholesale_marts.fct_orders where ordered_date is null"
    )
    assert [row["order_id"] for row in details(site, "undated")] == [first]
    assert [row["day"] for row in site.table("facts/orders-undated")] == [None]
    assert len(site.table("facts/lines-undated")) == lines
    assert months(site)[-1] == "undated"


def test_every_line_leads_to_its_order_and_its_product(site: Site) -> None:
    kinds = site.table("facts/kinds")
    found = Counter[tuple[str, str, int, bool]]()
    for month in months(site, LINES):
        orders = details(site, month)
        lines = site.table(f"facts/lines-{month}")
        places = accumulate(row["further"] for row in lines)
        for place, line in zip(places, lines, strict=True):
            key = (orders[place]["order_id"], kinds[line["kind"]]["product_id"])
            found[*key, line["product_units"] or 0, bool(line["product_sales"])] += 1
    assert found == Counter(
        site.answer(
            "select order_id, product_id, case when is_sale then quantity else 0 end,"
            f" is_sale and total_price <> 0 from wholesale_marts.{LINES}"
        )
    )


def test_a_search_knows_between_which_numbers_a_month_is(site: Site) -> None:
    assert site.content("facts/index")["numbers"] == {
        month: [[least, most]]
        for month, least, most in site.answer(
            "select strftime(ordered_date, '%Y-%m'), min(order_number::int),"
            f" max(order_number::int) from wholesale_marts.{ORDERS} group by 1"
        )
    }


def test_a_month_with_a_number_that_is_none_is_searched_whole(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.{ORDERS} set order_number = 'A-1' where order_id ="
        f" (select arg_min(order_id, ordered_date) from wholesale_marts.{ORDERS})",
    )
    first, *_ = months(site)
    assert site.content("facts/index")["numbers"][first][0][0] is None


@pytest.mark.parametrize("column", ["shipping_city", "payment_method_type"])
def test_what_is_not_published_is_no_dimension(built: Marts, tmp_path: Path, column: str) -> None:
    name = {"shipping_city": "city", "payment_method_type": "payment_method"}[column]
    site = publish(built, tmp_path, f"alter table wholesale_marts.{ORDERS} drop {column}")
    assert name not in site.content("facts/index")[ORDERS]["dimensions"]["more"]
    assert name not in site.content("facts/members_of_more")
