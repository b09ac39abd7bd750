"""A view is a link: what the address says, what is left out of it, and which rows it leaves."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from support.warehouses.javascript import Scripts
from wholesale_elt.dashboard.entry import days_text

META: Mapping[str, Any] = {
    "pages": [
        {"name": "overview", "tiles": [{"filters": ["period"]}, {"filters": ["vendor", "period"]}]},
        {"name": "health", "tiles": [{}]},
    ],
    "filters": [
        {
            "name": "period",
            "column": "",
            "otherwise": "last_12_months",
            "choices": [{"value": "last_12_months"}, {"value": "2025"}],
        },
        {
            "name": "vendor",
            "column": "vendor_id",
            "otherwise": "all",
            "choices": [{"value": "all"}, {"value": "Müller & Söhne=1"}],
        },
    ],
}
VENDOR = "Müller & Söhne=1"
VENDOR_IN_HASH = "M%C3%BCller%20%26%20S%C3%B6hne%3D1"
NOTHING_CHOSEN = {"page": "overview", "period": "last_12_months", "vendor": "all"}


@pytest.mark.parametrize(
    ("hash_", "view"),
    [
        ("", NOTHING_CHOSEN),
        ("#/", NOTHING_CHOSEN),
        ("#/health", {**NOTHING_CHOSEN, "page": "health"}),
        ("#/unknown?period=1999&vendor=nobody&colour=red", NOTHING_CHOSEN),
        ("#/overview?period=2025", {**NOTHING_CHOSEN, "period": "2025"}),
        (
            "#/overview?period=2026-01-05..2026-02-10",
            {**NOTHING_CHOSEN, "period": "2026-01-05..2026-02-10"},
        ),
        ("#/overview?period=2026-02-10..2026-01-05", NOTHING_CHOSEN),
        ("#/overview?vendor=2026-01-05..2026-02-10", NOTHING_CHOSEN),
        (f"#/overview?vendor={VENDOR_IN_HASH}", {**NOTHING_CHOSEN, "vendor": VENDOR}),
        (
            f"#/health?vendor={VENDOR_IN_HASH.replace('%20', '+')}&period=2025",
            {"page": "health", "period": "2025", "vendor": VENDOR},
        ),
    ],
)
def test_an_address_says_what_is_seen_and_what_it_does_not_know_falls_back(
    scripts: Scripts, hash_: str, view: Mapping[str, str]
) -> None:
    assert scripts.call("view.parse", hash_, META) == view


@pytest.mark.parametrize(
    ("view", "hash_"),
    [
        (NOTHING_CHOSEN, "#/overview"),
        ({**NOTHING_CHOSEN, "page": "health", "period": "2025"}, "#/health?period=2025"),
        (
            {**NOTHING_CHOSEN, "period": "2026-01-05..2026-02-10"},
            "#/overview?period=2026-01-05..2026-02-10",
        ),
        ({**NOTHING_CHOSEN, "vendor": VENDOR}, f"#/overview?vendor={VENDOR_IN_HASH}"),
    ],
)
def test_what_is_not_chosen_is_not_in_the_address_and_the_rest_comes_back(
    scripts: Scripts, view: Mapping[str, str], hash_: str
) -> None:
    assert scripts.call("view.hashOf", view, META) == hash_
    assert scripts.call("view.parse", hash_, META) == view


def test_a_page_follows_the_filters_of_any_of_its_tiles(scripts: Scripts) -> None:
    found = [scripts.call("view.filtersOf", page, META) for page in META["pages"]]
    assert [[entry["name"] for entry in filters] for filters in found] == [["period", "vendor"], []]


@pytest.mark.parametrize(
    ("tile", "vendor", "kept"),
    [
        ({}, "v1", ["all", "v1", "v2"]),
        ({"filters": ["vendor"]}, "all", ["all", "v1", "v2"]),
        ({"filters": ["vendor"]}, "v1", ["v1"]),
        ({"filters": ["vendor"], "has_totals": True}, "all", ["all"]),
        ({"filters": ["vendor", "period"], "has_totals": True}, "v2", ["v2"]),
    ],
)
def test_a_tile_keeps_the_rows_of_the_filters_it_follows(
    scripts: Scripts, tile: Mapping[str, Any], vendor: str, kept: list[str]
) -> None:
    view = {**NOTHING_CHOSEN, "vendor": vendor}
    rows = [{"vendor_id": name} for name in ("all", "v1", "v2")]
    found = scripts.evaluate(
        f"{json_text(rows)}.filter(wholesale.view.within({json_text(tile)}, {json_text(view)},"
        f" {json_text(META)}))"
    )
    assert [row["vendor_id"] for row in found] == kept


def json_text(value: Any) -> str:
    return json.dumps(value)


SPANS: list[dict[str, Any]] = [
    {
        "period_key": "last_12_months",
        "period_kind": "rolling",
        "first_day": "2025-07-01",
        "last_day": "2026-06-30",
        "year_before_first_day": "2024-07-01",
        "year_before_last_day": "2025-06-30",
        "is_year_before_covered": True,
    },
    {
        "period_key": "2025",
        "period_kind": "year",
        "first_day": "2025-01-01",
        "last_day": "2025-12-31",
        "year_before_first_day": "2024-01-01",
        "year_before_last_day": "2024-12-31",
        "is_year_before_covered": False,
    },
    {
        "period_key": "all_time",
        "period_kind": "all",
        "first_day": "2024-07-01",
        "last_day": "2026-06-30",
    },
]


@pytest.mark.parametrize(
    ("page", "period", "end", "days"),
    [
        (
            *(0, "last_12_months", "2026-06-30"),
            "2025-07-01 to 2026-06-30, compared with 2024-07-01 to 2025-06-30",
        ),
        (
            *(0, "2025", "2026-06-30"),
            "2025-01-01 to 2025-12-31, with no whole year before to compare with",
        ),
        (0, "all_time", "2026-06-30", "2024-07-01 to 2026-06-30"),
        (
            *(0, "2026-01-05..2026-02-10", "2026-06-30"),
            "2026-01-05 to 2026-02-10, compared with 2025-01-05 to 2025-02-10",
        ),
        (
            *(0, "2025-01-05..2025-02-10", "2026-06-30"),
            "2025-01-05 to 2025-02-10, with no whole year before to compare with",
        ),
        (1, "2025", "2026-06-30", "Orders up to 2026-06-30"),
        (0, "all_time", None, ""),
        (2, "2025", "2026-06-30", ""),
        (3, "2025", "2026-06-30", "2025-01-01 to 2025-12-31"),
    ],
)
def test_a_page_says_which_days_it_is_about(
    scripts: Scripts, page: int, period: str, end: str | None, days: str
) -> None:
    filters = [*META["filters"], {"name": "month"}]
    meta = json.dumps({**META, "filters": filters, "figures_up_to": end, "everything": "all_time"})
    spans = f"new Map({json.dumps([[span['period_key'], span] for span in SPANS])})"
    pages = [*META["pages"], {"tiles": []}, {"tiles": [{"filters": ["month"]}]}]
    page_ = json.dumps(pages[page])
    view = json.dumps({"period": period, "month": "2025"})
    assert days == scripts.evaluate(
        f"wholesale.view.daysOf({page_}, {view}, {{...{meta}, spans: {spans}}})"
    )
    for span in SPANS:
        if page == 0 and end and span["period_key"] == period:
            assert days_text(span) == days


@pytest.mark.parametrize(
    ("view", "follows", "name"),
    [
        ({}, ["period", "vendor"], "top-states_last_12_months.csv"),
        ({"period": "2025"}, ["period"], "top-states_2025.csv"),
        (
            {"period": "2026-01-05..2026-02-10", "vendor": VENDOR},
            ["period", "vendor"],
            "top-states_2026-01-05..2026-02-10_vendor-Müller-Söhne-1.csv",
        ),
        ({"vendor": VENDOR}, ["period"], "top-states_last_12_months.csv"),
        ({"vendor": VENDOR}, [], "top-states.csv"),
    ],
)
def test_a_file_is_named_by_its_span_and_by_what_is_chosen_of_it(
    scripts: Scripts, view: Mapping[str, str], follows: list[str], name: str
) -> None:
    shown = json.dumps(NOTHING_CHOSEN | dict(view))
    meta = f"{{...{json.dumps(META)}, labels: new Map()}}"

    assert (
        scripts.evaluate(
            f"wholesale.view.fileName('top-states', {shown}, {json.dumps(follows)}, {meta})"
        )
        == name
    )
