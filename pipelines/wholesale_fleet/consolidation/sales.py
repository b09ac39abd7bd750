"""Sales: what accounts sold by currency and month, and why some of a currency stand apart."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from html import escape
from itertools import pairwise

from wholesale_elt.dashboard import Json, Markup, count_text, money_text, time_text
from wholesale_elt.figures import NO_CURRENCY
from wholesale_fleet.consolidation.markup import table, tile

WIDTH, HEIGHT = 100, 24
"""Width and height of the SVG view of a line, whatever its size on the page."""
OTHERWISE = "build_key"
"""The column of settings that differs where no other does, as by the release of the models."""
SETTINGS: Mapping[str, str] = {
    "currency": "Currency",
    "time_zone": "Time zone",
    "is_discount_in_amounts": "Discounts in amounts",
    "cancelled_order_statuses": "Cancelled",
    "refunded_payment_statuses": "Refunded",
    "largest_amount": "Largest amount",
    "largest_quantity": "Largest quantity",
    "first_plausible_day": "First day",
}
"""Columns of settings with their labels."""
KEY = "settings_id"
"""By which accounts are counted together; it is shown to nobody."""


def sales_by_currency(
    sales: Sequence[Json], names: Mapping[str, str], settings: Mapping[str, Sequence[Json]]
) -> Markup:
    return tile(
        "Sales",
        "Of all time, not cancelled and not deleted. Accounts of one currency are added up where"
        " days and amounts mean the same in them.",
        table(
            "Sales by currency",
            ("Currency", "Accounts", "Time zone", "Orders", "Sales", "Billed", "As of", "Apart by"),
            (
                [
                    ("code", currency_text(row["currency"])),
                    ("account", names[row[KEY]]),
                    ("code", row["time_zone"]),
                    ("number", count_text(row["order_count"])),
                    ("number", amount_cell(row, "sales_amount")),
                    ("number", amount_cell(row, "billed_amount")),
                    ("moment", time_text(row["as_of"])),
                    ("text", ", ".join(_apart(row[KEY], settings))),
                ]
                for row in sales
            ),
        ),
    )


def currency_text(code: str) -> str:
    return "not set" if code == NO_CURRENCY else code


def _apart(key: str, settings: Mapping[str, Sequence[Json]]) -> Iterator[str]:
    """The settings for which other accounts of this currency are not added to these."""
    own = settings[key][0]
    others = [
        rows[0]
        for other, rows in settings.items()
        if other != key and rows[0]["currency"] == own["currency"]
    ]
    if others and own["currency"] == NO_CURRENCY:
        yield "Currency not set"
        return
    differing = [
        label
        for name, label in SETTINGS.items()
        if any(other[name] != own[name] for other in others)
    ]
    yield from differing
    if not differing and any(other[OTHERWISE] != own[OTHERWISE] for other in others):
        yield "Another setting, or release"


def course(months: Sequence[Json], names: str) -> Markup:
    """Sales by month of the accounts of these names, as a line and as a table."""
    first = months[0]
    currency = first["currency"]
    values = [
        None if row["sales_amount"] is None else Decimal(row["sales_amount"]) for row in months
    ]
    highest = max((value for value in values if value is not None), default=None)
    of = names if currency == NO_CURRENCY else f"{currency}: {names}"
    return tile(
        f"Sales by month, {of}",
        "The last month goes to the last day with an order.",
        Markup(
            f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' preserveAspectRatio="none" aria-hidden="true"><path d="{_path(values)}"/></svg>'
            f'<p class="ends"><span>{escape(first["month"])}</span>'
            f"<span>highest {escape(money_text(highest, currency))}</span>"
            f"<span>{escape(months[-1]['month'])}</span></p>"
            "<details><summary>The numbers</summary>"
        )
        + table(
            f"Sales by month, {of}",
            ("Month", "Orders", "Sales"),
            (
                [
                    ("month", row["month"]),
                    ("number", count_text(row["order_count"])),
                    ("number", amount_cell(row, "sales_amount")),
                ]
                for row in reversed(months)
            ),
        )
        + "</details>",
    )


def amount_cell(row: Json, name: str) -> Markup:
    """Rounded as elsewhere on the dashboard; the attribute `value` is exact."""
    value = row[name]
    text = money_text(None if value is None else Decimal(value), row["currency"])
    return Markup(f'<data value="{escape(value or "")}">{escape(text)}</data>')


def _path(values: Sequence[Decimal | None]) -> str:
    """An SVG path from the left to the right of the view, whose height includes zero.

    It is broken where a value is not known.
    """
    ends = [Decimal(0), *(value for value in values if value is not None)]
    low, high = min(ends), max(ends)
    reach = high - low or Decimal(1)
    steps = []
    for number, (before, value) in enumerate(pairwise((None, *values))):
        if value is not None:
            x = WIDTH * number / max(1, len(values) - 1)
            y = HEIGHT * (1 - (value - low) / reach)
            steps.append(f"{'M' if before is None else 'L'}{x:.2f},{y:.2f}")
    return " ".join(steps)
