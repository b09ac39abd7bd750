"""The page itself: the template with the headline figures in it, readable before any script."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from html import escape

from wholesale.errors import WholesaleError

NO_CURRENCY = "XXX"
NO_BREAK = "\u00a0"
NOTHING = "\u2013"
FINE_BELOW = 1_000
TOKEN = re.compile(r"\{\{(\w+)\}\}")


def render(template: str, values: Mapping[str, str]) -> str:
    """The template with `{{name}}` replaced by the value of that name, escaped for HTML.

    Raises: WholesaleError for a name that has no value.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise WholesaleError(f"the dashboard's template asks for {name}, which has no value")
        return escape(values[name])

    return TOKEN.sub(value, template)


def count_text(count: int | None) -> str:
    return NOTHING if count is None else f"{count:,}"


def money_text(amount: Decimal | None, currency: str) -> str:
    """Whole units from a thousand on, hundredths below; halves are rounded away from zero."""
    if amount is None:
        return NOTHING
    step = Decimal(1) if abs(amount) >= FINE_BELOW else Decimal("0.01")
    text = f"{amount.quantize(step, ROUND_HALF_UP):,}"
    return text if currency == NO_CURRENCY else f"{currency}{NO_BREAK}{text}"


def time_text(at: str | None) -> str:
    """An ISO time as people read it, to the minute, in UTC."""
    if not at:
        return NOTHING
    return f"{datetime.fromisoformat(at).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
