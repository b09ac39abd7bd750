"""The questions of a wholesale business: each one statement on the published file, or one call.

What is right is counted by hand from the raw rows. The business is made up, with two syncs and
changes between them; the real order history is asked the same where it is on this machine.
"""

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import combinations, pairwise
from pathlib import Path
from statistics import median_low
from typing import Any

import duckdb
import pytest

from sql.recomputation import built_at
from sql.recomputation.arithmetic import grouped, known_total, total
from sql.recomputation.books import Books, Line, Order, read
from support.records.online_retail import SOURCE, convert
from support.services.service import served
from support.warehouses.edits import without_pages
from support.warehouses.marts import Marts
from wholesale.api.resources import RESOURCE
from wholesale.errors import Unanswerable
from wholesale.settings import ApiSettings
from wholesale_elt.figures import Question
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish import ask_published
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.truth import truth

Rows = list[tuple[Any, ...]]
QUESTIONS: dict[str, tuple[str, Callable[["Business"], Rows]]] = {}


@dataclass
class Business:
    """What is published of it, and its books: at the first sync, and now."""

    folder: Path
    books: Books
    before: Books

    def ask(self, statement: str) -> Rows:
        versions = sorted((self.folder / "versions").iterdir())
        statement = statement.format(before=versions[0] / "wholesale.duckdb")
        database = self.folder / "wholesale.duckdb"
        with duckdb.connect(str(database), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(statement).fetchall()

    @property
    def sales(self) -> list[Order]:
        return self.books.sales

    @property
    def lines(self) -> list[Line]:
        return [line for order in self.sales for line in order.lines]

    @property
    def buyers(self) -> Mapping[str, Mapping[str, Any]]:
        return self.books.by_id("buyers")

    def items(self) -> Mapping[str, Mapping[str, Any]]:
        return self.books.by_id("items")

    def variant(self, line: Line) -> Mapping[str, Any] | None:
        """The variant of the line, by its item and SKU where it is not told."""
        found = [
            variant
            for variant in self.books.rows("variants")
            if variant["parent_id"] == line.item_id and _sku(variant["sku"]) == _sku(line.sku)
        ]
        return found[0] if len(found) == 1 else None


def _sku(text: str | None) -> str | None:
    return text and "".join(text.split()).lower()


def _summed(rows: Mapping[Any, list[Any]], amount: Callable[[Any], Any]) -> Rows:
    found = [(key, total(map(amount, group))) for key, group in rows.items() if key is not None]
    return sorted(found, key=lambda row: str(row[0]))


def _sub_total(order: Order) -> Decimal | None:
    return order.sub_total


def question(text: str, statement: str) -> Callable[[Callable[[Business], Rows]], None]:
    def keep(right: Callable[[Business], Rows]) -> None:
        QUESTIONS[text] = (statement, right)

    return keep


@question(
    "sales by month",
    "select date_trunc('month', date_day)::date, sum(sales_amount) from daily_sales"
    " where sales_amount <> 0 group by 1 order by 1",
)
def _(of: Business) -> Rows:
    found = grouped(of.books.dated_sales, lambda order: of.books.month_of(order.day))
    return [row for row in _summed(found, _sub_total) if row[1]]


@question(
    "sales by vendor, and those of the year before",
    "select vendor_id, sum(sub_total) filter (year(ordered_date) = 2026),"
    " sum(sub_total) filter (year(ordered_date) = 2025) from orders where is_sale"
    " group by 1 order by 1",
)
def _(of: Business) -> Rows:
    def sales(orders: list[Order], year: int) -> Decimal | None:
        found = [order.sub_total for order in orders if order.day and order.day.year == year]
        return total(found) if found else None

    vendors = grouped(of.sales, lambda order: order.vendor_id)
    return sorted((key, sales(made, 2026), sales(made, 2025)) for key, made in vendors.items())


@question(
    "sales by buyer and quarter",
    "select buyer_id, date_trunc('quarter', ordered_date)::date, sum(sub_total) from orders"
    " where is_sale and ordered_date is not null group by all order by all",
)
def _(of: Business) -> Rows:
    def quarter(order: Order) -> date:
        assert order.day
        return order.day.replace(day=1, month=3 * ((order.day.month - 1) // 3) + 1)

    found = grouped(of.books.dated_sales, lambda order: (order.buyer_id, quarter(order)))
    rows = [(*key, total(map(_sub_total, made))) for key, made in found.items()]
    return sorted(rows, key=lambda row: (row[0] is None, row))


@question(
    "sales by category, and by the category above it",
    "select category_name, parent_category_title, sum(total_price) from order_lines"
    " left join categories on category_title = category_name"
    " where is_sale and category_name is not null group by all order by all",
)
def _(of: Business) -> Rows:
    categories = {row["title"]: row for row in of.books.rows("categories")}
    titles = {row["id"]: row["title"] for row in of.books.rows("categories")}
    names = {
        record["order_id"] + str(record["line_number"]): record["categoy_name"]
        for record in of.books.rows("orders__order_line_items")
    }
    sums: dict[str, list[Decimal | None]] = defaultdict(list)
    for order in of.sales:
        for number, line in enumerate(order.lines, 1):
            if name := names.get(order.id + str(number)):
                sums[name].append(line.total_price)
    return [
        (name, titles.get(categories.get(name, {}).get("parent_id")), total(amounts))
        for name, amounts in sorted(sums.items())
    ]


@question(
    "sales by brand",
    "select brand_name, sum(total_price) from order_lines join wholesale_marts.dim_items"
    " using (item_id) where is_sale and brand_name is not null group by 1 order by 1",
)
def _(of: Business) -> Rows:
    items = of.items()
    brand = lambda line: items.get(line.item_id or "", {}).get("brand_name")  # noqa: E731
    return _summed(grouped(of.lines, brand), lambda line: line.total_price)


@question(
    "sales by state and country",
    "select shipping_country, shipping_state, sum(sub_total) from orders where is_sale"
    " and shipping_country <> '' and shipping_state <> '' group by all order by all",
)
def _(of: Business) -> Rows:
    told = [order for order in of.sales if order.country and order.state]
    found = grouped(told, lambda order: (order.country, order.state))
    return sorted((*key, total(map(_sub_total, made))) for key, made in found.items())


@question(
    "the products that sell best, with their names",
    "select item_title, sales_amount from products order by sales_amount desc, item_title limit 5",
)
def _(of: Business) -> Rows:
    sold: dict[Any, list[Line]] = defaultdict(list)
    for line in of.lines:
        sold[line.item_id, _sku(line.sku)].append(line)
    titles = {
        record["order_id"] + str(record["line_number"]): record["title"]
        for record in of.books.rows("orders__order_line_items")
    }
    items = of.items()
    rows = []
    for (item, _), lines in sold.items():
        last = max(lines, key=lambda line: (line.order.day or date.min, line.order.at))
        title = items.get(item, {}).get("title") or titles[last.order.id + "1"]
        rows.append((title, known_total(line.total_price for line in lines)))
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:5]


@question(
    "buyers who have not ordered for 60 days, and what they bought",
    "select buyer_id, days_since_last_order, sales_amount from wholesale_bi.rpt_reorders"
    " where days_since_last_order > 60 order by 1",
)
def _(of: Business) -> Rows:
    as_of, rows = of.books.as_of, []
    for buyer, made in grouped(of.sales, lambda order: order.buyer_id).items():
        days = [order.day for order in made if order.day and not order.is_return]
        if buyer and days and as_of and (as_of - max(days)).days > 60:
            rows.append((buyer, (as_of - max(days)).days, total(map(_sub_total, made))))
    return sorted(rows)


@question(
    "how many buyers of a month come back in the month after it",
    "select cohort_month, cohort_buyer_count, active_buyer_count"
    " from wholesale_bi.rpt_buyer_cohorts where month_number = 1 order by 1",
)
def _(of: Business) -> Rows:
    months: dict[date, set[str]] = defaultdict(set)
    first: dict[str, date] = {}
    for order in sorted(of.books.dated_sales, key=lambda order: order.day or date.min):
        month = of.books.month_of(order.day)
        if order.buyer_id and month and not order.is_return:
            first.setdefault(order.buyer_id, month)
    for order in of.books.dated_sales:
        month = of.books.month_of(order.day)
        if order.buyer_id in first and month:
            months[month].add(order.buyer_id)
    cohorts: dict[date, set[str]] = defaultdict(set)
    for buyer, month in first.items():
        cohorts[month].add(buyer)
    last = of.books.last_day
    assert last
    rows = []
    for month, buyers in sorted(cohorts.items()):
        after = (month + timedelta(31)).replace(day=1)
        if after <= last:
            rows.append((month, len(buyers), len(buyers & months[after])))
    return rows


@question(
    "after how many days a buyer orders a product again",
    "select buyer_id, item_id, quantile_disc(days, 0.5) from (select buyer_id, item_id,"
    " ordered_date - lag(ordered_date) over (partition by buyer_id, item_id order by ordered_date)"
    " as days from (select distinct buyer_id, item_id, ordered_date from order_lines where is_sale"
    " and not is_return and buyer_id is not null and item_id is not null"
    " and ordered_date is not null)) where days is not null group by all order by all",
)
def _(of: Business) -> Rows:
    days: dict[tuple[str, str], set[date]] = defaultdict(set)
    for line in of.lines:
        order = line.order
        if order.buyer_id and line.item_id and order.day and not order.is_return:
            days[order.buyer_id, line.item_id].add(order.day)
    return sorted(
        (*key, median_low([(later - day).days for day, later in pairwise(sorted(found))]))
        for key, found in days.items()
        if len(found) > 1
    )


@question(
    "what is bought together",
    "select a.item_id, b.item_id, count(distinct a.order_id) from order_lines a join order_lines b"
    " on a.order_id = b.order_id and a.item_id < b.item_id where a.is_sale and b.is_sale"
    " group by all having count(distinct a.order_id) > 1 order by all",
)
def _(of: Business) -> Rows:
    pairs: Counter[tuple[str, str]] = Counter()
    for order in of.sales:
        items = sorted({line.item_id for line in order.lines if line.item_id})
        pairs.update(combinations(items, 2))
    return sorted((*pair, count) for pair, count in pairs.items() if count > 1)


@question(
    "discounts by vendor",
    "select vendor_id, sum(discount_amount) from order_lines where is_sale"
    " and discount_amount is not null group by 1 order by 1",
)
def _(of: Business) -> Rows:
    discounted = [line for line in of.lines if line.discount is not None]
    return _summed(
        grouped(discounted, lambda line: line.order.vendor_id), lambda line: line.discount
    )


@question(
    "what a buyer earns by the recommended price",
    "select sum(msrp * quantity - total_price), count(*) from order_lines"
    " join wholesale_marts.dim_variants using (variant_id) where is_sale and msrp is not null"
    " and quantity is not null and total_price is not null",
)
def _(of: Business) -> Rows:
    earned = []
    for line in of.lines:
        variant = of.variant(line)
        if (
            variant
            and variant["msrp"] is not None
            and None not in (line.quantity, line.total_price)
        ):
            earned.append(variant["msrp"] * line.quantity - line.total_price)
    return [(total(earned) if earned else None, len(earned))]


@question(
    "how far prices paid are below the price of the variant",
    "select sum(dim_variants.unit_price * quantity - gross_amount), count(*) from order_lines"
    " join wholesale_marts.dim_variants using (variant_id)"
    " where is_sale and dim_variants.unit_price is not null and gross_amount is not null"
    " and quantity is not null",
)
def _(of: Business) -> Rows:
    below = []
    for line in of.lines:
        variant = of.variant(line)
        if variant is None or variant["unit_price"] is None:
            continue
        if line.unit_price is not None and line.quantity is not None:
            below.append((variant["unit_price"] - line.unit_price) * line.quantity)
    return [(total(below) if below else None, len(below))]


@question(
    "how many orders stand in which state",
    "select order_status, count(*) from orders where not is_deleted group by 1 order by 1",
)
def _(of: Business) -> Rows:
    return sorted(Counter(order.status for order in of.books.alive).items())


@question(
    "which orders are not shipped, and how old they are",
    "select count(*), quantile_disc(as_of_date - ordered_date, 0.5) from orders,"
    " wholesale_marts.dim_as_of where order_status = 'received' and is_sale"
    " and ordered_date is not null",
)
def _(of: Business) -> Rows:
    as_of = of.books.as_of
    assert as_of
    ages = [(as_of - o.day).days for o in of.books.dated_sales if o.status == "received" and o.day]
    return [(len(ages), median_low(ages) if ages else None)]


@question(
    "what is shipped and not paid, by buyer",
    "select buyer_id, sum(total) from receivables group by 1 order by 1",
)
def _(of: Business) -> Rows:
    unpaid = [
        order
        for order in of.sales
        if order.standing == "open" and order.status in ("shipped", "delivered")
    ]
    return _summed(grouped(unpaid, lambda order: order.buyer_id), lambda order: order.total)


@question(
    "how long it took until an order was seen shipped, and seen paid",
    "select field_name, count(*) from wholesale_marts.fct_order_status_changes"
    " where state_before is not null and state_after in ('shipped', 'paid') group by 1 order by 1",
)
def _(of: Business) -> Rows:
    found: Counter[str] = Counter()
    for order in of.books.alive:
        earlier = of.before.orders.get(order.id)
        if earlier and earlier.status != order.status == "shipped":
            found["order_status"] += 1
        if earlier and earlier.payment != order.payment == "paid":
            found["payment_status"] += 1
    return sorted(found.items())


@question(
    "which orders missed the minimum of their vendor by less than a tenth",
    "select order_id, value_shortfall from wholesale_bi.rpt_minimum_orders"
    " where value_shortfall > 0 and value_shortfall <= 0.1 * minimum_order_value order by 1",
)
def _(of: Business) -> Rows:
    return sorted(
        (order.id, order.minimum_value - order.sub_total)
        for order in of.sales
        if order.is_below_minimum_value
        and order.minimum_value
        and order.sub_total is not None
        and order.minimum_value - order.sub_total <= order.minimum_value / 10
    )


@question(
    "sales to new and to returning buyers",
    "select orders.ordered_date <= buyers.first_ordered_date, sum(sub_total) from orders"
    " join buyers using (buyer_id) where is_sale and ordered_date is not null"
    " and buyers.first_ordered_date is not null group by 1 order by 1",
)
def _(of: Business) -> Rows:
    first: dict[str, date] = {}
    for order in of.books.dated_sales:
        if order.buyer_id and order.day and not order.is_return:
            first[order.buyer_id] = min(first.get(order.buyer_id, order.day), order.day)
    known = [o for o in of.books.dated_sales if o.buyer_id in first and o.buyer_id in of.buyers]
    found = grouped(known, lambda order: (order.day or date.max) <= first[order.buyer_id or ""])
    return sorted((is_new, total(map(_sub_total, made))) for is_new, made in found.items())


@question(
    "which prices changed",
    "select variant_id, price_before, price from wholesale_bi.rpt_price_changes"
    " where price_list is null order by 1",
)
def _(of: Business) -> Rows:
    before = of.before.by_id("variants")
    return sorted(
        (row["id"], before[row["id"]]["unit_price"], row["unit_price"])
        for row in of.books.rows("variants")
        if row["id"] in before and row["unit_price"] != before[row["id"]]["unit_price"]
    )


@question(
    "the share of orders that were cancelled, and what was lost by that",
    "select count(*) filter (is_cancelled), count(*), sum(sub_total) filter (is_cancelled)"
    " from orders where not is_deleted",
)
def _(of: Business) -> Rows:
    lost = [order for order in of.books.alive if not order.is_sale]
    return [(len(lost), len(of.books.alive), total(map(_sub_total, lost)) if lost else None)]


@question(
    "how orders are paid",
    "select payment_method_type, count(*) from orders where is_sale"
    " and payment_method_type is not null group by 1 order by 1",
)
def _(of: Business) -> Rows:
    ids = {order.id for order in of.sales}
    kinds = [
        record["billing_payment_method_type"]
        for record in of.books.rows("orders")
        if record["id"] in ids
    ]
    return sorted(Counter(kind for kind in kinds if kind).items())


@question(
    "which person at the buyer orders",
    "select buyer_user_id, count(*) from orders where is_sale and buyer_user_id is not null"
    " group by 1 order by 1",
)
def _(of: Business) -> Rows:
    ids = {order.id for order in of.sales}
    users = [record["buyer_user_id"] for record in of.books.rows("orders") if record["id"] in ids]
    return sorted(Counter(user for user in users if user).items())


@question(
    "on which day of the week it is ordered",
    "select isodow(ordered_date), count(*) from orders where is_sale and ordered_date is not null"
    " group by 1 order by 1",
)
def _(of: Business) -> Rows:
    days = [order.day.isoweekday() for order in of.books.dated_sales if order.day]
    return sorted(Counter(days).items())


@question(
    "what an account manager sells",
    "select account_manager_id, sum(sub_total) from orders join buyers using (buyer_id)"
    " where is_sale and account_manager_id is not null group by 1 order by 1",
)
def _(of: Business) -> Rows:
    managers = {key: row.get("account_manager_id") for key, row in of.buyers.items()}
    return _summed(grouped(of.sales, lambda order: managers.get(order.buyer_id)), _sub_total)


@question(
    "which lines are no whole packs",
    "select count(*) from order_lines join wholesale_marts.dim_items using (item_id)"
    " where order_lines.is_sale and quantity % quantity_multiplier <> 0",
)
def _(of: Business) -> Rows:
    items, odd = of.items(), 0
    for line in of.lines:
        pack = items.get(line.item_id or "", {}).get("quantity_multiplier")
        odd += bool(pack and line.quantity is not None and line.quantity % pack)
    return [(odd,)]


@question(
    "what is known of comments, whose text may name a person",
    "select sum(comment_count), (select count(*) from meta.columns where table_name ="
    " 'fct_order_comments' and column_name = 'comment_text') from orders",
)
def _(of: Business) -> Rows:
    return [(len(of.books.rows("orders__order_comments")), 0)]


@question(
    "what sales were as of an earlier version",
    "attach '{before}' as earlier (read_only); select sum(sub_total) from earlier.orders"
    " where is_sale",
)
def _(of: Business) -> Rows:
    return [(total(map(_sub_total, of.before.sales)),)]


@question(
    "which orders changed since an earlier version, and by how much",
    "attach '{before}' as earlier (read_only); select order_id, now.sub_total - was.sub_total"
    " from orders as now join earlier.orders as was using (order_id)"
    " where now.sub_total <> was.sub_total order by 1",
)
def _(of: Business) -> Rows:
    rows = []
    for order in of.books.alive:
        earlier = of.before.orders.get(order.id)
        if earlier and None not in (order.sub_total, earlier.sub_total):
            change = known_total([order.sub_total]) - known_total([earlier.sub_total])
            rows += [(order.id, change)] if change else []
    return sorted(rows)


@pytest.fixture(scope="module")
def business(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Business:
    """Two syncs with edits between them, each published."""
    folder = tmp_path_factory.mktemp("business")
    marts = built.copy(folder)
    shutil.copytree(published, folder / "published", symlinks=True)
    before = Books([read(marts.database)], built_at(marts))
    with Sandbox(SandboxSettings(orders=400)) as sandbox:
        _edit(sandbox)
        books = _publish(marts, sandbox.base_url, folder)
    return Business(folder / "published", books, before)


def _publish(marts: Marts, url: str, folder: Path) -> Books:
    settings = ApiSettings.of(base_url=url, api_key="sandbox")
    assert sync_resources(settings, marts.warehouse, tuple(RESOURCE)).is_complete
    marts.build()
    with without_pages():
        publish_marts(marts.warehouse, str(folder / "published"))
    return Books([read(marts.database)], built_at(marts))


def _edit(sandbox: Sandbox) -> None:
    """Some orders are shipped, some paid, some have another amount; some prices are others."""
    at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    orders = [json.loads(line) for line in truth(sandbox.storage.collection("orders"))]
    received = [order for order in orders if order["status"] == "received"][:12]
    for order in received:
        sandbox.put("orders", order | {"status": "shipped", "updated_at": at})
    others = [order for order in orders if order not in received]
    for order in [order for order in others if order["payment_status"] == "unpaid"][:7]:
        sandbox.put("orders", order | {"payment_status": "paid", "updated_at": at})
    for order in others[-4:]:
        sandbox.put("orders", order | {"sub_total": order["sub_total"] + 7, "updated_at": at})
    variants = [json.loads(line) for line in truth(sandbox.storage.collection("variants"))]
    for variant in variants[:3]:
        price = str(Decimal(variant["unit_price"]) + 1)
        sandbox.put("variants", variant | {"unit_price": price, "updated_at": at})


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_answered_by_one_statement(business: Business, text: str) -> None:
    statement, right = QUESTIONS[text]

    assert business.ask(statement) == right(business)
    assert right(business) != [], "nothing to answer"


@pytest.mark.parametrize("metric", ["margin", "stock", "fill_rate"])
def test_what_the_api_does_not_tell_is_said_so(business: Business, metric: str) -> None:
    with pytest.raises(Unanswerable, match="the API does not tell"):
        ask_published(business.folder, Question(metrics=[metric]))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Business:
    """The real order history, with one sync."""
    folder = tmp_path_factory.mktemp("history")
    convert(SOURCE, folder / "data")
    with served("--data", str(folder / "data")) as url:
        books = _publish(Marts(folder / "history.duckdb"), url, folder)
    return Business(folder / "published", books, books)


@pytest.mark.long
@pytest.mark.skipif(not SOURCE.exists(), reason="the order history is not on this machine")
@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_about_a_real_history_is_answered_by_one_statement(
    history: Business, text: str
) -> None:
    statement, right = QUESTIONS[text]

    assert history.ask(statement) == right(history)
