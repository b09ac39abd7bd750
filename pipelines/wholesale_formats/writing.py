"""Writing: how files of all formats are written."""

from collections.abc import Mapping
from typing import Any

import yaml

from wholesale_elt.figures import NO_CURRENCY, Metric
from wholesale_formats.stars import Published, Star

Files = Mapping[str, str]
"""The text of each file by its path."""
MADE = "# Made by `wholesale export` from the metrics as they are defined once.\n"
D3: Mapping[str, str] = {"amount": ",.2f", "count": ",.0f", "number": ",.2f", "share": ".1%"}
"""How a value is shown, as d3-format writes it."""


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # of no known type
    """Writes text of several lines as a block."""


def _block(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _block)


def as_yaml(content: Any) -> str:
    text: str = yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return MADE + text


def attached(published: Published) -> str:
    """The statement that attaches the published file."""
    path = str(published.database).replace("'", "''")
    return f"attach '{path}' as wholesale (read_only)"


def by_month(star: Star) -> str:
    """All metrics of a star by month, as floats: what a chart draws."""
    told = ",\n    ".join(
        f"cast({metric.expression} as double) as {metric.name}" for metric in star.metrics
    )
    rows = "\n".join(f"    {line}" for line in star.sql().splitlines())
    return (
        f"select\n    cast(date_trunc('month', {star.day}) as date) as month,\n    {told}\n"
        f"from (\n{rows}\n) as {star.name}\nwhere {star.day} is not null\ngroup by 1\norder by 1"
    )


def label_of(metric: Metric, currency: str) -> str:
    """What people call a metric, with the currency of an amount if it is known."""
    is_known = metric.unit == "amount" and currency != NO_CURRENCY
    return f"{metric.label} ({currency})" if is_known else metric.label
