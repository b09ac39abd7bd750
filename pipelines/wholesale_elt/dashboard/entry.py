"""Entry: the HTML page, with its headline figures in it, readable before any script runs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from typing import Any

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.page import DashboardPage, Headline

NO_CURRENCY = "XXX"
NO_BREAK = "\u00a0"
NOTHING = "\u2013"
FINE_BELOW = 1_000
STOPPED_AFTER = 14
"""After so many days without an order before a sync, the page says so at its top."""
TOKEN = re.compile(r"\{\{(\w+)\}\}")
COLUMN = re.compile(r"\{(\w+)\}")
CURRENT = ' aria-current="page"'


class Markup(str):
    """HTML, which must not be escaped again."""


def render(template: str, values: Mapping[str, str]) -> str:
    """The template with `{{name}}` replaced by the value of that name, escaped for HTML.

    Raises: WholesaleError for a name without a value.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise WholesaleError(f"the dashboard's template asks for {name}, which has no value")
        text = values[name]
        return text if isinstance(text, Markup) else escape(text)

    return TOKEN.sub(value, template)


def navigation(pages: Iterable[DashboardPage]) -> Markup:
    """A link for each page; the first page is the one shown."""
    items = (
        f'<li><a href="#/{page.name}"{"" if number else CURRENT}>{escape(page.title)}</a></li>'
        for number, page in enumerate(pages)
    )
    return Markup("\n        ".join(items))


def headlines(page: DashboardPage, row: Mapping[str, Any], currency: str) -> Markup:
    """The headline tiles of a page with their figures, which are columns of the row."""
    found = (
        f'<section class="tile headline" aria-label="{escape(tile.label)}">'
        f'<h2>{escape(tile.label)}</h2><p class="figure">{escape(figure(tile, row, currency))}</p>'
        "</section>"
        for tile in page.tiles
        if isinstance(tile, Headline)
    )
    return Markup("\n      ".join(found))


def figure(tile: Headline, row: Mapping[str, Any], currency: str) -> str:
    """The figure of a headline, formatted as by the page's scripts."""
    types = {column.name: column.type for column in tile.columns}

    def text(match: re.Match[str]) -> str:
        value = row[match[1]]
        if types[match[1]] == "amount":
            return money_text(None if value is None else Decimal(value), currency)
        return count_text(value)

    return COLUMN.sub(text, tile.figure)


def end_of_figures(figures_up_to: str | None, last_ordered_date: str | None) -> str:
    """The last whole day of the figures, which differs from the time of the sync."""
    if last_ordered_date is None:
        return "No orders"
    if last_ordered_date == figures_up_to:
        return f"Figures up to {figures_up_to}"
    return f"Figures up to {figures_up_to}, last order {last_ordered_date}"


def notice(
    last_ordered_date: str | None, quiet_day_count: int | None, mixed_currencies: Sequence[str] = ()
) -> Markup:
    """Warnings above all figures: that there are none, that orders have stopped, or that amounts
    of several currencies are added up."""
    texts = [*_end(last_ordered_date, quiet_day_count)]
    if mixed_currencies:
        texts.append(
            f"Records name currencies that do not belong together ({', '.join(mixed_currencies)}):"
            " their amounts are added up as they are. Data health shows which."
        )
    return Markup("".join(f'<p class="notice" role="note">{escape(text)}</p>' for text in texts))


def _end(last_ordered_date: str | None, quiet_day_count: int | None) -> Iterator[str]:
    if last_ordered_date is None:
        yield (
            "This account has no orders, so there are no figures below. Data health shows what was"
            " loaded."
        )
    elif quiet_day_count is not None and quiet_day_count > STOPPED_AFTER:
        yield (
            f"The last order was made on {last_ordered_date}, {quiet_day_count:,} days before the"
            " sync: periods such as the last 12 months end on that day, not at the sync."
        )


def days_text(period: Mapping[str, Any]) -> str:
    """The days of a period and of its comparison, formatted as by the page's scripts."""
    now = f"{period['first_day']} to {period['last_day']}"
    if period["period_kind"] == "all":
        return now
    if not period["is_year_before_covered"]:
        return f"{now}, with no whole year before to compare with"
    before = f"{period['year_before_first_day']} to {period['year_before_last_day']}"
    return f"{now}, compared with {before}"


def count_text(count: int | None) -> str:
    return NOTHING if count is None else f"{count:,}"


def money_text(amount: Decimal | None, currency: str) -> str:
    """Rounded to whole units from a thousand on, to hundredths below; halves away from zero."""
    if amount is None:
        return NOTHING
    step = Decimal(1) if abs(amount) >= FINE_BELOW else Decimal("0.01")
    text = f"{amount.quantize(step, ROUND_HALF_UP):,}"
    return text if currency == NO_CURRENCY else f"{currency}{NO_BREAK}{text}"


def time_text(at: str | None) -> str:
    """An ISO time for readers, to the minute, in UTC."""
    if not at:
        return NOTHING
    return f"{datetime.fromisoformat(at).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
