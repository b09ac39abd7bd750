"""Who is late, what hangs on few, what was paid: by plain arithmetic over the raw rows."""

from collections import Counter, defaultdict
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from math import ceil

from support.warehouses.marts import Marts

SOLD = "from wholesale_raw.orders where status <> 'cancelled' and _deleted_at is null"


def percentile(values: list[int], share: Fraction) -> int | None:
    """The first value that so large a share of all values does not exceed."""
    return sorted(values)[max(ceil(share * len(values)), 1) - 1] if values else None


def test_purchases_gaps_and_who_is_late(built: Marts) -> None:
    ((as_of,),) = built.rows("select as_of_date from wholesale_marts.dim_as_of")
    visits: dict[str, Counter[tuple[date, str]]] = defaultdict(Counter)
    for buyer, vendor, day in built.rows(
        f"select buyer_id, vendor_id, cast(created_at as date) {SOLD} and buyer_id is not null"
    ):
        visits[buyer][day, vendor] += 1
    expected = []
    for buyer, counts in visits.items():
        days: Counter[date] = Counter()
        for (day, _), count in counts.items():
            days[day] = max(days[day], count)
        purchases = sorted(days.elements())
        gaps = [(later - earlier).days for earlier, later in pairwise(purchases)]
        rank = ceil((len(gaps) + 1) * Fraction(9, 10))
        late_after = sorted(gaps)[min(rank, len(gaps)) - 1] if gaps else None
        since = (as_of - purchases[-1]).days
        is_late = len(purchases) >= 4 and late_after is not None and since > late_after
        reorder = gaps[0] if gaps else None
        median = percentile(gaps, Fraction(1, 2))
        is_told = rank <= len(gaps)
        expected.append((buyer, len(purchases), reorder, median, late_after, is_told, is_late))

    assert built.rows(
        "select buyer_id, purchase_count, days_to_reorder, median_days_between_orders,"
        " late_after_days, has_late_percentile, is_late from wholesale_bi.rpt_reorders order by 1"
    ) == sorted(expected)


def test_concentration_is_that_of_all_sales(built: Marts) -> None:
    sales: dict[str, Counter[str]] = defaultdict(Counter)
    for vendor, buyer, amount in built.rows(f"select vendor_id, buyer_id, sub_total {SOLD}"):
        for key in (vendor, "all"):
            sales[key][buyer] += amount
    expected = []
    for key, of_buyers in sales.items():
        total = Fraction(of_buyers.total())
        top = sum((amount for _, amount in of_buyers.most_common(5)), Decimal())
        index = sum((Fraction(amount) / total) ** 2 for amount in of_buyers.values())
        exact = Decimal(index.numerator) / Decimal(index.denominator)
        expected.append((key, top, exact.quantize(Decimal("1e-12"), ROUND_HALF_UP)))

    assert built.rows(
        "select vendor_id, top_5_sales_amount, herfindahl_index"
        " from (from wholesale_bi.rpt_buyer_concentration"
        " union all from wholesale_bi.rpt_buyer_concentration_totals) order by 1"
    ) == sorted(expected)


def test_what_was_paid_is_after_discounts(built: Marts) -> None:
    ((listed, charged, taken_off, paid),) = built.rows(
        "select sum(list_price_amount), sum(charged_amount), sum(discount_amount),"
        " sum(paid_amount) from wholesale_bi.rpt_price_realisation"
    )
    lines = (
        "from wholesale_raw.orders__order_line_items as lines"
        f" where order_id in (select id {SOLD}) and exists (select 1 from wholesale_raw.variants"
        " where parent_id = lines.item_id and sku = lines.sku and variants.unit_price is not null)"
    )
    assert [(charged, taken_off)] == built.rows(
        f"select sum(total_price), sum(discount_amount) {lines}"
    )
    assert paid == charged - taken_off < listed


def test_no_share_of_a_catalogue_exceeds_all_of_it(built: Marts) -> None:
    assert built.rows(
        "select count(*) from wholesale_bi.rpt_vendor_scorecard"
        " where catalogue_sold_rate not between 0 and 1"
    ) == [(0,)]
