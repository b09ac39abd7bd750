"""A view is a link: what the address says, what is left out of it, and what comes back."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

NOTHING_CHOSEN: Mapping[str, Any] = {
    "page": "today",
    "id": "",
    "period": "last_12_months",
    "compare": "year",
    "where": {},
    "own": {},
    "kept": {},
}
ODD = "Müller & Söhne=1,2/3"
ODD_ID = "M%C3%BCller%20%26%20S%C3%B6hne%3D1%2C2%2F3"
ODD_KEY = "M%C3%BCller%20%26%20S%C3%B6hne%3D1%252C2%2F3"


@pytest.fixture(scope="module")
def views() -> Iterator[Scripts]:
    pages = [{"name": name} for name in ("today", "sales", "buyers")]
    with loaded_scripts("data", "days", "view") as scripts:
        scripts.evaluate(
            "Object.assign(wholesale, {meta: {figures_up_to: '2026-06-30', pages:"
            f" {json.dumps(pages)}}}}}) && 1"
        )
        yield scripts


@pytest.mark.parametrize(
    ("hash_", "view"),
    [
        ("", {}),
        ("#/", {}),
        ("#/sales", {"page": "sales"}),
        ("#/unknown/x?period=1999-13&compare=never", {}),
        ("#/sales?period=2026-08", {"page": "sales"}),
        (
            "#/sales?period=2025&compare=none",
            {"page": "sales", "period": "2025", "compare": "none"},
        ),
        (
            "#/sales?period=2026-01-05..2026-02-10",
            {"page": "sales", "period": "2026-01-05..2026-02-10"},
        ),
        ("#/sales?period=2026-02-10..2026-01-05", {"page": "sales"}),
        (f"#/buyer/{ODD_ID}", {"page": "buyer", "id": ODD}),
        ("#/buyer/%E0%A4%A", {"page": "buyer", "id": "%E0%A4%A"}),
        (f"#/sales?vendor={ODD_KEY}", {"page": "sales", "where": {"vendor": [ODD]}}),
        (
            "#/sales?vendor=a,b&state=",
            {"page": "sales", "where": {"vendor": ["a", "b"], "state": [None]}},
        ),
        ("#/sales?by=vendor", {"page": "sales", "own": {"by": "vendor"}}),
        (
            "#/buyers?show=all&buyers.sort=-orders",
            {"page": "buyers", "own": {"show": "all"}, "kept": {"buyers.sort": "-orders"}},
        ),
    ],
)
def test_an_address_says_what_is_seen_and_what_it_does_not_know_falls_back(
    views: Scripts, hash_: str, view: Mapping[str, Any]
) -> None:
    assert views.call("view.parse", hash_) == {**NOTHING_CHOSEN, **view}


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"page": "sales", "period": "2025", "compare": "period"},
        {"page": "buyer", "id": ODD, "where": {"vendor": [ODD, "b"], "state": [None]}},
        {"page": "sales", "own": {"by": "product", "metric": "orders"}},
        {"page": "buyers", "own": {"show": "all"}, "kept": {"buyers.find": "a & b", "x.rows": "9"}},
    ],
)
def test_what_is_chosen_comes_back_from_the_address(
    views: Scripts, view: Mapping[str, Any]
) -> None:
    whole = {**NOTHING_CHOSEN, **view}
    assert views.call("view.parse", views.call("view.hashOf", whole)) == whole


def test_what_is_not_chosen_is_not_in_the_address(views: Scripts) -> None:
    assert views.call("view.hashOf", NOTHING_CHOSEN) == "#/today"
    assert views.call("view.hashOf", {**NOTHING_CHOSEN, "own": {"by": ""}}) == "#/today"
