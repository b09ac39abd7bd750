"""Filters: what a page can be filtered by, each with a name, a label and its choices."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

PERIOD, VENDOR, STATE, MONTH = "period", "vendor", "state", "month"
ALL = "all"
"""What reports name the sum over all vendors or states."""


class Choice(Struct, frozen=True, omit_defaults=True):
    """One value of a filter, as people read it; those of a group stand together."""

    value: str
    label: str
    group: str = ""


class Filter(Struct, frozen=True):
    """A filter; `column` is that of the reports, and `every` names the choice of all its values.

    A period is no column but a data file.
    """

    name: str
    label: str
    column: str
    every: str


FILTERS: Mapping[str, Filter] = {
    entry.name: entry
    for entry in (
        Filter(PERIOD, "Period", "", ""),
        Filter(VENDOR, "Vendor", "vendor_id", "All vendors"),
        Filter(STATE, "State", "state", "All states"),
        Filter(MONTH, "Month", "month_start", "No month"),
    )
}
PERIOD_GROUPS: Mapping[str, str] = {
    "rolling": "Up to the last day",
    "all": "Everything",
    "year": "Years",
    "month": "Months",
}
"""What the kinds of periods of `rpt_periods` are called."""

EVERY_FILTER: Sequence[str] = (PERIOD, VENDOR, STATE)
"""What the sales of a period can be narrowed down by."""
