"""Filters: the filters of pages, each with a name, a label and its choices."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

PERIOD, VENDOR, STATE, MONTH = "period", "vendor", "state", "month"
ALL = "all"
"""The value in reports for the sum over all vendors or states."""


class Choice(Struct, frozen=True, omit_defaults=True):
    """One value of a filter with its label; those of a group are shown together."""

    value: str
    label: str
    group: str = ""


class Filter(Struct, frozen=True):
    """A filter; `column` is that of the reports, and `every` is the label of no restriction.

    A period is not a column but a data file.
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
"""Labels of the kinds of periods in `rpt_periods`."""

EVERY_FILTER: Sequence[str] = (PERIOD, VENDOR, STATE)
"""The filters of the sales of a period."""
