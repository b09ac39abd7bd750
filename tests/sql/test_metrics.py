"""What the reports say equals what plain arithmetic over the raw rows says, to the last digit."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import duckdb
import pytest

from sql.recomputation.places import country_name, state_name
from support.warehouses.marts import Marts, Row
from wholesale_elt.figures import Question, ask
from wholesale_spreadsheets.sheets import read_sheets

Order = Mapping[str, Any]

ORDER_COLUMNS = (
    *("id", "status", "payment_status", "sub_total", "total", "vendor_id", "buyer_id"),
    *("shipping_country", "shipping_state", "order_line_items_discount_amount"),
    *("transaction_fee", "vendor_minimum_order_value"),
)


@pytest.fixture(scope="module")
def sales(built: Marts) -> list[Order]:
    """Orders that count, from the raw table; `day` is that of UTC."""
    rows = built.rows(
        f"select {', '.join(ORDER_COLUMNS)}, cast(created_at as date)"
        " from wholesale_raw.orders where _deleted_at is null"
    )
    orders = [dict(zip((*ORDER_COLUMNS, "day"), row, strict=True)) for row in rows]
    for order in orders:
        written = order["shipping_country"], order["shipping_state"]
        order["shipping_country"], order["shipping_state"] = (
            country_name(written[0]),
            state_name(*written),
        )
    assert {order["status"] for order in orders} > {"delivered", "cancelled"}
    return [order for order in orders if order["status"] != "cancelled"]


def total(orders: Iterable[Order], column: str = "sub_total") -> Decimal:
    return sum((order[column] for order in orders), Decimal())


def grouped(orders: Iterable[Order], key: Callable[[Order], Any]) -> dict[Any, list[Order]]:
    groups: dict[Any, list[Order]] = defaultdict(list)
    for order in orders:
        groups[key(order)].append(order)
    return groups


def month(day: date) -> date:
    return day.replace(day=1)


def rounded(numerator: Decimal | int, denominator: Decimal | int) -> Decimal:
    return (Decimal(numerator) / Decimal(denominator)).quantize(Decimal("0.000001"))


def test_the_headlines_are_sums_over_the_orders_that_count(
    built: Marts, sales: list[Order]
) -> None:
    ((lines, units),) = built.rows(
        "select count(*), sum(quantity) from wholesale_raw.orders__order_line_items"
        " where order_id in (select id from wholesale_raw.orders where status <> 'cancelled')"
    )
    refunded = [order for order in sales if order["payment_status"] == "refunded"]
    short = sum(order["sub_total"] < (order["vendor_minimum_order_value"] or 0) for order in sales)

    assert built.rows(
        "select * exclude (as_of_date, figures_from, figures_up_to, last_ordered_date, synced_at,"
        " quiet_day_count)"
        " from wholesale_bi.rpt_headlines"
    ) == [
        (
            "XXX",
            "UTC",
            len(sales),
            len({order["buyer_id"] for order in sales}),
            units,
            lines,
            total(sales),
            total(sales) - total(sales, "order_line_items_discount_amount"),
            0,
            0,
            len(refunded),
            total(refunded),
            total(sales, "total"),
            total(sales, "order_line_items_discount_amount"),
            total(sales, "transaction_fee"),
            0,
            0,
            0,
            0,
            rounded(total(sales), len(sales)),
            rounded(units, len(sales)),
            rounded(lines, len(sales)),
            rounded(total(sales, "order_line_items_discount_amount"), total(sales)),
            rounded(total(sales, "transaction_fee"), total(sales, "total")),
            rounded(short, len(sales)),
        )
    ]


def test_sales_by_month_and_vendor_equal_sums_over_the_orders(
    built: Marts, sales: list[Order]
) -> None:
    groups = grouped(sales, lambda order: (order["vendor_id"], month(order["day"])))

    assert built.rows(
        "select vendor_id, month_start, order_count, sales_amount, buyer_count"
        " from wholesale_bi.rpt_vendor_scorecard order by all"
    ) == sorted(
        (*key, len(orders), total(orders), len({order["buyer_id"] for order in orders}))
        for key, orders in groups.items()
    )


def test_a_state_is_the_same_in_every_report(built: Marts) -> None:
    of_places = built.rows(
        "select state, sum(sales_amount) from wholesale_bi.rpt_geography group by 1 order by 1"
    )
    of_periods = built.rows(
        "select state, sales_amount from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = 'all_time' and vendor_id = 'all' and state <> 'all' order by 1"
    )
    assert of_places == of_periods
    assert of_places == built.rows(
        "select state, sum(sub_total) from wholesale_bi.rpt_orders group by 1 order by 1"
    )


def test_sales_by_country_equal_sums_over_the_orders(built: Marts, sales: list[Order]) -> None:
    groups = grouped(sales, lambda order: order["shipping_country"])

    assert built.rows(
        "select shipping_country, cast(sum(order_count) as bigint), sum(sales_amount),"
        " sum(billed_amount)"
        " from wholesale_bi.rpt_geography group by 1 order by 1"
    ) == sorted(
        (country, len(orders), total(orders), total(orders, "total"))
        for country, orders in groups.items()
    )


def test_sales_by_buyer_equal_sums_over_the_orders(built: Marts, sales: list[Order]) -> None:
    groups = grouped(sales, lambda order: order["buyer_id"])

    assert built.rows(
        "select buyer_id, order_count, sales_amount, first_ordered_date, last_ordered_date"
        " from wholesale_marts.dim_buyers where order_count > 0 order by 1"
    ) == sorted(
        (
            buyer,
            len(orders),
            total(orders),
            min(order["day"] for order in orders),
            max(order["day"] for order in orders),
        )
        for buyer, orders in groups.items()
    )


def test_rolling_windows_and_the_year_before(built: Marts, sales: list[Order]) -> None:
    by_day = grouped(sales, lambda order: (order["vendor_id"], order["day"]))
    sums = {key: total(orders) for key, orders in by_day.items()}
    ((last,),) = built.rows("select max(date_day) from wholesale_marts.dim_dates")
    expected: list[Row] = []
    for vendor in {order["vendor_id"] for order in sales}:
        first = min(day for who, day in by_day if who == vendor)

        def window(
            end: date, days: int, vendor: str = vendor, first: date = first
        ) -> Decimal | None:
            start = end - timedelta(days=days - 1)
            if start < first:
                return None
            span = (start + timedelta(days=n) for n in range(days))
            return sum((sums.get((vendor, day), Decimal()) for day in span), Decimal())

        for n in range((last - first).days + 1):
            day = first + timedelta(days=n)
            now, before = window(day, 28), window(day - timedelta(days=364), 28)
            growth = rounded(now - before, before) if now is not None and before else None
            amount = sums.get((vendor, day), Decimal())
            expected.append((vendor, day, amount, window(day, 7), now, before, growth))

    found = built.rows(
        "select vendor_id, date_day, sales_amount, sales_amount_7_days, sales_amount_28_days,"
        " sales_amount_28_days_year_before, year_on_year_growth"
        " from wholesale_bi.rpt_daily_sales order by 1, 2"
    )
    assert found == sorted(expected, key=lambda row: row[:2])
    assert any(row[-1] for row in found)


def test_sales_by_period_vendor_and_state(built: Marts, sales: list[Order]) -> None:
    spans = built.rows(
        "select period_key, first_day, last_day,"
        " case when is_year_before_covered then year_before_first_day end, year_before_last_day"
        " from wholesale_bi.rpt_periods"
    )
    assert {"last_28_days", "this_year", "all_time", "2025", "2025-12"} < {row[0] for row in spans}

    def summed(first: date | None, last: date | None) -> dict[tuple[str, str], Row]:
        groups: dict[tuple[str, str], list[Order]] = defaultdict(list)
        for order in sales:
            if first and last and first <= order["day"] <= last:
                place = f"{order['shipping_country']}-{order['shipping_state']}"
                for vendor, state in product((order["vendor_id"], "all"), (place, "all")):
                    groups[vendor, state].append(order)
        return {
            key: (len(orders), len({order["buyer_id"] for order in orders}), total(orders))
            for key, orders in groups.items()
        }

    expected: list[Row] = []
    for period, *days in spans:
        now, before = summed(*days[:2]), summed(*days[2:])
        expected += [
            (period, *key, *now.get(key, (0, 0, Decimal())), *before.get(key, (None, None, None)))
            for key in now | before
        ]

    assert built.rows(
        "select period_key, vendor_id, state, order_count, buyer_count, sales_amount,"
        " order_count_year_before, buyer_count_year_before, sales_amount_year_before"
        " from (from wholesale_bi.rpt_sales_by_period"
        " union all from wholesale_bi.rpt_sales_by_period_totals)"
        " order by 1, 2, 3"
    ) == sorted(expected, key=lambda row: row[:3])


def test_growth_is_that_of_a_year_before_which_the_data_reach(built: Marts) -> None:
    measures = ("order_count", "buyer_count", "sales_amount", "average_order_value")
    columns = ", ".join(f"{name}, {name}_year_before, {name}_growth" for name in measures)
    rows = built.rows(f"select is_growth_told, {columns} from wholesale_bi.rpt_sales_by_period")
    told = 0
    for is_covered, *figures in rows:
        for now, before, growth in zip(*[iter(figures)] * 3, strict=True):
            is_told = is_covered and now is not None and bool(before)
            assert growth == (rounded(now - before, before) if is_told else None)
            told += is_told
    assert 100 < told < len(rows) * len(measures)


def test_every_sale_of_a_line_is_in_the_catalogue(built: Marts) -> None:
    assert built.rows(
        "select sum(sales_amount), cast(sum(unit_count) as bigint) from wholesale_bi.rpt_catalogue"
    ) == built.rows(
        "select sum(total_price), cast(sum(quantity) as bigint)"
        " from wholesale_raw.orders__order_line_items"
        " where order_id in (select id from wholesale_raw.orders where status <> 'cancelled')"
    )


def test_money_is_decimal_in_every_column(built: Marts) -> None:
    types = {
        row[0]
        for row in built.rows(
            "select distinct data_type from duckdb_columns()"
            " where schema_name in ('wholesale_marts', 'wholesale_bi')"
        )
    }
    assert types & {"DOUBLE", "FLOAT", "HUGEINT"} == set()
    assert "DECIMAL(38,9)" in types


def test_every_check_of_the_reconciliation_holds(built: Marts) -> None:
    assert built.rows(
        "select count(*), count(*) filter (where is_reconciled)"
        " from wholesale_bi.rpt_reconciliation"
    ) == [(29, 29)]


def test_the_price_kept_is_the_same_as_metric_and_in_its_report(built: Marts) -> None:
    with duckdb.connect(str(built.database), read_only=True) as connection:
        names = ("product_sales_with_a_list_price", "product_sales_at_list_prices")
        found = ask(connection, Question(metrics=["price_kept_rate", *names])).total
    sums = built.rows(
        "select sum(paid_amount), sum(list_price_amount) from wholesale_bi.rpt_price_realisation"
    )
    assert [tuple(found[name] for name in names)] == sums
    assert found["price_kept_rate"] == rounded(*sums[0]) < 1
    assert built.rows(
        "select count(*) > 0 from wholesale_marts.fct_order_lines as lines"
        " inner join wholesale_marts.dim_variants as variants using (variant_id)"
        " where list_price < variants.unit_price"
    ) == [(True,)], "some buyers have a list of their own"


def test_a_month_has_one_number_by_every_way(
    built: Marts, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """By grain, by period, in each report, and in the sheet; what is ordered since is in none."""
    marts = built.copy(tmp_path_factory.mktemp("since"))
    marts.change(
        "insert into wholesale_raw.orders by name select * replace (id || ' since' as id,"
        " (select max(started_at) from wholesale_raw.sync_runs) as created_at)"
        " from wholesale_raw.orders where status = 'received' limit 3",
        "insert into wholesale_raw.orders by name select * replace (id || ' undated' as id,"
        " cast(null as timestamptz) as created_at)"
        " from wholesale_raw.orders where status = 'received' limit 2",
    )
    marts.build()

    def monthly(report: str) -> list[Row]:
        return marts.rows(
            "select month_start, any_value(seen_day_count), sum(sales_amount)"
            f" from wholesale_bi.{report} group by 1 order by 1"
        )

    with duckdb.connect(str(marts.database), read_only=True) as connection:
        found = ask(connection, Question(metrics=["sales"], grain="month"))
        by_grain = [(row["month"], row["seen_day_count"], row["sales"]) for row in found.rows]
        for first, days, amount in by_grain[:-1]:
            of_month = ask(connection, Question(metrics=["sales"], period=f"{first:%Y-%m}"))
            assert (of_month.span and of_month.span.days, of_month.total["sales"]) == (days, amount)
        [months] = [each for each in read_sheets(connection, "XXX") if each.title == "Months"]
        place = [column.name for column in months.columns].index("sales")
        sheet = {row[0]: (row[2], row[place]) for row in months.rows()}
    assert by_grain[-1][:2] == (None, None)
    assert sheet == {month: (days, amount) for month, days, amount in by_grain}
    for report in ("rpt_vendor_scorecard", "rpt_geography"):
        assert monthly(report) == by_grain
    of_all = marts.rows("select sum(sub_total) from wholesale_marts.fct_orders where is_sale")
    assert of_all == [(sum(amount for *_, amount in by_grain),)]


def test_a_buyer_is_lost_once_in_the_month_in_which_its_time_passed(built: Marts) -> None:
    """Those of all months, and those lost since the last day that is over, are the lapsed ones."""
    [(as_of, up_to)] = built.rows("select as_of_date, figures_up_to from wholesale_marts.dim_as_of")
    bought = built.rows(
        "select buyer_id, max(cast(created_at as date)) from wholesale_raw.orders"
        " where status <> 'cancelled' and _deleted_at is null and sub_total >= 0"
        " and buyer_id in (select id from wholesale_raw.buyers where _deleted_at is null)"
        " group by buyer_id"
    )
    lost = [day + timedelta(91) for _, day in bought if day + timedelta(91) <= as_of]
    months: dict[date | None, int] = defaultdict(int)
    for day in lost:
        months[month(day) if day <= up_to else None] += 1

    with duckdb.connect(str(built.database), read_only=True) as connection:
        found = ask(connection, Question(metrics=["lost_buyers"], grain="month"))
        [one, *_] = [each for each in months if each]
        of_one = ask(connection, Question(metrics=["lost_buyers"], period=f"{one:%Y-%m}"))
        lapsed = ask(connection, Question(metrics=["lapsed_buyers"])).total["lapsed_buyers"]

    assert {row["month"]: row["lost_buyers"] for row in found.rows} == months
    assert [row["month"] for row in found.rows if row["is_unfinished"]] in ([], [month(up_to)])
    assert of_one.total["lost_buyers"] == months[one]
    assert found.total["lost_buyers"] == len(lost) == lapsed > 10
