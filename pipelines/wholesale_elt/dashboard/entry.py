"""Entry: the HTML page, with its main figures in it, readable before any script runs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from typing import Any

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.figures import NO_CURRENCY, Metric, Question, ask, read_metrics

NO_BREAK = "\u00a0"
NOTHING = "\u2013"
FINE_BELOW = 1_000
STOPPED_AFTER = 14
"""After so many days without an order before a sync, the page says so at its top."""
TOKEN = re.compile(r"\{\{(\w+)\}\}")
CURRENT = ' aria-current="page"'
HEADLINES = ("sales", "orders", "active_buyers", "average_order_value")


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


def navigation(pages: Iterable[Mapping[str, str]]) -> Markup:
    """A link for each page; the first page is the one shown."""
    items = (
        f'<a href="#/{page["name"]}"{"" if number else CURRENT}>'
        f"<span>{escape(page['title'])}</span></a>"
        for number, page in enumerate(pages)
    )
    return Markup("\n      ".join(items))


def headlines(
    connection: duckdb.DuckDBPyConnection,
    figures_from: str | None,
    figures_up_to: str | None,
    currency: str,
) -> tuple[str, Markup]:
    """The main figures of the last twelve months, or of all time where no order has a date, and the
    days that they are of: none before the first that is known."""
    period = "last_12_months" if figures_from and figures_up_to else "all_time"
    answer = ask(connection, Question(metrics=HEADLINES, period=period))
    total, known = answer.total, read_metrics()
    days = "All time"
    if answer.span and figures_from:
        first = max(answer.span.first.isoformat(), figures_from)
        days = f"Last 12 months, {first} to {answer.span.last.isoformat()}"
    return days, Markup(
        "".join(
            f'<div class="tile"><span class="label">{escape(known[name].label)}</span>'
            f'<span class="figure">{escape(_figure(known[name], total[name], currency))}</span>'
            "</div>"
            for name in HEADLINES
        )
    )


def _figure(metric: Metric, value: Any, currency: str) -> str:
    return money_text(value, currency) if metric.unit == "amount" else count_text(value)


def notice(
    last_ordered_date: str | None, quiet_day_count: int | None, mixed_currencies: Sequence[str] = ()
) -> Markup:
    """Warnings above all figures: that there are none, that orders have stopped, or that amounts
    of several currencies are added up."""
    texts = [*_end(last_ordered_date, quiet_day_count)]
    if mixed_currencies:
        texts.append(
            f"Records name currencies that do not belong together ({', '.join(mixed_currencies)}):"
            " their amounts are added up as they are. Health shows which."
        )
    return Markup("".join(f'<p class="notice" role="note">{escape(text)}</p>' for text in texts))


def _end(last_ordered_date: str | None, quiet_day_count: int | None) -> Iterator[str]:
    if last_ordered_date is None:
        yield "There are no orders yet, so there are no figures below. Health shows what was read."
    elif quiet_day_count is not None and quiet_day_count > STOPPED_AFTER:
        yield (
            f"The last order came in on {last_ordered_date}, {quiet_day_count:,} days before all"
            " was read: periods such as the last 12 months end on that day."
        )


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
