"""How the dashboard writes values: as people read them, and in full where it must be exact."""

from decimal import Decimal
from typing import Any

import pytest

from support.warehouses.javascript import Scripts

NONE = "\u2013"


@pytest.mark.parametrize(
    ("function", "value", "text"),
    [
        ("count", 1234567, "1,234,567"),
        ("amount", "999.995", "1,000.00"),
        ("amount", "999.994", "999.99"),
        ("amount", "1234.5", "1,235"),
        ("amount", "-1234.5", "-1,235"),
        ("amount", "-12.345", "-12.35"),
        ("exactAmount", "1234.5", "1,234.50"),
        ("exactAmount", "0.123456789", "0.123456789"),
        ("exactAmount", "12345678901234567890123456789.123456789", None),
        ("cents", "0.005", "0.01"),
        ("price", "8.125", "8.125"),
        ("number", "5147522.485", "5,147,522.485"),
        ("rate", "0.901786", "90.2%"),
        ("change", "0.4056", "+40.6%"),
        ("change", "-0.179", "-17.9%"),
        ("change", "0", "0.0%"),
        ("date", "2025-03-04", "2025-03-04"),
        ("month", "2025-03", "Mar 2025"),
        ("month", "2025-03-01", "Mar 2025"),
        ("moment", "2025-03-04T05:06:07Z", "2025-03-04 05:06 UTC"),
        ("duration", "89.4", "89 s"),
        ("duration", 90, "2 min"),
        ("duration", 5400, "2 h"),
        ("duration", 172800, "2 days"),
        ("flag", True, "yes"),
        ("flag", False, "no"),
        ("text", "a", "a"),
    ],
)
def test_a_value_is_written_as_people_read_it(
    scripts: Scripts, function: str, value: Any, text: str | None
) -> None:
    expected = text or f"{Decimal(value):,}"
    assert scripts.call(f"format.{function}", value) == expected


def test_what_is_missing_is_a_dash_in_every_form(scripts: Scripts) -> None:
    forms = scripts.evaluate(
        "Object.entries(wholesale.format)"
        ".filter(([name]) => !['NONE', 'useCurrency', 'axisAmount'].includes(name))"
        ".map(([name, write]) => [name, write(null), write(undefined)])"
    )
    assert len(forms) > 10
    assert forms == [[name, NONE, NONE] for name, *_ in forms]


def test_an_amount_carries_its_currency_but_where_there_is_none(scripts: Scripts) -> None:
    def written(currency: str) -> list[str]:
        scripts.call("format.useCurrency", currency)
        return [
            scripts.call(f"format.{name}", "12.5") for name in ("amount", "exactAmount", "cents")
        ]

    assert written("EUR") == ["EUR\u00a012.50", "EUR\u00a012.50", "12.50"]
    assert written("XXX") == ["12.50", "12.50", "12.50"]
