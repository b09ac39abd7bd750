"""What time it is where a buyer is: told only where a place has one time."""

from collections.abc import Iterator
from typing import Any

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts


@pytest.fixture(scope="module")
def hours() -> Iterator[Scripts]:
    with loaded_scripts("data", "decimals", "days", "format", "pages/calls/hours") as scripts:
        scripts.run("wholesale.load('pages/calls/hours').then((own) => { wholesale.hours = own; })")
        yield scripts


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        ({"country": "United States", "state": "United States-Oregon"}, None),
        ({"country": "United States", "state": "Virginia"}, "America/New_York"),
        ({"country": "United States", "state": "United States-Arizona"}, "America/Phoenix"),
        ({"country": "Canada", "state": "Alberta"}, "America/Denver"),
        ({"country": "Georgia", "state": None}, None),
        ({"country": "United Kingdom", "state": None}, "Europe/London"),
        ({"country": "Australia", "state": "Victoria"}, None),
        ({"country": None, "state": None}, None),
    ],
)
def test_a_place_has_a_zone_where_it_has_one_alone(
    hours: Scripts, place: dict[str, Any], zone: str | None
) -> None:
    assert hours.call("hours.zoneOf", place) == zone
